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

/** Draws the charts of `data.charts`, anew when the page's size or its colours change. */
const CHARTS_SCRIPT = String.raw`
  const drawn = [];
  const draw = () => {
    for (const chart of drawn.splice(0)) chart.destroy();
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const axis = { stroke: colour('--text'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line') } };
    for (const { id, labels, seconds, series } of data.charts) {
      const colours = [colour('--one'), colour('--two')];
      drawn.push(new uPlot({
        width: at(id).clientWidth, height: 220,
        scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(high, 1) * 1.1] } },
        axes: [{ ...axis, values: (_, ticks) => ticks.map((tick) => tick + ' s') }, { ...axis, size: 70, values: (_, ticks) => ticks.map(whole) }],
        series: [{ label: 'second' }, ...labels.map((label, index) => ({ label, stroke: colours[index], width: 2, spanGaps: true, points: { show: seconds.length < 40, fill: colours[index], size: 5 } }))],
      }, [seconds, ...series], at(id)));
    }
  };
  if (data.charts.length > 0) {
    draw();
    addEventListener('resize', draw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  }
`;

/** Fills the table of rows from `data`, and lets the person search, filter, sort and turn pages. */
const ROWS_SCRIPT = String.raw`
  if (!at('table')) return;
  const SIZE = 100;
  // More than 150 pages of paper; ten times as many would keep a browser busy for long.
  const PRINTED = 5000;
  const { columns, numeric, outcomeAt, rows } = data;
  const reasonsOf = rows.map((row) => row.pop());
  const texts = rows.map((row) => row.join('\u0000').toLowerCase());
  const view = { query: '', outcome: '', reason: '', column: -1, up: true, page: 0 };
  const head = at('table').tHead.insertRow();
  columns.forEach((name, index) => {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.classList.toggle('number', numeric[index]);
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = name;
    button.addEventListener('click', () => {
      view.up = view.column === index ? !view.up : true;
      view.column = index;
      view.page = 0;
      show();
    });
    cell.append(button);
    head.append(cell);
  });
  const compare = (column, up) => (a, b) => {
    const [left, right] = [rows[a][column], rows[b][column]];
    const order = numeric[column] ? left - right : left < right ? -1 : left > right ? 1 : 0;
    return (up ? order : -order) || a - b;
  };
  const isChosen = (index) =>
    (view.outcome === '' || rows[index][outcomeAt] === view.outcome) &&
    (view.reason === '' || reasonsOf[index].includes(Number(view.reason))) &&
    texts[index].includes(view.query);
  const chosen = () => {
    const found = [];
    for (let index = 0; index < rows.length; index++) if (isChosen(index)) found.push(index);
    return view.column < 0 ? found : found.sort(compare(view.column, view.up));
  };
  const fill = (shown) => {
    const body = document.createElement('tbody');
    for (const index of shown) {
      const line = body.insertRow();
      rows[index].forEach((value, column) => {
        const cell = line.insertCell();
        if (value !== '') cell.appendChild(document.createElement('span')).textContent = value;
        cell.dataset.label = columns[column];
        cell.classList.toggle('number', numeric[column]);
      });
    }
    at('table').tBodies[0].replaceWith(body);
  };
  // A printed page has no buttons: all rows that match are printed.
  const print = () => {
    const found = chosen();
    fill(found.slice(0, PRINTED));
    at('printed').textContent = found.length <= PRINTED ? whole(found.length) + (found.length === 1 ? ' row' : ' rows')
      : 'The first ' + whole(PRINTED) + ' of ' + whole(found.length) + ' rows are printed; --format csv or xlsx has them all.';
  };
  const buttons = document.querySelectorAll('[data-reason]');
  const show = () => {
    const found = chosen();
    const pages = Math.max(1, Math.ceil(found.length / SIZE));
    view.page = Math.min(view.page, pages - 1);
    [...head.cells].forEach((cell, index) => {
      if (index === view.column) cell.setAttribute('aria-sort', view.up ? 'ascending' : 'descending');
      else cell.removeAttribute('aria-sort');
      cell.firstChild.textContent = columns[index] + (index === view.column ? (view.up ? ' ↑' : ' ↓') : '');
    });
    fill(found.slice(view.page * SIZE, (view.page + 1) * SIZE));
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.reason === view.reason));
    at('reason').value = view.reason;
    at('count').textContent = whole(found.length) + (found.length === 1 ? ' row' : ' rows');
    at('page').textContent = 'Page ' + whole(view.page + 1) + ' of ' + whole(pages);
    at('previous').disabled = view.page === 0;
    at('next').disabled = view.page === pages - 1;
  };
  const change = (name, value) => { view[name] = value; view.page = 0; show(); };
  for (const button of buttons)
    button.addEventListener('click', () => {
      const { reason } = button.dataset;
      change('reason', view.reason === reason ? '' : reason);
      if (view.reason !== '') at('rows').scrollIntoView();
    });
  at('query').form.addEventListener('submit', (event) => event.preventDefault());
  at('query').addEventListener('input', () => change('query', at('query').value.toLowerCase()));
  at('outcome').addEventListener('change', () => change('outcome', at('outcome').value));
  at('reason').addEventListener('change', () => change('reason', at('reason').value));
  at('previous').addEventListener('click', () => { view.page--; show(); });
  at('next').addEventListener('click', () => { view.page++; show(); });
  addEventListener('beforeprint', print);
  addEventListener('afterprint', show);
  show();
`;

/** The page's script. Texts become text nodes, never markup. */
export const SCRIPT = `
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const at = (id) => document.getElementById(id);
  const whole = (value) => value.toLocaleString('en-US');
${CHARTS_SCRIPT}${ROWS_SCRIPT}})();
`;

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
