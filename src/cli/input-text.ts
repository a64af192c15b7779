import { basename } from 'node:path';
import { printableLine } from '../core/text/printable.js';
import type { SourceInfo } from '../core/source.js';
import { STANDARD_INPUT } from './standard-input.js';

const DELIMITER_NAMES: Readonly<Record<string, string>> = { '\t': 'tab' };

/** What was found out about an input file, in one line. */
export function inputText(file: string, info: SourceInfo): string {
  const name = file === STANDARD_INPUT ? 'standard input' : basename(file);
  return printableLine(`${name}: ${info.format === 'csv' ? csvText(info) : workbookText(info)}`);
}

function csvText({
  gzip,
  encoding = 'unknown encoding',
  bom,
  delimiter = ',',
}: SourceInfo): string {
  const kind = gzip ? 'CSV (gzip)' : 'CSV';
  const mark = bom ? ' with byte order mark' : '';
  return `${kind}, ${encoding}${mark}, delimiter ${DELIMITER_NAMES[delimiter] ?? `"${delimiter}"`}`;
}

function workbookText({ sheets }: SourceInfo): string {
  const names = sheets.map((name) => `"${name}"`).join(', ');
  return `workbook, ${sheets.length === 1 ? 'sheet' : 'sheets'} ${names}`;
}
