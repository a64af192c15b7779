import Database from 'better-sqlite3';
import type { Fact } from '../../core/facts.js';
import { asLedgerError } from '../database.js';
import { chunksOf, numberedChunksOf } from '../fact-table.js';
import type { NumberedFacts } from '../port.js';
import { SCHEMA } from '../schema.js';
import type { Queries } from './connection/connection.js';
import { LEDGER_SCHEMA } from './schema.js';

/** Facts of a statement: each may be of some 100 KiB. */
const FETCHED = 100;

/** How SQLite calls a database that has no name and ends with its connection. */
const TEMPORARY = '';

interface FactRow {
  readonly number: number;
  readonly chunk: number;
  readonly kind: string;
  readonly data: string;
}

/**
 * Facts of runs in a temporary file of this machine, for who reads all of a run: reports iterate rows one by one, some
 * of them twice, and the server holds nothing open meanwhile. Facts are only ever appended, so that what has been
 * fetched stays true.
 */
export class Spool {
  #database: Database.Database | undefined;
  /** By the place of a run: the number of the last fact that is here. */
  readonly #fetched = new Map<number, number>();
  /** One after the other: two at once would keep the same facts twice. */
  #fetching: Promise<void> = Promise.resolve();

  constructor(private readonly queries: Queries) {}

  /** Fetches what is new of a run. */
  fetch(place: number): Promise<void> {
    const fetched = this.#fetching.catch(() => undefined).then(() => this.#fetchNew(place));
    this.#fetching = fetched;
    return fetched;
  }

  /** The facts of each chunk of a run that was fetched. */
  chunksOf(place: number): Generator<Fact[], void, undefined> {
    return chunksOf(this.#open(), SPOOL_NAME, String(place));
  }

  numberedChunksOf(place: number, backwards = false): Generator<NumberedFacts, void, undefined> {
    return numberedChunksOf(this.#open(), SPOOL_NAME, String(place), backwards);
  }

  /** What is here of a run is not as the server has it any more. */
  forget(place: number): void {
    this.#fetched.delete(place);
    this.#database?.prepare('DELETE FROM fact WHERE run = ?').run(String(place));
  }

  close(): void {
    this.#database?.close();
  }

  async #fetchNew(place: number): Promise<void> {
    for (;;) {
      const last = this.#fetched.get(place) ?? 0;
      const rows = await this.queries.rows<FactRow>(
        `SELECT number, chunk, kind, data FROM ${LEDGER_SCHEMA}.fact
         WHERE run = $1 AND number > $2 ORDER BY number LIMIT ${FETCHED}`,
        [place, last],
      );
      this.#keep(place, rows);
      this.#fetched.set(place, rows.at(-1)?.number ?? last);
      if (rows.length < FETCHED) return;
    }
  }

  #keep(place: number, rows: readonly FactRow[]): void {
    try {
      const database = this.#open();
      const insert = database.prepare(
        'INSERT INTO fact (run, chunk, kind, data) VALUES (?, ?, ?, ?)',
      );
      database.transaction(() => {
        for (const { chunk, kind, data } of rows) insert.run(String(place), chunk, kind, data);
      })();
    } catch (error) {
      throw asLedgerError(error, SPOOL_NAME);
    }
  }

  #open(): Database.Database {
    if (this.#database) return this.#database;
    const database = new Database(TEMPORARY);
    // The runs themselves are not here.
    database.pragma('foreign_keys = OFF');
    database.exec(SCHEMA);
    return (this.#database = database);
  }
}

const SPOOL_NAME = '(its copy in the folder for temporary files)';
