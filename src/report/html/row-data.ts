import { basename } from 'node:path';
import { GOOD_OUTCOMES } from '../../core/outcome.js';
import type { RowReport } from '../../core/report.js';
import { shortened } from '../../core/shortened.js';
import { problemText } from '../problem-text.js';
import { refusal } from '../reasons.js';
import { differenceText } from '../report-csv.js';
import type { RunReport } from '../run-report.js';

/** Rows that a page holds: more would make it slow to open. */
const MOST = 50_000;
/** Longest reason that is shown, in characters. */
const REASON_LENGTH = 1000;

/** Collects the rows that did not end well, for the page's table. Holds no more than `most`. */
export class BadRows {
  /** Each row as JSON text. */
  readonly rows: string[] = [];
  readonly outcomes = new Set<string>();
  count = 0;

  constructor(
    private readonly report: RunReport,
    private readonly most = MOST,
  ) {}

  add(row: RowReport): void {
    if (GOOD_OUTCOMES.has(row.outcome)) return;
    this.count++;
    if (this.rows.length >= this.most) return;
    this.outcomes.add(row.outcome);
    this.rows.push(JSON.stringify(this.cells(row)));
  }

  /** What the page's script needs to show them, as JSON text. */
  json(charts: readonly object[]): string {
    const { identifierNames } = this.report;
    const columns = ['row', ...this.places(), ...identifierNames, 'uuid', 'outcome', 'reason'];
    const table = {
      columns,
      numeric: columns.map((_, at) => at === 0),
      outcomeAt: columns.length - 2,
      charts,
    };
    return `${JSON.stringify(table).slice(0, -1)},"rows":[\n${this.rows.join(',\n')}]}`;
  }

  private places(): string[] {
    return this.report.run.inputs.length > 1 ? ['file', 'sheet'] : ['sheet'];
  }

  private cells({ row, ...rest }: RowReport): (string | number)[] {
    const { inputs } = this.report.run;
    const file = inputs.length > 1 ? [basename(inputs[rest.input] ?? '')] : [];
    const texts = [...file, rest.sheet, ...rest.identifiers, rest.uuid];
    const cells = texts.map((value) => shortened(String(value ?? '')));
    return [row, ...cells, rest.outcome, reasonOf({ row, ...rest })];
  }
}

/** All that is known of why the row ended as it did. */
function reasonOf(row: RowReport): string {
  const { differences = [], remark } = row.inspection ?? {};
  const parts = [
    refusal(row),
    remark,
    ...differences.map(differenceText),
    problemText(row.problems),
  ];
  const text = parts.filter(Boolean).join('; ');
  return text.length > REASON_LENGTH ? `${text.slice(0, REASON_LENGTH)}…` : text;
}
