import type { RowReport } from '../core/report.js';
import { inPieces } from './pieces.js';
import { type RunReport, shownRows } from './run-report.js';

/** One JSON object a line for each row, with everything that is known of it: identifiers by name, problems whole. */
export function reportJsonl(report: RunReport): Generator<string, void, undefined> {
  const { identifierNames, run } = report;
  return inPieces(shownRows(report), ({ ordinal, input, identifiers, ...row }: RowReport) => {
    const named = Object.fromEntries(
      identifiers.map((value, at) => [identifierNames[at] ?? at, value]),
    );
    const file = run.inputs[input] ?? null;
    return `${JSON.stringify({ ordinal, file, ...row, identifiers: named })}\n`;
  });
}
