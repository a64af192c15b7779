import type { RunRecord } from '../../core/ledger.js';
import { guarded } from '../fact-table.js';
import type { LedgerParts } from '../ledger-parts.js';
import { settled } from '../settled.js';
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
  runs(): Promise<RunRecord[]>;
  /** One run; `undefined` when there is none of this id. */
  find(run: string): Promise<RunRecord | undefined>;
  page(filter: RunFilter, offset: number, limit: number): Promise<RunPage>;
  /** Those of these runs that can be continued: nobody works on them, and they were neither taken back nor overtaken. */
  resumable(runs: readonly string[]): Promise<ReadonlySet<string>>;
  /** Id of the latest run that can be continued. */
  latestToResume(): Promise<string | undefined>;
  /** Ids of the runs that took these back, or a part of them, by the run that was taken back. */
  undosOf(runs: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

export function recordedRuns(ledger: LedgerParts): RecordedRuns {
  const { database, file, locks } = ledger;
  const recorded = (row: RunRow): RunRecord => recordOf(row, locks);
  const all = (): RunRow[] =>
    database.prepare<[], RunRow>('SELECT * FROM run ORDER BY rowid DESC').all();
  const ask = <T>(work: () => T): Promise<T> => settled(() => guarded(file, work));
  const found = <T>(run: string, use: (row: RunRow) => T): Promise<T | undefined> =>
    ask(() => {
      const row = runRow(database, run);
      return row && use(row);
    });
  return {
    runs: () => ask(() => all().map(recorded)),
    find: (run) => found(run, recorded),
    page: (filter, offset, limit) =>
      ask(() => {
        const page = findRuns(ledger, filter, offset, limit);
        return { ...page, runs: page.runs.map(recorded) };
      }),
    resumable: async (runs) => {
      const those = new Set<string>();
      for (const run of runs) {
        if (await found(run, (row) => canContinue(ledger, row))) those.add(run);
        // Others get their turn.
        await new Promise(setImmediate);
      }
      return those;
    },
    latestToResume: () => ask(() => latestToResume(ledger, all())),
    undosOf: (runs) =>
      ask(() => {
        const undos = new Map<string, string[]>();
        for (const undo of undosOf(ledger, runs)) {
          const undone = undoneBy(undo);
          if (undone === undefined || !hasChanged(ledger, undo)) continue;
          undos.set(undone, [...(undos.get(undone) ?? []), undo.id]);
        }
        return undos;
      }),
  };
}
