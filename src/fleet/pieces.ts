import { RunTakenError } from '../core/errors.js';
import type { SharedWork } from '../ledger/ledger.js';
import { addPiece, closeShared, type OpenShared } from '../ledger/shared.js';
import type { Fleet } from './fleet.js';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { PreparedChunk } from '../core/prepared.js';
import { type Moment, momentNow } from '../core/time.js';
import {
  type CanaryLeft,
  type PieceLease,
  takePiece,
  endCanary,
  endPiece,
  limitShared,
  type PieceEnd,
  type SharedLimits,
} from '../ledger/pieces.js';
import { shareTables } from '../ledger/postgres-schema.js';

/** How large a piece is. */
interface PieceSize {
  readonly rows: number;
  readonly bytes: number;
}

export const PIECE_SIZE: PieceSize = { rows: 50_000, bytes: 16 * 1024 * 1024 };

/** Whether clients of a chunk have rows before it. */
export interface RowsBefore {
  /** In pieces that are handed over. */
  readonly inEarlier: boolean;
  /** In the piece that is being gathered. */
  readonly inCurrent: boolean;
}

/** The clients of a chunk, in modes in which their rows have to be sent in order. */
export interface ChunkOrder {
  /** Where they have rows before; `piece`: the one that is being gathered. */
  find(piece: number): RowsBefore;
  /** Notes that they are in this piece. */
  add(piece: number): void;
}

/** What there is to do for a chunk. */
interface ChunkToSend {
  readonly chunk: NumberedChunk;
  /** How many clients of it are to be sent. */
  readonly clients: number;
  /** Absent: its clients may be sent in any order. */
  readonly order?: ChunkOrder | undefined;
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
    private readonly size: PieceSize,
    canary: number,
  ) {
    this.#next = work.handed;
    this.#canary = canary;
  }

  /** @throws RunTakenError where another process has taken the run */
  async add({ chunk, clients, order }: ChunkToSend): Promise<void> {
    if (this.#isFull && !(this.#isUpTo(MAX_GROWTH) && order?.find(this.#next).inCurrent))
      await this.#hand();
    if (order?.find(this.#next).inEarlier) this.#waits = true;
    order?.add(this.#next);
    this.#chunks.push(chunk);
    this.#rows += chunk.count;
    this.#bytes += chunk.read.byteLength + chunk.clients.payload.byteLength;
    const isCanary = this.#canary > 0;
    this.#canary -= clients;
    this.#isFull ||= !this.#isUpTo(1) || (isCanary && this.#canary <= 0);
    if (this.#isFull && !order) await this.#hand();
  }

  /** Whether the piece is smaller than so many times a usual one. */
  #isUpTo(times: number): boolean {
    return this.#rows < this.size.rows * times && this.#bytes < this.size.bytes * times;
  }

  /** Hands the rest over, and says that this is all. */
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

/** What is not made of numbers and bytes, as JSON. */
interface Head {
  readonly number: number;
  readonly input: number;
  readonly sheet: string | null;
  readonly first: number;
  readonly count: number;
  readonly rejected: number;
  readonly skipped: number;
  readonly progress: number;
  readonly names: readonly string[];
  readonly derivedUuids: boolean;
  /** Whether `texts` are the bytes of `read`. */
  readonly isOfRead: boolean;
  /** Whether there are lists to compare numbers with. */
  readonly hasNumbers: boolean;
  /** Bytes of each part, in the order of `partsOf`. */
  readonly bytes: readonly number[];
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
  const heads = chunks.map((chunk): Head => {
    const own = partsOf(chunk);
    parts.push(...own);
    const { number, input, sheet, first, count, rejected, skipped, progress, clients } = chunk;
    const { identities, derivedUuids } = clients;
    return {
      ...{ number, input, sheet, first, count, rejected, skipped, progress, derivedUuids },
      names: identities.names,
      isOfRead: isOfRead(chunk),
      hasNumbers: clients.callable !== undefined,
      bytes: own.map(({ byteLength }) => byteLength),
    };
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
  const heads = JSON.parse(all.toString('utf8', LENGTH_BYTES, begin)) as Head[];
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

/** A piece that this process has taken. */
export interface TakenWork {
  readonly lease: PieceLease;
  /** The packed chunks. */
  readonly data: Buffer;
  /** When the statement that took it was sent. */
  readonly taken: Moment;
  /** Clients of the canary that it begins with; `null`: none is waited for. */
  readonly canary: CanaryLeft | null;
}

/**
 * Takes the next piece of a run that is due, and has it due again when the lease lapses, in one transaction; `undefined`:
 * none is due. One that is leased is put off.
 */
export function takeNext(
  { connections, jobs, times }: Fleet,
  { place, run }: Pick<OpenShared, 'place' | 'run'>,
  worker: string,
): Promise<TakenWork | undefined> {
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
  lease: PieceLease,
  end: PieceEnd,
): Promise<{ readonly isOwn: boolean; readonly endsRun: boolean }> {
  return connections.transaction(async (queries) => {
    const { opens, ...ended } = await endPiece(queries, lease, end);
    await jobs.addAll(queries, run, opens);
    return ended;
  });
}

/** Puts on record how the canary ended; where it has passed, workers may take the other pieces. */
export function endCanaryOf(
  { connections, jobs }: Fleet,
  run: string,
  lease: PieceLease,
  hasPassed: boolean,
): Promise<void> {
  return connections.transaction(async (queries) => {
    await jobs.addAll(queries, run, await endCanary(queries, lease, hasPassed));
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
  limits: SharedLimits,
): Promise<boolean | undefined> {
  return connections.transaction(async (queries) => {
    const limited = await limitShared(queries, work, limits);
    if (!limited) return undefined;
    await jobs.addAll(queries, run, limited.open);
    return limited.gate !== 0;
  });
}
