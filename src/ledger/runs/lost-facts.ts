import { LostFactsError } from '../../core/errors.js';
import { printable, ledgerCommand } from '../../core/text.js';
import type { LedgerParts } from '../ledger-parts.js';
import type { RunIdentity } from '../../core/ledger.js';
import { type RunMark, markedInput } from '../mark.js';
import type { RunRow } from './run-table.js';

/**
 * Compares what the ledger knows of each run with the marks beside it. A mark that is fulfilled, of a run at its end, is
 * removed.
 * @throws LostFactsError when the ledger knows less than was on the disk once
 */
export function refuseLostFacts(ledger: LedgerParts): void {
  for (const mark of ledger.marks?.all() ?? []) {
    if (ledger.locks.isTaken(mark.run)) continue;
    const known = knownOf(ledger, mark.run);
    if (!known && mark.openedAt === 0) {
      // Its process died before the run was on record.
      ledger.marks?.remove(mark.run);
      continue;
    }
    if (!known || isBehind(known, mark)) throw lostEnd(ledger.file, mark, known?.facts);
    if (known.state === 'finished') ledger.marks?.remove(mark.run);
  }
}

/** @throws LostFactsError when facts of a run are gone, or nothing shows that they are not */
export function refuseLostRun(ledger: LedgerParts, run: RunRow): void {
  refuseWithoutMark(ledger, run);
  if (isUnsettled(run)) throw unsettled(ledger.file, run);
  const mark = ledger.marks?.of(run.id);
  const known = knownOf(ledger, run.id);
  if (mark && known && isBehind(known, mark)) throw lostEnd(ledger.file, mark, known.facts);
}

/**
 * Removes the marks of runs that the ledger has forgotten and that were of these inputs: an import of them looks every
 * row up. Those of other inputs stay, since nobody has looked at what became of these.
 */
export function settleForgotten(
  { marks, locks, ...ledger }: LedgerParts,
  identity: RunIdentity,
): void {
  const { files, content } = markedInput({
    inputs: JSON.stringify(identity.inputs),
    content: identity.content,
  });
  const fingerprint = identity.fingerprint && markedInput({ inputs: '[]', content: identity.fingerprint.content });
  for (const { run, of } of marks?.all() ?? []) {
    const isOwn = of.files === files || of.content === content || of.content === fingerprint?.content;
    if (isOwn && !knownOf({ marks, locks, ...ledger }, run) && !locks.isTaken(run))
      marks?.remove(run);
  }
}

/** Whether facts of a run are gone, or nothing shows that they are not. */
export function hasLostFacts(ledger: LedgerParts, run: RunRow): boolean {
  if (lacksMark(ledger, run) || isUnsettled(run)) return true;
  const mark = ledger.marks?.of(run.id);
  const known = knownOf(ledger, run.id);
  return mark !== undefined && known !== undefined && isBehind(known, mark);
}

/** Whether a run lost facts, and has not come to its end since: rows of which nothing is on record may have been sent. */
const isUnsettled = ({ settles_all, state }: RunRow): boolean =>
  settles_all === 1 && state !== 'finished' && state !== 'open';

function unsettled(file: string, { id }: RunRow): LostFactsError {
  return new LostFactsError(
    `Run ${id} lost facts, and not all of its rows have been looked up since. Let "${ledgerCommand(file, 'resume', id)}" bring it to its end first.`,
  );
}

/** Runs of earlier versions had no marks, and one that ended by itself needs none. */
function lacksMark({ marks }: LedgerParts, { id, state, opened_at }: RunRow): boolean {
  return state === null && opened_at !== 0 && marks !== null && !marks.of(id);
}

/** @throws LostFactsError when the process of a run died and the mark that shows how far it had come is not there */
export function refuseWithoutMark(ledger: LedgerParts, run: RunRow): void {
  if (!lacksMark(ledger, run)) return;
  const { file } = ledger;
  throw new LostFactsError(
    `The process of run ${run.id} died, and ${file}.${run.id}.mark, which tells how much of it should be in the ledger, is not there. Was the ledger copied alone? Bring ${file}-wal and the mark along, or let "${ledgerCommand(file, 'resume', run.id, '--settle-all')}" look every open row up before it sends anything.`,
  );
}

/** A run that was opened again, or begun anew, and whose process died before it wrote the mark, is not. */
const isBehind = (known: Known, mark: RunMark): boolean =>
  known.opened < mark.openedAt || (known.opened === mark.openedAt && known.facts < mark.facts);

interface Known {
  readonly opened: number;
  readonly facts: number;
  readonly state: RunRow['state'];
}

function knownOf({ database }: LedgerParts, run: string): Known | undefined {
  return database
    .prepare<[string], Known>(
      `SELECT opened_at AS opened, state, (SELECT count(*) FROM fact WHERE fact.run = run.id) AS facts
       FROM run WHERE id = ?`,
    )
    .get(run);
}

function lostEnd(file: string, mark: RunMark, known: number | undefined): LostFactsError {
  const { run, facts, of } = mark;
  const how =
    known === undefined
      ? `it does not know run ${run} of ${printable(of.name)}, of which ${facts} facts were on the disk`
      : `it has ${known} facts of run ${run}, of which at least ${facts} were on the disk`;
  const settle =
    known === undefined
      ? `the import of ${printable(of.name)} with --settle-all looks every row up before it sends anything; should that list never be imported again, remove ${file}.${run}.mark`
      : `"${ledgerCommand(file, 'resume', run, '--settle-all')}" looks every open row up before it sends anything`;
  return new LostFactsError(
    `The ledger ${file} has lost its end: ${how}. Was ${file}-wal removed or damaged, or an older copy brought back? Bring the whole ledger back, or go on without: ${settle}.`,
  );
}
