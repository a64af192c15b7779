import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, csv, leads, openBench } from '../kit/bench.js';
import { makePlaces, PLACES, type UnusablePlace } from '../kit/unusable-places.js';
import { wordsIn } from '../kit/words.js';
import { runAt } from './terminal.js';
import { tablesIn } from '../kit/tables.js';

const { writers: WRITERS, readers: READERS } = tablesIn(import.meta.dirname, 'places.yaml') as {
  readonly writers: string[];
  readonly readers: string[];
};

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

/** What a place is, is found out by the same code for all commands: two kinds of places are tried with all of them. */
const isWhole = (what: string): boolean =>
  ['an existing file', 'a device that is full'].includes(what);
const FIRST_OF_EACH = ['FOLDER', 'LEDGER', 'FILE'].map((place) =>
  WRITERS.find((line) => line.includes(place))!,
);

function argsAt(line: string, { ledger, folder, file }: Omit<UnusablePlace, 'words'>): string[] {
  const places: Record<string, string> = {
    ...{ LEDGER: ledger, FOLDER: folder, FILE: file },
    ...{ THERE: bench.at('there.db'), CENTER: bench.at('center.yaml') },
  };
  return wordsIn(line).map((word) => places[word] ?? word);
}

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

  it.each(isWhole(what) ? WRITERS : FIRST_OF_EACH)('is refused by %s', async (line) => {
    const place = places.of(what);
    const { code, stdout, stderr } = await runAt(argsAt(line, place));
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(place.words);
  });

  it.each(isWhole(what) ? READERS : READERS.slice(0, 1))('is no ledger for %s', async (line) => {
    const args = argsAt(`${line} --ledger LEDGER`, places.of(what));
    const { code, stdout, stderr } = await runAt(args);
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
  for (const line of WRITERS.filter((one) => /^(?!sandbox).*LEDGER/.test(one))) {
    const ran = await runAt(argsAt(line, { folder: place, ledger: place, file: place }));
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

describe('a folder that a run writes into', () => {
  /** A run that waits for the answer to its clients, until it is told to go on. */
  async function held(name: string, file: string) {
    let answer = (): void => undefined;
    const hold = new Promise<void>((resolve) => (answer = resolve));
    const begun = new Promise<void>((resolve) => {
      bench.center.behave = ({ operation }) => {
        if (operation !== '4.1') return undefined;
        resolve();
        return { hold };
      };
    });
    const { ended } = bench.start(name, [file]);
    await begun;
    return async () => {
      answer();
      const run = bench.imported(name, await ended);
      expect(run.code, run.stderr).toBe(0);
      return run.report();
    };
  }
  const creations = (): number =>
    bench.center.requests.filter(({ operation }) => operation === '4.1').length;

  it('is refused to a second run, whatever its ledger, and the report is of the first', async () => {
    const end = await held('one', bench.at('leads.csv'));
    const asked = creations();
    const out = ['--out', bench.at('one')];
    const second = await bench.import('two', [bench.at('others.csv')], out);
    expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 3, stdout: '' });
    expect(second.stderr).toMatch(/Run \S+ is writing into \S+one\. Wait for it/);
    expect(creations()).toBe(asked);
    const ids = (await end()).map(({ offerId }) => offerId);
    expect(ids.toSorted()).toEqual(leads(20).map(({ Offer }) => Offer));
    // Released with the run: the folder can be used again.
    const again = await bench.import('two', [bench.at('others.csv')], out);
    expect(again.code, again.stderr).toBe(0);
    expect(existsSync(bench.at('one/.cardline-run'))).toBe(false);
  });

  it('does not let go of its lock: the run ends as it did', async () => {
    const file = await bench.write('more.csv', csv(leads(60).slice(40)));
    const end = await held('locked', file);
    await rename(bench.at('locked/.cardline-run'), bench.at('locked/moved'));
    await mkdir(bench.at('locked/.cardline-run'));
    expect(await end()).toHaveLength(20);
    // The run was given back: the next one is not told that somebody is at work on it.
    await rm(bench.at('locked/.cardline-run'), { recursive: true });
    const again = await bench.import('locked', [file]);
    expect(again.code, again.stderr).toBe(0);
  });
});
