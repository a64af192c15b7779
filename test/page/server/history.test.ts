import Database from 'better-sqlite3';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.js';
import type { SiteCenter, SiteSettings } from '../../../src/web/server/settings.js';
import type { Comparison, RunTrend, Answer } from '../../../src/web/page/state/answers.js';
import { openPageBench } from '../harness.js';
import { recordRuns, type PastRunOfTest } from '../past-runs.js';
import { useOpened } from '../../kit/bench.js';

type Runs = Answer<'GET /api/runs'>;

const CENTER: SiteCenter = {
  name: 'cc',
  address: 'cc.example',
  kind: 'production',
  installation: '/cc.yaml',
};

const bench = useOpened(() => openPageBench({ center: CENTER }));

const ledger = (): string => join(bench.folder, 'cardline.db');
const record = (...runs: PastRunOfTest[]): Promise<string[]> => recordRuns(ledger(), runs);
const runs = (query = '') => bench.api<Runs>(`GET /api/runs${query}`);
const good = (count: number): 'created'[] => Array.from({ length: count }, () => 'created');
const bad = (count: number): 'rejected'[] => Array.from({ length: count }, () => 'rejected');

/** The events of a comparison. */
const compared = (one: string, other: string) =>
  bench.events<Comparison>(`/api/runs/${one}/compared/${other}`);

it('sends of watched sources what is shown of them, and no place', async () => {
  const source = { name: 'crm', last: null, waiting: [], late: null, exitCode: 0 };
  const found = { at: '2026-01-01T06:00:00Z', sources: [{ ...source, place: 'sftp://host/in' }] };
  const watching = await openPageBench({ center: CENTER, watch: () => Promise.resolve(found) });
  try {
    expect(await watching.api('GET /api/watch')).toEqual({ sources: [source] });
  } finally {
    await watching.close();
  }
});

describe('the runs', () => {
  it('are none where there is no ledger yet, and none is made', async () => {
    expect(await runs()).toMatchObject({
      total: 0,
      all: 0,
      runs: [],
      command: `cardline runs --ledger ${ledger()}`,
    });
    expect(await runs()).toMatchObject({ all: 0 });
  });

  it('are listed page by page, the latest first', async () => {
    const ids = await record(
      ...Array.from({ length: 7 }, (_, index) => ({ file: `/a/${index}.csv`, rows: good(index) })),
    );
    const first = await runs('?limit=3');
    const last = await runs('?limit=3&offset=6');
    expect(first).toMatchObject({ total: 7, all: 7, offset: 0 });
    expect(first.runs.map(({ run }) => run)).toEqual(ids.slice(4).reverse());
    expect(last.runs.map(({ run, files, rows }) => [run, files, rows])).toEqual([
      [ids[0], ['0.csv'], 0],
    ]);
  });

  it('are found by file, campaign, state and kind', async () => {
    await record(
      { file: '/Список/Клиенты-1.csv', rows: good(1) },
      { file: '/b/leads.csv', rows: good(1), campaign: 'Осень', state: 'stopped' },
      { file: '/b/leads.csv', rows: good(1), mode: 'update' },
      { file: '/b/calls.csv', rows: good(2), campaign: 'Leads', state: 'broken_off' },
    );
    const found = async (query: string): Promise<(readonly [string | undefined, string])[]> =>
      (await runs(query)).runs.map(({ files, state }) => [files[0], state] as const);
    expect(await found(`?text=${encodeURIComponent('кЛИЕНТЫ')}`)).toEqual([
      ['Клиенты-1.csv', 'finished'],
    ]);
    // The folder of a file is no part of its name.
    expect(await found(`?text=${encodeURIComponent('Список')}`)).toEqual([]);
    expect(await found(`?text=${encodeURIComponent('осень')}`)).toEqual([['leads.csv', 'stopped']]);
    expect(await found('?text=lead')).toHaveLength(3);
    expect(await found('?text=lead&state=broken_off')).toEqual([['calls.csv', 'broken_off']]);
    expect(await found('?mode=update')).toEqual([['leads.csv', 'finished']]);
    expect(await runs('?state=finished')).toMatchObject({ total: 2, all: 4 });
  });

  it('say what can be done with them', async () => {
    const [done = '', broken = ''] = await record(
      { file: '/a/done.csv', rows: good(2) },
      { file: '/a/broken.csv', rows: [...good(2), ...bad(1)], state: 'broken_off' },
    );
    const [undo = ''] = await record({ file: '/a/done.csv', rows: good(2), undoes: done });
    const byId = new Map((await runs()).runs.map((run) => [run.run, run]));
    expect(byId.get(done)).toMatchObject({
      ...{ canResume: false, canUndo: true, canReconcile: true },
      ...{ rows: 2, undos: [undo], otherCenter: null },
    });
    const undone = Array.from({ length: 2 }, () => 'undone' as const);
    await record({ file: '/a/done.csv', rows: undone, undoes: done });
    expect((await runs()).runs.find(({ run }) => run === done)).toMatchObject({ canUndo: false });
    const result = await bench.api(`GET /api/runs/${done}/result`);
    expect(result).toMatchObject({
      ...{ isTakenBack: true, notUndoable: 'it was taken back', canResume: false },
      next: { kind: 'look', sentence: 'This run was taken back.' },
    });
    const { text } = await bench.download(`/api/runs/${done}/files/report.html`);
    expect(text).toContain('<h1 id="headline">This run was taken back</h1>');
    expect(byId.get(undo)).toMatchObject({
      ...{ worksOn: done, files: ['done.csv'], canUndo: false, canReconcile: false },
    });
    expect(byId.get(broken)).toMatchObject({ state: 'broken_off', rows: null, canResume: true });
    expect(await bench.api(`GET /api/runs/${broken}/counts`)).toEqual({
      rows: 3,
      outcomes: [
        { outcome: 'created', count: 2 },
        { outcome: 'rejected', count: 1 },
      ],
    });
  });

  it('of another process are shown as at work, and nothing is offered', async () => {
    await record({ file: '/a/done.csv', rows: good(1) });
    const other = await openLedger(ledger(), { thread: false });
    const identity = { inputs: ['/a/now.csv'], content: 'x', mapping: 'm', campaignId: null };
    const open = await other.openRun({
      identity: { ...identity, installation: 'cc https://cc.example' },
      settings: {},
      out: () => '/out',
    });
    const [now] = (await runs('?state=running')).runs;
    expect(now).toMatchObject({
      ...{ state: 'running', isHere: false, files: ['now.csv'] },
      ...{ canResume: false, canUndo: false, canReconcile: false },
    });
    if (open.kind === 'open') await open.close();
    await other.close();
    expect(await runs('?state=running')).toMatchObject({ total: 0, all: 2 });
  });

  it('of another contact center, and of a page that only shows, cannot be worked on', async () => {
    await record({ file: '/a/broken.csv', rows: good(2), state: 'broken_off' });
    const nothing = { canResume: false, canUndo: false, canReconcile: false };
    const pages: Partial<SiteSettings>[] = [
      { center: { ...CENTER, kind: 'sandbox', baseUrl: 'http://127.0.0.1:1' } },
      { center: { ...CENTER, name: 'other' } },
      { center: CENTER, readOnly: true },
      { center: undefined },
    ];
    for (const settings of pages) {
      const page = await openPageBench({ ledger: ledger(), ...settings });
      const { runs: found } = await page.api<Runs>('GET /api/runs');
      expect(found).toMatchObject([nothing]);
      expect(found[0]?.otherCenter).toBe(settings.center?.name === 'other' ? 'cc' : null);
      await page.close();
    }
  });

  it('of rejects say whose rows they are, and are found by that', async () => {
    const [first = ''] = await record({ file: '/b/leads.csv', rows: [...good(1), ...bad(2)] });
    const [second = ''] = await record({ file: `/runs/${first}/rejects.csv`, rows: bad(2) });
    const [third = ''] = await record({ file: `/runs/${second}/rejects.csv`, rows: good(2) });
    await record({ file: '/b/rejects.csv', rows: good(1) });
    const origin = { run: first, file: 'leads.csv' };
    expect((await runs()).runs.map(({ rejectsOf }) => rejectsOf)).toEqual([
      ...[null, origin, origin, null],
    ]);
    expect((await runs('?text=leads')).runs.map(({ run }) => run)).toEqual([third, second, first]);
  });

  it('lead to the list that they were started with', async () => {
    const id = await bench.list('a\n1\n');
    await record({
      file: join(bench.folder, 'cardline.lists', id, 'file/leads.csv'),
      rows: good(1),
    });
    expect(await runs('?text=leads.csv')).toMatchObject({ runs: [{ list: id }] });
    await bench.api(`DELETE /api/lists/${id}`);
    expect(await runs()).toMatchObject({ runs: [{ list: null }] });
  });
});

describe('two runs', () => {
  it('are compared row by row, the one that began first with the other', async () => {
    const [earlier = '', later = ''] = await record(
      { file: '/a/1.csv', rows: ['created', 'created', 'rejected', 'created'] },
      { file: '/a/2.csv', rows: ['created', 'rejected', 'created'] },
    );
    const states = await compared(later, earlier);
    expect(states.at(-1)).toMatchObject({
      earlier: { run: earlier },
      later: { run: later },
      counts: { new: 0, gone: 1, changed: 2, same: 1, endedWell: 0, withoutUuid: [0, 0] },
      ...{
        done: true,
        share: 1,
        command: `cardline report --compare ${earlier} ${later} --ledger ${ledger()}`,
      },
    });
    expect(states.at(-1)?.ways).toEqual(
      expect.arrayContaining([
        way('created', 'rejected', '2.csv', 3),
        way('rejected', 'created', '2.csv', 4),
        way('created', null, '1.csv', 5),
      ]),
    );
  });

  it('are not compared where one is not there', async () => {
    const [run = ''] = await record({ file: '/a/1.csv', rows: good(1) });
    const [problem] = await compared(run, 'nope');
    expect(problem).toMatchObject({ code: 'no_such_run' });
  });
});

const way = (before: string, after: string | null, file: string, row: number): object => ({
  ...{ before, after, rows: 1 },
  examples: [{ file, sheet: null, row }],
});

describe('a trend', () => {
  it('is of imports whose files are named alike, the earliest first', async () => {
    const [first = '', , third = ''] = await record(
      { file: '/a/north-01.csv', rows: [...good(3), ...bad(1)] },
      { file: '/a/south-01.csv', rows: bad(4) },
      { file: '/b/north-2.csv', rows: [...good(1), ...bad(1)], state: 'broken_off' },
      { file: '/b/north-3.csv', rows: good(1), mode: 'reconcile' },
    );
    const trend = await bench.api<RunTrend>(`GET /api/runs/${third}/trend`);
    expect(trend).toMatchObject({
      source: 'north-#.csv',
      isCut: false,
      command: `cardline runs --trend /leads.yaml --ledger ${ledger()}`,
      points: [
        { run: first, file: 'north-01.csv', rows: 4, rejectRate: 0.25, badRate: 0.25 },
        { run: third, file: 'north-2.csv', rows: 2, rejectRate: 0.5, badRate: 0.5 },
      ],
    });
    // What a row says is in none of it.
    expect(JSON.stringify(trend)).not.toContain('Ann');
  });
});

describe('a ledger that cannot be looked at', () => {
  it.each([
    [
      'written by a later version',
      'newer_ledger',
      (database: Database.Database) => database.pragma('user_version = 99'),
    ],
    [
      'that another program has for itself',
      'ledger_in_use',
      (database: Database.Database) => {
        database.pragma('journal_mode = DELETE');
        database.exec('BEGIN EXCLUSIVE');
      },
    ],
  ])('%s is said to be so', async (_, code, change) => {
    await record({ file: '/a/1.csv', rows: good(1) });
    const database = new Database(ledger());
    change(database);
    expect(await runs()).toMatchObject({ code });
    database.close();
  });

  it('and is none is said to be so, and left as it is', async () => {
    await writeFile(ledger(), 'Name,Phone\n'.repeat(100));
    expect(await runs()).toMatchObject({ code: 'no_ledger' });
  });
});
