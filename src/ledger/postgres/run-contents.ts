import { reportRows, rowsByChunk, waitingIn } from '../../core/facts.js';
import { iterable } from '../iterable.js';
import type { Ledger } from '../port.js';
import { enqueues } from '../runs/run-table.js';
import { factsOf, firstRow } from './facts-of.js';
import type { PostgresParts } from './open-run.js';
import { lastNumber, placedRun } from './run-statements.js';

/** Reads what is on record of one run. */
export function runContents({
  connections,
  spool,
}: PostgresParts): Pick<
  Ledger,
  | 'settingsOf'
  | 'rowsOf'
  | 'firstRow'
  | 'rowsByChunk'
  | 'rowsOfChunk'
  | 'waitingOf'
  | 'factsOf'
  | 'lastFact'
> {
  const fetched = async (id: string) => {
    const row = await placedRun(connections, id);
    if (row) await spool.fetch(row.place);
    return row;
  };
  return {
    settingsOf: async (run) =>
      JSON.parse((await placedRun(connections, run))?.settings ?? 'null') as unknown,
    rowsOf: async (run) => {
      const row = await fetched(run);
      return row ? iterable(() => reportRows(spool.chunksOf(row.place), enqueues(row))) : [];
    },
    firstRow: async (run) => {
      const row = await placedRun(connections, run);
      return row && firstRow(connections, row);
    },
    rowsByChunk: async (run) => {
      const row = await fetched(run);
      return row
        ? iterable(() => rowsByChunk(spool.numberedChunksOf(row.place), enqueues(row)))
        : [];
    },
    rowsOfChunk: async (run, chunk) => {
      const row = await placedRun(connections, run);
      if (!row) return [];
      return [...reportRows([await factsOf(connections, row.place, chunk)], enqueues(row))];
    },
    waitingOf: async (run) => {
      const row = await fetched(run);
      return waitingIn(row ? spool.chunksOf(row.place) : [], row !== undefined && enqueues(row));
    },
    factsOf: async (run, backwards) => {
      const row = await fetched(run);
      return row ? iterable(() => spool.numberedChunksOf(row.place, backwards)) : [];
    },
    lastFact: async (run) => {
      const row = await placedRun(connections, run);
      return row ? lastNumber(connections, row.place) : 0;
    },
  };
}
