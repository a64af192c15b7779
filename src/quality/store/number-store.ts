import type Database from 'better-sqlite3';
import { asUsageError, openStoreDatabase } from './store-database.js';

/** A number in a store, with why it must not be called, and until when. Times are milliseconds since 1970. */
export interface StoredNumber {
  readonly added: number;
  /** When it may be called again; `null`: never. */
  readonly endsAt: number | null;
  readonly reason: string | null;
}

/** What is said of numbers that are added. */
export interface Entry {
  /** When they may be called again. @default by the `ttl` of the list */
  readonly until?: number | undefined;
  readonly reason?: string | undefined;
}

/** What became of numbers that were added. */
export interface Added {
  /** They were not in the store. */
  readonly added: number;
  /** They were, and their time begins anew. */
  readonly renewed: number;
  /** They were, for longer than is asked for now, and stay so. */
  readonly kept: number;
}

/** Later than any time. */
const FAR = Number.MAX_SAFE_INTEGER;
const BATCH = 8192;
const ENDS_AT = 'coalesce(until, added + :ttl, :far)';

/** A longer ban is never shortened by a shorter one. */
const ADD = `
  INSERT INTO number (number, added, until, reason) VALUES (:number, :now, :until, :reason)
  ON CONFLICT (number) DO UPDATE SET
    added = excluded.added, until = excluded.until, reason = coalesce(excluded.reason, reason)
  WHERE coalesce(excluded.until, excluded.added + :ttl, :far) >= ${ENDS_AT}
`;

/** A count would be the same in a store that was made anew, or brought back from a copy, and changed otherwise. */
const NEW_STATE = `UPDATE store SET value = abs(random() % ${FAR}) WHERE name = 'changes'`;

/** Numbers that must not be called: a list that grows and shrinks number by number. E.164 without the plus. */
export class NumberStore {
  readonly #database: Database.Database;
  readonly #terms: { readonly ttl: number | null; readonly far: number };

  /**
   * @param ttl how long a number stays, in milliseconds. @default for ever
   * @throws UsageError when it cannot be opened
   */
  constructor(
    private readonly file: string,
    ttl: number | undefined,
    access: 'read' | 'write',
  ) {
    this.#database = openStoreDatabase(file, access);
    this.#terms = { ttl: ttl ?? null, far: FAR };
  }

  /** Adds numbers, all or none of them. */
  add(batches: Iterable<Float64Array>, { until, reason }: Entry, now: number): Added {
    const insert = this.#database.prepare(ADD);
    const values = { now, until: until ?? null, reason: reason ?? null, ...this.#terms };
    return this.#change(now, () => {
      const before = this.#count();
      let [all, changed] = [0, 0];
      for (const batch of batches) {
        all += batch.length;
        for (const number of batch) changed += insert.run({ ...values, number }).changes;
      }
      const added = this.#count() - before;
      return { added, renewed: changed - added, kept: all - changed };
    });
  }

  /** Returns whether the number was there. */
  remove(number: number, now: number): boolean {
    return this.#change(now, () => {
      const { changes } = this.#database.prepare('DELETE FROM number WHERE number = ?').run(number);
      return changes > 0;
    });
  }

  /** What is known of a number that must not be called now; `null` where it may be. */
  find(number: number, now: number): StoredNumber | null {
    const found = this.#database
      .prepare<object, StoredNumber>(
        `SELECT added, ${ENDS_AT} AS endsAt, reason FROM number WHERE number = :number`,
      )
      .get({ number, ...this.#terms });
    if (!found || (found.endsAt ?? FAR) <= now) return null;
    return { ...found, endsAt: found.endsAt === FAR ? null : found.endsAt };
  }

  /** Another one after each change, in whichever copy of the store: as long as it is the same, so are the numbers. */
  get state(): number {
    return Number(
      this.#database.prepare("SELECT value FROM store WHERE name = 'changes'").pluck().get(),
    );
  }

  /** When the first of the numbers may be called again; `null`: never. */
  firstEnd(now: number): number | null {
    const end = this.#database
      .prepare<object, number | null>(`SELECT min(${ENDS_AT}) FROM number WHERE ${ENDS_AT} > :now`)
      .pluck()
      .get({ now, ...this.#terms });
    return end == null || end === FAR ? null : end;
  }

  /** How many numbers must not be called now. */
  count(now: number): number {
    const text = `SELECT count(*) FROM number WHERE ${ENDS_AT} > :now`;
    return Number(
      this.#database
        .prepare(text)
        .pluck()
        .get({ now, ...this.#terms }),
    );
  }

  /** All numbers that must not be called now, in ascending order. */
  *numbers(now: number): Generator<Float64Array, void, undefined> {
    const found = this.#database
      .prepare<object, number>(`SELECT number FROM number WHERE ${ENDS_AT} > :now ORDER BY number`)
      .pluck()
      .iterate({ now, ...this.#terms });
    const batch = new Float64Array(BATCH);
    let count = 0;
    for (const number of found) {
      batch[count++] = number;
      if (count < BATCH) continue;
      yield batch;
      count = 0;
    }
    if (count > 0) yield batch.subarray(0, count);
  }

  /** Looks at the store as it is at one moment, whatever others change meanwhile. */
  atOnce<T>(look: () => T): T {
    return this.#database.transaction(look)();
  }

  close(): void {
    this.#database.close();
  }

  #count(): number {
    return Number(this.#database.prepare('SELECT count(*) FROM number').pluck().get());
  }

  /** A change, and the end of what has ended: nothing is kept of a person longer than it has to be. */
  #change<T>(now: number, change: () => T): T {
    const forget = `DELETE FROM number WHERE ${ENDS_AT} <= :now`;
    try {
      return this.#database
        .transaction(() => {
          this.#database.prepare(forget).run({ now, ...this.#terms });
          const result = change();
          this.#database.exec(NEW_STATE);
          return result;
        })
        .immediate();
    } catch (error) {
      throw asUsageError(error, this.file);
    }
  }
}
