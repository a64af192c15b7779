import { writePieces } from './files/text-file.js';
import { FORMATS, type LineFormat, type ReportFormat } from './formats.js';
import type { ReportSource, RunReport } from './run-report.js';

/** The text of a report in pieces. Memory does not grow with the rows where the format has a line for each. */
export async function* reportPieces(
  format: LineFormat,
  report: RunReport,
): AsyncGenerator<string, void, undefined> {
  const pieces = await FORMATS[format].load();
  yield* pieces(report);
}

/**
 * Writes a report into a file that appears complete or not at all.
 * @throws OutputError when it cannot be written; an older file stays as it was
 */
export async function writeReportAs(
  format: ReportFormat,
  file: string,
  source: ReportSource,
): Promise<void> {
  const entry = FORMATS[format];
  if (entry.printedAs !== null) return writePieces(file, (await entry.load())(source));
  await (
    await entry.load()
  )(file, source);
}
