import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { watchPickups } from '../../src/nightly/watch/watch-pickups.js';
import { csv, lead, leads, twice, until, useOpened } from '../kit/bench.js';
import { openArrivals } from './harness.js';

const arrivals = useOpened(() => openArrivals());

describe('files that have arrived', () => {
  it('are imported in the order of their names, and put away by how they ended', async () => {
    await arrivals.edit('leads-*.csv', 'leads-*');
    await arrivals.arrive('leads-2.csv', [lead(3), lead(4, { Mobile: 'none' })]);
    await arrivals.arrive('leads-1.csv', leads(2));
    await arrivals.arrive('leads-3.csv', 'PDF-1.4\0\0 no list');
    await writeFile(arrivals.in('leads-4.csv.gz'), gzipSync(csv([lead(5)])));
    await arrivals.arrive('notes.txt', 'not for us');
    const { code, stderr } = await arrivals.watch();
    expect(code, stderr).toBe(2);
    expect(arrivals.center.creations.size).toBe(4);
    expect(await arrivals.names()).toEqual(['done', 'failed', 'notes.txt']);
    const reports = (name: string): string[] => [
      ...[name, `${name}.report.csv`, `${name}.summary.json`],
    ];
    expect(await arrivals.names('done')).toEqual([
      ...reports('leads-1.csv'),
      ...reports('leads-4.csv.gz'),
    ]);
    expect(await arrivals.names('failed')).toEqual([
      ...['leads-2.csv', 'leads-2.csv.rejects.csv'],
      ...['leads-2.csv.report.csv', 'leads-2.csv.summary.json'],
      ...['leads-3.csv', 'leads-3.csv.error.txt'],
    ]);
    expect(stderr.indexOf('leads-1.csv')).toBeLessThan(stderr.indexOf('leads-2.csv'));
    expect(stderr).toContain('1 of 2 rows of leads-2.csv need you.');
  });

  it('are not imported twice when the same content comes again', async () => {
    await arrivals.arrive('leads-1.csv', leads(2));
    await arrivals.watch();
    await arrivals.arrive('leads-1.csv', leads(2));
    const { code, stderr } = await arrivals.watch();
    expect(code).toBe(0);
    expect(stderr).toContain('leads-1.csv has been imported before; nothing was sent.');
    expect(twice(arrivals.center.creations)).toEqual([]);
    expect(await arrivals.names('done')).toContain('leads-1-2.csv');
  });

  it('that are corrected rejects under another name create no client once more', async () => {
    arrivals.center.behave = ({ operation }) =>
      operation === '4.9' ? { refuse: () => 'Client is in blacklist' } : undefined;
    await arrivals.arrive('leads-1.csv', [...leads(2), lead(3, { Mobile: 'none' })]);
    expect((await arrivals.watch()).code).toBe(2);
    arrivals.center.behave = () => undefined;
    const rejects = await readFile(arrivals.in('failed/leads-1.csv.rejects.csv'), 'utf8');
    await arrivals.arrive('leads-1-corrected.csv', rejects.replace('none', lead(3).Mobile));
    const { code, stderr } = await arrivals.watch();
    expect(code, stderr).toBe(0);
    expect(stderr).not.toMatch(/created once more|were lost/);
    expect(arrivals.center.creations.size).toBe(3);
    expect(twice(arrivals.center.creations)).toEqual([]);
  });
});

it('a canary that does not pass is noticed although its watcher is stopped meanwhile', async () => {
  await arrivals.edit('leads }', 'leads, canary: 10 }');
  arrivals.center.behave = ({ operation }) =>
    operation === '4.1' ? { delay: 1000, refuse: () => 'Refused.' } : undefined;
  await arrivals.arrive('leads-1.csv', leads(100));
  const { child, ended } = arrivals.startWatch();
  const sends = () => arrivals.center.requests.some(({ clients }) => clients > 0);
  await until(sends, 'the canary is sent');
  child.kill('SIGTERM');
  expect((await ended).stderr).toContain('Too many of the first rows failed');
  expect(await arrivals.names()).toEqual(['failed']);
  arrivals.center.behave = () => undefined;
  await arrivals.watch();
  expect(arrivals.center.creations.size).toBe(0);
});

it('ends watchers where nothing can be sent beside them, and says why', async () => {
  const notes: string[] = [];
  const watching = watchPickups({
    file: arrivals.at('pickup.yaml'),
    env: arrivals.environment,
    signal: new AbortController().signal,
    onNote: (_, note) => notes.push(note),
  });
  const ended = expect(watching).rejects.toThrow('no such table: outbox');
  // As a disk or another program may damage it: the watchers themselves do not come across it.
  await expect
    .poll(() => dropOutbox(arrivals.at('pickup.state.db')), { timeout: 30_000 })
    .toBe(true);
  await ended;
  expect(notes).toEqual([]);
});

function dropOutbox(file: string): boolean {
  try {
    const db = new Database(file, { fileMustExist: true });
    db.exec('DROP TABLE outbox');
    db.close();
    return true;
  } catch {
    // Not there yet, or being written.
    return false;
  }
}

describe('a pickup file', () => {
  const check = () => arrivals.watch(['--check']);
  const REST = 'import: { mapping: mapping.yaml, installation: center.yaml }';

  /** What is wrong with pickups and keys beside them, one a line behind the first. */
  const mistakesIn = async (pickups: readonly string[], ...rest: string[]): Promise<string> => {
    const lines = [...pickups.map((keys, at) => `  - { name: p${at}, ${keys} }`), ...rest];
    await arrivals.write('pickup.yaml', ['pickups:', ...lines, ''].join('\n'));
    const { code, stderr } = await check();
    expect(code).toBe(64);
    for (const at of lines.keys())
      expect(stderr).toMatch(new RegExp(String.raw`pickup\.yaml:${at + 2}:\d+`));
    return stderr;
  };

  it('is checked, says where each mistake is, and nothing is taken', async () => {
    await arrivals.arrive('leads-1.csv', leads(1));
    const said = await mistakesIn(
      [
        "from: in, files: '*', import: { mapping: nowhere.yaml, installation: center.yaml, max-failures: many }",
        `from: in, files: '*', ready: { marker: done }, ${REST}`,
      ],
      "notify: [{ to: webhook, url: 'https://example.com', on: [nothing] }]",
    );
    expect(said).toMatch(/pickup\.yaml:2:\d+.*max-failures/);
    expect(said).toMatch(/pickup\.yaml:3:\d+.*\{name\}/);
    const places = [
      'from: in, after: { good: . }',
      'from: in, after: { bad: .cardline/a }',
      'from: ftp://files.example.com/in',
      "from: 'sftp://me:secret-word@files.example.com/in'",
      "from: sftp://me@files.example.com/in, sftp: { passphrase: '${NOT_SET}' }",
      's3: { region: x }, from: in',
      's3: {}, from: s3://NOT_A_BUCKET/in',
    ];
    const ofPlaces = await mistakesIn(places.map((place) => `${place}, files: '*', ${REST}`));
    expect(ofPlaces).not.toContain('secret-word');
    expect(await arrivals.names()).toEqual(['leads-1.csv']);
  });

  it('is checked for all that is missing at once: places, campaign and folder of figures', async () => {
    await arrivals.pickup(undefined, 'metrics: { file: figures/cardline.prom }');
    await arrivals.edit('Autumn', 'Spring');
    await rm(arrivals.at('in'), { recursive: true });
    const { code, stdout } = await check();
    expect(code).toBe(3);
    expect(stdout).toMatch(/^no {2}vendor: campaign: .*Spring leads/m);
    expect(stdout).toMatch(/^no {2}vendor: .*in: there is no such folder/m);
    expect(stdout).toMatch(/^no {2}metrics: there is no folder .*figures\. Make it/m);
    for (const folder of ['in', 'figures']) await mkdir(arrivals.at(folder));
    // The key of the pickup file is named, and no option of another command.
    await arrivals.edit('Spring leads', '4711');
    const unknown = (await check()).stdout;
    expect(unknown).toMatch(/no {2}vendor: campaign: .*no campaign 4711 .*check import\.campaign /);
    expect(unknown).not.toContain('--campaign');
    await arrivals.edit('4711', 'Autumn leads');
    expect((await check()).code).toBe(0);
  });
});
