import { basename } from 'node:path';
import { printableLine } from '../core/text.js';
import type { SourceInfo } from '../core/table.js';
import { STANDARD_INPUT } from './output/output.js';

const DELIMITER_NAMES: Readonly<Record<string, string>> = { '\t': 'tab' };

/** What was found out about an input file, in one line. */
export function inputText(file: string, info: SourceInfo): string {
  const { formatName, gzip, part, encoding, bom, delimiter, sheets } = info;
  const packing = part === undefined ? ' (gzip)' : ` ("${part}" in a zip file)`;
  const names = sheets.map((name) => `"${name}"`).join(', ');
  const found = [
    formatName + (gzip ? packing : ''),
    encoding && encoding + (bom ? ' with byte order mark' : ''),
    delimiter && `delimiter ${DELIMITER_NAMES[delimiter] ?? `"${delimiter}"`}`,
    sheets.length > 0 && `${sheets.length === 1 ? 'sheet' : 'sheets'} ${names}`,
  ];
  const line = printableLine(`${nameOf(file)}: ${found.filter(Boolean).join(', ')}`);
  const doubt = doubtText(file, info);
  return doubt === undefined ? line : `${line}\n${doubt}`;
}

/** A warning, in one line, where it is not sure which encoding a file is in. */
export function doubtText(
  file: string,
  { encoding, encodingDoubt }: SourceInfo,
): string | undefined {
  if (!encodingDoubt) return undefined;
  const { runnerUp, word, otherWord } = encodingDoubt;
  return printableLine(
    `${nameOf(file)}: the encoding is not sure: "${word}" (${encoding ?? ''}) or "${otherWord}" (${runnerUp})? ` +
      'Name the right one with --encoding, or "source: { encoding: … }" in the mapping.',
  );
}

const nameOf = (file: string): string =>
  file === STANDARD_INPUT ? 'standard input' : basename(file);
