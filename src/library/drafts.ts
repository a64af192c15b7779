import { resolve } from 'node:path';
import { env as processEnv } from 'node:process';
import { initInstallation } from '../setup/init.js';
import { StopRun, InputError } from '../core/errors.js';
import { refusePlaces } from './result.js';
import { readRows as batchesOf } from '../run/preview.js';
import type { Row, SourceOptions } from '../core/table.js';
import { headerOf, showHeader } from '../source/header.js';

/** Options of `draftInstallation`. */
export interface DraftInstallationOptions {
  /** Path of the file to write. */
  readonly file: string;
  /** Address of the contact center. */
  readonly url: string;
  /** Headers of every request, by name; `${NAME}` stands for a variable of the environment. @default {} */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Synchronization identifiers of a client that is there, by name: it is read, and the card drafted from its fields. Or
   * their names alone: nothing is asked for.
   */
  readonly identifiers: Readonly<Record<string, string | number>> | readonly string[];
  /** Card fields beside those that are read, such as `budget:Number`. @default [] */
  readonly fields?: readonly string[];
  /** Whether a file that is there is replaced. @default false */
  readonly force?: boolean;
  /** Environment for `${NAME}` in headers. @default that of the process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborted to stop at once; nothing is written then. */
  readonly signal?: AbortSignal;
}

/** A drafted installation file. */
export interface DraftedInstallation {
  /** Absolute path of the file. */
  readonly file: string;
  /** Whether there was a file, which was replaced. */
  readonly replaced: boolean;
  /** How many fields its card has. */
  readonly fields: number;
  /** Whether the card was read from a client. */
  readonly isRead: boolean;
}

/**
 * Drafts an installation file, with comments on what the interface does not show, and makes sure that it can be used.
 * @throws UsageError when the file is there, or an option is no good; ConfigurationError; ContactCenterError when the
 * client cannot be read; StopRun when the signal is aborted. Nothing is written then.
 */
export async function draftInstallation(
  options: DraftInstallationOptions,
): Promise<DraftedInstallation> {
  const { file, url, headers = {}, identifiers, fields = [], force = false } = options;
  refusePlaces(options, { file: 'file' });
  const { signal = new AbortController().signal, env = processEnv } = options;
  try {
    const drafted = await initInstallation({
      ...{ url, fields, force, out: file, env, signal },
      headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ids: idsOf(identifiers),
    });
    return { file: resolve(file), ...drafted };
  } catch (error) {
    throw signal.aborted ? new StopRun('Nothing was drafted.', { cause: error }) : error;
  }
}

const idsOf = (identifiers: DraftInstallationOptions['identifiers']): readonly string[] =>
  isNames(identifiers)
    ? identifiers
    : Object.entries(identifiers).map(([name, value]) => `${name}=${value}`);

const isNames = (
  identifiers: DraftInstallationOptions['identifiers'],
): identifiers is readonly string[] => Array.isArray(identifiers);

/** Options of `readRows`. */
export interface ReadRowsOptions {
  /** Path of the file, or its bytes. */
  readonly file: string | AsyncIterable<Uint8Array>;
  /** How the file is read: sheet, encoding, delimiter, as in a mapping's `source:`. @default all found out */
  readonly source?: SourceOptions;
  /** Row number of the header; `none`: every row is a data row. @default found out by the content of the first rows */
  readonly headerRow?: number | 'none';
}

/** A data row of a spreadsheet. */
export interface TableRow extends Row {
  /** Names of the columns, without white space around them, in the order of `cells`; `A`, `B`, … without a header. */
  readonly header: readonly string[];
}

/**
 * The data rows of a spreadsheet as the reader of an import sees them, one after the other, with the numbers that a
 * spreadsheet program shows. Blank rows are left out, and those above the header. Memory does not grow with the rows.
 * @throws InputError when the file is broken, or has no row where its header should be; UsageError when `source` names
 * an unknown encoding, an impossible delimiter, or a sheet of a file without sheets
 */
export async function* readRows(
  options: ReadRowsOptions,
): AsyncGenerator<TableRow, void, undefined> {
  const { file, source = {} } = options;
  let table: TableStart | undefined;
  // The first rows of a sheet, until they show its header.
  let first: Row[] = [];
  for await (const batch of batchesOf(file, source))
    for (const row of batch) {
      if (row.sheet === table?.sheet) {
        yield { ...row, header: table.header };
        continue;
      }
      if (first[0] && first[0].sheet !== row.sheet) {
        yield* tableOf(first, options).rows;
        first = [];
      }
      first.push(row);
      if (showHeader(first, options)) {
        table = tableOf(first, options);
        yield* table.rows;
        first = [];
      }
    }
  if (first.length > 0) yield* tableOf(first, options).rows;
}

/** A sheet, or a file without sheets, from its first data rows on. */
interface TableStart {
  readonly sheet: string | null;
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
}

function tableOf(rows: readonly Row[], { file, headerRow }: ReadRowsOptions): TableStart {
  const sheet = rows[0]?.sheet ?? null;
  const chosen = headerOf(rows, { headerRow });
  if (!chosen) throw noHeader(file, sheet, headerRow);
  const { names: header, rows: own } = chosen;
  const last = own.at(-1);
  const data = rows.slice(last ? rows.indexOf(last) + 1 : 0);
  return { sheet, header, rows: data.map((row) => ({ ...row, header })) };
}

function noHeader(
  file: ReadRowsOptions['file'],
  sheet: string | null,
  headerRow: ReadRowsOptions['headerRow'],
): InputError {
  const reason = 'this row should be the header, and is empty or missing. Check headerRow.';
  const name = typeof file === 'string' ? file : 'the stream';
  const row = headerRow === 'none' ? undefined : headerRow;
  return new InputError('no_header', reason, { file: name, sheet: sheet ?? undefined, row });
}
