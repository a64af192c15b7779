import { ConfigurationError, type ConfigMistake } from '../../core/errors.js';
import type { SourceInfo } from '../../core/table.js';

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
    const isMissing = ({ message }: ConfigMistake): boolean =>
      message.startsWith(`${name} has no column `);
    if (!error.mistakes.some(isMissing)) throw error;
    const mistakes = listedOnce(error.mistakes, isMissing);
    const message = hint(place);
    throw new ConfigurationError(
      message === '' ? mistakes : [...mistakes, { file: name, message }],
    );
  }
}

/** All columns of the file are listed with the first one that is missing: with each they would bury the others. */
function listedOnce(
  mistakes: readonly ConfigMistake[],
  isMissing: (mistake: ConfigMistake) => boolean,
): ConfigMistake[] {
  const lists = mistakes.filter(
    (mistake) => isMissing(mistake) && mistake.suggestion?.startsWith('There is: '),
  );
  const repeated = new Set(lists.slice(1));
  return mistakes.map((mistake) => {
    if (!repeated.has(mistake)) return mistake;
    const { suggestion: _, ...alone } = mistake;
    return alone;
  });
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
