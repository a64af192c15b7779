import { GOOD_OUTCOMES } from '../../core/outcome.js';
import { repeatOf } from '../../core/duplicates/repeated.js';
import type { RowReport } from '../../core/report.js';
import { shortened } from '../../core/text/shortened.js';
import { reportColumns } from '../column-layout.js';
import {
  type ColumnPart,
  type ReportColumn,
  type ReportedRun,
  reportKind,
  type TableCell,
} from '../columns.js';
import { reportedRun, type RunReport } from '../run-report.js';

/** Rows that a page holds at most: more would make it slow to open. */
const MAX_ROWS = 50_000;
/** Longest text of a result or reason that is shown, in characters. */
const MAX_TEXT = 1000;

/**
 * Collects the rows that did not end well, for the page's table; of a comparison, also those that repeat others. Holds no
 * more than `max`.
 */
export class BadRows {
  /** Each row as JSON text. */
  readonly rows: string[] = [];
  readonly outcomes = new Set<string>();
  count = 0;
  private readonly run: ReportedRun;
  private readonly columns: readonly ReportColumn[];
  private readonly compares: boolean;

  constructor(
    report: RunReport,
    private readonly max = MAX_ROWS,
  ) {
    this.run = reportedRun(report);
    this.columns = reportColumns('page', this.run);
    this.compares = reportKind(this.run) === 'comparison';
  }

  add(row: RowReport): void {
    if (!this.isBad(row)) return;
    this.count++;
    if (this.rows.length >= this.max) return;
    this.outcomes.add(row.outcome);
    const cells = this.columns.map((column) =>
      shownCell(column, (column.page ?? column.cell)(row, this.run)),
    );
    this.rows.push(JSON.stringify(cells));
  }

  /** The data of the page's script, as JSON text. */
  json(charts: readonly object[]): string {
    const table = {
      columns: this.columns.map(({ name }) => name),
      numeric: this.columns.map(({ type }) => type === 'integer'),
      outcomeAt: this.columns.findIndex(({ part }) => part === 'outcome'),
      charts,
    };
    return `${JSON.stringify(table).slice(0, -1)},"rows":[\n${this.rows.join(',\n')}]}`;
  }

  private isBad(row: RowReport): boolean {
    return !GOOD_OUTCOMES.has(row.outcome) || (this.compares && repeatOf(row) !== null);
  }
}

/** Parts whose texts are names and values, which are shortened. */
const NAMES: ReadonlySet<ColumnPart> = new Set(['sheet', 'file', 'identifiers']);

function shownCell({ type, part }: ReportColumn, value: TableCell): string | number {
  if (type === 'integer' && value !== null) return value;
  const text = String(value ?? '');
  if (NAMES.has(part)) return shortened(text);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
