import { extname } from 'node:path';
import { UsageError } from '../core/errors.js';

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

/** Ending of the files of each format. */
export const FORMAT_ENDING: Readonly<Record<ReportFormat, string>> = {
  csv: '.csv',
  jsonl: '.jsonl',
  xlsx: '.xlsx',
  html: '.html',
  parquet: '.parquet',
  text: '.txt',
};

/** The format that the ending of a file's name says. @throws UsageError when it says none */
export function formatOfFile(file: string): ReportFormat {
  const ending = extname(file).toLowerCase();
  const found = REPORT_FORMATS.find((format) => FORMAT_ENDING[format] === ending);
  if (found) return found;
  const known = Object.values(FORMAT_ENDING).join(', ');
  throw new UsageError(
    `${file}: ${ending === '' ? 'a name without an ending' : `the ending ${ending}`} says no format. Give --format, or a name that ends with ${known}.`,
  );
}
