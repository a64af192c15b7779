import type { CardlineError } from '../../core/errors.js';
import type { Fact } from '../../core/facts.js';
import { runTaken } from '../runs/in-use.js';
import { type StoredFact, type Waiting, storedFacts } from '../recorder/recorder.js';
import type { Connections, Queries } from './connection/connection.js';
import { asPostgresError } from './connection/errors.js';
import type { Lease } from './lease.js';
import { LEDGER_SCHEMA } from './schema.js';

const S = LEDGER_SCHEMA;

/** Facts of a statement; a server takes 65,535 values, three for each. */
const MAX_FACTS = 1000;

/** Appends the facts of one run. */
export interface FactAppender {
  /**
   * Resolves when the facts are on the server's disk.
   * @throws LedgerError; then nothing is recorded any more, since a gap in the facts would be worse than a stop.
   */
  append(chunk: number, facts: readonly Fact[]): Promise<void>;
  /** Resolves when nothing is on its way. */
  idle(): Promise<void>;
}

/** What a statement is to know beside its facts. */
export interface InsertWith {
  /** How many the transaction has appended already. */
  readonly before: number;
  /** What `count` says of them; of those of a transaction, its first statement has it all. */
  readonly counted: number;
}

/** Appends facts in one statement, where whoever appends them still may, and gives how many it appended: all or none. */
export type InsertFacts = (
  queries: Queries,
  facts: readonly StoredFact[],
  more: InsertWith,
) => Promise<number>;

/** Where the facts of a run go. */
export interface AppendTo {
  readonly run: string;
  readonly insert: InsertFacts;
  /** What is counted of facts. @default nothing */
  readonly count?: (facts: readonly Fact[]) => number;
  /** Called with how many facts are on record now in addition. */
  readonly onWritten?: (facts: number) => void;
}

interface Counted extends Waiting {
  readonly counted: number;
}

/** One statement is on its way at a time; what is recorded meanwhile goes together into the next. */
export function factAppender(connections: Connections, to: AppendTo): FactAppender {
  let waiting: Counted[] = [];
  let broken: CardlineError | undefined;
  let writing: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    // What is recorded in one turn goes together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const all = waiting;
      waiting = [];
      try {
        if (broken) throw broken;
        await write(connections, to, all);
        for (const { done } of all) done();
      } catch (error) {
        broken ??= asPostgresError(error, connections.name);
        for (const { failed } of all) failed(broken);
      }
    }
    writing = undefined;
  };

  return {
    append: (chunk, facts) =>
      new Promise((done, failed) => {
        const counted = to.count?.(facts) ?? 0;
        waiting.push({ facts: storedFacts(to.run, chunk, facts), counted, done, failed });
        writing ??= writeAll();
      }),
    idle: async () => writing,
  };
}

/** Facts of one call are written together, or none of them. */
async function write(
  connections: Connections,
  to: AppendTo,
  all: readonly Counted[],
): Promise<void> {
  const facts = all.flatMap((one) => one.facts);
  if (facts.length === 0) return;
  const counted = all.reduce((sum, one) => sum + one.counted, 0);
  if (facts.length <= MAX_FACTS) await insertAll(connections, to, facts, { before: 0, counted });
  else
    await connections.transaction(async (queries) => {
      for (let at = 0; at < facts.length; at += MAX_FACTS) {
        const more = { before: at, counted: at === 0 ? counted : 0 };
        await insertAll(queries, to, facts.slice(at, at + MAX_FACTS), more);
      }
    });
  to.onWritten?.(facts.length);
}

async function insertAll(
  queries: Queries,
  { run, insert }: AppendTo,
  facts: readonly StoredFact[],
  more: InsertWith,
): Promise<void> {
  if ((await insert(queries, facts, more)) === facts.length) return;
  throw runTaken(run);
}

/** Appends the facts of a run on which this process works alone, behind the `last` one. */
export function appenderOfRun(
  connections: Connections,
  { lease, place, last: known }: { lease: Lease; place: number; last: number },
): FactAppender {
  let last = known;
  return factAppender(connections, {
    run: lease.run,
    insert: (queries, facts, { before }) =>
      insert(queries, { lease, place, last: last + before }, facts),
    onWritten: (facts) => {
      last += facts;
    },
  });
}

/**
 * The lease is looked at in the statement that writes: a process that was paused while another one took its run writes
 * nothing any more.
 */
function insert(
  queries: Queries,
  { lease, place, last }: { lease: Lease; place: number; last: number },
  facts: readonly StoredFact[],
): Promise<number> {
  const values: unknown[] = [lease.run, lease.epoch, place, last];
  return queries.run(
    `WITH held AS MATERIALIZED (
       SELECT run FROM ${S}.lease WHERE run = $1 AND epoch = $2 FOR SHARE
     )
     INSERT INTO ${S}.fact (run, number, chunk, kind, data)
     SELECT $3::bigint, $4::bigint + f.at, f.chunk, f.kind, f.data
     FROM (${factLines(facts, values)}) AS f (at, chunk, kind, data)
     WHERE EXISTS (SELECT FROM held) ORDER BY f.at`,
    values,
  );
}

/** The facts as lines of a statement, counted from 1; their values are added to those of the statement. */
export function factLines(facts: readonly StoredFact[], values: unknown[]): string {
  const lines = facts.map(({ chunk, kind, data }, at) => {
    const first = values.push(chunk, kind, typeof data === 'string' ? data : bytesOf(data)) - 2;
    return `(${at + 1}, $${first}::bigint, $${first + 1}::text, $${first + 2}::text)`;
  });
  return `VALUES ${lines.join(', ')}`;
}

const bytesOf = (data: Uint8Array): Buffer =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength);
