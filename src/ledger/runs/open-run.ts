import type { EarlierRun, RunLedger } from '../../core/ledger.js';
import { reportRows, waitingIn } from '../../core/facts/report-rows.js';
import {
  type Choice,
  type LedgerParts,
  chooseAnew,
  chooseRun,
  isContentAsked,
} from './choose-run.js';
import { flush } from '../database.js';
import { earlierRunOf, earlierRuns } from './earlier-runs.js';
import { chunksOf, factsOf, guarded } from '../fact-table.js';
import { inUse } from './in-use.js';
import { iterable } from '../iterable.js';
import { settled } from '../settled.js';
import { refuseLostFacts, refuseWithoutMark, settleForgotten } from './lost-facts.js';
import { type RunMarks, markedInput } from '../mark.js';
import type { Recorder } from '../recorder/recorder.js';
import type { OpenedRun, RunRequest } from './run-request.js';
import type { RunLock } from './run-lock.js';
import {
  type RunRow,
  beginRun,
  endRun,
  enqueues,
  factCount,
  identifyRun,
  newRunId,
  recordOf,
  reopenRun,
  runRow,
} from './run-table.js';
import { idsOf } from './taken-back.js';

/** What opening a run needs. */
export interface OpenParts extends LedgerParts {
  readonly recorder: Recorder;
}

/** A run that was chosen and is locked for this process. */
interface Taken {
  readonly id: string;
  readonly row: RunRow;
  readonly continued: boolean;
  readonly lock: RunLock;
}

/**
 * Chooses the run of an import and begins it, or goes on with it, in one step that no other process can come between.
 * @throws UsageError, LedgerInUseError as `chooseRun` does; LostFactsError when the ledger has lost its end
 */
export function openRun(parts: OpenParts, request: RunRequest): OpenedRun {
  return guarded(parts.file, () => {
    let taken: Taken | undefined;
    const choose = (): Decision => {
      const decision = chooseAndTake(parts, request);
      if (decision.kind === 'taken') taken = decision.taken;
      return decision;
    };
    try {
      const opened = parts.database.transaction(choose).immediate();
      if (opened.kind !== 'taken') return opened;
      return { kind: 'open', ...workOn(parts, request, opened.taken) };
    } catch (error) {
      // A transaction that could not be written, or a mark, must not leave the run locked.
      taken?.lock.release();
      throw error;
    }
  });
}

type Decision =
  Exclude<OpenedRun, { readonly kind: 'open' }> | { readonly kind: 'taken'; readonly taken: Taken };

function chooseAndTake(parts: OpenParts, request: RunRequest): Decision {
  const { identity, again = false, settleAll = false } = request;
  if (!settleAll) refuseLostFacts(parts);
  const isQuick = identity.fingerprint !== undefined && identity.content === identity.fingerprint.content;
  const mayWait = isQuick && !again && request.isContentFinal !== true;
  if (mayWait && isContentAsked(parts, identity, request.run)) return { kind: 'digest' };
  const found = again ? chooseAnew(parts, identity) : chooseRun(parts, request);
  if (found.kind === 'done' && !request.readsOnly)
    return { kind: 'done', record: recordOf(found.run, parts.locks) };
  const choice: Choice = found.kind === 'done' ? { kind: 'new' } : found;
  if (choice.kind !== 'new' && !settleAll) refuseWithoutMark(parts, choice.run);
  return { kind: 'taken', taken: take(parts, request, choice) };
}

function take(parts: OpenParts, request: RunRequest, choice: Choice): Taken {
  const { database, locks } = parts;
  const { identity, settings, settleAll = false } = request;
  const id = choice.kind === 'new' ? freeRunId(database) : choice.run.id;
  const lock = locks.take(id);
  if (!lock) throw choice.kind === 'new' ? new Error('A new run is locked.') : inUse(choice.run);
  try {
    // So that a process that dies right after the transaction leaves one. A run whose mark is missing keeps lacking it
    // until what is not on record is looked up.
    if (choice.kind === 'new' || choice.run.state !== null) parts.marks?.announce(id);
    if (choice.kind === 'continue') reopenRun(database, id, identity, settleAll);
    else {
      // Whoever names the run wants its folder too.
      const isKept = choice.kind === 'take_over' && request.run !== undefined;
      const out = isKept ? choice.run.out : request.out(id);
      // Who resumes a run by its name wants what it began with, such as all rows anew.
      const relies = isKept ? idsOf(choice.run.relies) : reliesOf(parts, request, id);
      beginRun(database, id, identity, { settings, out, relies, settlesAll: settleAll });
    }
    const row = rowOf(parts, id);
    return { id, row, continued: choice.kind === 'continue', lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Ids of the earlier runs that a new one knows of. */
function reliesOf(parts: OpenParts, { identity, knows, again }: RunRequest, own: string): string[] {
  if (!knows || again) return [];
  return earlierRuns(parts, identity, knows, own).map(({ id }) => id);
}

/** An id that no run has: two may begin within a second. */
function freeRunId(database: OpenParts['database']): string {
  for (;;) {
    const id = newRunId();
    if (!runRow(database, id)) return id;
  }
}

function rowOf({ database }: LedgerParts, id: string): RunRow {
  const row = runRow(database, id);
  if (!row) throw new Error(`Run ${id} is not on record.`);
  return row;
}

function workOn(
  parts: OpenParts,
  request: RunRequest,
  { id, row, continued, lock }: Taken,
): Omit<Extract<OpenedRun, { kind: 'open' }>, 'kind'> {
  const { database, file, recorder } = parts;
  if (parts.marks) markBegin(parts, parts.marks, row);
  if (request.settleAll) settleForgotten(parts, request.identity);
  const campaign = enqueues(row);
  const ledger: RunLedger = {
    run: id,
    continued,
    settlesAll: row.settles_all === 1,
    record: (chunk, facts) => recorder.record(id, chunk, facts),
    factsOf: (chunk) => settled(() => factsOf(database, file, id, chunk)),
    rows: () => settled(() => iterable(() => reportRows(chunksOf(database, file, id), campaign))),
    waiting: () => settled(() => waitingIn(chunksOf(database, file, id), campaign)),
    end: (end) => settled(() => guarded(file, () => endRun(database, id, end))),
  };
  return {
    ledger,
    out: row.out,
    relies: reliedOn(parts, row),
    identify: (content) => settled(() => guarded(file, () => identifyRun(database, id, content))),
    close: () =>
      settled(() => {
        if (parts.marks) markEnd(parts, parts.marks, id);
        lock.release();
      }),
  };
}

/** Before anything is sent: from here on, a ledger that lost its end is noticed. */
function markBegin({ database }: OpenParts, marks: RunMarks, row: RunRow): void {
  const facts = factCount(database, row.id);
  marks.begin({ run: row.id, facts, openedAt: row.opened_at, of: markedInput(row) });
  // The run itself is in the file, and not in its log alone, so that a copy of the file has it.
  flush(database);
}

/** A run that ended by itself, and that is whole in the file, needs no mark any more. */
function markEnd(parts: OpenParts, marks: RunMarks, id: string): void {
  try {
    if (rowOf(parts, id).state !== null && flush(parts.database)) marks.remove(id);
  } catch {
    // The mark stays, and is compared with the ledger when it is opened next.
  }
}

/** The earlier runs that a run knew of when it began, as far as they are still on record. */
function reliedOn(parts: OpenParts, { relies }: RunRow): EarlierRun[] {
  return idsOf(relies).flatMap((id) => {
    const row = runRow(parts.database, id);
    return row ? [earlierRunOf(parts, row)] : [];
  });
}
