import { type BigIntStats, statSync } from 'node:fs';
import { stat, symlink } from 'node:fs/promises';
import {
  InputError,
  ConfigurationError,
  type ConfigMistake,
  asOneError,
  UsageError,
} from '../../core/errors.js';
import type { FileTimes, PreparedChunk } from '../../core/prepared.js';
import type { ChangedInput, RowReport } from '../../core/report.js';
import {
  type Row,
  type SourceOptions,
  isSuspicious,
  seenText,
  unmarkedText,
  headerName,
  type Correction,
  type Corrections,
  type Cell,
} from '../../core/table.js';
import { defined } from '../../core/text.js';
import type { InputFile, OpenedInput, PreparePlan } from '../plan.js';
import { openWithinLimits } from './open.js';
import { traitsOf, refuseOtherThanFile, spoolStandardInput } from '../../source/source.js';
import { join, sep } from 'node:path';
import { stdin } from 'node:process';
import {
  type TemporaryFolder,
  temporaryFolder,
  isUtf8,
  pathsOf,
  shownName,
} from '../../files/regular-file.js';

/*
 * Inputs as a command takes them and as they were when it began, what has changed of them since, and their rows once more,
 * with the corrections of a person.
 */

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

const timesOf = ({ size, mtimeNs, dev, ino, ctimeNs }: BigIntStats): FileTimes =>
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

/** The corrections of one input, whose header is known. */
interface InputCorrections {
  readonly file: string;
  readonly name: string;
  /** Whether a row keeps its empty cells at its end: then one that is missing there is missing in the file. */
  readonly isExact: boolean;
  readonly cells: readonly (Correction & { readonly at: number })[];
}

export function ofInput(
  corrections: Corrections | undefined,
  input: number,
): Corrections | undefined {
  const cells = corrections?.cells.filter((cell) => cell.input === input) ?? [];
  return corrections && cells.length > 0 ? { ...corrections, cells } : undefined;
}

/**
 * Finds the places of an input's corrections in its rows.
 * @throws ConfigurationError for each that names a column or a sheet that is not there
 */
export function placedCorrections(
  { file, cells: own }: Corrections,
  { name, info, headers }: Pick<OpenedInput, 'name' | 'info' | 'headers'>,
): InputCorrections {
  const places = new Map(headers.map((header, at) => [headerName(header), at]));
  const mistakes: ConfigMistake[] = [];
  const cells = own.flatMap((cell) => {
    const at = places.get(headerName(cell.column));
    const message =
      at === undefined
        ? `${name} has no column "${cell.column}".`
        : sheetMistake(cell.sheet, name, info.sheets);
    if (message !== undefined) mistakes.push({ file, line: cell.line, message });
    return at === undefined ? [] : [{ ...cell, at }];
  });
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { file, name, isExact: traitsOf(info.format).storesEmptyCells, cells };
}

function sheetMistake(sheet: string | null, name: string, sheets: readonly string[]) {
  if (sheet === null)
    return sheets.length > 1
      ? `${name} has several sheets; name the one that is meant with "sheet".`
      : undefined;
  return sheets.includes(sheet) ? undefined : `Sheet "${sheet}" of ${name} is not read.`;
}

/** Puts corrections in the place of cells, in the order of the rows, and keeps in mind which rows have not come yet. */
export class CellCorrections {
  readonly #rows = new Map<number, InputCorrections['cells']>();

  constructor(private readonly corrections: InputCorrections) {
    for (const cell of corrections.cells)
      this.#rows.set(cell.row, [...(this.#rows.get(cell.row) ?? []), cell]);
  }

  get isDone(): boolean {
    return this.#rows.size === 0;
  }

  /**
   * The row with its corrections, or the same one where it has none.
   * @throws InputError when a cell does not hold what was corrected
   */
  apply(row: Row): Row {
    const all = this.#rows.get(row.row);
    if (!all) return row;
    const own = all.filter(({ sheet }) => sheet === null || sheet === row.sheet);
    if (own.length === 0) return row;
    const others = all.filter((cell) => !own.includes(cell));
    if (others.length > 0) this.#rows.set(row.row, others);
    else this.#rows.delete(row.row);
    return this.#corrected(row, own);
  }

  /** @throws InputError when a row with corrections has not come by the end of its file */
  refuseLeft(): void {
    const [first] = [...this.#rows.values()].flat();
    if (first)
      throw this.#error(
        first,
        'correction_without_row',
        'the file has no such row of data. Remove this line.',
      );
  }

  #corrected(row: Row, own: InputCorrections['cells']): Row {
    const cells: Cell[] = [...row.cells];
    for (const cell of own) {
      const isThere = cell.at < cells.length;
      const [text, wanted] = [cells[cell.at] ?? '', cell.was ?? ''];
      // What was corrected may stand there as the file has it: with a mark of text, say.
      const holds = text === wanted || text === meantText(wanted);
      if (!holds || (!isThere && this.corrections.isExact))
        throw this.#error(
          cell,
          'correction_does_not_fit',
          'the cell does not hold what was corrected, so the file has changed since. Correct it anew, or remove this line.',
        );
      while (cells.length < cell.at) cells.push(null);
      cells[cell.at] = cell.becomes;
    }
    const corrected = own.map(({ at }) => at);
    const { defects, ...others } = row;
    const left = defects?.filter(({ column }) => column === null || !corrected.includes(column));
    return { ...others, cells, corrected, ...(left && left.length > 0 ? { defects: left } : {}) };
  }

  /** The place is that of the cell; the line is named, and what the cell holds is not. */
  #error({ sheet, row, column, line }: Correction, code: string, reason: string): InputError {
    const { file, name } = this.corrections;
    const place = { file: name, sheet: sheet ?? undefined, row, column };
    return new InputError(code, `line ${line} of ${file} corrects this cell, and ${reason}`, place);
  }
}

/**
 * The rows with their corrections.
 * @throws InputError as `apply` and `refuseLeft` do, after the rows before that place
 */
export async function* withCorrections(
  batches: AsyncIterable<readonly Row[]>,
  corrections: CellCorrections,
): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const batch of batches) {
    if (corrections.isDone) {
      yield batch;
      continue;
    }
    const rows: Row[] = [];
    try {
      for (const row of batch) rows.push(corrections.apply(row));
    } catch (error) {
      if (rows.length > 0) yield rows;
      throw error;
    }
    yield rows;
  }
  corrections.refuseLeft();
}

export function meantText(text: string): string {
  return unmarkedText(isSuspicious(text) ? seenText(text) : text);
}

/** Takes the inputs of a request. Where one cannot be, what is wrong with the other files is said with it. */
export async function takeInputsOf(
  request: Pick<PreparePlan, 'mapping' | 'installation' | 'mode'> & {
    readonly files: readonly string[];
    readonly names?: readonly string[] | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Inputs> {
  try {
    return await takeInputs(request.files, request.names, request.signal);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw asOneError([...(await mistakesOf(request)), error]);
  }
}

/** Loaded here alone: an import reads both in another thread. */
async function mistakesOf({
  mapping,
  installation,
  mode,
}: Parameters<typeof takeInputsOf>[0]): Promise<ConfigurationError[]> {
  const { loadMapping } = await import('../../mapping/mapping.js');
  const { loadInstallation } = await import('../../installation/installation.js');
  const { lookupTable } = await import('../lookup-table.js');
  const loading = [
    ...(installation === undefined ? [] : [loadInstallation(installation)]),
    loadMapping(mapping, { readTable: lookupTable, mode }),
  ];
  const loaded = await Promise.allSettled(loading);
  const reasons = loaded.map((one): unknown => (one.status === 'rejected' ? one.reason : null));
  return reasons.filter((reason) => reason instanceof ConfigurationError);
}

interface Inputs {
  readonly files: readonly InputFile[];
  release(): Promise<void>;
}

const STANDARD_INPUT = '-';

/**
 * Makes every input readable more than once: standard input is copied to a private file.
 * @param called names under which the person knows the files, where these are others
 * @throws UsageError when there is none, or standard input is named twice
 * @throws InputError for what is no regular file; StopRun when the signal is aborted
 */
export async function takeInputs(
  names: readonly string[],
  called: readonly string[] = names,
  signal?: AbortSignal,
): Promise<Inputs> {
  if (names.length === 0)
    throw new UsageError('Name at least one input file, or - for standard input.');
  let made: Promise<TemporaryFolder> | undefined;
  const folder = (): Promise<TemporaryFolder> => (made ??= temporaryFolder());
  const release = async (): Promise<void> => {
    await (await made)?.remove();
  };
  try {
    const files: InputFile[] = [];
    for (const [index, name] of names.entries())
      files.push(
        name === STANDARD_INPUT ? { path: '', name } : await readableFile(name, index, folder),
      );
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new UsageError(`${twice} is named twice; name each input file once.`);
    for (const { name, path } of files)
      if (name !== STANDARD_INPUT) await refuseOtherThanFile(path, name);
    // Behind the others: whoever named one wrongly is not kept waiting.
    const at = names.indexOf(STANDARD_INPUT);
    if (at >= 0) {
      const path = await spoolStandardInput(stdin, (await folder()).path, signal);
      files[at] = { path, name: 'standard input' };
    }
    const named = files.map((file, index) => ({
      ...file,
      name: called[index] === names[index] ? file.name : (called[index] ?? file.name),
    }));
    return { files: named, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A name that is no UTF-8 is read through a link of one that is. */
async function readableFile(
  name: string,
  index: number,
  folder: () => Promise<TemporaryFolder>,
): Promise<InputFile> {
  const paths = await pathsOf(name);
  const [path = Buffer.from(name)] = paths;
  if (paths.length > 1)
    throw new UsageError(
      `${name} may be one of ${paths.length} files: ${paths.map(shownName).join(', ')}. Their names are no UTF-8 and cannot be told apart here. Rename one of them.`,
    );
  if (isUtf8(path)) return { path: name, name };
  const link = join((await folder()).path, `input-${index}`);
  const start = Buffer.from(`${process.cwd()}${sep}`);
  await symlink(path.at(0) === start.at(0) ? path : Buffer.concat([start, path]), link);
  return { path: link, name };
}
