import type { PHONE_TYPES } from '../core/client.js';
import type { Mode } from '../core/mode.js';
import type { ProblemCount } from '../core/problem.js';
import type { Cell, SourceInfo } from '../core/table.js';
import type { Installation } from '../installation/installation.js';
import type { MappableRow } from '../mapping/map-row.js';

export type PhoneType = (typeof PHONE_TYPES)[number];

/** Where a column goes: a part of the client, or `fields.<name>` of the card. */
export type Target =
  | 'phones'
  | 'emails'
  | 'addresses'
  | 'timeZone'
  | 'type'
  | 'clientRoleId'
  | 'uuid'
  | `fields.${string}`;

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

/** Scores from which a column is put into the mapping, and from which it stands there as a comment. */
export const SURE = 0.85;
export const LIKELY = 0.5;

/** A score to two places: the same one wherever it is shown. */
export const roundScore = (score: number): number => Math.round(score * 100) / 100;
/** A score as it is written in a draft and on a terminal, such as 0.97. */
export const scoreText = (score: number): string => roundScore(score).toFixed(2);

/** What earlier runs did with columns of this name: their target, or `null` for what was left out. */
export type Remembered = ReadonlyMap<string, RememberedColumn>;

export interface RememberedColumn {
  readonly target: Target | null;
  /** Name of the run's mapping file. */
  readonly mapping: string;
}

/** A table that a mapping is drafted for: its header, and rows of it. */
export interface Table {
  readonly headers: readonly string[];
  /** `false`: the headers are letters, since the table has none. */
  readonly hasNames?: boolean | undefined;
  /** Of two header rows that were joined, the lower names. */
  readonly ownNames?: readonly string[] | undefined;
  /** Rows spread over the file: what the columns hold is found out by them. */
  readonly sample: readonly (readonly Cell[])[];
  /** The first rows, on which the draft is tried. */
  readonly first: readonly MappableRow[];
  /** The last rows of the file. */
  readonly last?: readonly (readonly Cell[])[] | undefined;
  /** Rows of the file where they are known. */
  readonly rows?: number | undefined;
  /** How many of the first rows the sample is from, where it is not from the whole file. */
  readonly beginning?: number | undefined;
}

export interface TableSource {
  /** Name of the file, for the comments. */
  readonly file: string;
  readonly info?: SourceInfo | undefined;
  readonly sheet?: string | undefined;
  /** Row number of the header, or `none`. */
  readonly headerRow: number | 'none';
  /** Reading options that the person gave: they belong into the mapping. */
  readonly given?: Readonly<Record<string, string | number>> | undefined;
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
