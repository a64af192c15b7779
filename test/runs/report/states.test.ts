import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Fact } from '../../../src/core/facts.js';
import type { RunIdentity } from '../../../src/core/ledger.js';
import { MODES, type RunMode } from '../../../src/core/outcome.js';
import { noOutcomes, type Outcome, type OutcomeCounts } from '../../../src/core/outcome.js';
import { reportRun, showRun } from '../../../src/index.js';
import { FORMATS, REPORT_FORMATS } from '../../../src/report/formats.js';
import { openLedger } from '../../../src/ledger/ledger.js';
import { READ_BACK } from './read-back.js';
import { testFolder } from '../../kit/folder.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'states.yaml') as {
  readonly created: Story;
  readonly enqueued: Story;
};

/** What a run records until its process dies, then until it is stopped, then until it ends; and how its rows count then. */
type Part = readonly [facts: readonly Fact[], counts: Partial<OutcomeCounts>];
type Story = readonly [brokenOff: Part, stopped: Part, finished: Part];

const folder = testFolder();

/** Eight rows: the sixth is rejected, the seventh a duplicate. */
const BEGUN: readonly Fact[] = [
  {
    kind: 'read',
    data: JSON.stringify({
      ...{ input: 0, sheet: null, first: 0 },
      rows: Array.from({ length: 8 }, (_, at) =>
        at === 5
          ? [at + 2, null, [null], 1, [{ column: 'A', code: 'bad', message: 'No.', value: 'x' }]]
          : [at + 2, `uuid ${at}`, [at], 0],
      ),
    }),
  },
  {
    kind: 'duplicates',
    rows: [[6, { column: null, code: 'duplicate_phone', message: 'As row 2.', value: null }]],
  },
];
const ALWAYS = { rejected: 1, skipped: 1 };

/** `as`: the outcome of those that were changed. */
const changed = (as: Outcome): Story => [
  [
    [
      { kind: 'looked_up', found: [0, 1, 2].map((at) => [at, { id: at }]) },
      { kind: 'changing', rows: [0, 1, 2] },
      { kind: 'changed', as, results: [[0], [1, 'No.']] },
    ],
    { [as]: 1, failed: 1, unknown: 1 },
  ],
  [[{ kind: 'change_settled', as, rows: [2] }], { [as]: 2, failed: 1 }],
  [
    [
      { kind: 'changed', as: 'unchanged', results: [[3]] },
      { kind: 'changing', rows: [4, 7] },
      { kind: 'changed', as, results: [[4]] },
      { kind: 'change_unknown', rows: [7], reason: 'Its answer was lost.' },
    ],
    { [as]: 3, unchanged: 1, failed: 1, unknown: 1 },
  ],
];

const found = (verdict: 'match' | 'different' | 'missing' | 'not_in_campaign', at: number) =>
  [at, { verdict, clientId: null, differences: [], application: null }] as const;
const COMPARED: Story = [
  [[{ kind: 'inspected', results: [found('match', 0)] }], { match: 1 }],
  [[{ kind: 'inspected', results: [found('missing', 1)] }], { match: 1, missing: 1 }],
  [
    [
      {
        kind: 'inspected',
        results: [
          ...[found('different', 2), found('not_in_campaign', 3)],
          ...[found('match', 4), found('match', 7)],
        ],
      },
    ],
    { match: 3, missing: 1, different: 1, not_in_campaign: 1 },
  ],
];

const STORIES: Readonly<Record<RunMode, Story>> = {
  create: CASES.created,
  upsert: CASES.created,
  enqueue: CASES.enqueued,
  update: changed('updated'),
  contacts: changed('updated'),
  rekey: changed('updated'),
  dequeue: changed('dequeued'),
  callbacks: changed('scheduled'),
  delete: changed('deleted'),
  undo: changed('undone'),
  reconcile: COMPARED,
};

const IDENTITY: RunIdentity = {
  ...{ inputs: ['/leads.csv'], content: 'cc', mapping: 'aa', campaignId: 7 },
  installation: 'demo http://127.0.0.1 offerId',
};

/** Columns that every report of rows has, of an import as of a comparison. */
const COLUMNS = [
  ...['row', 'sheet', 'uuid', 'outcome', 'verdict', 'createdClientId', 'createResult'],
  ...['enqueueResult', 'changeResult', 'clientId', 'applicationStatus', 'callsMade', 'nextCall'],
  ...['callback', 'differences', 'problems', 'problemCodes', 'file', 'run'],
];

/**
 * A report of every format, written into `folder`, has these counts; its columns are the same for every mode, but on the
 * page.
 */
async function everyFormatCounts(
  ledger: string,
  run: string,
  folder: string,
  counts: Record<string, number>,
): Promise<void> {
  const { mode, state } = await showRun({ run, ledger });
  for (const format of REPORT_FORMATS) {
    const file = join(folder, `${run}-${state}${FORMATS[format].ending}`);
    expect(await reportRun({ run, file, ledger })).toMatchObject({ run, mode, file });
    const { counts: found, columns } = await READ_BACK[format](file);
    expect([format, found]).toEqual([format, counts]);
    // A page without a row that did not end well has no table.
    if (format === 'text' || (format === 'html' && columns.length === 0)) continue;
    const its = format === 'html' ? [mode === 'reconcile' ? 'verdict' : 'outcome'] : COLUMNS;
    expect([format, columns]).toEqual([format, expect.arrayContaining(its)]);
  }
}

it.each([...MODES, 'undo', 'reconcile'] as const)(
  'every format counts a run of mode %s that broke off, was stopped, and finished',
  async (mode) => {
    const file = join(folder, `${mode}.db`);
    let run: string | undefined;
    const told = [...BEGUN];
    for (const [at, state] of (['broken_off', 'stopped', 'finished'] as const).entries()) {
      const [facts, counts] = STORIES[mode][at]!;
      const ledger = await openLedger(file, { thread: false });
      const settings = { mode, ...(mode === 'undo' && { undoes: 'another' }) };
      const opened = await ledger.openRun({
        ...{ identity: IDENTITY, settings, out: () => folder },
        ...(run !== undefined && { run }),
        readsOnly: mode === 'reconcile',
      });
      if (opened.kind !== 'open') throw new Error('the run is done');
      ({ run } = opened.ledger);
      // What sends nothing, as a comparison, begins anew where it was not brought to its end.
      const { continued } = opened.ledger;
      told.push(...facts);
      await opened.ledger.record(0, continued ? facts : told);
      const all = { ...ALWAYS, ...counts };
      const end = { rows: 8, outcomes: { ...noOutcomes(), ...all } };
      // A process that dies says nothing of an end.
      if (state !== 'broken_off') await opened.ledger.end({ state, ...end });
      await opened.close();
      await ledger.close();
      expect(await showRun({ run, ledger: file })).toMatchObject({ mode, state });
      await everyFormatCounts(file, run, folder, all);
    }
  },
);
