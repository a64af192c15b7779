/** Formats of a report, in the order of the help. */
export const REPORT_FORMATS = ['csv', 'jsonl', 'xlsx', 'html', 'parquet', 'text'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Formats that are text, line by line, and go to standard output; the others are written to files. */
export type LineFormat = 'csv' | 'jsonl' | 'text';

const LINE_FORMATS: ReadonlySet<ReportFormat> = new Set<LineFormat>(['csv', 'jsonl', 'text']);

/** Whether a report of this format goes to standard output. */
export function isLineFormat(format: ReportFormat): format is LineFormat {
  return LINE_FORMATS.has(format);
}
