import { type CardlineError, LedgerInUseError } from '../../core/errors/errors.js';
import type { Fact } from '../../core/facts/facts.js';
import { type StoredFact, type Waiting, storedFacts } from '../recorder/recorder.js';
import type { Connections, Queries } from './connection.js';
import { asPostgresError } from './errors.js';
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

/** Where the facts of a run go. `last`: the number of the last one that is on record. */
export interface AppendTo {
  readonly lease: Lease;
  readonly place: number;
  readonly last: number;
}

/** One statement is on its way at a time; what is recorded meanwhile goes together into the next. */
export function factAppender(connections: Connections, to: AppendTo): FactAppender {
  let waiting: Waiting[] = [];
  let broken: CardlineError | undefined;
  let { last } = to;
  let writing: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    // What is recorded in one turn goes together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const all = waiting;
      waiting = [];
      try {
        if (broken) throw broken;
        await write(connections, { ...to, last }, all);
        last += all.reduce((sum, { facts }) => sum + facts.length, 0);
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
        waiting.push({ facts: storedFacts(to.lease.run, chunk, facts), done, failed });
        writing ??= writeAll();
      }),
    idle: async () => writing,
  };
}

/** Facts of one call are written together, or none of them. */
async function write(
  connections: Connections,
  to: AppendTo,
  all: readonly Waiting[],
): Promise<void> {
  const facts = all.flatMap((one) => one.facts);
  if (facts.length === 0) return;
  if (facts.length <= MAX_FACTS) return insert(connections, to, facts);
  await connections.transaction(async (queries) => {
    for (let at = 0; at < facts.length; at += MAX_FACTS)
      await insert(queries, { ...to, last: to.last + at }, facts.slice(at, at + MAX_FACTS));
  });
}

/**
 * The lease is looked at in the statement that writes: a process that was paused while another one took its run writes
 * nothing any more.
 */
async function insert(
  queries: Queries,
  { lease, place, last }: AppendTo,
  facts: readonly StoredFact[],
): Promise<void> {
  const values: unknown[] = [lease.run, lease.epoch, place];
  const lines = facts.map(({ chunk, kind, data }, at) => {
    const first = values.push(chunk, kind, typeof data === 'string' ? data : bytesOf(data)) - 2;
    return `(${last + at + 1}, $${first}::bigint, $${first + 1}::text, $${first + 2}::text)`;
  });
  const written = await queries.run(
    `WITH held AS MATERIALIZED (
       SELECT run FROM ${S}.lease WHERE run = $1 AND epoch = $2 FOR SHARE
     )
     INSERT INTO ${S}.fact (run, number, chunk, kind, data)
     SELECT $3::bigint, f.number, f.chunk, f.kind, f.data
     FROM (VALUES ${lines.join(', ')}) AS f (number, chunk, kind, data)
     WHERE EXISTS (SELECT FROM held) ORDER BY f.number`,
    values,
  );
  if (written === facts.length) return;
  throw new LedgerInUseError(
    `Another process has taken run ${lease.run}, since this one did not answer for too long. Nothing more is sent here; look at the run there.`,
    { saysHowToContinue: true },
  );
}

const bytesOf = (data: Uint8Array): Buffer =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength);
