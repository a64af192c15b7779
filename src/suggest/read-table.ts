import type { Mode } from '../core/mode.js';
import type { Installation } from '../installation/installation.js';
import {
  type PhoneType,
  type Target,
  type Column,
  columnsOf,
  readColumns,
  roundScore,
} from './columns.js';
import { type Remembered, type Assigned, assign } from './assign.js';
import type { Table, TableSource } from './read-file.js';
import type { Cell } from '../core/table.js';
import { type Totals, isTotal, totalsAt } from './contents.js';
import {
  type ChosenCountry,
  areaCodesIn,
  chooseCountry,
  countryOfCode,
  isProven,
  withoutCountry,
  withAreaCodes,
} from './phones.js';
import { languageOf } from './understand.js';
import { type DayOrder, dayOrder } from './values.js';
import type { Language } from './words.js';

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
    const others = withoutCountry(beside);
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

/** What is suggested for one column. */
export interface ColumnSuggestion {
  /** Header of the column, as it stands in the file. */
  readonly column: string;
  /** `null`: nothing of the client. Columns of one field all carry its target. */
  readonly target: Target | null;
  readonly phoneType?: PhoneType;
  /** From 0 to 1; from `SURE` on the column stands in the mapping, from `LIKELY` on as a comment. */
  readonly score: number;
  /** The reason in words. */
  readonly why: string;
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
