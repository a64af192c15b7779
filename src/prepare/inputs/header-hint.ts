import { ConfigurationError } from '../../core/errors/errors.js';
import type { SourceInfo } from '../../core/table/source.js';

/** Where a header was read. */
export interface HeaderPlace {
  readonly info: SourceInfo;
  readonly sheet: string | null;
  readonly hasHeader: boolean;
  readonly headerRow: number;
}

/** Sheets that are listed at most. */
const MAX_LISTED = 10;

/**
 * Compiles a mapping, and, where the spreadsheet lacks columns, adds to the errors which row of which sheet was taken for
 * the header.
 * @throws ConfigurationError
 */
export function withHeaderNamed<T>(place: HeaderPlace, name: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const isMissing = error.mistakes.some(({ message }) =>
      message.startsWith(`${name} has no column `),
    );
    if (!isMissing) throw error;
    const message = hint(place);
    if (message === '') throw error;
    throw new ConfigurationError([...error.mistakes, { file: name, message }]);
  }
}

function hint({ info, sheet, hasHeader, headerRow }: HeaderPlace): string {
  const where = sheet === null ? '' : ` of sheet "${sheet}"`;
  const others = info.otherSheets ?? [];
  const listed = others.slice(0, MAX_LISTED).map((other) => `"${other}"`);
  if (others.length > MAX_LISTED) listed.push(`${others.length - MAX_LISTED} more`);
  // Records name their values themselves: no row is their header.
  const header = `row ${headerRow}${where} was taken for the header. Name another one with source.headerRow.`;
  const sentences = [
    !hasHeader
      ? `the table${where} was read without a header: its columns are A, B, C and so on.`
      : headerRow > 0
        ? header
        : '',
    others.length > 0 ? `Other sheets: ${listed.join(', ')}.` : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
