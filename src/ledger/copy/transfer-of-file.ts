import { asLedgerError, flush } from '../database.js';
import { type FactRow, guarded, storedChunksOf } from '../fact-table.js';
import type { LedgerParts } from '../ledger-parts.js';
import { markedInput } from '../mark.js';
import { inUse } from '../runs/in-use.js';
import { RUN_COLUMNS, type RunRow, factCount, runRow } from '../runs/run-table.js';
import { settled } from '../settled.js';
import { viewOf } from '../view.js';
import { lookupOfCopy } from './lend-run.js';
import type { RunOnRecord, RunTransfer } from './run-transfer.js';

/** Copies runs out of a ledger in a file and into it. While one is copied into it, others cannot write. */
export function transferOfFile(parts: LedgerParts): RunTransfer {
  const { database, file, locks } = parts;
  const read = (id: string): RunOnRecord => ({
    row: rowOf(parts, id),
    facts: () => storedFacts(parts, id),
  });
  return {
    rows: () => settled(() => guarded(file, () => viewOf(parts).runs)),
    read: (run) => settled(() => guarded(file, () => read(run))),
    lend: async (id, use) => {
      const lock = locks.take(id);
      if (!lock) throw inUse(rowOf(parts, id));
      try {
        return await use({ ...read(id), row: guarded(file, () => lentRow(parts, id)) });
      } finally {
        lock.release();
      }
    },
    receive: async ({ row, facts }, check) => {
      try {
        database.exec('BEGIN IMMEDIATE');
        insertRow(parts, row);
        await insertFacts(parts, row.id, facts());
        await check(read(row.id));
        database.exec('COMMIT');
      } catch (error) {
        if (database.inTransaction) database.exec('ROLLBACK');
        throw asLedgerError(error, file);
      }
      markCopy(parts, row);
    },
  };
}

function rowOf({ database }: LedgerParts, id: string): RunRow {
  const row = runRow(database, id);
  if (!row) throw new Error(`Run ${id} is not on record.`);
  return row;
}

/** The line of a run as its copy has it. */
function lentRow(parts: LedgerParts, id: string): RunRow {
  const { database } = parts;
  const lent = database.transaction((): RunRow => {
    const row = rowOf(parts, id);
    const lookup = lookupOfCopy(viewOf(parts), row);
    if (lookup === 'here and there')
      database.prepare('UPDATE run SET settles_all = 1 WHERE id = ?').run(id);
    return lookup === 'nowhere' ? row : { ...row, settles_all: 1 };
  });
  return lent.immediate();
}

/** A chunk is read when it is asked for. */
async function* storedFacts(
  { database, file }: LedgerParts,
  run: string,
): AsyncGenerator<readonly FactRow[], void, undefined> {
  for (const rows of storedChunksOf(database, file, run)) {
    yield rows;
    // Reading the ledger holds up everything else; others have their turn in between.
    await new Promise(setImmediate);
  }
}

function insertRow({ database }: LedgerParts, row: RunRow): void {
  const places = RUN_COLUMNS.map(() => '?').join(', ');
  database
    .prepare(`INSERT INTO run (${RUN_COLUMNS.join(', ')}) VALUES (${places})`)
    .run(RUN_COLUMNS.map((column) => row[column]));
}

async function insertFacts(
  { database }: LedgerParts,
  run: string,
  facts: AsyncIterable<readonly FactRow[]>,
): Promise<void> {
  const insert = database.prepare('INSERT INTO fact (run, chunk, kind, data) VALUES (?, ?, ?, ?)');
  for await (const rows of facts)
    for (const { chunk, kind, data } of rows) insert.run(run, chunk, kind, data);
}

/** A run that is not at its end needs a mark; it says what is on the disk. */
function markCopy({ database, marks }: LedgerParts, row: RunRow): void {
  flush(database);
  if (row.state === 'finished' || !marks) return;
  const facts = factCount(database, row.id);
  marks.begin({ run: row.id, facts, openedAt: row.opened_at, of: markedInput(row) });
}
