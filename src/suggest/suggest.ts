import { parsePlaced } from '../config/document.js';
import type { Mode } from '../core/mode.js';
import { type ProblemCount, ProblemCounts } from '../core/problem.js';
import type { Cell } from '../core/table.js';
import type { Installation } from '../installation/installation.js';
import { mapRow } from '../mapping/map-row.js';
import { traitsOf } from '../source/source.js';
import { type Remembered, assign, type ColumnSuggestion, columnSuggestion } from './assign.js';
import { columnsOf, readColumns } from './columns.js';
import { type Totals, isTotal, totalsAt } from './contents.js';
import { decisionsOf, draftOf, toFillIn } from './draft.js';
import { mappingText } from './mapping-text.js';
import {
  type ChosenCountry,
  areaCodesIn,
  chooseCountry,
  countryOfCode,
  isProven,
  withAreaCodes,
} from './phones.js';
import type { Table, TableSource } from './read-file.js';
import { type Column, languageOf } from './understand.js';
import { dayOrder, type ReadTable } from './values.js';
import { compiledFor } from './view.js';

/** What came of the first rows with the drafted mapping: what a check of them says. */
export interface Trial {
  readonly rows: number;
  readonly clients: number;
  readonly rejected: number;
  /** Totals below the table are among them, and repeated rows where the mode skips these. */
  readonly skipped: number;
  /** Rows that would be clients and have the identifiers of an earlier one. */
  readonly repeated: number;
  readonly problems: readonly ProblemCount[];
}

export interface Suggestion {
  readonly source: {
    readonly encoding: string | null;
    readonly delimiter: string | null;
    readonly sheet: string | null;
    readonly headerRow: number | 'none';
    /** Sheets with rows that were not read. */
    readonly otherSheets: readonly string[];
    /** The row at which the mapping stops reading; `null` where it reads to the end. */
    readonly until: { readonly column: string; readonly startsWith: string } | null;
  };
  readonly columns: readonly ColumnSuggestion[];
  /** The mapping as YAML, with comments. */
  readonly mapping: string;
  /** Required card fields and synchronization identifiers without a column. */
  readonly missing: readonly string[];
  /** What has to be filled in before the mapping can be used, by its place in it. */
  readonly toFillIn: readonly string[];
  /** What a person should decide, one sentence each. */
  readonly decisions: readonly string[];
  /** `null` where the draft cannot be tried, since something that it needs is missing. */
  readonly trial: Trial | null;
}

export interface SuggestTableRequest {
  readonly table: Table;
  readonly source: TableSource;
  readonly installation: Pick<Installation, 'card' | 'clientRoles'>;
  /** @default 'create' */
  readonly mode?: Mode | undefined;
  /** Country of numbers without a country code, two letters. Default: found out. */
  readonly country?: string | undefined;
  readonly remembered?: Remembered | undefined;
}

/**
 * Drafts a mapping for a table: what its columns mean, by their names and by what they hold, and the YAML for it. Pure:
 * reads no file.
 */
export function suggestTable(
  request: SuggestTableRequest,
  read: ReadTable = readTable(request),
): Suggestion {
  const { source, installation, mode = 'create' } = request;
  const { table, totals, assigned } = read;
  const below = request.table.first.length - table.first.length;
  const draft = draftOf({ read, source, installation, mode });
  const yaml = mappingText(draft);
  const open = toFillIn(draft);
  return {
    source: {
      encoding: source.info?.encoding ?? null,
      delimiter: source.info?.delimiter ?? null,
      sheet: source.sheet ?? null,
      headerRow: source.headerRow,
      otherSheets: source.info?.otherSheets ?? [],
      until: totals && { column: totals.column, startsWith: totals.startsWith },
    },
    columns: assigned.map(columnSuggestion),
    mapping: yaml,
    missing: draft.missing,
    toFillIn: open,
    decisions: decisionsOf(draft),
    trial: open.length > 0 ? null : tryMapping(yaml, table, installation, below, source),
  };
}

/** Finds out what the columns of a table mean. Pure, and what takes the time of a suggestion. */
export function readTable(request: Omit<SuggestTableRequest, 'source'>): ReadTable {
  const { installation, mode = 'create', remembered = new Map() } = request;
  const totals = totalsAt(request.table.headers, request.table.last ?? []);
  const table = totals ? withoutTotals(request.table, totals) : request.table;
  // Letters in place of a header are words of no language.
  const headers = table.hasNames === false ? table.headers.map(() => '') : table.headers;
  const language = languageOf(headers);
  const areas = areaCodesIn({ ...table, headers });
  const whole = withAreaCodes(table, areas);
  const guessed = chooseCountry({ ...whole, headers }, request.country);
  const plain = columnsOf(whole, areas);
  const first = readColumns(plain, guessed.code);
  const country = countryOfAll(first, guessed);
  const columns = country.code === guessed.code ? first : readColumns(plain, country.code);
  const assigned = assign({ columns, installation, mode, country: country.code, remembered });
  return { table, totals, language, country, columns, assigned, dayOrder: dayOrder(columns) };
}

/** The country that a column says of all numbers beside it, where nobody gave another one. */
function countryOfAll(columns: readonly Column[], guessed: ChosenCountry): ChosenCountry {
  if (guessed.isGiven) return guessed;
  for (const column of columns) {
    const { beside } = column;
    if (!beside || beside.codes.size > 1 || !isProven(beside)) continue;
    const code = countryOfCode(beside, column);
    if (code === undefined) continue;
    const others = beside.national - beside.withCountry;
    const why = `"${beside.column.header}" says so`;
    const doubt = `${others} numbers of "${column.header}" have no country in "${beside.column.header}"`;
    return { code, why, isGiven: false, ...(others > 0 ? { doubt } : {}) };
  }
  return guessed;
}

/** The table as it is read with the draft: the totals that end it are no data. */
function withoutTotals(table: Table, totals: Totals): Table {
  const { headers, sample, first, rows } = table;
  const isData = (cells: readonly Cell[]): boolean => !isTotal(headers, cells, totals);
  const data = first.slice(0, first.findLastIndex(({ cells }) => isData(cells)) + 1);
  return {
    ...table,
    sample: sample.slice(0, sample.findLastIndex(isData) + 1),
    first: data,
    // Where the first rows are all, they show more totals than the last few rows do.
    rows: rows === first.length ? data.length : rows && rows - totals.rows,
  };
}

/** Maps the first rows with a drafted mapping, as an import would. `below`: how many more stand below the table. */
function tryMapping(
  yaml: string,
  { headers, first }: Table,
  installation: Pick<Installation, 'card' | 'clientRoles'>,
  below: number,
  { info }: TableSource,
): Trial {
  const document = parsePlaced('the drafted mapping', yaml);
  const { mapping, compiled } = compiledFor(document, new Map(), headers, installation);
  const width = info && traitsOf(info.format).storesEmptyCells ? headers.length : undefined;
  const columns = { headers, width, delimiter: info?.delimiter };
  const counts = { client: 0, rejected: 0, skipped: 0 };
  const problems = new ProblemCounts();
  const seen = new Set<string>();
  for (const each of first) {
    const mapped = mapRow(each, columns, compiled);
    counts[mapped.status]++;
    if (mapped.status === 'client') seen.add(JSON.stringify(mapped.identifiers));
    if (mapped.status === 'rejected')
      for (const problem of mapped.problems) problems.add(problem, each.row);
  }
  const { client, rejected, skipped } = counts;
  const repeated = client - seen.size;
  const duplicates = mapping.duplicates.by.includes('sync') ? repeated : 0;
  return {
    ...{ rows: first.length + below, clients: client - duplicates, rejected, repeated },
    skipped: skipped + below + duplicates,
    problems: problems.list(),
  };
}
