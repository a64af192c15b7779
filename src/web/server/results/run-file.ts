import { basename, join } from 'node:path';
import { temporaryFolder } from '../../../app/inputs/temporary-folder.js';
import { reportLines, writeReportFile } from '../../../app/runs/report.js';
import {
  FORMATS,
  isLineFormat,
  REPORT_FORMATS,
  type ReportFormat,
} from '../../../report/formats.js';
import type { Download } from '../handler.js';
import { Refusal } from '../refusal.js';
import type { Site } from '../site.js';

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/** A report in the format that the name ends with, or a file of rejects. @throws Refusal where there is no such file */
export async function runFile(run: string, file: string, site: Site): Promise<Download> {
  if (site.settings.mask) throw hidden();
  const format = REPORT_FORMATS.find((one) => file === `report${FORMATS[one].ending}`);
  if (format !== undefined) return report(run, format, site);
  const { rejects } = await site.results.result(run);
  const path = rejects.find((one) => basename(one) === file);
  if (path === undefined) throw noFile();
  const ending = basename(path).split('.').at(-1) ?? '';
  return { path, name: `${run}-${file}`, type: TYPES[ending] ?? 'application/octet-stream' };
}

async function report(run: string, format: ReportFormat, site: Site): Promise<Download> {
  const { ledger } = site.settings;
  const name = `report-${run}${FORMATS[format].ending}`;
  const type = TYPES[format] ?? 'application/octet-stream';
  // Asked first, so that what is wrong is answered, and not met in the middle of the file.
  await site.results.result(run);
  if (isLineFormat(format)) return { name, type, pieces: reportLines({ run, format, ledger }) };
  const folder = await temporaryFolder();
  try {
    const path = await writeReportFile({ run, format, ledger, file: join(folder.path, name) });
    return { name, type, path, release: () => folder.remove() };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

const noFile = (): Refusal =>
  new Refusal(404, {
    code: 'no_file',
    sentence: 'This file of the run is not there any more.',
    next: 'The reports can be made again from the ledger.',
  });

const hidden = (): Refusal =>
  new Refusal(403, {
    code: 'masked',
    sentence: 'This file holds personal data, which this page hides.',
    next: 'Start cardline ui without --mask to download it.',
  });
