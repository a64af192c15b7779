import { type LeaseTimes, type SharedWork, LEASE_TIMES } from '../ledger/port.js';
import PgBoss from 'pg-boss';
import { CardlineError, codeOf, RunTakenError } from '../core/errors.js';
import {
  asPostgresError,
  type Connections,
  grantsOn,
  hasTable,
  initSchema,
  mayUse,
  openTables,
  type Queries,
  shareTables,
  closeShared,
  addPiece,
  type OpenShared,
  takePiece,
  endPiece,
  endCanary,
  limitShared,
} from '../ledger/shared.js';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { SeenKeys } from '../core/duplicates.js';
import type { PreparedChunk } from '../core/prepared.js';
import { momentNow } from '../core/time.js';

/** What machines share: the database of the ledger, with the jobs of pieces in it. */
export interface Fleet {
  readonly connections: Connections;
  readonly jobs: PieceJobs;
  readonly times: LeaseTimes;
  close(): Promise<void>;
}

/** After which part of a lease an answer is no longer waited for. */
const NOTICED = 0.5;

/** @throws LedgerError, NoLedgerError: what is wrong with address, user, certificate, server or tables */
export async function openFleet(address: string, times: LeaseTimes = LEASE_TIMES): Promise<Fleet> {
  // Where nothing comes back, leases lapse: it has to be noticed before.
  const connections = await openTables(address, { statementMs: times.leaseMs * NOTICED });
  try {
    const jobs = await PieceJobs.open(connections);
    return { connections, jobs, times, close: () => connections.close() };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

const SCHEMA = 'cardline_jobs';

/** What makes and removes the table of a run. */
const FUNCTIONS = ['create_queue(text, json)', 'delete_queue(text)'];

/**
 * Makes the tables of jobs in a database; `null`: they are there, and the role may work with them. Else what an
 * administrator has to execute. @throws LedgerError, NoLedgerError
 */
export const initJobs = (address: string, justPrints: boolean): Promise<string | null> =>
  initSchema(address, justPrints, {
    prepare: (connections) => PieceJobs.open(connections),
    mayWork: (connections) => mayUse(connections, SCHEMA, ['create_queue', 'delete_queue']),
    sql: async (connections, role) => jobsSql(role, await hasTable(connections, SCHEMA, 'version')),
  });

/**
 * The statements that make the tables of jobs and permit a role to work with them. Each run has a table of its own: it is
 * made by functions that have the rights of the administrator, so that the role needs none to make tables.
 */
function jobsSql(to: string, areMade: boolean): string {
  const functions = FUNCTIONS.flatMap((name) => [
    `ALTER FUNCTION ${SCHEMA}.${name} SECURITY DEFINER SET search_path = ${SCHEMA}, pg_temp;`,
    `REVOKE ALL ON FUNCTION ${SCHEMA}.${name} FROM PUBLIC;`,
    `GRANT EXECUTE ON FUNCTION ${SCHEMA}.${name} TO ${to};`,
  ]);
  return [
    ...(areMade ? [] : [PgBoss.getConstructionPlans(SCHEMA).trim().replaceAll(/^ {4}/gm, '')]),
    'BEGIN;',
    ...functions,
    ...grantsOn(SCHEMA, to),
    'COMMIT;\n',
  ].join('\n');
}

/**
 * One job for each piece of a run, in a queue for each run: so workers choose between runs, and in a run the oldest goes
 * first.
 */
const queueOf = (run: string): string => `run-${run}`;

/** SQLSTATE: a job of the queue is there. */
const STILL_REFERENCED = '23503';

/** Digits of a number in the id of a job, which is 128 bits. */
const DIGITS = 32;

/** A piece always has the same id: two jobs for one are not possible. */
const idOf = (number: number): string => number.toString(16).padStart(DIGITS, '0');

/**
 * Says when pieces are to be taken. What is done with a job goes through the connection of a transaction, so that it holds
 * together with what is done with the piece. Jobs are fetched and put back in one transaction: none is ever seen as
 * active, so that nothing has to be supervised.
 */
class PieceJobs {
  private constructor(
    private readonly boss: PgBoss,
    private readonly connections: Connections,
  ) {}

  /** Makes the tables where there are none. @throws NoLedgerError where the role may not */
  static async open(connections: Connections): Promise<PieceJobs> {
    const boss = new PgBoss({
      ...{ db: databaseOf(connections), schema: SCHEMA },
      ...{ supervise: false, schedule: false, migrate: true },
    });
    boss.on('error', () => undefined);
    const jobs = new PieceJobs(boss, connections);
    await jobs.#guarded(() => boss.start());
    return jobs;
  }

  /** Makes room for the jobs of a run. */
  begin(run: string): Promise<void> {
    return this.#guarded(() => this.boss.createQueue(queueOf(run)));
  }

  /** Forgets the jobs of a run that is at its end. Where somebody has just put one off, `sweep` does it later. */
  async end(run: string): Promise<void> {
    try {
      await this.boss.purgeQueue(queueOf(run));
      await this.boss.deleteQueue(queueOf(run));
    } catch (error) {
      if (codeOf(error) !== STILL_REFERENCED) throw asPostgresError(error, this.connections.name);
    }
  }

  /** Forgets the jobs of all runs but those that are live, which is asked last: one that begins meanwhile keeps its own. */
  async sweep(live: () => Promise<ReadonlySet<string>>): Promise<void> {
    const queues = await this.#guarded(() => this.boss.getQueues());
    const kept = await live();
    for (const { name } of queues) {
      const [, run] = /^run-(.+)$/.exec(name) ?? [];
      if (run !== undefined && !kept.has(run)) await this.end(run);
    }
  }

  /** Has a piece taken in so many seconds. Does nothing where it has a job already. */
  async add(queries: Queries, run: string, number: number, seconds = 0): Promise<void> {
    const options = { id: idOf(number), startAfter: seconds, db: databaseOf(queries) };
    await this.#guarded(() => this.boss.send(queueOf(run), { number }, options));
  }

  /** Has pieces taken at once: one statement for all, since others wait for whoever opens them. */
  async addAll(queries: Queries, run: string, numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    const name = queueOf(run);
    const jobs = numbers.map((number) => ({ name, id: idOf(number), data: { number } }));
    await this.#guarded(() => this.boss.insert(jobs, { db: databaseOf(queries) }));
  }

  /** The number of a piece that is due, whose job others pass over until the transaction has ended; `undefined`: none is. */
  async next(queries: Queries, run: string): Promise<number | undefined> {
    let failure: unknown;
    // pg-boss swallows an error here, and gives no job.
    const db = databaseOf(queries, (error) => {
      failure = error;
    });
    const [job] = await this.boss.fetch<{ number: number }>(queueOf(run), { db });
    if (failure !== undefined) throw asPostgresError(failure, this.connections.name);
    return job?.data.number;
  }

  async remove(queries: Queries, run: string, number: number): Promise<void> {
    const db = databaseOf(queries);
    await this.#guarded(() => this.boss.deleteJob(queueOf(run), idOf(number), { db }));
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asPostgresError(error, this.connections.name);
    }
  }
}

/**
 * Executes the statements of pg-boss, by any connection or in a transaction. It gets errors as the driver has them, since
 * it looks into their messages for those that it can ignore.
 */
function databaseOf(
  queries: Queries,
  onError: (error: unknown) => void = () => undefined,
): PgBoss.Db {
  return {
    executeSql: async (text: string, values?: unknown[]) => {
      try {
        return { rows: await queries.rows<object>(text, values) };
      } catch (error) {
        const cause = error instanceof CardlineError ? (error.cause ?? error) : error;
        onError(cause);
        throw cause;
      }
    },
  };
}

/** How large a piece is. */
export const PIECE_SIZE = { rows: 50_000, bytes: 16 * 1024 * 1024 };

interface ChunkToSend {
  readonly chunk: NumberedChunk;
  readonly clients: number;
  /** What these are known by, where their rows have to be sent in order. @default they may be sent in any order */
  readonly keys?: readonly Uint32Array[] | undefined;
}

/**
 * Rows of one client that follow each other come into one piece, where that does not make it more than so many times as
 * large as others.
 */
const MAX_GROWTH = 2;

/** Gathers the chunks of a run, and hands them over to workers piece by piece. */
export class Handover {
  #chunks: NumberedChunk[] = [];
  #rows = 0;
  #bytes = 0;
  /** Whether the next chunk begins another piece, unless it goes on with clients of this one. */
  #isFull = false;
  /** Whether the piece has rows of clients of earlier ones. */
  #waits = false;
  #next: number;
  /** Clients of the canary that are not in a piece yet. */
  #canary: number;

  /** `canary`: clients that go first; they are handed over as soon as they are gathered, so that nobody waits longer. */
  constructor(
    private readonly fleet: Fleet,
    private readonly run: string,
    private readonly work: SharedWork,
    private readonly size: typeof PIECE_SIZE,
    canary: number,
    /** In which piece clients came first, by their keys. */
    private readonly first: SeenKeys,
  ) {
    this.#next = work.handed;
    this.#canary = canary;
  }

  async add({ chunk, clients, keys }: ChunkToSend): Promise<void> {
    const before = new Set(keys?.map((key) => this.first.find(key, 0)?.row ?? this.#next + 1));
    if (this.#isFull && !(this.#isUpTo(MAX_GROWTH) && before.has(this.#next))) await this.#hand();
    if ([...before].some((piece) => piece < this.#next)) this.#waits = true;
    this.note(keys, this.#next);
    this.#chunks.push(chunk);
    this.#rows += chunk.count;
    this.#bytes += chunk.read.byteLength + chunk.clients.payload.byteLength;
    const isCanary = this.#canary > 0;
    this.#canary -= clients;
    this.#isFull ||= !this.#isUpTo(1) || (isCanary && this.#canary <= 0);
    if (this.#isFull && !keys) await this.#hand();
  }

  /** The first piece of a client counts: a piece with a later row of it waits for all before it. */
  note(keys: ChunkToSend['keys'], piece: number): void {
    for (const key of keys ?? []) if (!this.first.find(key, 0)) this.first.add(key, 0, 0, piece);
  }

  /** Whether the piece is smaller than so many times a usual one. */
  #isUpTo(times: number): boolean {
    return this.#rows < this.size.rows * times && this.#bytes < this.size.bytes * times;
  }

  async close(): Promise<void> {
    if (this.#chunks.length > 0) await this.#hand();
    if (!(await closeShared(this.fleet.connections, this.work, this.#next)))
      throw runTaken(this.run);
  }

  async #hand(): Promise<void> {
    const { fleet, run, work } = this;
    const [number, rows, chunks, waits] = [this.#next, this.#rows, this.#chunks, this.#waits];
    [this.#chunks, this.#rows, this.#bytes] = [[], 0, 0];
    this.#isFull = this.#waits = false;
    const data = await packChunks(chunks);
    await fleet.connections.transaction(async (queries) => {
      const piece = { number, rows, chunks: chunks.length, data, waits };
      const { isOwn, isOpen } = await addPiece(queries, work.place, work.lease, piece);
      if (!isOwn) throw runTaken(run);
      // Of one that nobody may take yet, whoever opens it says that it can be taken.
      if (isOpen) await fleet.jobs.add(queries, run, number);
    });
    this.#next = number + 1;
  }
}

/** The run is handed over by another process. */
export function runTaken(run: string): RunTakenError {
  return new RunTakenError(
    `Another process hands run ${run} over, since this one did not answer for too long. Look at the run there.`,
    { saysHowToContinue: true },
  );
}

const NO_BYTES = new Uint8Array();
/** Pieces are kept for minutes: what packs quickly serves best. */
const LEVEL = 1;
const WORD = 4;
const LENGTH_BYTES = 4;

const [pack, unpack] = [promisify(deflateRaw), promisify(inflateRaw)];

/** A chunk with its place among those of its run. */
export type NumberedChunk = PreparedChunk & { readonly number: number };

/**
 * Packs what is needed to send the clients of chunks; duplicates have been found, so that no keys are. The order of
 * bytes is that of the machine: little-endian on all that Node runs on with this program's databases.
 */
export async function packChunks(chunks: readonly NumberedChunk[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const heads = chunks.map((chunk) => {
    const own = partsOf(chunk);
    parts.push(...own);
    return headOf(chunk, own);
  });
  const head = Buffer.from(JSON.stringify(heads));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return pack(Buffer.concat([length, head, ...parts]), { level: LEVEL });
}

export async function unpackChunks(packed: Uint8Array): Promise<NumberedChunk[]> {
  const all = await unpack(packed);
  const begin = LENGTH_BYTES + all.readUInt32LE();
  // Written by us: its shape is not checked again.
  const text = all.toString('utf8', LENGTH_BYTES, begin);
  const heads = JSON.parse(text) as ReturnType<typeof headOf>[];
  let at = begin;
  const next = (bytes = 0): Uint8Array => all.subarray(at, (at += bytes));
  return heads.map(({ bytes, names, derivedUuids, isOfRead: ofRead, hasNumbers, ...chunk }) => {
    const [read = NO_BYTES, texts = NO_BYTES, payload = NO_BYTES, numbers = NO_BYTES, ...words] =
      bytes.map(next);
    const [members, rows, ends, marks, numberEnds] = words.map(wordsOf);
    return {
      ...chunk,
      read,
      clients: {
        at: members ?? NO_WORDS,
        rows: rows ?? NO_WORDS,
        identities: { names, texts: ofRead ? read : texts, marks: marks ?? NO_WORDS },
        derivedUuids,
        payload,
        ends: ends ?? NO_WORDS,
        keys: NO_WORDS,
        keyEnds: new Uint32Array(members?.length ?? 0),
        ...(hasNumbers
          ? { callable: { numbers: doublesOf(numbers), ends: numberEnds ?? NO_WORDS } }
          : {}),
      },
      ...{ problems: [], remarks: [], evidence: [], kept: [], shown: [] },
    };
  });
}

const NO_WORDS = new Uint32Array();

/** What is not made of numbers and bytes, as JSON; with the bytes of each part, in the order of `partsOf`. */
function headOf(chunk: NumberedChunk, parts: readonly Uint8Array[]) {
  const { number, input, sheet, first, count, rejected, skipped, progress, clients } = chunk;
  const { identities, derivedUuids } = clients;
  return {
    ...{ number, input, sheet, first, count, rejected, skipped, progress, derivedUuids },
    names: identities.names,
    isOfRead: isOfRead(chunk),
    hasNumbers: clients.callable !== undefined,
    bytes: parts.map(({ byteLength }) => byteLength),
  };
}

function partsOf(chunk: PreparedChunk): Uint8Array[] {
  const { read, clients } = chunk;
  const { at, rows, ends, identities, payload, callable } = clients;
  const texts = isOfRead(chunk) ? NO_BYTES : identities.texts;
  const numbers = callable ? bytesOf(callable.numbers) : NO_BYTES;
  const words = [at, rows, ends, identities.marks, callable?.ends ?? NO_WORDS];
  return [read, texts, payload, numbers, ...words.map(bytesOf)];
}

/** In an import, who the clients are stands in their records. */
function isOfRead({ read, clients: { identities } }: PreparedChunk): boolean {
  const { texts } = identities;
  return (
    texts.buffer === read.buffer &&
    texts.byteOffset === read.byteOffset &&
    texts.length === read.length
  );
}

const bytesOf = (words: Uint32Array | Float64Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

/** Copied: words begin at whole words. */
const wordsOf = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(Uint8Array.from(bytes).buffer, 0, bytes.length / WORD);

const doublesOf = (bytes: Uint8Array): Float64Array =>
  new Float64Array(Uint8Array.from(bytes).buffer, 0, bytes.length / Float64Array.BYTES_PER_ELEMENT);

/**
 * Takes the next piece of a run that is due, and has it due again when the lease lapses, in one transaction; `undefined`:
 * none is due. One that is leased is put off. `taken`: when the statement that took it was sent; `canary`: clients of the
 * canary that it begins with, `null`: none is waited for.
 */
export function takeNext(
  { connections, jobs, times }: Fleet,
  { place, run }: Pick<OpenShared, 'place' | 'run'>,
  worker: string,
) {
  const taken = momentNow();
  return connections.transaction(async (queries) => {
    // Before the first job: whoever ends a piece may wait for a job that is being put off, so that who puts it off waits
    // for nobody.
    await shareTables(queries);
    for (;;) {
      const number = await jobs.next(queries, run);
      if (number === undefined) return undefined;
      const piece = await takePiece(queries, { place, number }, worker, times);
      await jobs.remove(queries, run, number);
      if (piece.kind === 'over') continue;
      const seconds = piece.kind === 'later' ? piece.seconds : times.leaseMs / 1000;
      await jobs.add(queries, run, number, seconds);
      if (piece.kind !== 'taken') continue;
      const { lease, data, canary } = piece;
      return { lease, data, canary, taken };
    }
  });
}

/** Has a piece that was given back taken at once. */
export async function offerAgain(
  { connections, jobs }: Fleet,
  run: string,
  number: number,
): Promise<void> {
  await connections.transaction(async (queries) => {
    await jobs.remove(queries, run, number);
    await jobs.add(queries, run, number);
  });
}

/** Puts the end of a piece on record; whether it was still this process's, and whether it ended the run. */
export function endWork(
  { connections, jobs }: Fleet,
  run: string,
  lease: Parameters<typeof endPiece>[1],
  end: Parameters<typeof endPiece>[2],
) {
  return connections.transaction(async (queries) => {
    const { opens, ...ended } = await endPiece(queries, lease, end);
    await jobs.addAll(queries, run, opens);
    return ended;
  });
}

/** Decides on the canary by the plan that the run has by now; where it has passed, workers may take the other pieces. */
export function endCanaryOf(
  { connections, jobs }: Fleet,
  run: string,
  lease: Parameters<typeof endCanary>[1],
  passes: (plan: string) => boolean,
): Promise<boolean> {
  return connections.transaction(async (queries) => {
    const opens = await endCanary(queries, lease, passes);
    await jobs.addAll(queries, run, opens ?? []);
    return opens !== null;
  });
}

/**
 * Sets the limits of a run as its command has them now. Resolves with whether it may go on: not where its canary did not
 * pass, and nobody knows it; `undefined`: the run is another process's.
 */
export function limitRun(
  { connections, jobs }: Fleet,
  run: string,
  work: SharedWork,
  limits: Parameters<typeof limitShared>[2],
): Promise<boolean | undefined> {
  return connections.transaction(async (queries) => {
    const limited = await limitShared(queries, work, limits);
    if (!limited) return undefined;
    await jobs.addAll(queries, run, limited.open);
    return limited.gate !== 0;
  });
}
