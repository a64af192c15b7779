import type { SourceOptions, RowPart, Corrections } from '../core/table.js';
import {
  type InputCorrections,
  ofInput,
  placedCorrections,
} from '../prepare/inputs/corrections.js';
import type {
  InputFile,
  OpenedInput,
  PreparePlan,
  MappingFacts,
  Preparation,
} from '../prepare/plan.js';
import type { Installation } from '../installation/installation.js';
import type { Content, SeenInputs } from './content.js';
import type {
  ImportRequest,
  FilesRequest,
  CheckResult,
  ImportResult,
  CheckRequest,
} from './requests.js';
import { EXIT, ConfigurationError, InputError, asOneError, UsageError } from '../core/errors.js';
import type { PreparedChunk } from '../core/prepared.js';
import { symlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { stdin } from 'node:process';
import { isUtf8, pathsOf, shownName } from '../files/byte-names.js';
import { type TemporaryFolder, temporaryFolder } from '../files/at-exit.js';
import { refuseOtherThanFile, spoolStandardInput } from '../source/source.js';

/** An input of a run, as it was when the run began. */
export interface ReadInput {
  readonly file: InputFile;
  readonly input: OpenedInput;
  readonly source: SourceOptions;
  /** Whether the file has been changed since; `null`: it could not be looked at. */
  readonly mark: string | null;
  /** Cells in place of those of the file. */
  readonly corrections?: InputCorrections | undefined;
}

/** What reading the inputs once more needs, as they were before anything was read. */
export function readInputs(
  { inputs, preparation, seen, corrections }: ReadSetup,
  source: SourceOptions,
): ReadInput[] {
  return inputs.files.flatMap((file, index) => {
    const input = preparation.inputs[index];
    if (!input) return [];
    const own = ofInput(corrections, index);
    const placed = own && placedCorrections(own, input);
    return [{ file, input, source, mark: seen.markOf(index), corrections: placed }];
  });
}

type ReadSetup = Pick<ImportSetup, 'inputs' | 'preparation' | 'seen' | 'corrections'>;

/** What is read once more of the inputs of an import, as they are read to be sent. */
export function rereadPlan({
  request,
  inputs,
  corrections,
}: Pick<ImportSetup, 'request' | 'inputs' | 'corrections'>): Omit<
  PreparePlan,
  'purpose' | 'show' | 'verify' | 'share'
> {
  const { mapping, installation, mode, source = {} } = request;
  const part = partOf(request);
  return { inputs: inputs.files, mapping, installation, mode, source, part, corrections };
}

/** The part of the rows that a request is about; `undefined`: all of them. */
export function partOf({ rows, limit }: RowPart): RowPart | undefined {
  return rows === undefined && limit === undefined ? undefined : { rows, limit };
}

/** What an import works with, once everything that a person could have got wrong has been checked. */
export interface ImportSetup {
  readonly request: ImportRequest;
  readonly inputs: Inputs;
  readonly content: Content;
  /** The inputs as they were before anything was read of them. */
  readonly seen: SeenInputs;
  /** Cells in place of those of the files; absent where there are none. */
  readonly corrections?: Corrections | undefined;
  readonly installation: Installation;
  readonly mapping: MappingFacts;
  readonly preparation: Preparation;
}

/** Says what was found out about the inputs, and where a header was found that is not in the first row. */
export function reportInputs(
  { inputs, warnings }: Pick<Preparation, 'inputs' | 'warnings'>,
  { onInput, onWarning }: Pick<FilesRequest, 'onInput' | 'onWarning'>,
): void {
  for (const { message } of warnings) onWarning?.(message);
  for (const { name, info, foundHeader, headerRow, furtherHeaders } of inputs) {
    onInput?.(name, info);
    for (const [sheet, row] of furtherHeaders)
      if (row > 1)
        onWarning?.(
          `${name}, sheet "${sheet}": lines above the header that are left out: ${row - 1}.`,
        );
    const [first, second] = foundHeader;
    if (first === undefined && headerRow > 1)
      onWarning?.(`${name}: lines above the header that are left out: ${headerRow - 1}.`);
    if (first === undefined || (first === 1 && second === undefined)) continue;
    const rows = second === undefined ? `row ${first}` : `rows ${first} and ${second}`;
    const preface = first > 1 ? ` Lines above it that are left out: ${first - 1}.` : '';
    onWarning?.(`${name}: the header was found in ${rows}.${preface}`);
  }
}

/** Counts the data rows of each input as they go by, for those that have none. */
export class RowTally {
  readonly #rows: number[];

  constructor(private readonly inputs: readonly string[]) {
    this.#rows = inputs.map(() => 0);
  }

  add({ input, count }: PreparedChunk): void {
    this.#rows[input] = (this.#rows[input] ?? 0) + count;
  }

  async *counted(chunks: AsyncIterable<PreparedChunk>): AsyncGenerator<PreparedChunk> {
    for await (const chunk of chunks) {
      this.add(chunk);
      yield chunk;
    }
  }

  /** Names of the inputs without a data row. */
  empty(): string[] {
    return this.inputs.filter((_, index) => this.#rows[index] === 0);
  }
}

type Wanted = Pick<FilesRequest, 'expectRows' | 'onWarning'>;

/**
 * Warns of inputs that have a header and nothing below it, as an export that failed leaves them. Where rows are expected,
 * such a run does not end well.
 */
export function withEmptyReported<T extends Pick<ImportResult | CheckResult, 'exitCode'>>(
  result: T,
  empty: readonly string[],
  { expectRows = false, onWarning }: Wanted,
): T {
  for (const name of empty) onWarning?.(`${name} has a header and no data rows.`);
  const isBad = expectRows && empty.length > 0 && result.exitCode === EXIT.ok;
  return isBad ? { ...result, exitCode: EXIT.rows } : result;
}

/** The same of a run: one that stopped has not seen all rows, and one that was done earlier shows their number alone. */
export function withEmptyInputs(
  result: ImportResult,
  tally: RowTally,
  wanted: Wanted,
): ImportResult {
  if (result.stopped !== undefined) return result;
  if (result.already && result.summary.rows > 0) return result;
  return withEmptyReported(result, tally.empty(), wanted);
}

/** Takes the inputs of a request. Where one cannot be, what is wrong with the other files is said with it. */
export async function takeInputsOf(
  request: Pick<CheckRequest, 'files' | 'names' | 'mapping' | 'installation' | 'mode' | 'signal'>,
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
}: Pick<CheckRequest, 'mapping' | 'installation' | 'mode'>): Promise<ConfigurationError[]> {
  const { loadMapping } = await import('../mapping/load.js');
  const { loadInstallation } = await import('../installation/load.js');
  const { lookupTable } = await import('../prepare/lookup-table.js');
  const loading = [
    ...(installation === undefined ? [] : [loadInstallation(installation)]),
    loadMapping(mapping, { readTable: lookupTable, mode }),
  ];
  const loaded = await Promise.allSettled(loading);
  const reasons = loaded.map((one): unknown => (one.status === 'rejected' ? one.reason : null));
  return reasons.filter((reason) => reason instanceof ConfigurationError);
}

/** Input files as readable paths, for the length of a use. */
interface Inputs {
  readonly files: readonly InputFile[];
  /** Removes what was copied. */
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
  const folder = onDemand(temporaryFolder);
  const release = async (): Promise<void> => {
    await (await folder.made())?.remove();
  };
  try {
    const files: InputFile[] = [];
    for (const [index, name] of names.entries())
      files.push(
        name === STANDARD_INPUT ? { path: '', name } : await readableFile(name, index, folder.get),
      );
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new UsageError(`${twice} is named twice; name each input file once.`);
    for (const { name, path } of files)
      if (name !== STANDARD_INPUT) await refuseOtherThanFile(path, name);
    // Behind the others: whoever named one wrongly is not kept waiting.
    const at = names.indexOf(STANDARD_INPUT);
    if (at >= 0) {
      const path = await spoolStandardInput(stdin, (await folder.get()).path, signal);
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

/** Makes what it is asked for once, and only then. */
function onDemand<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined;
  return {
    get: (): Promise<T> => (making ??= make()),
    made: (): Promise<T | undefined> => making ?? Promise.resolve(undefined),
  };
}
