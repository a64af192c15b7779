import type { RunRecord } from '../../core/ledger.js';
import { guarded } from '../fact-table.js';
import type { LedgerParts } from '../ledger-parts.js';
import { canContinue, latestToResume } from './choose-run.js';
import { type RunFilter, findRuns } from './find-runs.js';
import { type RunRow, recordOf, runRow, undoneBy } from './run-table.js';
import { hasChanged, undosOf } from './taken-back.js';

/** A part of the runs that fit, the latest first. */
export interface RunPage {
  /** How many fit. */
  readonly total: number;
  /** How many there are. */
  readonly all: number;
  readonly runs: readonly RunRecord[];
}

/** The runs of a ledger, as they are listed. */
export interface RecordedRuns {
  /** All runs, the latest first. */
  runs(): RunRecord[];
  /** One run; `undefined` when there is none of this id. */
  find(run: string): RunRecord | undefined;
  page(filter: RunFilter, offset: number, limit: number): RunPage;
  /** Whether the run can be continued: nobody works on it, and it was neither taken back nor overtaken. */
  canContinue(run: string): boolean;
  /** Id of the latest run that can be continued. */
  latestToResume(): string | undefined;
  /** Ids of the runs that took these back, or a part of them, by the run that was taken back. */
  undosOf(runs: readonly string[]): Map<string, string[]>;
}

export function recordedRuns(ledger: LedgerParts): RecordedRuns {
  const { database, file, locks } = ledger;
  const recorded = (row: RunRow): RunRecord => recordOf(row, locks);
  const all = (): RunRow[] =>
    database.prepare<[], RunRow>('SELECT * FROM run ORDER BY rowid DESC').all();
  const found = <T>(run: string, use: (row: RunRow) => T): T | undefined =>
    guarded(file, () => {
      const row = runRow(database, run);
      return row && use(row);
    });
  return {
    runs: () => guarded(file, () => all().map(recorded)),
    find: (run) => found(run, recorded),
    page: (filter, offset, limit) =>
      guarded(file, () => {
        const page = findRuns(ledger, filter, offset, limit);
        return { ...page, runs: page.runs.map(recorded) };
      }),
    canContinue: (run) => found(run, (row) => canContinue(ledger, row)) ?? false,
    latestToResume: () => guarded(file, () => latestToResume(ledger, all())),
    undosOf: (runs) =>
      guarded(file, () => {
        const found = new Map<string, string[]>();
        for (const undo of undosOf(ledger, runs)) {
          const undone = undoneBy(undo);
          if (undone === undefined || !hasChanged(ledger, undo)) continue;
          found.set(undone, [...(found.get(undone) ?? []), undo.id]);
        }
        return found;
      }),
  };
}
