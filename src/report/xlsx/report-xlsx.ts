import { OUTCOMES } from '../../core/outcome.js';
import { leavesOut } from '../../core/problem.js';
import { CORRECTED } from '../../core/table.js';
import { placeText } from '../text/words.js';
import type { ReasonTally } from '../reasons.js';
import { repeatedFacts, reportTable, RowTally, type RunReport } from '../rows.js';
import { runFacts } from '../summary.js';
import { EXCEL_LIMITS, type SheetLimits, WorkbookFile } from './workbook-file.js';

/** Width of columns in characters. */
const WIDTH = 18;

/**
 * Writes the run as a workbook of three sheets: a summary, the rows, and the reasons by frequency. Rows that do not fit
 * on one sheet continue on the next. Texts are texts: nothing is taken for a number, a date or a formula.
 * @throws OutputError when it cannot be written; an older file stays as it was
 */
export async function writeXlsx(
  file: string,
  report: RunReport,
  limits = EXCEL_LIMITS,
): Promise<void> {
  const workbook = await WorkbookFile.open(file);
  const tally = new RowTally(report);
  try {
    await writeRows(workbook, report, limits, tally);
    await writeReasons(workbook, report, tally.reasons);
    await writeSummary(workbook, report, tally);
  } catch (error) {
    await workbook.discard();
    throw error;
  }
  await workbook.commit();
}

async function writeRows(
  workbook: WorkbookFile,
  report: RunReport,
  limits: SheetLimits,
  tally: RowTally,
): Promise<void> {
  const { columns, cells } = reportTable(report);
  let number = 0;
  const nextSheet = async (): Promise<void> => {
    number++;
    await workbook.addSheet('Rows', columns.length, { number, table: true, width: WIDTH });
    await workbook.addRow(columns.map(({ name }) => name));
  };
  await nextSheet();
  for (const row of report.rows) {
    if (tally.add(row) === null) continue;
    if (workbook.isFull(limits)) await nextSheet();
    const written = workbook.addRow(cells(row));
    if (written) await written;
  }
}

const REASON_COLUMNS = ['rows', 'outcome', 'from', 'column', 'problem', 'message', 'example rows'];

async function writeReasons(
  workbook: WorkbookFile,
  { run }: RunReport,
  tally: ReasonTally,
): Promise<void> {
  await workbook.addSheet('Reasons', REASON_COLUMNS.length, {
    number: 1,
    table: true,
    width: WIDTH,
  });
  await workbook.addRow(REASON_COLUMNS);
  for (const { rows, outcome, from, column, code, message, examples } of tally.list()) {
    const places = examples.map((place) => placeText(place, run.inputs)).join(', ');
    await workbook.addRow([rows, outcome, from, column, code, message, places]);
  }
  if (tally.unlisted > 0)
    await workbook.addRow([tally.unlisted, null, null, null, null, 'further reasons, one by one']);
}

async function writeSummary(
  workbook: WorkbookFile,
  report: RunReport,
  { outcomes, rows, repeated, remarks }: RowTally,
): Promise<void> {
  await workbook.addSheet('Summary', 2, { number: 1, first: true, width: 2 * WIDTH });
  for (const fact of runFacts(report)) await workbook.addRow(fact);
  await workbook.addRow([]);
  await workbook.addRow(['rows', rows]);
  for (const outcome of OUTCOMES)
    if (outcomes[outcome] > 0) await workbook.addRow([outcome, outcomes[outcome]]);
  for (const fact of repeated ? repeatedFacts(repeated) : []) await workbook.addRow(fact);
  for (const { column, code, message, count } of remarks.list())
    await workbook.addRow([`${kindOf(code)}: ${column ?? code}`, count, message]);
}

const kindOf = (code: string): string => {
  if (code === CORRECTED) return CORRECTED;
  return leavesOut(code) ? 'left out' : 'remarked';
};
