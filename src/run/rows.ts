import { type Closing, scoped } from './scoped.js';
import { type Content, contentOf } from './content.js';
import {
  type RereadInput,
  SeenInputs,
  ofInput,
  placedCorrections,
  takeInputsOf,
} from '../prepare/inputs/seen.js';
import { loadCorrections } from './corrections.js';
import { checksOf, ListChecks } from './list.js';
import type { CheckRequest, Trial } from './requests.js';
import type { DuplicateRule, EarlierRows, LaterRows } from '../core/duplicates.js';
import { EXIT, type ExitCode, InputError, interruption } from '../core/errors.js';
import type { PreparedChunk } from '../core/prepared.js';
import { type ProblemCount, ProblemCounts } from '../core/outcome.js';
import type { CheckOutcome } from '../core/quality.js';
import { type Corrections, PartFilter, type RowPart, type SourceOptions } from '../core/table.js';
import { openWithinLimits } from '../prepare/inputs/open.js';
import { type ReadSoFar, screenChunk } from '../delivery/import.js';
import type { Installation } from '../installation/installation.js';
import { searchLaterRows, seenKeysOf } from '../lists/seen.js';
import type {
  InputFile,
  MappingFacts,
  OpenedInput,
  Preparation,
  PreparePlan,
} from '../prepare/plan.js';
import { prepareInThreads, readerThreads } from '../prepare/threads.js';

type RowsRequest = Pick<
  CheckRequest,
  | ('files' | 'names' | 'mapping' | 'mode' | 'installation' | 'source' | 'corrections')
  | ('rows' | 'limit' | 'expectRows' | 'signal' | 'onInput' | 'onWarning')
>;

interface OpenHow {
  readonly purpose: 'send' | 'check';
  readonly show?: number;
  /** `null`: rules that depend on the time are off. */
  readonly asOf?: null | undefined;
  readonly meanwhile?: () => void;
}

/** An input of a run, as it was when the run began. */
export interface ReadInput extends RereadInput {
  readonly input: OpenedInput;
}

/** Rows that are counted at most, before a run begins or behind a trial: it takes seconds. */
const MAX_ROWS = 1_000_000;
/** The share of an input that was not read to its end. */
const NEARLY_ALL = 0.999_999;

/** What reading and mapping an input shows before anything is sent. */
export interface CountedRows extends ReadSoFar {
  readonly rejected: number;
  /** Why they are rejected, the most frequent reason first. */
  readonly problems: readonly ProblemCount[];
}

/** What is to be known before anything is sent. */
export interface WantedBefore {
  /** The rows that surely end badly. */
  readonly failures: boolean;
  /** Whether the list passes the checks of the mapping, for which all of it is read. */
  readonly checks: boolean;
  /** What rows are compared with beside those before them. @default nothing */
  readonly compared?: ComparedRows | undefined;
}

export interface RowsBefore {
  /** Absent where only a part of the rows is sent, and nobody asked for their failures. */
  readonly counted?: CountedRows;
  readonly checked: readonly CheckOutcome[];
}

/** The rows of files: opened once, and read again where something is to be known before they are sent. */
export class FileRows {
  /** The moment that counts for rules that depend on the time; `null` where none does. A run that goes on has its own. */
  asOf: number | null;
  /** The part of the rows that is asked for; `undefined`: all of them. */
  readonly part: RowPart | undefined;
  readonly #counts: number[];

  private constructor(
    readonly request: RowsRequest,
    readonly files: readonly InputFile[],
    /** The inputs as they were before anything was read of them. */
    readonly seen: SeenInputs,
    readonly corrections: Corrections | undefined,
    readonly preparation: Preparation,
    /** What the inputs hold; absent in a check. */
    readonly content: Content | undefined,
  ) {
    this.asOf = preparation.asOf;
    this.part = partOf(request);
    this.#counts = files.map(() => 0);
  }

  /** Opens the inputs, the mapping and the installation. @throws ConfigurationError, InputError, UsageError */
  static async open(request: RowsRequest, how: OpenHow, closing: Closing): Promise<FileRows> {
    const inputs = await takeInputsOf(request);
    closing(() => inputs.release());
    const { files } = inputs;
    const seen = await SeenInputs.lookAt(files);
    const corrections = await loadCorrections(request.corrections, files);
    const isSent = how.purpose === 'send';
    const plan = { ...planOf(request, files, corrections), purpose: how.purpose, verify: isSent };
    const { show = 0, asOf } = how;
    const threads = await readerThreads(files, how.purpose);
    const opening = prepareInThreads({ ...plan, show, asOf }, request.signal, threads);
    how.meanwhile?.();
    const paths = files.map(({ path }) => path);
    const [opened, looked] = await Promise.allSettled([
      opening,
      isSent ? contentOf(paths, seen) : undefined,
    ]);
    // What is wrong with a file is reported by whoever reads it.
    if (opened.status === 'rejected') throw opened.reason as Error;
    closing(() => opened.value.close());
    if (looked.status === 'rejected') throw looked.reason as Error;
    reportInputs(opened.value, request);
    return new FileRows(request, files, seen, corrections, opened.value, looked.value);
  }

  get mapping(): MappingFacts {
    return this.preparation.mapping;
  }

  /** To be asked for where the request names one. */
  get installation(): Installation {
    const { installation } = this.preparation;
    if (!installation) throw new Error('The reading thread did not read the installation.');
    return installation;
  }

  get names(): string[] {
    return this.preparation.inputs.map(({ name }) => name);
  }

  get source(): SourceOptions {
    return { ...this.mapping.source, ...this.request.source };
  }

  /** The chunks, as long as the files are what they were. To be called once. */
  async *chunks(): AsyncGenerator<PreparedChunk, void, undefined> {
    for await (const chunk of this.seen.guarded(this.#chunksAsOf())) {
      this.#counts[chunk.input] = (this.#counts[chunk.input] ?? 0) + chunk.count;
      yield chunk;
    }
  }

  /** Those that are being read, or, where an earlier part of the run began at another moment, anew. */
  async *#chunksAsOf(): AsyncGenerator<PreparedChunk, void, undefined> {
    if (this.asOf === this.preparation.asOf) {
      yield* this.preparation.chunks();
      return;
    }
    await this.preparation.close();
    yield* this.again({ purpose: 'send', verify: true, asOf: this.asOf }, this.request.signal);
  }

  async *again(
    how: Pick<PreparePlan, 'purpose' | 'verify' | 'asOf' | 'part'>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<PreparedChunk, void, undefined> {
    const plan = planOf(this.request, this.files, this.corrections);
    const preparation = await prepareInThreads({ ...plan, ...how }, signal);
    try {
      yield* preparation.chunks();
    } finally {
      await preparation.close();
    }
  }

  /** What reading the inputs once more needs, as they were before anything was read. */
  inputsAgain(): ReadInput[] {
    return this.files.flatMap((file, index) => {
      const input = this.preparation.inputs[index];
      if (!input) return [];
      const own = ofInput(this.corrections, index);
      const corrections = own && placedCorrections(own, input);
      return [{ file, input, source: this.source, mark: this.seen.markOf(index), corrections }];
    });
  }

  /**
   * Reads the inputs as a check does. Failures are counted in what is sent, up to a million rows; checks are of the whole
   * list, also where a part is tried.
   * @throws InputError where a file is broken, StopRun when the signal is aborted
   */
  async count(
    { failures, checks, compared }: WantedBefore,
    signal?: AbortSignal,
  ): Promise<RowsBefore> {
    const { part } = this;
    if (!checks) return { ...(await this.#count(part, null, signal)), checked: [] };
    const list = new ListChecks(checksOf(this.preparation));
    const all = await scoped((closing) => {
      const screen = list.countsDuplicates ? this.#screenWith(compared, closing) : null;
      const add = (chunk: PreparedChunk): void => {
        list.addChunk(chunk);
        if (screen) list.addDuplicates(chunk, screen(chunk).duplicates);
      };
      return this.#count(undefined, add, signal);
    });
    const checked = list.outcomes();
    if (!part) return { ...all, checked };
    return failures ? { ...(await this.#count(part, null, signal)), checked } : { checked };
  }

  async #count(
    part: RowPart | undefined,
    see: ((chunk: PreparedChunk) => void) | null,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly counted: CountedRows }> {
    const found = { rows: 0, rejected: 0, share: 1 };
    const problems = new ProblemCounts();
    for await (const chunk of this.again({ purpose: 'check', part, asOf: this.asOf }, signal)) {
      if (signal?.aborted) throw interruption(signal);
      found.rows += chunk.count;
      found.rejected += chunk.rejected;
      problems.addCounts(chunk.problems);
      see?.(chunk);
      if (see || found.rows < MAX_ROWS) continue;
      // A last chunk that ends at the border is not known to be the last.
      found.share = Math.min(chunk.progress, NEARLY_ALL);
      break;
    }
    return { counted: { ...found, problems: problems.list() } };
  }

  /**
   * What tells which clients of a chunk go on, as a run of the files would: to be asked chunk by chunk, in their order.
   * @param onRecord what earlier runs have sent, where the rule asks for it
   */
  async screen(
    onRecord: () => Promise<EarlierRows | undefined>,
    signal: AbortSignal | undefined,
    closing: Closing,
  ): Promise<Screen> {
    const later = (earlier?: EarlierRows): Promise<LaterRows> => this.later(earlier, signal);
    const search = { earlier: onRecord, later };
    const compared = await comparedRows(this.preparation.duplicates, search, closing);
    return this.#screenWith(compared, closing);
  }

  #screenWith(compared: ComparedRows | undefined, closing: Closing): Screen {
    const { duplicates } = this.preparation;
    const seen = seenKeysOf(duplicates.by);
    closing(() => seen.close());
    const screen = { ...compared, duplicates, inputs: this.names, seen };
    let number = 0;
    return (chunk) => screenChunk(screen, chunk, number++);
  }

  /**
   * Reads and maps the files once, and finds out which of their rows give way to later ones.
   * @throws InputError where a file is broken, StopRun when the signal is aborted
   */
  async later(earlier: EarlierRows | undefined, signal?: AbortSignal): Promise<LaterRows> {
    const search = searchLaterRows(this.preparation.duplicates.by, earlier);
    try {
      for await (const chunk of this.again({ purpose: 'check', asOf: this.asOf }, signal)) {
        if (signal?.aborted) throw interruption(signal);
        search.add(chunk);
      }
      return await search.decide(signal);
    } catch (error) {
      throw signal?.aborted ? interruption(signal, { cause: error }) : error;
    } finally {
      search.close();
    }
  }

  /**
   * Warns of inputs that have a header and nothing below it, as an export that failed leaves them: where rows are
   * expected, such a run does not end well. Of a part, counts what it has left in place of that.
   */
  async withWhatIsLeft<T extends { readonly exitCode: ExitCode; readonly trial?: Trial }>(
    result: T,
  ): Promise<T> {
    const { part, request } = this;
    const { inputs } = this.preparation;
    const { expectRows = false, onWarning } = request;
    if (part) return { ...result, trial: await this.#countTrial(part) };
    const empty = inputs.filter((_, index) => this.#counts[index] === 0);
    for (const { name } of empty) onWarning?.(`${name} has a header and no data rows.`);
    const isBad = expectRows && empty.length > 0 && result.exitCode === EXIT.ok;
    return isBad ? { ...result, exitCode: EXIT.rows } : result;
  }

  /** Counts the rows of a trial, and those that it has left. A file that breaks off after them is none of its concern. */
  async #countTrial(part: RowPart): Promise<Trial> {
    const filter = new PartFilter(part);
    const found = { first: null as number | null, last: null as number | null, all: 0 };
    let hasMore = false;
    for (const [index, { path }] of this.files.entries()) {
      const input = this.preparation.inputs[index];
      if (!input) continue;
      try {
        for await (const batch of (await openWithinLimits(path, this.source)).batches()) {
          for (const { row, sheet } of batch) {
            const isFirst = sheet === input.sheet;
            const header = isFirst ? input.headerRow : (input.furtherHeaders.get(sheet ?? '') ?? 0);
            if (row <= header) continue;
            found.all++;
            if (!filter.takes(row)) continue;
            found.first ??= row;
            found.last = row;
          }
          hasMore = found.all >= MAX_ROWS || this.request.signal?.aborted === true;
          if (hasMore) break;
        }
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        hasMore = true;
      }
      if (hasMore) break;
    }
    const { all, first, last } = found;
    return { rows: filter.taken, first, last, left: all - filter.taken, hasMore };
  }
}

function planOf(
  request: RowsRequest,
  inputs: readonly InputFile[],
  corrections: Corrections | undefined,
) {
  const { mapping, installation, mode, source = {} } = request;
  return { inputs, mapping, installation, mode, source, part: partOf(request), corrections };
}

/** The part of the rows that a request is about; `undefined`: all of them. */
export function partOf({ rows, limit }: RowPart): RowPart | undefined {
  return rows === undefined && limit === undefined ? undefined : { rows, limit };
}

function reportInputs(
  { inputs, warnings }: Pick<Preparation, 'inputs' | 'warnings'>,
  { onInput, onWarning }: Pick<RowsRequest, 'onInput' | 'onWarning'>,
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

export type Screened = ReturnType<typeof screenChunk>;

/** Tells which clients of the next chunk go on, and which are duplicates. */
export type Screen = (chunk: PreparedChunk) => Screened;

/** What is known before the first row is sent, where the rule of duplicates asks for it. */
export interface ComparedRows {
  readonly earlier: EarlierRows | undefined;
  readonly later: LaterRows | undefined;
}

/** Asks for what the rule needs; nothing where it compares a row with those before it alone. */
export async function comparedRows(
  { by, within, keep }: DuplicateRule,
  search: {
    readonly earlier: () => Promise<EarlierRows | undefined>;
    readonly later: (earlier: EarlierRows | undefined) => Promise<LaterRows | undefined>;
  },
  closing: Closing,
): Promise<ComparedRows> {
  const compares = by.length > 0;
  const earlier = compares && within === 'runs' ? await search.earlier() : undefined;
  closing(() => earlier?.close());
  const later = compares && keep === 'last' ? await search.later(earlier) : undefined;
  closing(() => later?.close());
  return { earlier, later };
}
