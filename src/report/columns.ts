import { basename } from 'node:path';
import type { RunMode, Problem } from '../core/outcome.js';
import type { RowReport } from '../core/report.js';
import { differenceText } from './text/check-text.js';
import { problemText, reasonText, withProblems } from './text/words.js';

/** A run as far as the columns of its report depend on it. */
export interface ReportedRun {
  readonly run: string;
  readonly mode: RunMode;
  /** Input files, in the order of `RowReport.input`. */
  readonly inputs: readonly string[];
  /** Names of the synchronization identifiers, in the order of `RowReport.identifiers`. */
  readonly identifierNames: readonly string[];
}

/** What a report is about: how rows ended, or how they compare with the contact center. Undoing a run is of the first kind. */
export type ReportKind = 'import' | 'comparison';

export const reportKind = ({ mode }: Pick<ReportedRun, 'mode'>): ReportKind =>
  mode === 'reconcile' ? 'comparison' : 'import';

/** `table`: CSV, XLSX, Parquet, and the keys of a line of JSONL; `page`: the table of the HTML page. */
export type Layout = 'table' | 'page';

export type TableCell = string | number | null;

/** Columns of one part are neighbours, in the order of `COLUMNS`. */
export type ColumnPart =
  'row' | 'sheet' | 'file' | 'uuid' | 'identifiers' | 'outcome' | 'result' | 'problems' | 'run';

/**
 * One column of the report. A layout without a function of its own uses `cell`. The files of every run have the same
 * columns, so that those of several runs fit together; the page has those that its run needs.
 */
export interface ReportColumn {
  /** Its header, and its key in JSON. */
  readonly name: string;
  /** Integers are numbers in XLSX, Parquet and JSON; the type of an identifier depends on the rows. @default text */
  readonly type?: 'integer' | 'identifier';
  readonly part: ColumnPart;
  /** The reports whose rows can have a value here. Their pages have it. @default all */
  readonly only?: ReportKind;
  /** The runs whose pages have it. @default those of `only`, else none */
  readonly onPage?: ReportKind | 'every run' | 'several inputs';
  /** @default false */
  readonly isOnPageAlone?: true;
  readonly cell: (row: RowReport, run: ReportedRun) => TableCell;
  /** @default cell */
  readonly page?: (row: RowReport, run: ReportedRun) => TableCell;
  /** @default cell */
  readonly json?: (row: RowReport, run: ReportedRun) => unknown;
  /** Whether successive rows mostly have the same value, so that its text is kept. @default false */
  readonly repeats?: boolean;
}

/** Every column that a report can have. A new one needs an entry here and nothing else. */
export const COLUMNS: readonly ReportColumn[] = [
  { name: 'row', type: 'integer', part: 'row', onPage: 'every run', cell: ({ row }) => row },
  { name: 'sheet', part: 'sheet', onPage: 'every run', cell: ({ sheet }) => sheet, repeats: true },
  {
    name: 'file',
    part: 'file',
    onPage: 'several inputs',
    cell: ({ input }, { inputs }) => inputs[input] ?? null,
    page: ({ input }, { inputs }) => basename(inputs[input] ?? ''),
    repeats: true,
  },
  { name: 'uuid', part: 'uuid', onPage: 'every run', cell: ({ uuid }) => uuid },
  {
    name: 'outcome',
    part: 'outcome',
    onPage: 'import',
    cell: ({ outcome }) => outcome,
    repeats: true,
  },
  {
    // The outcome of a comparison once more, by the name that a comparison has for it.
    name: 'verdict',
    part: 'outcome',
    only: 'comparison',
    cell: ({ outcome }, { mode }) => (reportKind({ mode }) === 'comparison' ? outcome : null),
    repeats: true,
  },
  { name: 'createdClientId', type: 'integer', part: 'result', cell: (row) => row.createdClientId },
  { name: 'createResult', part: 'result', cell: (row) => row.createResult, repeats: true },
  { name: 'enqueueResult', part: 'result', cell: (row) => row.enqueueResult, repeats: true },
  { name: 'changeResult', part: 'result', cell: (row) => row.changeResult, repeats: true },
  {
    name: 'clientId',
    type: 'integer',
    part: 'result',
    only: 'comparison',
    cell: ({ inspection }) => inspection?.clientId ?? null,
  },
  {
    name: 'applicationStatus',
    part: 'result',
    only: 'comparison',
    cell: ({ inspection }) => inspection?.application?.status ?? null,
    repeats: true,
  },
  {
    name: 'callsMade',
    type: 'integer',
    part: 'result',
    only: 'comparison',
    cell: ({ inspection }) => inspection?.application?.calledCount ?? null,
  },
  {
    name: 'nextCall',
    part: 'result',
    only: 'comparison',
    cell: ({ inspection }) => isoTime(inspection?.application?.nextCall),
  },
  {
    name: 'callback',
    part: 'result',
    only: 'comparison',
    cell: ({ inspection }) =>
      inspection?.application ? String(inspection.application.hasRecall) : null,
    json: ({ inspection }) => inspection?.application?.hasRecall ?? null,
  },
  {
    name: 'differences',
    part: 'result',
    only: 'comparison',
    cell: ({ inspection }) => inspection?.differences.map(differenceText).join('; ') ?? null,
    json: ({ inspection }) => inspection?.differences ?? null,
  },
  {
    name: 'problems',
    part: 'problems',
    onPage: 'comparison',
    cell: (row) => withProblems(row.inspection?.remark, row),
    page: (row) => withRemarks(withProblems(row.inspection?.remark, row), row),
    json: ({ problems, inspection }) =>
      inspection?.remark ? [comparisonRemark(inspection.remark), ...problems] : problems,
  },
  {
    name: 'reason',
    part: 'problems',
    onPage: 'import',
    isOnPageAlone: true,
    cell: (row) => withRemarks(reasonText(row), row),
  },
  {
    name: 'problemCodes',
    part: 'problems',
    cell: ({ problems }) => codesOf(problems).join('; '),
    json: ({ problems }) => codesOf(problems),
  },
  {
    name: 'remarks',
    part: 'problems',
    cell: ({ remarks }) => (remarks ? problemText(remarks) : null),
    json: ({ remarks = [] }) => remarks,
  },
  { name: 'run', part: 'run', cell: (_, { run }) => run, repeats: true },
];

const isoTime = (moment: number | null | undefined): string | null =>
  moment === null || moment === undefined ? null : new Date(moment).toISOString();

/** What a comparison says of a row, in the form of a problem. */
const comparisonRemark = (message: string): Problem => ({
  ...{ column: null, code: 'comparison', message, value: null },
});

const codesOf = (problems: RowReport['problems']): string[] =>
  problems.length === 0 ? [] : [...new Set(problems.map(({ code }) => code))];

/** The page has no column of its own for what few rows have. */
const withRemarks = (words: string, { remarks = [] }: RowReport): string =>
  [words, problemText(remarks)].filter((text) => text !== '').join('; ');
