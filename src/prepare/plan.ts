import { CardlineError, ConfigurationError, InputError, UsageError } from '../core/errors.js';
import type { PreparedChunk } from '../core/prepared.js';
import type { Installation } from '../installation/installation.js';
import type { Warning } from '../core/quality.js';
import type { Mode } from '../core/outcome.js';
import type { Corrections, SourceInfo, SourceOptions, Cell, Row, RowPart } from '../core/table.js';
import type { LoadedMapping } from '../mapping/mapping.js';
import type { DuplicateRule } from '../core/duplicates.js';

/** Messages from the reading thread. */
export type FromThread =
  | { readonly kind: 'ready'; readonly preparation: Omit<Preparation, 'chunks' | 'close'> }
  | { readonly kind: 'chunk'; readonly chunk: PreparedChunk }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: PlainError };

/** Messages to the reading thread: first what to read, then that it may prepare one more chunk. */
export type ToThread = 'more' | PreparePlan;

export type PlainError = ReturnType<typeof toPlainError>;

/** An error as it travels between threads, where classes are lost. */
export function toPlainError(error: unknown) {
  if (error instanceof InputError) {
    const { code, reason, place } = error;
    return { type: 'input', code, reason, place } as const;
  }
  if (error instanceof ConfigurationError)
    return { type: 'configuration', mistakes: error.mistakes } as const;
  if (error instanceof CardlineError) return { type: 'usage', message: error.message } as const;
  const { message, stack } =
    error instanceof Error ? error : new Error('The reading thread failed.');
  return { type: 'internal', message, stack } as const;
}

export function fromPlainError(plain: PlainError): Error {
  switch (plain.type) {
    case 'input':
      return new InputError(plain.code, plain.reason, plain.place);
    case 'configuration':
      return new ConfigurationError(plain.mistakes);
    case 'usage':
      return new UsageError(plain.message);
    case 'internal': {
      const error = new Error(plain.message);
      if (plain.stack !== undefined) error.stack = plain.stack;
      return error;
    }
  }
}

/** An error as it would be had it come from a thread, for whoever prepares without one. */
export const asFromThread = (error: unknown): Error => fromPlainError(toPlainError(error));

/** Everything that reading and mapping need. Plain data: it is passed to a thread. */
export interface PreparePlan {
  readonly inputs: readonly InputFile[];
  readonly mapping: string;
  /** Wins over the mapping's mode. */
  readonly mode?: Mode | undefined;
  /** Path of the installation file; without it, card fields and identifiers are not checked. */
  readonly installation?: string | undefined;
  readonly source: SourceOptions;
  /** The rows to prepare. @default all */
  readonly part?: RowPart | undefined;
  /**
   * The moment that counts for rules that depend on the time, in milliseconds since 1970; `null`: such rules are off.
   * @default when the preparation is opened
   */
  readonly asOf?: number | null | undefined;
  /** Cells that count in place of those of the files. @default none */
  readonly corrections?: Corrections | undefined;
  /** `check`: what only sending needs is left out, and rejected rows keep their cells. */
  readonly purpose: 'send' | 'check';
  /** How many clients of each chunk a check wants to see. @default none */
  readonly show?: number;
  /** Which chunks to prepare: those whose number leaves `index` when divided by `of`. The others are only read. */
  readonly share: { readonly index: number; readonly of: number };
  /** Read files once before the first row, large ones in part, so that a broken one is not imported in part. @default false */
  readonly verify?: boolean;
}

/** A readable path, and the name under which the person knows it. */
export interface InputFile {
  readonly path: string;
  readonly name: string;
}

/** An input whose header has been read and suits the mapping. */
export interface OpenedInput {
  readonly name: string;
  readonly info: SourceInfo;
  readonly headers: readonly string[];
  /** Whether the table has a header; without, columns go by letters or numbers. */
  readonly hasHeader: boolean;
  /** Row number of the header, or of its last row; 0 where the table has none, or the file itself names its columns. */
  readonly headerRow: number;
  /** Last row of the header on each further sheet that is read, by its name; 0 where it has none. */
  readonly furtherHeaders: ReadonlyMap<string, number>;
  /** Row numbers of all rows that the header stands in, where it was found; empty where it was named. */
  readonly foundHeader: readonly number[];
  readonly preamble: readonly Row[];
  /** Cells of the header as they stand in the file. */
  readonly headerCells: readonly Cell[];
  readonly sheet: string | null;
}

/** What the thread that sends needs of a mapping: plain data, so that one thread alone reads the file. */
export interface MappingFacts extends Pick<
  LoadedMapping,
  'mode' | 'source' | 'recovery' | 'campaign' | 'sections' | 'digests'
> {
  /** The file as it is written. */
  readonly document: Pick<LoadedMapping['document'], 'file' | 'value'>;
}

/** Inputs that are ready to be read. */
export interface Preparation {
  /** Absent where the plan names none. */
  readonly installation: Installation | undefined;
  readonly mapping: MappingFacts;
  readonly inputs: readonly OpenedInput[];
  readonly identifierNames: readonly string[];
  readonly duplicates: DuplicateRule;
  /** The moment that counts for rules that depend on the time; `null` where no rule does. */
  readonly asOf: number | null;
  /** What is to be said before anything is sent, for the person. */
  readonly warnings: readonly Warning[];
  /** The data rows of all inputs in order. To be called once. */
  readonly chunks: () => AsyncIterable<PreparedChunk>;
  readonly close: () => Promise<void>;
}

/** Rows of a chunk: a multiple of the usual batch sizes, so that batches come out full. */
export const CHUNK_ROWS = 1000;
/** Characters of cell text after which a chunk ends early. */
export const CHUNK_TEXT = 2 * 1024 * 1024;
/** Bytes of a request body when the installation does not limit them. */
export const DEFAULT_REQUEST_BYTES = 1024 * 1024;
