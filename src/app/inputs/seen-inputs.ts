import { stat } from 'node:fs/promises';
import type { ChangedInput } from '../../core/report.js';
import { InputError } from '../../core/errors.js';
import type { PreparedChunk } from '../../core/prepared.js';
import { timesOf } from '../../files/file-times.js';
import type { InputFile } from '../../prepare/plan.js';

/** How a file lies on the disk. */
interface FileState {
  /** In bytes. */
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
  /** Changes also where times are set back, or another file takes its place; and when it is only renamed. */
  readonly identity: string;
}

/**
 * The inputs of a command as they were before anything was read of them. Somebody may write to them meanwhile: what is
 * read from then on is neither the one list nor the other.
 */
export class SeenInputs {
  #changed: readonly ChangedInput[] = [];
  #areRead = false;

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
    const { chunk } = read;
    if (chunk && this.#isAsSeen(chunk)) return read;
    // A file that is being written is broken in all ways.
    const isOfFile = read.thrown === undefined || read.thrown instanceof InputError;
    if (isOfFile && (await this.#findChanged()).length > 0) return {};
    if (chunk?.inputTimes !== undefined) {
      // It was another one when the chunk was read, even if it is as before by now.
      this.#note(this.files.slice(chunk.input, chunk.input + 1), false);
      return {};
    }
    if (chunk === undefined && read.thrown === undefined) this.#areRead = true;
    return read;
  }

  /**
   * Looks once more. `hasSameContent` is asked where neither size nor time has changed, and something else has.
   * @returns the inputs that are not what they were
   */
  async lookAgain(hasSameContent: () => Promise<boolean>): Promise<readonly ChangedInput[]> {
    if ((await this.#findChanged()).length > 0) return this.#changed;
    const others = await this.#thatAre((was, is) => was.identity !== is.identity);
    // Of what cannot be read any more, nobody knows that it is the same.
    if (others.length > 0 && !(await hasSameContent().catch(() => false)))
      this.#note(others, false);
    return this.#changed;
  }

  /** Whether the file of a chunk was as before when all of the chunk had been read. */
  #isAsSeen({ input, inputTimes }: PreparedChunk): boolean {
    const before = this.states[input];
    return inputTimes !== undefined && (!before || timesOf(before) === inputTimes);
  }

  async #findChanged(): Promise<readonly ChangedInput[]> {
    if (this.#changed.length === 0)
      this.#note(await this.#thatAre((was, is) => timesOf(was) !== timesOf(is)), this.#areRead);
    return this.#changed;
  }

  #note(files: readonly InputFile[], wasRead: boolean): void {
    this.#changed = files.map(({ name }) => ({ name, wasRead }));
  }

  async #thatAre(differ: (was: FileState, is: FileState) => boolean): Promise<InputFile[]> {
    const now = await Promise.all(this.files.map(({ path }) => stateOf(path)));
    return this.files.filter((_, index) => {
      const [was, is] = [this.states[index], now[index]];
      return was && (!is || differ(was, is));
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
    const { size, mtimeNs, ctimeNs, dev, ino } = await stat(path, { bigint: true });
    return { size, mtimeNs, ino, identity: `${dev} ${ino} ${ctimeNs}` };
  } catch {
    return null;
  }
}
