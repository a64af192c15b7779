import { randomUUID, createHash } from 'node:crypto';
import { type ChangedInput, changedText } from '../core/report.js';
import { codeOf, LedgerError, interruption, InputError } from '../core/errors.js';
import type { RunIdentity, QuickFingerprint } from '../core/ledger.js';
import type { RunMode } from '../core/mode.js';
import { momentNow, systemClock } from '../core/time.js';
import type { Ledger, OpenedRun, RunRequest } from '../ledger/port.js';
import { type FileHandle, stat } from 'node:fs/promises';
import { openRegularFile, areSameTimes, isSameFile, timesOf } from '../files/regular-file.js';
import type { FileTimes, PreparedChunk } from '../core/prepared.js';
import type { InputFile } from '../prepare/plan.js';

/**
 * Opens a run, with the digest of large inputs where it decides what is done: whether an earlier run is continued, or
 * has been finished. Else nobody needs to wait for it.
 */
export async function openWithContent(
  ledger: Ledger,
  request: RunRequest,
  content: Content | undefined,
  waiting: Waiting = {},
): Promise<Exclude<OpenedRun, { kind: 'digest' | 'wait' }> & { readonly identity: RunIdentity }> {
  const opened = await openAfterOthers(ledger, request, waiting);
  if (opened.kind !== 'digest') return { ...opened, identity: request.identity };
  const digest = (await content?.digest()) ?? null;
  const identity = { ...request.identity, ...(digest === null ? {} : { content: digest }) };
  const decided = await openAfterOthers(
    ledger,
    { ...request, identity, isContentFinal: true },
    waiting,
  );
  if (decided.kind === 'digest') throw new Error('The ledger asks for a digest that it has.');
  return { ...decided, identity };
}

/** How often it is looked whether other runs have ended, in milliseconds. */
const LOOK_AGAIN_MS = 1000;

/** Who waits for other runs. */
interface Waiting {
  /** Aborted when the person does not want to wait. */
  readonly signal?: AbortSignal | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Opens a run, where it is to wait for others when these have ended: nothing that was found out before counts then.
 * @throws StopRun when the signal is aborted meanwhile
 */
async function openAfterOthers(
  ledger: Ledger,
  request: RunRequest,
  { signal, onWarning }: Waiting,
): Promise<Exclude<OpenedRun, { kind: 'wait' }>> {
  let announced = '';
  let { begun } = request;
  for (;;) {
    const opened = await ledger.openRun({ ...request, begun });
    if (opened.kind !== 'wait') return opened;
    if (signal?.aborted) throw interruption(signal);
    const runs = opened.runs.join(', ');
    if (runs !== announced)
      onWarning?.(`Waiting until other runs on this contact center have ended: ${runs}.`);
    announced = runs;
    await systemClock.sleep(LOOK_AGAIN_MS, signal).catch((error: unknown) => {
      throw signal?.aborted ? interruption(signal) : error;
    });
    // Whoever waits in order to send anew knows of the others. One that goes on with a run is to see why it stopped.
    if (request.again === true) begun &&= momentNow();
  }
}

/** The digest that is made beside a run and put on record. */
interface LateContent {
  /** Begins it, if it has not begun: not before the first answer, so that it does not hold up the first request. */
  begin(): void;
  /**
   * The same, and looks whether the inputs are still what they were: for the end of a run. `isOver`: it is not to be
   * continued.
   * @returns the inputs that are not, each of them said
   */
  finish(isOver: boolean): Promise<readonly ChangedInput[]>;
  /**
   * Gives it up, if it is not there yet: the run is known by what large inputs show at once. Resolves when what has begun
   * is on record, or cannot be.
   */
  stop(): Promise<void>;
}

/** Digests large inputs while they are imported. `warn` is called when that cannot be done, and for changed inputs. */
export function createLateContent(
  run: Extract<OpenedRun, { kind: 'open' }> & { readonly identity: RunIdentity },
  mode: RunMode,
  content: Content | undefined,
  warn: (message: string) => void,
): LateContent {
  const over = new AbortController();
  let recording: Promise<void> | undefined;
  const record = async ({ digest, changed }: Content): Promise<void> => {
    try {
      const found = await digest(over.signal);
      if (over.signal.aborted) return;
      if (found !== null) await run.identify(found);
    } catch (error) {
      if ((await changed()).length > 0) return;
      const reason = codeOf(error) || 'unknown';
      warn(`The content of the inputs could not be put on record (${reason}).`);
    }
  };
  const begin = (): void => {
    if (content && run.identity.content === run.identity.fingerprint?.content)
      recording ??= record(content);
  };
  const putChangedOnRecord = async (
    changed: readonly ChangedInput[],
    isOver: boolean,
  ): Promise<void> => {
    for (const input of changed) warn(changedText(input, mode));
    if (isOver) {
      // Nobody can say what the run has read: no later import is the same one.
      if (changed.some(({ wasRead }) => !wasRead)) await run.identify(`changed ${randomUUID()}`);
      await run.keep({ changedInputs: changed });
      return;
    }
    try {
      await run.keep({ changedInputs: changed });
    } catch (error) {
      // Of a run that stopped since its ledger cannot be written, the summary alone says it.
      if (!(error instanceof LedgerError)) throw error;
    }
  };
  return {
    begin,
    finish: async (isOver) => {
      if (isOver) begin();
      else over.abort();
      await recording;
      const changed = (await content?.changed()) ?? [];
      if (changed.length > 0) await putChangedOnRecord(changed, isOver);
      return changed;
    },
    stop: async () => {
      over.abort();
      await recording;
    },
  };
}

const MIB = 1024 * 1024;

/** A whole digest of no more bytes than this takes no time worth speaking of. */
const SMALL_BYTES = 8 * MIB;
/** How many pieces of so many bytes are taken of a file; in a small one they overlap, and are all of it. */
interface Samples {
  readonly pieces: number;
  readonly bytes: number;
}

/** A digest is of every byte: samples would call two lists the same that differ between them. */
const WHOLE: Samples = { pieces: Infinity, bytes: MIB };
/** The sample of a file: its first and last bytes, and some between. */
const SAMPLE: Samples = { pieces: 16, bytes: 64 * 1024 };

/** What the inputs of a run hold. */
export interface Content {
  /** What large inputs show at once; absent where digesting them took no time. */
  readonly fingerprint?: QuickFingerprint;
  /** SHA-256 over all inputs, as hexadecimal text; of large ones, what stands for it until it is known. */
  readonly known: string;
  /**
   * The digest of large inputs too; begun with the first call. `null` when the signal was aborted before, or an input
   * was changed meanwhile, so that nobody can say what has been read.
   */
  readonly digest: (signal?: AbortSignal) => Promise<string | null>;
  /** What is not any more what it was when the command began; to be asked at the end, with whatever has been digested. */
  readonly changed: () => Promise<readonly ChangedInput[]>;
}

/** Looks at the inputs. Large ones are not read as a whole before that is asked for. */
export async function contentOf(paths: readonly string[], seen: SeenInputs): Promise<Content> {
  if (seen.bytes <= SMALL_BYTES) {
    const known = await digestOf(paths, WHOLE);
    const isSame = async (): Promise<boolean> => (await digestOf(paths, WHOLE)) === known;
    return { known, digest: () => Promise.resolve(known), changed: () => seen.lookAgain(isSame) };
  }
  const fingerprint = await digestOf(paths, SAMPLE);
  const known = `${fingerprint} ${seen.text}`;
  let digesting: Promise<string | null> | undefined;
  const digest = (signal?: AbortSignal): Promise<string | null> =>
    (digesting ??= digestOf(paths, WHOLE, signal).then((found) =>
      signal?.aborted ? null : found,
    ));
  // Where the digest was given up, the sample has to do: nobody waits for all of a large file after Ctrl-C.
  const isSame = async (): Promise<boolean> => {
    if ((await digestOf(paths, SAMPLE)) !== fingerprint) return false;
    const found = await digesting?.catch(() => null);
    return found === null || found === undefined || (await digestOf(paths, WHOLE)) === found;
  };
  return {
    fingerprint: { sample: fingerprint, content: known },
    known,
    digest: async (signal) => {
      const found = await digest(signal);
      const unlessAborted = (): Promise<boolean> =>
        signal?.aborted ? Promise.resolve(true) : isSame();
      return found !== null && (await seen.lookAgain(unlessAborted)).length > 0 ? null : found;
    },
    changed: () => seen.lookAgain(isSame),
  };
}

async function digestOf(
  paths: readonly string[],
  samples: Samples,
  signal?: AbortSignal,
): Promise<string> {
  const all = createHash('sha256');
  for (const path of paths) all.update(await using(path, (file) => sampled(file, samples, signal)));
  return all.digest('hex');
}

/** SHA-256 of a file's size and of its pieces, evenly spread, its first and last among them. */
async function sampled(
  file: FileHandle,
  { pieces, bytes }: Samples,
  signal?: AbortSignal,
): Promise<Buffer> {
  const { size } = await file.stat();
  const hash = createHash('sha256').update(`${size} `);
  const isWhole = size <= pieces * bytes;
  const step = isWhole ? bytes : Math.floor((size - bytes) / (pieces - 1));
  const buffer = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < size && !signal?.aborted; at += step) {
    const { bytesRead } = await file.read(buffer, 0, bytes, at);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest();
}

async function using<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openRegularFile(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** How a file lies on the disk. */
interface FileState {
  /** In bytes. */
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
  readonly times: FileTimes;
}

/**
 * The inputs of a command as they were before anything was read of them. Somebody may write to them meanwhile: what is
 * read from then on is neither the one list nor the other.
 */
export class SeenInputs {
  #changed: readonly ChangedInput[] = [];
  /** How many of the inputs have been read to their end, as they were before. */
  #ended = 0;
  /** What an input was seen as meanwhile, where its size and time were those of before and it was all the same another one. */
  readonly #others = new Map<number, FileTimes>();

  private constructor(
    private readonly files: readonly InputFile[],
    private readonly states: readonly (FileState | null)[],
  ) {}

  static async lookAt(files: readonly InputFile[]): Promise<SeenInputs> {
    return new SeenInputs(files, await Promise.all(files.map(({ path }) => stateOf(path))));
  }

  /** Size of all of them, in bytes. */
  get bytes(): number {
    return this.states.reduce((sum, state) => sum + Number(state?.size ?? 0n), 0);
  }

  /** Sizes and times of change, in milliseconds. */
  get text(): string {
    return this.states
      .map((state) => `${state?.size ?? 0n}@${milliseconds(state?.mtimeNs ?? 0n)}`)
      .join(' ');
  }

  /** Changes when the file of this index is written or replaced; `null` where it could not be looked at. */
  markOf(index: number): string | null {
    const state = this.states[index];
    return state ? fileMark(state) : null;
  }

  /** What was found so far, by `guarded` and `lookAgain`. */
  get changed(): readonly ChangedInput[] {
    return this.#changed;
  }

  /**
   * The chunks, as long as their inputs are what they were: the file of each is looked at behind its reading, all files
   * at the end, and what may have been read of something else is not given.
   */
  async *guarded(
    chunks: AsyncIterable<PreparedChunk>,
  ): AsyncGenerator<PreparedChunk, void, undefined> {
    const iterator = chunks[Symbol.asyncIterator]();
    // Looked at as soon as it is read, and not when it is asked for, which may be much later.
    const next = (): Promise<Read> => this.#read(iterator);
    let pending = next();
    try {
      for (;;) {
        const { chunk, thrown } = await pending;
        if (thrown !== undefined) throw thrown as Error;
        if (!chunk) return;
        pending = next();
        yield chunk;
      }
    } finally {
      await pending;
      await iterator.return?.();
    }
  }

  async #read(iterator: AsyncIterator<PreparedChunk>): Promise<Read> {
    let read: Read;
    try {
      const next = await iterator.next();
      read = next.done === true ? {} : { chunk: next.value };
    } catch (error) {
      read = { thrown: error };
    }
    const { chunk, thrown } = read;
    // The last chunk of an input is looked at behind its end: with the first one of the next input, all of it is known.
    if (chunk) this.#ended = Math.max(this.#ended, chunk.input);
    if (chunk && this.#isAsSeen(chunk)) return read;
    if (chunk === undefined && thrown === undefined) {
      this.#ended = this.files.length;
      return read;
    }
    // A file that is being written is broken in all ways.
    const isOfFile = thrown === undefined || thrown instanceof InputError;
    if (isOfFile && (await this.#findChanged()).length > 0) return {};
    if (chunk?.inputTimes !== undefined) {
      // It was another one when the chunk was read, even if it is as before by now.
      this.#note([chunk.input]);
      return {};
    }
    return read;
  }

  /**
   * Looks once more. `hasSameContent` is asked where neither size nor time has changed, and something else has.
   * @returns the inputs that are not what they were
   */
  async lookAgain(hasSameContent: () => Promise<boolean>): Promise<readonly ChangedInput[]> {
    if ((await this.#findChanged()).length > 0) return this.#changed;
    const replaced = await this.#thatAre((was, is, index) => {
      const meanwhile = this.#others.get(index);
      return meanwhile !== undefined && isSameFile(was, is) && !isSameFile(was, meanwhile);
    });
    this.#note(replaced, true);
    if (replaced.length > 0) return this.#changed;
    const others = await this.#thatAre((was, is) => was !== is);
    // Of what cannot be read any more, nobody knows that it is the same.
    if (others.length > 0 && !(await hasSameContent().catch(() => false))) this.#note(others, true);
    return this.#changed;
  }

  /** Whether the file of a chunk was as before when all of the chunk had been read. */
  #isAsSeen({ input, inputTimes }: PreparedChunk): boolean {
    const before = this.states[input];
    if (inputTimes === undefined) return false;
    if (!before || before.times === inputTimes) return true;
    if (inputTimes === null || !areSameTimes(before.times, inputTimes)) return false;
    // Renamed, copied to with its time, or linked: what it holds says at the end whether that matters.
    this.#others.set(input, inputTimes);
    return true;
  }

  async #findChanged(): Promise<readonly ChangedInput[]> {
    if (this.#changed.length === 0)
      this.#note(await this.#thatAre((was, is) => !areSameTimes(was, is)));
    return this.#changed;
  }

  /** `isHidden`: they changed so that neither size nor time showed it, while they may have been read. */
  #note(inputs: readonly number[], isHidden = false): void {
    this.#changed = inputs.map((index) => {
      const { name } = this.files[index] as InputFile;
      const wasRead = index < this.#ended && !this.#others.has(index);
      return { name, wasRead, ...(isHidden && !wasRead ? { isMixed: true } : {}) };
    });
  }

  /** Indices of the inputs that differ from what they were. */
  async #thatAre(
    differ: (was: FileTimes, is: FileTimes, index: number) => boolean,
  ): Promise<number[]> {
    const now = await Promise.all(this.files.map(({ path }) => stateOf(path)));
    return [...this.files.keys()].filter((index) => {
      const [was, is] = [this.states[index], now[index]];
      return was && (!is || differ(was.times, is.times, index));
    });
  }
}

/** The next chunk, none at the end, or what reading it threw. */
interface Read {
  readonly chunk?: PreparedChunk;
  readonly thrown?: unknown;
}

/** Kept with runs: it stays as it is. */
const fileMark = ({ ino, size, mtimeNs }: FileState): string =>
  `${ino} ${size} ${milliseconds(mtimeNs)}`;

/** The same as `mtimeMs`, to the last digit: runs on record have it. */
const milliseconds = (ns: bigint): number =>
  Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1e6;

/** What `markOf` says of a file as it is now. */
export async function markNow({ path }: InputFile): Promise<string | null> {
  const state = await stateOf(path);
  return state && fileMark(state);
}

/** `null` where it cannot be looked at: whoever reads it says why. */
async function stateOf(path: string): Promise<FileState | null> {
  try {
    const stats = await stat(path, { bigint: true });
    const { size, mtimeNs, ino } = stats;
    return { size, mtimeNs, ino, times: timesOf(stats) };
  } catch {
    return null;
  }
}
