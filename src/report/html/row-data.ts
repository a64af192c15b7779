import { basename } from 'node:path';
import { GOOD_OUTCOMES } from '../../core/outcome.js';
import { repeatOf } from '../../core/duplicates/repeated.js';
import type { RowReport } from '../../core/report.js';
import { shortened } from '../../core/text/shortened.js';
import { problemText } from '../text/problem-text.js';
import { refusal } from '../reasons.js';
import { type RunReport, tellsOf } from '../run-report.js';
import { VERDICT_COLUMNS, verdictCells } from '../verdict-columns.js';

/** Rows that a page holds: more would make it slow to open. */
const MOST = 50_000;
/** Longest reason that is shown, in characters. */
const REASON_LENGTH = 1000;

/** Columns whose cells are numbers, or empty. */
const NUMERIC: ReadonlySet<string> = new Set(['row', 'clientId', 'callsMade', 'nextCall']);

type PageCell = string | number;

/**
 * Collects the rows that did not end well, for the page's table; of a comparison, also those that repeat others. Holds no
 * more than `most`.
 */
export class BadRows {
  /** Each row as JSON text. */
  readonly rows: string[] = [];
  readonly outcomes = new Set<string>();
  count = 0;
  private readonly tellsVerdicts: boolean;

  constructor(
    private readonly report: RunReport,
    private readonly most = MOST,
  ) {
    this.tellsVerdicts = tellsOf(report) === 'verdicts';
  }

  add(row: RowReport): void {
    if (!this.isBad(row)) return;
    this.count++;
    if (this.rows.length >= this.most) return;
    this.outcomes.add(row.outcome);
    this.rows.push(JSON.stringify(this.cells(row)));
  }

  /** What the page's script needs to show them, as JSON text. */
  json(charts: readonly object[]): string {
    const { identifierNames } = this.report;
    const before = ['row', ...this.places(), ...identifierNames];
    const after = this.tellsVerdicts
      ? [...VERDICT_COLUMNS, 'problems', 'uuid']
      : ['uuid', 'outcome', 'reason'];
    const table = {
      columns: [...before, ...after],
      // An identifier may be called like one of them, and be a text.
      numeric: [...before.map((_, at) => at === 0), ...after.map((name) => NUMERIC.has(name))],
      outcomeAt: before.length + (this.tellsVerdicts ? 0 : 1),
      charts,
    };
    return `${JSON.stringify(table).slice(0, -1)},"rows":[\n${this.rows.join(',\n')}]}`;
  }

  private isBad(row: RowReport): boolean {
    return !GOOD_OUTCOMES.has(row.outcome) || (this.tellsVerdicts && repeatOf(row) !== null);
  }

  private places(): string[] {
    return this.report.run.inputs.length > 1 ? ['file', 'sheet'] : ['sheet'];
  }

  private cells(row: RowReport): PageCell[] {
    const { inputs } = this.report.run;
    const file = inputs.length > 1 ? [basename(inputs[row.input] ?? '')] : [];
    const before = [...file, row.sheet, ...row.identifiers].map(shortCell);
    const uuid = row.uuid ?? '';
    return this.tellsVerdicts
      ? [
          ...[row.row, ...before, ...verdictCells(row).map(shownCell)],
          ...[reasonOf(row.inspection?.remark, row), uuid],
        ]
      : [row.row, ...before, uuid, row.outcome, reasonOf(refusal(row), row)];
  }
}

const shortCell = (value: PageCell | null): string => shortened(String(value ?? ''));

const shownCell = (value: PageCell | null): PageCell =>
  typeof value === 'number' ? value : cut(value ?? '');

/** All that is known of why the row ended as it did. */
const reasonOf = (words: string | null | undefined, { problems }: RowReport): string =>
  cut([words, problemText(problems)].filter(Boolean).join('; '));

const cut = (text: string): string =>
  text.length > REASON_LENGTH ? `${text.slice(0, REASON_LENGTH)}…` : text;
