import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { InputError } from '../../core/errors.js';
import type { FileTimes, PreparedChunk } from '../../core/prepared.js';
import type { ChangedInput, RowReport } from '../../core/report.js';
import type { Row, SourceOptions } from '../../core/table.js';
import { defined } from '../../core/text.js';
import type { InputFile, OpenedInput } from '../plan.js';
import { CellCorrections, type InputCorrections, withCorrections } from './corrections.js';
import { openWithinLimits } from './open.js';

/* Inputs as they were when a command began, what has changed of them since, and their rows once more. */

type FileState = NonNullable<Awaited<ReturnType<typeof stateOf>>>;

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
    let pending = this.#read(iterator);
    try {
      for (;;) {
        const { chunk, thrown } = await pending;
        if (thrown !== undefined) throw thrown as Error;
        if (!chunk) return;
        pending = this.#read(iterator);
        yield chunk;
      }
    } finally {
      await pending;
      await iterator.return?.();
    }
  }

  async #read(
    iterator: AsyncIterator<PreparedChunk>,
  ): Promise<{ readonly chunk?: PreparedChunk | undefined; readonly thrown?: unknown }> {
    let [chunk, thrown]: [PreparedChunk | undefined, unknown] = [undefined, undefined];
    try {
      const next = await iterator.next();
      if (next.done !== true) chunk = next.value;
    } catch (error) {
      thrown = error;
    }
    const read = { chunk, thrown };
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

/** Kept with runs: it stays as it is. */
const fileMark = ({ ino, size, mtimeNs }: FileState): string =>
  `${ino} ${size} ${milliseconds(mtimeNs)}`;

/** The same as `mtimeMs`, to the last digit: runs on record have it. */
const milliseconds = (ns: bigint): number =>
  Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1e6;

/** How a file lies on the disk; `null` where it cannot be looked at: whoever reads it says why. */
async function stateOf(path: string) {
  try {
    const stats = await stat(path, { bigint: true });
    const { size, mtimeNs, ino } = stats;
    return { size, mtimeNs, ino, times: timesOf(stats) };
  } catch {
    return null;
  }
}

/** What reading an input once more takes. */
export interface RereadInput {
  readonly file: InputFile;
  readonly input: Pick<OpenedInput, 'info' | 'headerRow' | 'sheet'>;
  readonly source: SourceOptions;
  /** Whether the file has been changed since; `null`: it could not be looked at. */
  readonly mark: string | null;
  readonly corrections?: InputCorrections | undefined;
}

/** The data rows of an input, read once more with their corrections, for those whose cells are wanted. */
export class InputRows {
  readonly #batches: AsyncGenerator<readonly Row[], void, undefined>;
  #batch: readonly Row[] = [];
  #at = 0;

  /** Nothing is opened before the first row is asked for. */
  constructor(private readonly read: RereadInput) {
    const { corrections } = read;
    const rows = dataRows(read);
    this.#batches = corrections ? withCorrections(rows, new CellCorrections(corrections)) : rows;
  }

  /**
   * The row that a line of the report is about; `null` when the file has been changed since the run began, or is gone. To
   * be asked for in the order of the rows.
   */
  find(report: RowReport): Row | null | Promise<Row | null> {
    // A promise for each row would take longer than reading it.
    return this.#inBatch(report) ?? this.#findAfter(report);
  }

  async close(): Promise<void> {
    await this.#batches.return();
  }

  async #findAfter(report: RowReport): Promise<Row | null> {
    if (!(await this.#isUnchanged())) return null;
    for (;;) {
      const next = await this.#batches.next();
      // Behind the reading, too: what is given was read of the file as it was.
      if (!(await this.#isUnchanged()) || next.done) return null;
      [this.#batch, this.#at] = [next.value, 0];
      const found = this.#inBatch(report);
      if (found) return found;
    }
  }

  async #isUnchanged(): Promise<boolean> {
    const { mark, file } = this.read;
    const state = mark === null ? null : await stateOf(file.path);
    return state !== null && fileMark(state) === mark;
  }

  #inBatch({ row, sheet }: RowReport): Row | undefined {
    for (; this.#at < this.#batch.length; this.#at++) {
      const found = this.#batch[this.#at];
      if (found?.row === row && found.sheet === sheet) return found;
    }
    return undefined;
  }
}

async function* dataRows({
  file,
  input,
  source: options,
}: RereadInput): AsyncGenerator<readonly Row[], void, undefined> {
  const isData = ({ row, sheet }: Row): boolean => row > input.headerRow || sheet !== input.sheet;
  // What was found at the first reading is not guessed again. Runs of older versions kept the delimiter alone.
  const { encoding, delimiter, dialect } = input.info;
  const found = defined({ encoding, delimiter, dialect });
  const source = await openWithinLimits(file.path, { ...options, ...found });
  try {
    for await (const batch of source.batches()) {
      // Rows above the data are those of the first batches.
      const [first] = batch;
      yield first && isData(first) ? batch : batch.filter(isData);
    }
  } catch (error) {
    // The run has reported what is wrong with the file; the rows before it are asked for all the same.
    if (!(error instanceof InputError)) throw error;
  }
}

interface TimeStats {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly ctimeNs: bigint;
}

const timesOf = ({ size, mtimeNs, dev, ino, ctimeNs }: TimeStats): FileTimes =>
  `${size} ${mtimeNs} ${dev}/${ino} ${ctimeNs}`;

/** Whether size and time of change are the same. The file may be another one all the same: whoever copies can keep both. */
const areSameTimes = (one: FileTimes, other: FileTimes): boolean => startOf(one) === startOf(other);
const startOf = (times: FileTimes): string => times.split(' ', 2).join(' ');

/** Whether it is the same file, written to or not. */
const isSameFile = (one: FileTimes, other: FileTimes): boolean =>
  one.split(' ')[2] === other.split(' ')[2];

/** Those of a file as it is now; `null` where it cannot be looked at. For threads that read it anyway: it waits for the disk. */
export function timesNow(path: string): FileTimes | null {
  try {
    return timesOf(statSync(path, { bigint: true }));
  } catch {
    // Whoever reads the file says why.
    return null;
  }
}
