import { printableJson } from '../../core/text.js';
import { reportColumns, reportedRun, type RunReport, shownRows } from '../rows.js';
import { inPieces } from '../files.js';

/** One JSON object a line for each row: the columns of `report.csv` by the same names, problems and remarks as objects. */
export function reportJsonl(report: RunReport): Generator<string, void, undefined> {
  const run = reportedRun(report);
  const columns = reportColumns('table', run).map(({ name, json, cell }) => ({
    name,
    value: json ?? cell,
  }));
  return inPieces(shownRows(report), (row) => {
    const object: Record<string, unknown> = {};
    for (const { name, value } of columns) object[name] = value(row, run);
    // A terminal that shows the file must not obey control characters in it.
    return `${printableJson(JSON.stringify(object))}\n`;
  });
}
