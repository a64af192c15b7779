import type { CardlineError } from '../../core/errors.js';
import type { RunLedger } from '../../core/ledger.js';
import { reportRows, waitingIn } from '../../core/facts.js';
import { flush, isBusy } from '../database.js';
import { type Decision, type RunToBegin, type RunToContinue, decideRun } from './decide-run.js';
import { chunksOf, factsOf, guarded } from '../fact-table.js';
import { inUse, refuseReopened, refuseTaken, runTaken } from './in-use.js';
import { iterable } from '../iterable.js';
import { ledgerGone, sameFile } from '../ledger-file.js';
import type { LedgerParts } from '../ledger-parts.js';
import { settleForgotten } from './lost-facts.js';
import { type RunMarks, markedInput } from '../mark.js';
import type { Recorder } from '../recorder/recorder.js';
import type { OpenedRun, RunRequest } from './run-request.js';
import type { RunLock } from './run-lock.js';
import { settled } from '../settled.js';
import {
  type RunRow,
  beginRun,
  endRun,
  enqueues,
  factCount,
  identifyRun,
  keepSettings,
  renewedSettings,
  reopenRun,
  runRow,
  settingsKeeper,
} from './run-table.js';
import { viewOf } from '../view.js';

/** What opening a run needs. */
export interface OpenParts extends LedgerParts {
  readonly recorder: Recorder;
}

/** A run that was chosen and is locked for this process. */
interface Taken {
  readonly decision: RunToBegin | RunToContinue;
  readonly row: RunRow;
  readonly lock: RunLock;
}

/**
 * Chooses the run of an import and begins it, or goes on with it, in one step that no other process can come between.
 * @throws UsageError, LedgerInUseError as `chooseRun` does; LostFactsError when the ledger has lost its end
 */
export function openRun(parts: OpenParts, request: RunRequest): OpenedRun {
  return guarded(parts.file, () => {
    let taken: Taken | undefined;
    const choose = (): Exclude<Decision, { readonly kind: 'begin' | 'continue' }> | Taken => {
      const decision = decideRun(viewOf(parts, 'true', request.begun), request);
      if (decision.kind !== 'begin' && decision.kind !== 'continue') return decision;
      taken = take(parts, request, decision);
      return taken;
    };
    try {
      const opened = parts.database.transaction(choose).immediate();
      if ('kind' in opened) return opened;
      return { kind: 'open', ...workOn(parts, request, opened) };
    } catch (error) {
      // A transaction that could not be written, or a mark, must not leave the run locked.
      taken?.lock.release();
      if (isBusy(error)) refuseWriting(parts, request);
      throw error;
    }
  });
}

/**
 * A process that is paused while it writes keeps all others from writing: whoever has waited for it is told the run.
 * @throws LedgerInUseError when the run of the request is the one that is at work
 */
function refuseWriting(parts: OpenParts, request: RunRequest): void {
  const view = viewOf(parts, 'true', request.begun);
  const run = runBefore(decideRun(view, request));
  if (run) refuseTaken(view, run);
}

/** The run on record that is gone on with, or whose id is taken. */
function runBefore(decision: Decision): RunRow | undefined {
  if (decision.kind === 'begin') return decision.replaces;
  return decision.kind === 'continue' ? decision.run : undefined;
}

function take(
  parts: OpenParts,
  { identity, settings, renewed, settleAll = false }: RunRequest,
  decision: RunToBegin | RunToContinue,
): Taken {
  const { database, locks } = parts;
  const { id } = decision;
  const before = runBefore(decision);
  const lock = locks.take(id);
  if (!lock) throw before ? inUse(before) : new Error('A new run is locked.');
  try {
    // So that a process that dies right after the transaction leaves one. A run whose mark is missing keeps lacking it
    // until what is not on record is looked up.
    if (before?.state !== null) parts.marks?.announce(id);
    if (decision.kind === 'continue')
      reopenRun(database, id, identity, {
        settings: renewedSettings(decision.run, renewed),
        settlesAll: settleAll,
      });
    else {
      const relies = decision.relies.map(({ run }) => run);
      beginRun(database, id, identity, {
        ...{ settings, out: decision.out, relies, settlesAll: settleAll },
      });
    }
    return { decision, row: rowOf(parts, id), lock };
  } catch (error) {
    lock.release();
    throw error;
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
  { decision, row, lock }: Taken,
): Omit<Extract<OpenedRun, { kind: 'open' }>, 'kind'> {
  const { database, file, recorder } = parts;
  const { id } = row;
  if (parts.marks) markBegin(parts, parts.marks, row);
  if (request.settleAll) settleForgotten(parts, request.identity);
  const campaign = enqueues(row);
  const isThere = sameFile(file);
  const lost = (): CardlineError | undefined => {
    if (!isThere()) return ledgerGone(file);
    return lock.isHeld() ? undefined : runTaken(id);
  };
  /** Changes the run as long as nobody else has opened it since. */
  const change = (work: () => void): Promise<void> =>
    settled(() =>
      guarded(file, () => {
        if (!isThere()) throw ledgerGone(file);
        const changing = database.transaction(() => {
          refuseReopened(database, id, row.opened_at);
          work();
        });
        changing.immediate();
      }),
    );
  const ledger: RunLedger = {
    run: id,
    continued: decision.kind === 'continue',
    brokeOff: decision.kind === 'continue' && decision.run.state === null,
    settlesAll: row.settles_all === 1,
    record: (chunk, facts) => recorder.record(id, chunk, facts, row.opened_at),
    factsOf: (chunk) => settled(() => factsOf(database, file, id, chunk)),
    rows: () => settled(() => iterable(() => reportRows(chunksOf(database, file, id), campaign))),
    waiting: () => settled(() => waitingIn(chunksOf(database, file, id), campaign)),
    end: (end) => change(() => endRun(database, id, end)),
  };
  return {
    ledger,
    out: row.out,
    ...{ relies: decision.relies, beside: decision.beside },
    mayBegin: () => lost() ?? true,
    confirm: () =>
      settled(() => {
        const error = lost();
        if (error) throw error;
      }),
    identify: (content) => change(() => identifyRun(database, id, content)),
    keep: settingsKeeper(row, (more) => change(() => keepSettings(database, id, more))),
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
