import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../../core/errors.js';
import { isPostgresAddress } from '../../core/ledger.js';
import type { Connections, Queries } from '../../ledger/shared.js';
import { noticeSchema, type Notice } from '../notices/notice.js';

/**
 * Opens the state of watchers: beside the runs where these are in PostgreSQL, else in a file.
 * @throws LedgerError, NoLedgerError; StateError where the file cannot hold a state
 */
export async function openState(
  ledger: string | undefined,
  file: string,
  claimMs = CLAIM_MS,
): Promise<WatchState> {
  if (ledger === undefined || !isPostgresAddress(ledger)) {
    const { sqliteState } = await import('./sqlite.js');
    return new WatchState(sqliteState(file), SQLITE, claimMs);
  }
  const { openTables } = await import('../../ledger/shared.js');
  return new WatchState(await openTables(ledger), POSTGRES, claimMs);
}

/** How long a claim is held after it was taken or renewed, in milliseconds. */
export const CLAIM_MS = 60_000;

/** In what the databases differ. */
interface Dialect {
  /** Stands before the names of the tables. */
  readonly prefix: string;
  /** The milliseconds since the epoch, by the clock that all who share the database have. */
  readonly now: string;
}

const SQLITE: Dialect = { prefix: '', now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)" };
const POSTGRES: Dialect = {
  prefix: 'cardline.watch_',
  now: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
};

/** A file that this watcher has; its parameters come first. */
const OWN_FILE = 'WHERE pickup = $1 AND file = $2 AND owner = $3';

const ownerText = z.templateLiteral([z.int(), ':', z.string()]);

/**
 * What watchers have to remember, and share: the files that they work on and took, the notices that are yet to be sent,
 * and what was told of already. What became of rows stands in the ledger alone.
 */
export class WatchState {
  readonly #owner = `${process.pid}:${randomUUID()}`;
  readonly #here = hereOf();

  /** Parameters of a statement are `$1`, `$2`. */
  constructor(
    private readonly db: Connections,
    private readonly dialect: Dialect,
    private readonly claimMs: number,
  ) {}

  /** Keeps an entry as a whole; `false`: nothing, since another watcher has come before. */
  record({ notices, taken, about, mark }: Entry): Promise<boolean> {
    return this.db.transaction(async (queries) => {
      if (about) {
        const isNoted = await this.#change(about, 'noticed = $4', [about.run ?? ''], queries);
        if (!isNoted) return false;
      }
      if (mark && !(await this.#setMark(mark, queries))) return false;
      if (taken) {
        const { pickup, file, run, at, kind, rows, badRows } = taken;
        await queries.run(
          `INSERT INTO ${this.dialect.prefix}taken (pickup, file, run, at, kind, rows, bad_rows) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [pickup, file, run, at, kind, rows, badRows],
        );
      }
      for (const { target, notice, at } of notices)
        await queries.run(
          `INSERT INTO ${this.dialect.prefix}outbox (target, notice, at, next_at) VALUES ($1, $2, $3, $4)`,
          [target, JSON.stringify(notice), at, at],
        );
      return true;
    });
  }

  /** `false`: it is no longer `from`. */
  async #setMark(
    { pickup, name, from, to }: NonNullable<Entry['mark']>,
    queries: Queries,
  ): Promise<boolean> {
    if (from === null && to === null) return true;
    const table = `${this.dialect.prefix}mark`;
    const where = 'WHERE pickup = $1 AND name = $2 AND value = $3';
    const values = [pickup, name, from ?? to];
    const changed =
      from === null
        ? await queries.run(
            `INSERT INTO ${table} (pickup, name, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
            values,
          )
        : to === null
          ? await queries.run(`DELETE FROM ${table} ${where}`, values)
          : await queries.run(`UPDATE ${table} SET value = $4 ${where}`, [...values, to]);
    return changed > 0;
  }

  latest(pickup: string, count: number): Promise<TakenFile[]> {
    return this.db.rows<TakenFile>(
      `SELECT pickup, file, run, at, kind, rows, bad_rows AS "badRows" FROM ${this.dialect.prefix}taken
       WHERE pickup = $1 ORDER BY id DESC LIMIT $2`,
      [pickup, count],
    );
  }

  /**
   * The oldest notice that is due of each of these targets, so that they arrive in their order. Until `until`, nobody
   * else gets these.
   */
  async due(targets: readonly string[], now: number, until: number): Promise<Waiting[]> {
    const rows = await this.db.rows<Omit<Waiting, 'notice'> & { readonly notice: string }>(
      `UPDATE ${this.dialect.prefix}outbox SET next_at = $2
       WHERE id IN (${this.#oldestOf(targets, 3)}) AND next_at <= $1
       RETURNING id, target, notice, attempts, at`,
      [now, until, ...targets],
    );
    return rows.map((row) => ({ ...row, notice: noticeSchema.parse(JSON.parse(row.notice)) }));
  }

  /** When the next notice to one of these targets is due; `null` when none waits. */
  async nextDue(targets: readonly string[]): Promise<number | null> {
    const [row] = await this.db.rows<{ at: number | null }>(
      `SELECT MIN(next_at) AS at FROM ${this.dialect.prefix}outbox WHERE id IN (${this.#oldestOf(targets, 1)})`,
      targets,
    );
    return row?.at ?? null;
  }

  /** The oldest notice of each target. `first`: number of the parameter that the first target is. */
  #oldestOf(targets: readonly string[], first: number): string {
    const list = targets.map((_, index) => `$${first + index}`).join(', ');
    return `SELECT MIN(id) FROM ${this.dialect.prefix}outbox WHERE target IN (${list || 'NULL'}) GROUP BY target`;
  }

  /** Forgets notices that were made before an instant: their targets are in no pickup file any more. */
  async forget(before: number): Promise<void> {
    await this.db.run(`DELETE FROM ${this.dialect.prefix}outbox WHERE at < $1`, [before]);
  }

  async sent(id: number): Promise<void> {
    await this.db.run(`DELETE FROM ${this.dialect.prefix}outbox WHERE id = $1`, [id]);
  }

  /** Tries a notice again at an instant; `isFailure`: it counts as an attempt. */
  async again(id: number, at: number, isFailure: boolean): Promise<void> {
    await this.db.run(
      `UPDATE ${this.dialect.prefix}outbox SET attempts = attempts + $3, next_at = $2 WHERE id = $1`,
      [id, at, isFailure ? 1 : 0],
    );
  }

  async mark(pickup: string, name: string): Promise<string | null> {
    const [row] = await this.db.rows<{ value: string }>(
      `SELECT value FROM ${this.dialect.prefix}mark WHERE pickup = $1 AND name = $2`,
      [pickup, name],
    );
    return row?.value ?? null;
  }

  marks(pickup: string, prefix: string): Promise<{ name: string; value: string }[]> {
    return this.db.rows(
      `SELECT name, value FROM ${this.dialect.prefix}mark WHERE pickup = $1 AND substr(name, 1, $3) = $2`,
      [pickup, prefix, prefix.length],
    );
  }

  /**
   * Takes a file for this watcher, which holds it while it renews its claims; `null` where another one does. A watcher
   * on this machine that was killed holds nothing. What is known of another version of the file is forgotten.
   */
  async claim({ pickup, file }: FileKey, version: string, now: number): Promise<Claim | null> {
    const gone = await this.#ownerThatIsGone(pickup, file);
    const kept = (column: string, other: string): string =>
      `${column} = CASE WHEN c.version = excluded.version THEN c.${column} ELSE ${other} END`;
    const [row] = await this.db.rows<
      Pick<Claim, 'at' | 'noticed'> & { readonly checked: number; readonly stopped: number }
    >(
      `INSERT INTO ${this.dialect.prefix}claim AS c (pickup, file, owner, here, until, at, version)
       VALUES ($1, $2, $3, $4, ${this.dialect.now} + $5, $6, $8)
       ON CONFLICT (pickup, file) DO UPDATE SET
         owner = excluded.owner, here = excluded.here, until = excluded.until, version = excluded.version,
         ${kept('at', 'excluded.at')}, ${kept('checked', '0')}, ${kept('noticed', 'NULL')}, ${kept('stopped', '0')}
       WHERE c.until <= ${this.dialect.now} OR c.owner IN (excluded.owner, $7)
       RETURNING at, checked, noticed, stopped`,
      [pickup, file, this.#owner, this.#here, this.claimMs, now, gone, version],
    );
    if (!row) return null;
    const { at, checked, noticed, stopped } = row;
    return { at, noticed, isChecked: checked !== 0, hasStopped: stopped !== 0 };
  }

  /** The holder of a claim when it is a process of this machine that has ended. */
  async #ownerThatIsGone(pickup: string, file: string): Promise<string | null> {
    if (this.#here === null) return null;
    const [held] = await this.db.rows<{ owner: string }>(
      `SELECT owner FROM ${this.dialect.prefix}claim WHERE pickup = $1 AND file = $2 AND here = $3`,
      [pickup, file, this.#here],
    );
    const owner = ownerText.safeParse(held?.owner).data;
    return owner === undefined || isAlive(Number.parseInt(owner, 10)) ? null : owner;
  }

  async noteClaim(key: FileKey, { isChecked, hasStopped }: Partial<Claim>): Promise<void> {
    const flags = [isChecked, hasStopped].map((one) => (one === undefined ? null : Number(one)));
    const set = 'checked = COALESCE($4, checked), stopped = COALESCE($5, stopped)';
    await this.#change(key, set, flags);
  }

  async holderOf({ pickup, file }: FileKey): Promise<'this' | 'another' | null> {
    const [row] = await this.db.rows<{ owner: string }>(
      `SELECT owner FROM ${this.dialect.prefix}claim
       WHERE pickup = $1 AND file = $2 AND (owner = $3 OR until > ${this.dialect.now})`,
      [pickup, file, this.#owner],
    );
    if (!row) return null;
    return row.owner === this.#owner ? 'this' : 'another';
  }

  /** Leaves a file to whoever comes next, with what is known of it. */
  async letGo(key: FileKey): Promise<void> {
    await this.#change(key, "until = 0, owner = ''");
  }

  async unclaim({ pickup, file }: FileKey): Promise<void> {
    const key = [pickup, file, this.#owner];
    await this.db.run(`DELETE FROM ${this.dialect.prefix}claim ${OWN_FILE}`, key);
  }

  async renew(): Promise<void> {
    await this.db.run(
      `UPDATE ${this.dialect.prefix}claim SET until = ${this.dialect.now} + $1 WHERE owner = $2`,
      [this.claimMs, this.#owner],
    );
  }

  close(): Promise<void> {
    return this.db.close();
  }

  /** Changes what is known of a file; `false`: another watcher has it. */
  async #change(
    { pickup, file }: FileKey,
    set: string,
    values: readonly unknown[] = [],
    queries: Queries = this.db,
  ): Promise<boolean> {
    const key = [pickup, file, this.#owner];
    const sql = `UPDATE ${this.dialect.prefix}claim SET ${set} ${OWN_FILE}`;
    return (await queries.run(sql, [...key, ...values])) > 0;
  }
}

/**
 * What the numbers of processes mean here: the start of the machine and the container. `null` where that cannot be
 * known, so that only time tells whether a process is gone.
 */
function hereOf(): string | null {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${start} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Another system than Linux.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** A file that was taken, with how its import ended. */
export interface TakenFile {
  readonly pickup: string;
  readonly file: string;
  readonly run: string | null;
  /** When it was claimed, in milliseconds since the epoch. */
  readonly at: number;
  /** Name of the notice's kind that says how it ended. */
  readonly kind: string;
  readonly rows: number;
  readonly badRows: number;
}

/** A notice that waits to be sent to one target. */
export interface Waiting {
  readonly id: number;
  readonly target: string;
  readonly notice: Notice;
  readonly attempts: number;
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number;
}

/** A file of a pickup. */
export interface FileKey {
  readonly pickup: string;
  readonly file: string;
}

/** What is known of a file that a watcher works on, over restarts and from one watcher to the next. */
export interface Claim {
  /** When it was claimed first, in milliseconds since the epoch. */
  readonly at: number;
  /** The file was held against its manifest. */
  readonly isChecked: boolean;
  /** What its notice is about: the run, or an empty text where there was none. */
  readonly noticed: string | null;
  /** Its import has stopped before. */
  readonly hasStopped: boolean;
}

/** What is kept together, or not at all. */
export interface Entry {
  readonly notices: readonly {
    readonly target: string;
    readonly notice: Notice;
    readonly at: number;
  }[];
  readonly taken?: TakenFile | null;
  /** The notices are of this claim. Nothing is kept when another watcher has it by now. */
  readonly about?: FileKey & { readonly run: string | null };
  /** Nothing is kept when the mark is no longer `from`: another watcher was faster. */
  readonly mark?: {
    readonly pickup: string;
    readonly name: string;
    readonly from: string | null;
    readonly to: string | null;
  };
}
