import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { REPEATS } from '../../src/run/repeats.js';
import { LedgerInUseError, UsageError } from '../../src/core/errors.js';
import { type Fact, foldChunk } from '../../src/core/facts.js';
import { doneBefore } from '../../src/core/duplicates.js';
import type { RunIdentity } from '../../src/core/ledger.js';
import { noOutcomes } from '../../src/core/outcome.js';
import { openLedger as open } from '../../src/ledger/ledger.js';
import type { Ledger, OpenedRun, RunRequest } from '../../src/ledger/port.js';
import { marksBeside } from '../../src/ledger/sqlite-files.js';

let folder: string;
let ledgers: Ledger[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardline-runs-'));
  ledgers = [];
});
afterEach(async () => {
  for (const ledger of ledgers) await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openLedger(): Promise<Ledger> {
  const ledger = await open(join(folder, 'cardline.db'), { thread: false });
  ledgers.push(ledger);
  return ledger;
}

const KNOWS: RunRequest['knows'] = { scope: 'same files', modes: new Set(['create']) };
const END = { rows: 1, outcomes: { ...noOutcomes(), created: 1 } };
const LATER = Date.now() + 1e9;
const FACTS: readonly Fact[] = [
  { kind: 'read', data: '{"input":0,"sheet":null,"first":0,"rows":[[2,"a",[1],0]]}' },
  { kind: 'creating', rows: [0] },
  { kind: 'created', results: [[0, 11]] },
];

function identity(content: string, input = '/leads.csv'): RunIdentity {
  return {
    ...{ inputs: [input], content, mapping: 'aa' },
    ...{ installation: 'demo http://localhost offerId', campaignId: null, parts: {} },
  };
}

type Open = Extract<OpenedRun, { kind: 'open' }>;

async function begin(ledger: Ledger, request: Partial<RunRequest>): Promise<Open> {
  const run = await ledger.openRun({
    identity: identity('first'),
    settings: { mode: 'create' },
    out: (id) => join(folder, 'runs', id),
    knows: KNOWS,
    ...request,
  });
  if (run.kind !== 'open') throw new Error(`the run is ${run.kind}`);
  return run;
}

type End = 'finished' | 'stopped';

async function done(ledger: Ledger, request: Partial<RunRequest>, state: End = 'finished') {
  const opened = await begin(ledger, request);
  for (const fact of FACTS) await opened.ledger.record(0, [fact]);
  await opened.ledger.end({ ...END, state });
  await opened.close();
  return { id: opened.ledger.run, relies: opened.relies.map(({ run }) => run) };
}

const undoOf = (undoes: string): Partial<RunRequest> => ({
  identity: identity(`undo ${undoes}`, `run ${undoes}`),
  settings: { mode: 'undo', undoes },
});

async function idsOf(ledger: Ledger): Promise<string[]> {
  const runs = await ledger.runs();
  return runs.map(({ run }) => run);
}

test('a run on which an unfinished one relies is not forgotten', async () => {
  const ledger = await openLedger();
  const first = await done(ledger, {});
  const second = await done(ledger, { identity: identity('second') }, 'stopped');
  expect(second.relies).toEqual([first.id]);
  expect(await ledger.prune(LATER)).toEqual([]);
  await done(ledger, { identity: identity('second') });
  expect(await ledger.prune(LATER)).toEqual([first.id, second.id]);
});

test('an undo is not forgotten before the run that it took back', async () => {
  const ledger = await openLedger();
  const first = await done(ledger, {}, 'stopped');
  const undo = await done(ledger, undoOf(first.id));
  expect(await ledger.prune(LATER)).toEqual([]);
  expect(await idsOf(ledger)).toEqual([undo.id, first.id]);
  // It is taken back still: the same import begins anew.
  const opened = await begin(ledger, {});
  expect(opened.ledger.continued).toBe(false);
  await opened.close();
});

test('a later run over the same file is not forgotten before an earlier one', async () => {
  const ledger = await openLedger();
  await done(ledger, {}, 'stopped');
  await done(ledger, { settings: { mode: 'delete' }, again: true });
  expect(await ledger.prune(LATER)).toEqual([]);
});

test('what was forgotten on purpose is not lost', async () => {
  const ledger = await openLedger();
  const opened = await begin(ledger, {});
  for (const fact of FACTS) await opened.ledger.record(0, [fact]);
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

test('while a run is held, nobody relies on it; and nobody holds one on which somebody relies', async () => {
  const ledger = await openLedger();
  const first = await done(ledger, {});
  const other = await openLedger();
  const held = await other.holdRun(first.id);
  await expect(begin(ledger, { identity: identity('second') })).rejects.toThrow(LedgerInUseError);
  await held.release();
  const second = await begin(ledger, { identity: identity('second') });
  await expect(other.holdRun(first.id)).rejects.toThrow(LedgerInUseError);
  await second.close();
  const again = await other.holdRun(first.id);
  await again.release();
});

test('the rejects of a run and its file are one source, whichever comes first', async () => {
  const ledger = await openLedger();
  const first = await done(ledger, {});
  const rejects = join(folder, 'runs', first.id, 'rejects.csv');
  const second = await done(ledger, { identity: identity('rejects', rejects) });
  expect(second.relies).toEqual([first.id]);
  const third = await done(ledger, { identity: identity('corrected') });
  expect(third.relies).toEqual([second.id, first.id]);
  const fourth = await done(ledger, { identity: identity('rejects again', rejects) });
  expect(fourth.relies).toEqual([third.id, second.id, first.id]);
  const apart = await done(ledger, { identity: identity('other', '/other.csv') });
  expect(apart.relies).toEqual([]);
});

test('an undo that stopped before it changed anything keeps the import from being called done', async () => {
  const ledger = await openLedger();
  const first = await done(ledger, {});
  const undo = await begin(ledger, undoOf(first.id));
  await undo.ledger.end({ ...END, state: 'stopped' });
  await undo.close();
  await expect(begin(ledger, {})).rejects.toThrow(UsageError);
  await expect(begin(ledger, {})).rejects.toThrow(new RegExp(`resume ${undo.ledger.run}`));
  await expect(begin(ledger, { identity: identity('second') })).rejects.toThrow(UsageError);
});

test('a comparison that broke off and an import of the same file leave each other alone', async () => {
  const ledger = await openLedger();
  const compare = { settings: { mode: 'reconcile' }, readsOnly: true };
  const mapping = { ...identity('first'), mapping: 'bb' };
  const first = await begin(ledger, { ...compare, identity: mapping });
  await first.ledger.record(0, [FACTS[0] ?? { kind: 'creating', rows: [] }]);
  await first.ledger.end({ ...END, state: 'stopped' });
  await first.close();
  const second = await done(ledger, {}, 'stopped');
  expect(second.id).not.toBe(first.ledger.run);
  expect(await idsOf(ledger)).toEqual([second.id, first.ledger.run]);
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
  expect(REPEATS.callbacks?.repeatOf(row)).toMatchObject({
    kind: 'done',
    by: doneBy,
  });
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
