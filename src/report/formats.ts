import { writePieces } from './files.js';
import type { ReportSource, RunReport } from './rows.js';
import { extname } from 'node:path';
import { UsageError } from '../core/errors.js';

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

/** Formats of a report, in the order of the help. */
export const REPORT_FORMATS = ['csv', 'jsonl', 'xlsx', 'html', 'parquet', 'text'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/**
 * A writer is loaded when its format is asked for: most runs need CSV only. `printedAs`: how standard output takes it,
 * `data` as it is, wherever it goes, `json` line by line, `text` for a person to read.
 */
export const FORMATS = {
  csv: {
    ending: '.csv',
    printedAs: 'data',
    load: async () => (await import('./lines.js')).reportCsv,
  },
  jsonl: {
    ending: '.jsonl',
    printedAs: 'json',
    load: async () => (await import('./lines.js')).reportJsonl,
  },
  xlsx: {
    ending: '.xlsx',
    printedAs: null,
    load: async () => (await import('./xlsx.js')).writeXlsx,
  },
  html: {
    ending: '.html',
    printedAs: null,
    load: async () => (await import('./html.js')).writeHtml,
  },
  parquet: {
    ending: '.parquet',
    printedAs: null,
    load: async () => (await import('./parquet.js')).writeParquet,
  },
  text: {
    ending: '.txt',
    printedAs: 'text',
    load: async () => (await import('./lines.js')).reportText,
  },
} as const satisfies Record<
  ReportFormat,
  { readonly ending: string; readonly printedAs: string | null; readonly load: unknown }
>;

/** Formats that go to standard output; the others are written to files. */
export type LineFormat = {
  [Format in ReportFormat]: (typeof FORMATS)[Format]['printedAs'] extends null ? never : Format;
}[ReportFormat];

/** Whether a report of this format goes to standard output. */
export function isLineFormat(format: ReportFormat): format is LineFormat {
  return FORMATS[format].printedAs !== null;
}

/** The format by the ending of a file's name. @throws UsageError when the ending is unknown */
export function formatOfFile(file: string): ReportFormat {
  const ending = extname(file).toLowerCase();
  const found = REPORT_FORMATS.find((format) => FORMATS[format].ending === ending);
  if (found) return found;
  const known = REPORT_FORMATS.map((format) => FORMATS[format].ending).join(', ');
  throw new UsageError(
    `${file}: ${ending === '' ? 'a name without an ending' : `the ending ${ending}`} does not name a format. Give --format, or a name that ends with ${known}.`,
  );
}
