import type { Cell } from '../core/table.js';
import { isTotal, type Totals, totalsAt } from './contents/totals.js';
import { assign, type Assigned } from './choose/assign.js';
import { type ChosenCountry, chooseCountry } from './choose/country.js';
import { type Column, readColumns } from './choose/columns.js';
import { draftMapping } from './draft/draft.js';
import { dayOrder, type DayOrder } from './draft/dates.js';
import { languageOf } from './header/language-of.js';
import {
  type ColumnSuggestion,
  roundScore,
  type SuggestTableRequest,
  type Suggestion,
  type Table,
} from './suggestion.js';
import { tryMapping } from './trial.js';
import type { Language } from './words/language.js';

/** A table as it was understood: what its columns hold, and what each is used for. */
export interface ReadTable {
  /** Without the totals that end it. */
  readonly table: Table;
  readonly totals: Totals | null;
  readonly language: Language;
  readonly country: ChosenCountry;
  readonly columns: readonly Column[];
  readonly assigned: readonly Assigned[];
  readonly dayOrder: DayOrder;
}

/** Finds out what the columns of a table mean. Pure, and what takes the time of a suggestion. */
export function readTable(request: Omit<SuggestTableRequest, 'source'>): ReadTable {
  const { installation, mode = 'create', remembered = new Map() } = request;
  const totals = totalsAt(request.table.headers, request.table.last ?? []);
  const table = totals ? withoutTotals(request.table, totals) : request.table;
  // Letters in place of a header are words of no language.
  const headers = table.hasNames === false ? table.headers.map(() => '') : table.headers;
  const language = languageOf(headers);
  const country = chooseCountry({ ...table, headers }, request.country);
  const columns = readColumns(table, country.code);
  const assigned = assign({ columns, installation, mode, country: country.code, remembered });
  return { table, totals, language, country, columns, assigned, dayOrder: dayOrder(columns) };
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
  const { yaml, missing, decisions, toFillIn } = draftMapping({
    ...{ ...read, installation, mode, source },
    countOf: (column, what) => countOf(column, what, table.rows),
  });
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
    missing,
    toFillIn,
    decisions,
    trial: toFillIn.length > 0 ? null : tryMapping(yaml, table, installation, below, source),
  };
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

function countOf({ cells }: Column, what: string, rows: number | undefined): string {
  const all = rows !== undefined && rows <= cells.rows;
  return all ? `${cells.filled} ${what}` : `${cells.filled} ${what} looked at`;
}

/** What is suggested for a column, in words. */
export function columnSuggestion({ column, use, why, second }: Assigned): ColumnSuggestion {
  const score = roundScore(use?.score ?? Math.min(second?.score ?? 0, 0.49));
  return {
    column: column.header,
    target: use?.target ?? null,
    ...(use?.phoneType === undefined ? {} : { phoneType: use.phoneType }),
    score,
    why,
  };
}
