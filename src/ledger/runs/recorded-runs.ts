import type Database from 'better-sqlite3';
import type { RunRecord } from '../../core/ledger.js';
import { asLedgerError } from '../database.js';
import { guarded } from '../fact-table.js';
import type { LedgerParts } from '../ledger-parts.js';
import type { RecordedRuns } from '../port.js';
import { settled } from '../settled.js';
import { viewOf } from '../view.js';
import { findRuns } from './find-runs.js';
import { latestToResume, resumableRuns } from './resumable.js';
import { type RunRow, recordOf, runRow } from './run-table.js';
import { undosByRun } from './taken-back.js';

export function recordedRuns(ledger: LedgerParts): RecordedRuns {
  const { database, file, locks } = ledger;
  const recorded = (row: RunRow): RunRecord => recordOf(row, locks);
  const ask = <T>(work: () => T): Promise<T> => settled(() => guarded(file, work));
  return {
    runs: () =>
      ask(() =>
        database
          .prepare<[], RunRow>('SELECT * FROM run ORDER BY rowid DESC')
          .all()
          .map(recorded),
      ),
    find: (run) =>
      ask(() => {
        const row = runRow(database, run);
        return row && recorded(row);
      }),
    page: (filter, offset, limit) =>
      ask(() => {
        const page = findRuns(ledger, filter, offset, limit);
        return { ...page, runs: page.runs.map(recorded) };
      }),
    resumable: async (runs) => {
      try {
        if (!hasUnfinished(database, runs)) return new Set();
        return await resumableRuns(viewOf(ledger), runs);
      } catch (error) {
        throw asLedgerError(error, file);
      }
    },
    latestToResume: () => ask(() => latestToResume(viewOf(ledger))),
    undosOf: (runs) => ask(() => undosByRun(viewOf(ledger, MAY_BE_UNDO), runs)),
  };
}

/** Spares reading the settings of all runs as JSON. */
const MAY_BE_UNDO = `instr(settings, '"undoes"') > 0`;

/** All runs are read only where one of these may be continued. */
function hasUnfinished(database: Database.Database, runs: readonly string[]): boolean {
  const found = database
    .prepare<[string]>(
      `SELECT 1 FROM run WHERE id IN (SELECT value FROM json_each(?)) AND state IS NOT 'finished'`,
    )
    .get(JSON.stringify(runs));
  return found !== undefined;
}
