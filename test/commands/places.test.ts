import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, csv, leads, openBench } from '../runs/harness.js';
import { makePlaces, PLACES, type UnusablePlace } from '../kit/unusable-places.js';
import { runAt } from './terminal.js';

let bench: Bench;
let places: Awaited<ReturnType<typeof makePlaces>>;
beforeAll(async () => {
  bench = await openBench();
  await bench.write('leads.csv', csv(leads(20)));
  await bench.write('others.csv', csv(leads(40).slice(20)));
  expect((await runAt(['ledger', 'init', '--ledger', bench.at('there.db')])).code).toBe(0);
  places = await makePlaces((name) => bench.at(name));
});
afterAll(async () => {
  await places.close();
  await bench.close();
});

/** Everything but `import` that writes, by the options that say where. */
const WRITERS: Record<string, (place: UnusablePlace) => string[]> = {
  'reconcile --out': ({ folder }) => ['reconcile', 'leads.csv', '--out', folder],
  'reconcile --fix': ({ folder }) => ['reconcile', 'leads.csv', '--fix', folder],
  'undo -o': ({ folder }) => ['undo', '20260101-01', '--yes', '-o', folder],
  'undo --ledger': ({ ledger }) => ['undo', '20260101-01', '--yes', '--ledger', ledger],
  'resume --metrics-file': ({ file }) => ['resume', '--metrics-file', file],
  'check -o': ({ folder }) => ['check', 'leads.csv', '-m', 'x.yaml', '-o', folder],
  'report -o': ({ file }) => ['report', '20260101-01', '-o', file],
  'template -o': ({ file }) => ['template', '-m', 'x.yaml', '-i', 'y.yaml', '-o', file],
  'suggest -o': ({ file }) => ['suggest', 'leads.csv', '-i', 'y.yaml', '-o', file],
  'init -o': ({ file }) => [
    'init',
    '--url',
    'http://x.example',
    '--id',
    'a',
    '-o',
    file,
    '--force',
  ],
  'schedule print --out': ({ folder }) => [
    'schedule',
    'print',
    'systemd',
    'x.yaml',
    '--out',
    folder,
  ],
  'reconcile --ledger': ({ ledger }) => ['reconcile', 'leads.csv', '--ledger', ledger],
  'reconcile --metrics-file': ({ file }) => ['reconcile', 'leads.csv', '--metrics-file', file],
  'undo --metrics-file': ({ file }) => ['undo', '20260101-01', '--yes', '--metrics-file', file],
  'resume --ledger': ({ ledger }) => ['resume', '--ledger', ledger],
  'resume --out': ({ folder }) => ['resume', '--out', folder],
  'report --output': ({ file }) => ['report', '20260101-01', '--output', file],
  'ui --ledger': ({ ledger }) => ['ui', '--ledger', ledger],
  'ledger init --ledger': ({ ledger }) => ['ledger', 'init', '--ledger', ledger],
  'ledger copy': ({ ledger }) => ['ledger', 'copy', bench.at('there.db'), ledger],
  'sandbox --db': ({ ledger }) => ['sandbox', '-i', bench.at('center.yaml'), '--db', ledger],
};

/** All that reads a ledger and makes none. */
const READERS: Record<string, readonly string[]> = {
  runs: ['runs'],
  'runs show': ['runs', 'show', '20260101-01'],
  'runs compare': ['runs', 'compare', '20260101-01', '20260101-02'],
  'runs erase': ['runs', 'erase', '20260101-01', '--yes'],
  'runs prune': ['runs', 'prune', '--older-than', '30d', '--yes'],
  report: ['report', '20260101-01'],
  check: ['check', 'leads.csv', '-m', 'x.yaml'],
  suggest: ['suggest', 'leads.csv', '-i', 'y.yaml'],
  fleet: ['fleet'],
  worker: ['worker'],
};

describe.each(PLACES)('%s', (what) => {
  it('is refused by an import before anything is done, whichever option names it', async () => {
    const { folder, ledger, file, words } = places.of(what);
    const before = await readdir(bench.at(''));
    const named = ['--out', folder, '--ledger', ledger, '--metrics-file', file];
    const { code, stdout, stderr } = await bench.import('none', [bench.at('leads.csv')], named);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    const lines = stderr.split('\n');
    for (const option of ['--out', '--ledger', '--metrics-file'])
      expect(lines.find((line) => line.startsWith(`${option}: `))).toMatch(words);
    expect(stderr).toContain('nothing was done');
    expect(await readFile(bench.at('a-file'), 'utf8')).toBe('kept\n');
    expect(await readdir(bench.at(''))).toEqual(before);
    expect(bench.center.requests).toEqual([]);
  });

  it.each(Object.entries(WRITERS))('is refused by %s', async (_, args) => {
    const place = places.of(what);
    const { code, stdout, stderr } = await runAt(args(place));
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(place.words);
  });

  it.each(Object.entries(READERS))('is no ledger for %s', async (_, args) => {
    const { ledger } = places.of(what);
    const { code, stdout, stderr } = await runAt([...args, '--ledger', ledger]);
    expect({ code, stdout }, stderr).toEqual({ code: 64, stdout: '' });
    expect(stderr).not.toBe('');
  });
});

it.each([
  [':memory:', 'is forgotten with the command, and nothing could be continued'],
  ['there.db-wal', 'is a name that SQLite uses beside a database'],
  ['there.db-WAL', 'is a name that SQLite uses beside a database'],
])('%s is no place for a ledger', async (name, words) => {
  const before = await readdir(bench.at(''));
  const place = name.startsWith(':') ? name : bench.at(name);
  const commands = Object.entries(WRITERS).filter(
    ([option]) => option.endsWith('--ledger') || option === 'ledger copy',
  );
  for (const [, args] of commands) {
    const ran = await runAt(args({ folder: place, ledger: place, file: place, words: /x/ }));
    expect({ code: ran.code, stdout: ran.stdout }, ran.stderr).toEqual({ code: 64, stdout: '' });
    expect(ran.stderr).toContain(`${place} ${words}.`);
  }
  expect(await readdir(bench.at(''))).toEqual(before);
});

it.each(['postgre://me:word@db.example/calls', '"postgres://me:word@db.example/calls"'])(
  '%s is meant as an address, and is not taken for a file',
  async (ledger) => {
    const before = await readdir(bench.at(''));
    const options = ['--ledger', ledger];
    for (const ran of [
      await bench.import('none', [bench.at('leads.csv')], options),
      await runAt(['ledger', 'init', ...options]),
      await runAt(['runs', ...options]),
    ]) {
      expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 64, stdout: '' });
      expect(ran.stderr).toContain('write it as postgres://user@host:5432/database');
      expect(ran.stderr).not.toContain('word');
    }
    expect(await readdir(bench.at(''))).toEqual(before);
    expect(bench.center.requests).toEqual([]);
  },
);

it('a ledger may have a name that SQLite would use beside another one', async () => {
  const place = bench.at('night-journal');
  const ran = await runAt(['ledger', 'init', '--ledger', place]);
  expect(ran.code, ran.stderr).toBe(0);
  await rm(place);
});

it('a database of PostgreSQL is no place for a sandbox', async () => {
  const args = ['sandbox', '-i', bench.at('center.yaml'), '--db', 'postgres://nobody@127.0.0.1/a'];
  const { code, stderr } = await runAt(args);
  expect({ code, isSaid: stderr.includes('a sandbox keeps a file') }).toEqual({
    code: 64,
    isSaid: true,
  });
});

it('a second run into the same folder is refused, whatever its ledger, and the report is of the first', async () => {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const begun = new Promise<void>((resolve) => {
    bench.center.behave = ({ operation }) => {
      if (operation !== '4.1') return undefined;
      resolve();
      return { hold: held };
    };
  });
  const first = bench.start('one', [bench.at('leads.csv')]);
  await begun;
  const asked = bench.center.requests.length;
  const out = ['--out', bench.at('one')];
  const second = await bench.import('two', [bench.at('others.csv')], out);
  expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 3, stdout: '' });
  expect(second.stderr).toMatch(/Run \S+ is writing into \S+one\. Wait for it/);
  expect(bench.center.requests.slice(asked).filter(({ operation }) => operation === '4.1')).toEqual(
    [],
  );
  answer();
  const one = bench.imported('one', await first.ended);
  expect(one.code, one.stderr).toBe(0);
  expect(one.report().map(({ row }) => Number(row))).toHaveLength(20);
  const ids = one.report().map(({ offerId }) => offerId);
  expect(ids.toSorted()).toEqual(leads(20).map(({ Offer }) => Offer));
  // Released with the run: the folder can be used again.
  const again = await bench.import('two', [bench.at('others.csv')], out);
  expect(again.code, again.stderr).toBe(0);
  expect(existsSync(bench.at('one/.cardline-run'))).toBe(false);
});

it('a run ends as it did where its folder does not let go of the lock', async () => {
  const file = await bench.write('more.csv', csv(leads(60).slice(40)));
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const begun = new Promise<void>((resolve) => {
    bench.center.behave = ({ operation }) => {
      if (operation !== '4.1') return undefined;
      resolve();
      return { hold: held };
    };
  });
  const run = bench.start('locked', [file]);
  await begun;
  await rename(bench.at('locked/.cardline-run'), bench.at('locked/moved'));
  await mkdir(bench.at('locked/.cardline-run'));
  answer();
  const ended = bench.imported('locked', await run.ended);
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.report()).toHaveLength(20);
  // The run was given back: the next one is not told that somebody is at work on it.
  await rm(bench.at('locked/.cardline-run'), { recursive: true });
  const again = await bench.import('locked', [file]);
  expect(again.code, again.stderr).toBe(0);
});
