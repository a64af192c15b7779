import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { doneBefore } from '../../src/core/duplicates.js';
import { LedgerInUseError, UsageError } from '../../src/core/errors.js';
import {
  type Fact,
  type RowStage,
  STAGES,
  foldChunk,
  isInDoubt,
  reportRows,
} from '../../src/core/facts.js';
import type { RunIdentity } from '../../src/core/ledger.js';
import { openLedger as open } from '../../src/ledger/ledger.js';
import type { Ledger, RunRequest } from '../../src/ledger/port.js';
import { marksBeside } from '../../src/ledger/sqlite-files.js';
import {
  type RunRow,
  enqueues,
  newRunId,
  refuseFreed,
  refuseOtherKinds,
} from '../../src/ledger/store.js';
import { REPEATS } from '../../src/run/repeats.js';
import {
  begin as beginRun,
  CREATED,
  CREATING,
  END,
  IDENTITY,
  KNOWS,
  LATER,
  type Open,
  ran,
  READ,
  withContent,
} from './runs.js';
import { folderOfTest } from '../kit/folder.js';

let folder: string;
let ledgers: Ledger[];
let ledger: Ledger;
beforeEach(async () => {
  folder = folderOfTest();
  ledgers = [];
  ledger = await openLedger();
});
afterEach(async () => {
  for (const one of ledgers) await one.close();
});

async function openLedger(): Promise<Ledger> {
  const opened = await open(join(folder, 'cardline.db'), { thread: false });
  ledgers.push(opened);
  return opened;
}

const begin = (on: Ledger, request: Partial<RunRequest> = {}): Promise<Open> =>
  beginRun(on, { out: (id) => join(folder, 'runs', id), ...request });

const undoOf = (undoes: string): Partial<RunRequest> => ({
  identity: withContent(`undo ${undoes}`, `run ${undoes}`),
  settings: { mode: 'undo', undoes },
});

const idsOf = async (): Promise<string[]> => (await ledger.runs()).map(({ run }) => run);

test.each<[string, Partial<RunIdentity>]>([
  ['the input', { content: 'dd' }],
  ['the mapping (or --mode, --recovery, --limit or --rows)', { mapping: 'bb' }],
  ['the installation', { installation: 'other http://localhost' }],
  ['the campaign', { campaignId: 8 }],
  ['a lookup file of the mapping', { parts: { 'a lookup file of the mapping': '9' } }],
  ["the installation's card", { parts: { "the installation's card": '9' } }],
])('a run that broke off is not continued when %s has changed', async (what, change) => {
  const parts = { 'a lookup file of the mapping': '1', "the installation's card": '2' };
  const run = await begin(ledger, { identity: { ...IDENTITY, parts } });
  await run.ledger.record(0, [READ, CREATING]);
  await run.close();
  const changed = { ...IDENTITY, ...change, parts: { ...parts, ...change.parts } };
  await expect(begin(ledger, { identity: changed })).rejects.toThrow(`and ${what} has changed`);
  // Nor when the file has been moved besides.
  if (change.parts) {
    const moved = { ...changed, inputs: ['/moved.csv'] };
    await expect(begin(ledger, { identity: moved })).rejects.toThrow(what);
  }
  await expect(begin(ledger, { identity: changed, run: run.ledger.run })).rejects.toThrow(
    UsageError,
  );
  expect((await begin(ledger, { identity: changed, again: true })).ledger.continued).toBe(false);
  // Another file is another matter.
  const other = { ...IDENTITY, content: 'ee', inputs: ['/other.csv'] };
  expect((await begin(ledger, { identity: other })).ledger.continued).toBe(false);
});

test.each<[string, readonly Fact[]]>([
  ['nothing', []],
  ['only its rows', [READ, { kind: 'duplicates', rows: [] }]],
  ['only what it took back', [READ, CREATING, { kind: 'not_created', rows: [1, 0] }]],
])('a run that broke off with %s on record binds nobody', async (_what, facts) => {
  const first = await begin(ledger);
  await first.ledger.record(0, facts);
  if (facts.length > 1) await first.ledger.end({ state: 'stopped', ...END });
  await first.close();
  const changed = { ...IDENTITY, mapping: 'bb', installation: 'other', campaignId: null };
  const second = await begin(ledger, {
    ...{ identity: changed, settings: { a: 2 }, out: () => 'elsewhere' },
  });
  expect(second.ledger).toMatchObject({ run: first.ledger.run, continued: false });
  expect(second.out).toBe('elsewhere');
  expect(await ledger.settingsOf(second.ledger.run)).toEqual({ a: 2 });
  expect([...(await second.ledger.rows())]).toEqual([]);
  expect(await ledger.runs()).toMatchObject([
    { run: first.ledger.run, installation: 'other', state: 'running', rows: null },
  ]);
  await second.close();
  // Nor does it bind whoever continues it by its name, or changes nothing.
  const third = await begin(ledger, { run: first.ledger.run });
  expect(third.out).toBe('elsewhere');
  await third.close();
  expect((await begin(ledger)).ledger).toMatchObject({ run: first.ledger.run, continued: false });
});

test.each<[string, readonly Fact[]]>([
  ['an intent', [READ, CREATING]],
  ['an intent that was taken back in part', [READ, CREATING, { kind: 'not_created', rows: [1] }]],
  [
    'what a lookup did not find',
    [
      READ,
      CREATING,
      { kind: 'create_unknown', rows: [0, 1], reason: '' },
      { kind: 'create_settled', found: [], absent: [0, 1] },
    ],
  ],
])('a run that broke off with %s on record is not left behind', async (_what, facts) => {
  const bound = await begin(ledger);
  await bound.ledger.record(1, facts);
  await bound.close();
  const other = { ...IDENTITY, installation: 'other' };
  // Neither does a later run that sent nothing hide it.
  await (await begin(ledger, { identity: other, again: true })).close();
  await expect(begin(ledger, { identity: { ...IDENTITY, installation: 'third' } })).rejects.toThrow(
    bound.ledger.run,
  );
  expect((await begin(ledger)).ledger).toMatchObject({ run: bound.ledger.run, continued: true });
});

test('a run that sent nothing is not taken from a process that works on it', async () => {
  const other = await openLedger();
  await begin(ledger);
  const elsewhere = { ...IDENTITY, installation: 'other' };
  await expect(begin(other, { identity: elsewhere })).rejects.toThrow(/Another process/);
  expect(await other.runs()).toMatchObject([{ installation: IDENTITY.installation }]);
});

test('a run that is at its end with something unknown is continued, and does not stand in the way', async () => {
  const run = await begin(ledger);
  await run.ledger.end({ state: 'open', ...END });
  await run.close();
  const tomorrow = await begin(ledger, { identity: { ...IDENTITY, content: 'dd' } });
  expect(tomorrow.ledger.continued).toBe(false);
  expect((await begin(ledger)).ledger.run).toBe(run.ledger.run);
});

test('an undo is not forgotten before the run that it took back', async () => {
  const first = await ran(ledger, {}, 'stopped');
  const undo = await ran(ledger, undoOf(first.id));
  expect(await ledger.prune(LATER)).toEqual([]);
  expect(await idsOf()).toEqual([undo.id, first.id]);
  // It is taken back still: the same import begins anew.
  const opened = await begin(ledger, {});
  expect(opened.ledger.continued).toBe(false);
  await opened.close();
});

test('a later run over the same file is not forgotten before an earlier one', async () => {
  await ran(ledger, {}, 'stopped');
  await ran(ledger, { settings: { mode: 'delete' }, again: true });
  expect(await ledger.prune(LATER)).toEqual([]);
});

test('what was forgotten on purpose is not lost', async () => {
  const opened = await begin(ledger, {});
  await opened.ledger.record(0, [READ, CREATING, CREATED]);
  await opened.ledger.end({ ...END, state: 'finished' });
  // Its process dies here: the lock goes, and the mark stays.
  const mark = join(folder, `cardline.db.${opened.ledger.run}.mark`);
  const other = await openLedger();
  expect(await other.prune(LATER)).toEqual([]);
  await opened.close();
  leaveMark(opened.ledger.run);
  expect(existsSync(mark)).toBe(true);
  expect(await other.prune(LATER)).toEqual([opened.ledger.run]);
  expect((await begin(other, {})).ledger.continued).toBe(false);
});

/** A mark as a process leaves it that dies between the end of its run and the end of itself. */
function leaveMark(run: string): void {
  const of = { name: 'leads.csv', files: '', content: '' };
  marksBeside(join(folder, 'cardline.db')).begin({ run, facts: 3, openedAt: LATER, of });
}

test('the rejects of a run and its file are one source, whichever comes first', async () => {
  const first = await ran(ledger, {});
  const rejects = `/runs/${first.id}/rejects.csv`;
  const second = await ran(ledger, { identity: withContent('rejects', rejects) });
  expect(second.relies).toEqual([first.id]);
  const third = await ran(ledger, { identity: withContent('corrected') });
  expect(third.relies).toEqual([second.id, first.id]);
  const fourth = await ran(ledger, { identity: withContent('rejects again', rejects) });
  expect(fourth.relies).toEqual([third.id, second.id, first.id]);
  const apart = await ran(ledger, { identity: withContent('other', '/other.csv') });
  expect(apart.relies).toEqual([]);
});

test('an undo that stopped before it changed anything keeps the import from being called done', async () => {
  const first = await ran(ledger, {});
  const undo = await begin(ledger, undoOf(first.id));
  await undo.ledger.end({ ...END, state: 'stopped' });
  await undo.close();
  await expect(begin(ledger, { knows: KNOWS })).rejects.toThrow(UsageError);
  await expect(begin(ledger, { knows: KNOWS })).rejects.toThrow(
    new RegExp(`resume ${undo.ledger.run}`),
  );
  await expect(begin(ledger, { identity: withContent('second'), knows: KNOWS })).rejects.toThrow(
    UsageError,
  );
});

test('a comparison that broke off and an import of the same file leave each other alone', async () => {
  const compare = { settings: { mode: 'reconcile' }, readsOnly: true };
  const mapping = { ...IDENTITY, mapping: 'bb' };
  const first = await begin(ledger, { ...compare, identity: mapping });
  await first.ledger.record(0, [READ]);
  await first.ledger.end({ ...END, state: 'stopped' });
  await first.close();
  const second = await ran(ledger, {}, 'stopped');
  expect(second.id).not.toBe(first.ledger.run);
  expect(await idsOf()).toEqual([second.id, first.ledger.run]);
  const again = await begin(ledger, { ...compare, identity: mapping });
  expect(again.ledger.run).toBe(first.ledger.run);
  await again.close();
});

test('a callback that a run skipped as scheduled before is not scheduled again', () => {
  const doneBy = { what: 'scheduled', run: 'a', on: '2026-11-20' };
  const note = doneBefore(doneBy);
  const state = {
    ...{ stage: 'skipped', clientId: null, createResult: null, enqueueResult: null },
    ...{ changeResult: null, changedTo: null, wasAbsent: false, doneBy, note },
  };
  const row = {
    ...{ state, mode: 'callbacks', sameCampaign: true, enqueues: false },
    ...{ isTakenBack: false, reliesOnUndone: false },
  } as unknown as Parameters<NonNullable<(typeof REPEATS)['callbacks']>['repeatOf']>[0];
  const known = REPEATS.callbacks?.repeatOf(row);
  expect(known).toMatchObject({ word: { kind: 'done', by: doneBy } });
});

test('nobody begins an import while it is taken back', async () => {
  const first = await ran(ledger);
  const undo = await begin(ledger, undoOf(first.id));
  await expect(begin(ledger)).rejects.toThrow(LedgerInUseError);
  await undo.ledger.end({ state: 'finished', ...END });
  await undo.close();
});

describe('facts of older versions, which hold the sentence alone', () => {
  const read = {
    kind: 'read',
    data: JSON.stringify({
      ...{ input: 0, sheet: null, first: 0 },
      rows: [2, 3, 4].map((row) => [row, null, [row], 0]),
    }),
  } as const;
  const by = { run: '20261120-174500-1f3a', what: 'created', on: '2026-11-20' };
  const sentence = 'created by run 20261120-174500-1f3a on 2026-11-20';
  const old = doneBefore(by);

  it('say the same as those of today', () => {
    expect(old.message).toContain(sentence);
    const asOld = foldChunk([
      read,
      { kind: 'known', skipped: [[0, old]], created: [[1, 7, `C${sentence.slice(1)}`]] },
    ]);
    const asNow = foldChunk([read, { kind: 'known', skipped: [[0, by]], created: [[1, 7, by]] }]);
    expect(asOld).toEqual(asNow);
    expect(asNow?.states.map(({ stage, doneBy }) => [stage, doneBy])).toEqual([
      ['skipped', by],
      ['created', by],
      ['pending', null],
    ]);
  });

  it('are kept as they are where they are in other words', () => {
    const other = { ...old, message: 'Done by somebody.' };
    const folded = foldChunk([
      read,
      { kind: 'known', skipped: [[0, other]], created: [[1, 7, 'Done by somebody.']] },
    ]);
    expect(folded?.states[0]).toMatchObject({ stage: 'skipped', note: other, doneBy: null });
    expect(folded?.states[1]).toMatchObject({ createResult: 'Done by somebody.', doneBy: null });
  });
});

/** The third of five rows is rejected. */
const FIVE_ROWS: Fact = {
  kind: 'read',
  data: JSON.stringify({
    ...{ input: 0, sheet: null, first: 0 },
    rows: [
      [2, 'a', [1], 0],
      [3, 'b', [2], 0],
      [4, null, [null], 1, [{ column: 'Phone', code: 'bad', message: 'is bad', value: 'x' }]],
      [5, 'd', [4], 0],
      [6, 'e', [5], 0],
    ],
  }),
};

test('a row is in doubt while an answer is missing, and absent only where a lookup said so', () => {
  const stages = Object.keys(STAGES) as RowStage[];
  expect(stages.filter(isInDoubt)).toEqual([
    ...['creating', 'create_unknown', 'enqueuing', 'enqueue_unknown'],
    ...['changing', 'change_unknown'],
  ]);
  const folded = foldChunk([
    FIVE_ROWS,
    { kind: 'creating', rows: [0, 1, 3] },
    { kind: 'create_settled', found: [[0, 11]], absent: [1] },
    { kind: 'looked_up', found: [], absent: [4] },
  ]);
  expect(folded?.states.map(({ stage, wasAbsent }) => [stage, wasAbsent])).toEqual([
    ['created', false],
    ['pending', true],
    ['rejected', false],
    ['creating', false],
    ['pending', true],
  ]);
});

const REMARK = { column: 'Phone', code: 'shared_phone', message: 'Shared.', value: null };

test.each([
  ['a remark', [null, [REMARK], null], { remarks: [REMARK] }],
  ['where its time zone comes from', [null, null, 1], { zoneFrom: 'phone' }],
])('a row that has nothing else keeps %s', (_, more, kept) => {
  const rows = [[2, 'a', [1], 1, ...more]];
  const data = JSON.stringify({ ...{ input: 0, sheet: null, first: 0 }, rows });
  expect([...reportRows([[{ kind: 'read', data }]], false)]).toMatchObject([kept]);
});

test('the id of a run tells when it began', () => {
  const id = newRunId(new Date(Date.UTC(2026, 10, 20, 17, 45, 0, 123)));
  expect(id).toMatch(/^20261120-174500-[0-9a-f]{4}$/);
});

test.each([
  ['create', 7, true],
  ['create', null, false],
  ['update', 7, false],
])('a run that is to %s clients, campaign %s, adds them to it: %s', (mode, campaign, expected) => {
  expect(enqueues({ settings: JSON.stringify({ mode }), campaign })).toBe(expected);
});

test('a run is refused whose process has ended since the command began', () => {
  const view = { ledger: 'cardline.db', wasFreedMeanwhile: ({ id }: RunRow) => id === 'freed' };
  expect(() => refuseFreed(view, { id: 'freed' } as RunRow)).toThrow('working on run freed');
  expect(() => refuseFreed(view, { id: 'other' } as RunRow)).not.toThrow();
});

test('facts are written anew as many and of the same kinds, or not at all', () => {
  const there = [{ kind: 'read' }, { kind: 'creating' }, { kind: 'created' }];
  const written = (kinds: readonly string[]) => () => {
    const facts = kinds.map((kind) => ({ run: 'r', chunk: 0, kind, data: '{}' }));
    refuseOtherKinds('r', there, facts);
  };
  expect(written(['read', 'creating', 'created'])).not.toThrow();
  expect(written(['read', 'creating', 'enqueued'])).toThrow('facts of run r');
  expect(written(['read', 'creating'])).toThrow('facts of run r');
  expect(written(['read', 'creating', 'created', 'created'])).toThrow('facts of run r');
});
