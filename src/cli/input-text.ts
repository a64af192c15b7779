import { basename } from 'node:path';
import { printableLine } from '../core/text/printable.js';
import type { SourceInfo } from '../core/source.js';
import { STANDARD_INPUT } from './standard-input.js';

const DELIMITER_NAMES: Readonly<Record<string, string>> = { '\t': 'tab' };

/** What was found out about an input file, in one line. */
export function inputText(file: string, info: SourceInfo): string {
  const name = file === STANDARD_INPUT ? 'standard input' : basename(file);
  const { formatName, gzip, encoding, bom, delimiter, sheets } = info;
  const found = [
    formatName + (gzip ? ' (gzip)' : ''),
    encoding && encoding + (bom ? ' with byte order mark' : ''),
    delimiter && `delimiter ${DELIMITER_NAMES[delimiter] ?? `"${delimiter}"`}`,
    sheets.length > 0 && sheetsText(sheets),
  ];
  return printableLine(`${name}: ${found.filter(Boolean).join(', ')}`);
}

function sheetsText(sheets: readonly string[]): string {
  const names = sheets.map((name) => `"${name}"`).join(', ');
  return `${sheets.length === 1 ? 'sheet' : 'sheets'} ${names}`;
}
