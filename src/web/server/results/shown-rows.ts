import type { RunPage } from '../../../app/runs/result/run-results.js';
import type { Problem } from '../../../core/problem.js';
import type { RowReport } from '../../../core/report.js';
import { reportColumns } from '../../../report/column-layout.js';
import { reportedRun } from '../../../report/run-report.js';
import { differenceText } from '../../../report/text/difference-text.js';
import type { Language } from '../../shared/languages.js';
import type { ResultRows } from '../../shared/result.js';
import { sentenceIn } from '../language/sentence-in.js';
import { masked, maskedWords } from '../mask.js';
import { rowInLanguage } from './row-in-language.js';

/** The columns of the report's page, but for the uuid, which nobody reads. */
export function shownRows(
  page: RunPage,
  offset: number,
  { mask, language }: { readonly mask: boolean; readonly language: Language },
): ResultRows {
  const run = reportedRun(page);
  const columns = reportColumns('page', run).filter(({ part }) => part !== 'uuid');
  const rows = (mask ? page.rows.map(maskedRow) : page.rows).map((row) =>
    rowInLanguage(row, language),
  );
  const cells = rows.map((row) =>
    columns.map(({ name, page: own, cell }) =>
      name === 'differences' ? differencesIn(row, language) : (own ?? cell)(row, run),
    ),
  );
  // What no row of the page has takes no room, but for what every report has.
  const isUsed = columns.map(
    ({ part }, at) =>
      part === 'row' || part === 'outcome' || cells.some((row) => (row[at] ?? '') !== ''),
  );
  const used = <T>(all: readonly T[]): T[] => all.filter((_, at) => isUsed[at]);
  return {
    total: page.total,
    offset,
    columns: used(columns).map(({ name, part }) => ({ name, part })),
    rows: rows.map(({ outcome }, at) => ({ outcome, cells: used(cells[at] ?? []) })),
  };
}

const differencesIn = ({ inspection }: RowReport, language: Language): string | null =>
  inspection?.differences.map((one) => sentenceIn(language, differenceText(one))).join('; ') ??
  null;

/** Without what the row's cells say; where the row stands, and why it ended as it did, remain. */
function maskedRow(row: RowReport): RowReport {
  const { identifiers, problems, remarks, inspection } = row;
  return {
    ...row,
    identifiers: identifiers.map((value) => (value === null ? null : masked(String(value)))),
    createResult: row.createResult && maskedWords(row.createResult),
    enqueueResult: row.enqueueResult && maskedWords(row.enqueueResult),
    changeResult: row.changeResult && maskedWords(row.changeResult),
    problems: problems.map(maskedProblem),
    ...(remarks ? { remarks: remarks.map(maskedProblem) } : {}),
    ...(inspection
      ? {
          inspection: {
            ...inspection,
            differences: inspection.differences.map(({ field, sheet, center }) => ({
              ...{ field, sheet: sheet && masked(String(sheet)) },
              center: center && masked(String(center)),
            })),
          },
        }
      : {}),
  };
}

const maskedProblem = (problem: Problem): Problem => ({
  ...problem,
  value: problem.value && masked(problem.value),
});
