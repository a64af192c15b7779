import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type * as History from '../../src/history/history.js';
import type * as Import from '../../src/run/import.js';
import type * as Undo from '../../src/run/on-record.js';
import type { ImportResult } from '../../src/run/requests.js';
import { built } from '../kit/built.js';
import { openSource } from '../../src/source/source.js';
import { cardline } from '../kit/cardline.js';
import { csv, identityOf, lead, type LeadRow, leads, MAPPING, useBench } from '../kit/bench.js';

const { importFiles } = await built<typeof Import>('run/import.js');
const { undoRun } = await built<typeof Undo>('run/on-record.js');
const { erasePerson, pruneRuns, showRun, writeReportFile } =
  await built<typeof History>('history/history.js');

const COUNT = 20;
const PERSON = lead(7);
const ID = { offerId: PERSON.Offer, offerDomain: 'shop.example.com' };
const PHONE = '+79161000007';

const bench = useBench({ after: ({ center }) => expect(center.violations).toEqual([]) });
let first: ImportResult;
let second: ImportResult;
/** The uuid of the person's rows. */
let uuid: string;

const ledger = (): string => bench.at('runs.db');

async function imported(name: string, rows: readonly LeadRow[]): Promise<ImportResult> {
  const file = await bench.write(`${name}.csv`, csv(rows));
  return importFiles({
    ...{ files: [file], mapping: bench.at('mapping.yaml'), installation: bench.at('center.yaml') },
    ...{ ledger: ledger(), out: bench.at(name), env: bench.environment, campaign: { id: 42 } },
  });
}

/** One run that has sent the person, and one that has rejected the row. */
beforeEach(async () => {
  first = await imported('sent', leads(COUNT));
  const spoilt = [6, 7, 8].map((number) => lead(number, { Segment: `hot ${number}` }));
  second = await imported('rejected', [...spoilt, lead(30)]);
  for (const ending of ['jsonl', 'xlsx', 'html'])
    await writeReportFile({
      ...{ run: second.summary.run, ledger: ledger() },
      file: join(second.out, `report.${ending}`),
    });
  const line = readFileSync(first.report, 'utf8')
    .split('\n')
    .find((text) => text.includes(PERSON.Offer));
  uuid = /[\da-f]{8}-[\da-f-]{27}/.exec(line ?? '')?.[0] ?? '';
});

/** Files of the ledger and of the report folders in which any byte is the person's. */
async function traces(): Promise<string[]> {
  const words = [PERSON.Offer, uuid, PERSON.Mobile, PHONE, PHONE.slice(1), 'Fedor7,', 'hot 7'];
  const folder = bench.at('.');
  const files = [
    ...readdirSync(folder).filter((name) => name.startsWith('runs.db')),
    ...[first, second].flatMap(({ out }) =>
      existsSync(out) ? readdirSync(out).map((name) => join(basename(out), name)) : [],
    ),
  ];
  const found: string[] = [];
  for (const file of files) {
    const text = file.endsWith('.xlsx')
      ? await cellsIn(join(folder, file))
      : readFileSync(join(folder, file), 'utf8');
    for (const word of words) if (holds(text, word)) found.push(`${file}: ${word}`);
  }
  return found;
}

/** A speed or a time may have the same digits among others. */
const holds = (text: string, word: string): boolean =>
  /^\d+$/.test(word) ? new RegExp(`(?<![\\d.])${word}(?!\\d)`).test(text) : text.includes(word);

/** What a workbook holds is packed. */
async function cellsIn(file: string): Promise<string> {
  const source = await openSource(file, { allSheets: true });
  const cells: string[] = [];
  for await (const rows of source.batches())
    for (const row of rows) cells.push(row.cells.join('\t'));
  return cells.join('\n');
}

describe('a person that is erased', () => {
  it.each([
    ['by its identifiers', { id: ID }],
    ['by its phone, which rejects have', { phone: PHONE }],
  ] as const)('is nowhere any more: %s', async (_, request) => {
    expect(uuid).toHaveLength(36);
    expect(await traces()).not.toEqual([]);
    const counts = (await showRun(second.summary.run, ledger())).outcomes;
    const erased = await erasePerson(request, ledger());
    expect(await traces()).toEqual([]);
    expect(erased.unreadable).toEqual([]);
    const places = erased.runs.map(({ rows }) => rows.map(({ row }) => row));
    expect(places).toEqual([[3], [8]]);
    // The others, and all counts, are as they were.
    expect((await showRun(second.summary.run, ledger())).outcomes).toEqual(counts);
    const rejects = readFileSync(join(second.out, 'rejects.csv'), 'utf8');
    expect(rejects).toContain(lead(6).Offer);
    expect(rejects).toContain(lead(8).Offer);
    expect(readFileSync(first.report, 'utf8').trim().split('\n')).toHaveLength(COUNT + 1);
    expect(await cellsIn(join(second.out, 'report.xlsx'))).toContain(lead(8).Offer);
    expect((await erasePerson(request, ledger())).runs).toEqual([]);
  });

  it('is found behind another one, which left the rejects before', async () => {
    await erasePerson({ phone: '+79161000006' }, ledger());
    expect(await traces()).not.toEqual([]);
    await erasePerson({ phone: PHONE }, ledger());
    expect(await traces()).toEqual([]);
    const rejects = readFileSync(join(second.out, 'rejects.csv'), 'utf8');
    expect(rejects).not.toContain(lead(6).Offer);
    expect(rejects).toContain(lead(8).Offer);
  });

  it('is not taken back with its run, and others are', async () => {
    await erasePerson({ id: ID }, ledger());
    const undone = await undoRun({
      ...{ undoes: first.summary.run, installation: bench.at('center.yaml') },
      ...{ ledger: ledger(), out: bench.at('undo'), env: bench.environment },
    });
    expect(undone.summary.outcomes).toMatchObject({ undone: COUNT - 1, skipped: 1, failed: 0 });
    expect([...bench.center.deletions.values()]).toHaveLength(COUNT - 1);
  });

  it('is not whoever has a cell of the same text', async () => {
    const other = { Segment: 'hot', Comment: PERSON.Offer };
    const third = await imported('others', [lead(40, other), lead(41, { ...other, First: '' })]);
    await erasePerson({ id: ID }, ledger());
    await erasePerson({ id: { offerId: PERSON.Offer } }, ledger());
    expect(readFileSync(third.report, 'utf8')).not.toContain('erased');
  });

  it('is found among several numbers in a cell', async () => {
    const Mobile = `${lead(8).Mobile} ${PERSON.Mobile}`;
    const both = [Mobile, Mobile.replace(' ', ' / ')];
    const rows = both.map((text, at) => lead(50 + at, { Mobile: text, Other: text }));
    const third = await imported('several', rows);
    const erased = await erasePerson({ phone: PHONE }, ledger());
    expect(erased.runs.find(({ run }) => run === third.summary.run)?.count).toBe(2);
  });

  it('is told where it was, and nobody else is erased', async () => {
    const run = (...args: string[]) =>
      cardline(['runs', 'erase', '--ledger', ledger(), ...args], { env: bench.environment });
    expect((await run()).code).toBe(64);
    expect((await run('--phone', '9161000007')).stderr).toContain('international form');
    expect((await run('--id', 'offer=1')).stderr).toContain('offerId, offerDomain');
    const nobody = await run('--id', 'offerId=999');
    expect([nobody.code, nobody.stdout]).toEqual([0, 'No run has the person.\n']);
    const told = await run('--id', `offerId=${PERSON.Offer}`);
    expect(told.stdout).toContain(`${bench.at('sent.csv')}, row 8`);
    expect(told.stdout).toContain(join(second.out, 'rejects.csv'));
    expect(await traces()).toEqual([]);
  });
});

it('reports go with runs that are forgotten, and nothing else does', async () => {
  await bench.write('sent/notes.txt', 'mine');
  expect(await pruneRuns(-1000, ledger(), { reports: true })).toHaveLength(2);
  expect(readdirSync(first.out)).toEqual(['notes.txt']);
  expect(existsSync(second.out)).toBe(false);
});

it('reports go before their runs, so that a prune that breaks off is repeated', async () => {
  // What cannot be removed as a file stands for whatever ends a process at this moment.
  mkdirSync(join(second.out, 'report-failed.csv'));
  await expect(pruneRuns(-1000, ledger(), { reports: true })).rejects.toThrow();
  rmdirSync(join(second.out, 'report-failed.csv'));
  expect(await pruneRuns(-1000, ledger(), { reports: true })).toHaveLength(2);
  expect([first, second].map(({ out }) => existsSync(out))).toEqual([false, false]);
});

it('a list goes on without a person whose removal waits, and it is said', async () => {
  await bench.write('list.yaml', `${MAPPING}delta: { missing: dequeue, maxMissing: 60% }\n`);
  const night = async (name: string, rows: readonly LeadRow[], signal?: AbortSignal) => {
    const file = await bench.write(`${name}.csv`, csv(rows));
    return importFiles({
      ...{ files: [file], mapping: bench.at('list.yaml'), installation: bench.at('center.yaml') },
      ...{ ledger: ledger(), out: bench.at(name), env: bench.environment, campaign: { id: 42 } },
      ...{ concurrency: 1, batchSize: 1, ...(signal ? { signal } : {}) },
    });
  };
  const rows = Array.from({ length: 10 }, (_, at) => lead(60 + at));
  await night('monday', rows);
  const kept = rows.slice(0, 5);
  const stop = new AbortController();
  let removals = 0;
  bench.center.behave = ({ operation }) => {
    if (operation === '4.10' && ++removals === 2) stop.abort();
    return undefined;
  };
  expect((await night('tuesday', kept, stop.signal)).missing?.stoppedBy).toBeDefined();
  const erased = await erasePerson({ id: { offerId: lead(68).Offer } }, ledger());
  expect(erased.runs.map(({ waiting, goesOn }) => [waiting, goesOn])).toEqual([
    [1, false],
    [0, true],
  ]);
  const { missing } = await night('tuesday', kept);
  expect(missing?.summary.outcomes).toMatchObject({ dequeued: 4, skipped: 1 });
  const called = [...bench.center.cards].filter(([, { campaigns }]) => campaigns.size > 0);
  expect(called.filter(([key]) => rows.some((row) => identityOf(row) === key))).toHaveLength(6);
});
