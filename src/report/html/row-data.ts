import { GOOD_OUTCOMES } from '../../core/outcome.js';
import { repeatOf } from '../../core/duplicates.js';
import type { RowReport } from '../../core/report.js';
import type { Cell } from '../../core/table.js';
import { shortened } from '../../core/text.js';
import { reportColumns, type ChosenColumns, reportedRun, type RunReport } from '../rows.js';
import {
  type ColumnPart,
  type ReportColumn,
  type ReportedRun,
  reportKind,
  type TableCell,
} from '../columns.js';

/** Rows that a page holds at most: more would make it slow to open. */
const MAX_ROWS = 50_000;
/** Longest text of a result or reason that is shown, in characters. */
const MAX_TEXT = 1000;

/** A cell of the page's table; an empty one is an empty text. */
type PageCell = string | number;

interface HeldRow {
  readonly cells: readonly PageCell[];
  /** `null` when the row's input is gone or was changed. */
  readonly chosen: readonly PageCell[] | null;
  /** Ids of the row's reasons. */
  readonly reasons: readonly number[];
}

/**
 * Collects the rows that did not end well, for the page's table; of a comparison, also those that repeat others. Holds no
 * more than `max`.
 */
export class BadRows {
  readonly outcomes = new Set<string>();
  /** Ids of the reasons of the rows that are held. */
  readonly reasons = new Set<number>();
  count = 0;
  private readonly rows: HeldRow[] = [];
  private readonly run: ReportedRun;
  private readonly columns: readonly ReportColumn[];

  constructor(
    report: RunReport,
    private readonly chosen: ChosenColumns | null,
    private readonly max = MAX_ROWS,
  ) {
    this.run = reportedRun(report);
    this.columns = reportColumns('page', this.run);
  }

  /** Rows that are held. */
  get held(): number {
    return this.rows.length;
  }

  /** Names of the chosen columns, when no row that is held has them. */
  get missing(): readonly string[] {
    const isThere = this.rows.some(({ chosen }) => chosen !== null);
    return isThere || this.rows.length === 0 ? [] : (this.chosen?.names ?? []);
  }

  isBad(row: RowReport): boolean {
    const repeats = reportKind(this.run) === 'comparison' && repeatOf(row) !== null;
    return !GOOD_OUTCOMES.has(row.outcome) || repeats;
  }

  /** Adds a bad row, with the ids of its reasons. */
  async add(row: RowReport, reasons: readonly number[]): Promise<void> {
    this.count++;
    if (this.rows.length >= this.max) return;
    this.outcomes.add(row.outcome);
    for (const id of reasons) this.reasons.add(id);
    const cells = this.columns.map((column) =>
      pageCell(column, (column.page ?? column.cell)(row, this.run)),
    );
    const chosen = (await this.chosen?.cells(row)) ?? null;
    this.rows.push({ cells, chosen: chosen && chosen.map(chosenCell), reasons });
  }

  /** The data of the page's script, as JSON text. Columns that are empty in every row are left out. */
  json(charts: readonly object[]): string {
    const columns = this.pageColumns();
    const lines = this.rows.map((row) =>
      JSON.stringify([...columns.map(({ cell }) => cell(row)), row.reasons]),
    );
    const table = {
      columns: columns.map(({ name }) => name),
      numeric: columns.map(({ numeric }) => numeric),
      outcomeAt: columns.findIndex(({ part }) => part === 'outcome'),
      charts,
    };
    return `${JSON.stringify(table).slice(0, -1)},"rows":[\n${lines.join(',\n')}]}`;
  }

  /** The columns from left to right: the chosen ones before the identifiers, in place of the uuid. */
  private pageColumns(): PageColumn[] {
    const own = this.columns.map(({ name, part }, at): PageColumn => {
      const cell = ({ cells }: HeldRow): PageCell => cells[at] ?? '';
      return { name, part, cell, numeric: this.isNumeric(cell) };
    });
    const names = this.missing.length > 0 ? [] : (this.chosen?.names ?? []);
    const chosen = names.map((name, at): PageColumn => {
      const cell = ({ chosen: cells }: HeldRow): PageCell => cells?.[at] ?? '';
      return { name, part: 'chosen', cell, numeric: false };
    });
    const before = own.findIndex(({ part }) => part === 'identifiers' || part === 'outcome');
    return [...own.slice(0, before), ...chosen, ...own.slice(before)].filter(
      ({ part, cell }) =>
        (part !== 'uuid' || chosen.length === 0) && this.rows.some((row) => cell(row) !== ''),
    );
  }

  private isNumeric(cell: PageColumn['cell']): boolean {
    const isNumber = (value: PageCell): boolean => typeof value === 'number' || value === '';
    return this.rows.every((row) => isNumber(cell(row)));
  }
}

interface PageColumn {
  readonly name: string;
  readonly part: ColumnPart | 'chosen';
  readonly cell: (row: HeldRow) => PageCell;
  readonly numeric: boolean;
}

/** Parts whose texts are names and values, which are shortened. */
const NAMES: ReadonlySet<ColumnPart> = new Set(['sheet', 'file', 'identifiers']);

function pageCell({ part }: ReportColumn, value: TableCell): PageCell {
  if (typeof value === 'number') return value;
  const text = value ?? '';
  if (NAMES.has(part)) return shortened(text);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

const chosenCell = (cell: Cell): PageCell => shortened(cell ?? '');
