import { printableJson } from '../core/text/printable.js';
import type { RowReport } from '../core/report.js';
import { inPieces } from './files/pieces.js';
import { type RunReport, shownRows, tellsOf } from './run-report.js';
import { verdictValues } from './verdict-columns.js';

/** One JSON object a line for each row, with everything that is known of it: identifiers by name, problems whole. */
export function reportJsonl(report: RunReport): Generator<string, void, undefined> {
  const { identifierNames, run } = report;
  const tell = tellsOf(report) === 'verdicts' ? comparedRow : endedRow;
  return inPieces(shownRows(report), (row) => {
    const named = Object.fromEntries(
      row.identifiers.map((value, at) => [identifierNames[at] ?? at, value]),
    );
    const file = run.inputs[row.input] ?? null;
    const told = { ordinal: row.ordinal, file, ...tell(row), identifiers: named };
    // Such a file is looked at in terminals, too.
    return `${printableJson(JSON.stringify(told))}\n`;
  });
}

const endedRow = ({ ordinal: _, input: __, inspection: ___, ...row }: RowReport): object => row;

function comparedRow(row: RowReport): object {
  const { sheet, row: number, uuid, identifiers, problems } = row;
  return { sheet, row: number, uuid, identifiers, ...verdictValues(row), problems };
}
