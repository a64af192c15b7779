import { InputError, UsageError } from '../core/errors.js';
import type { SourceInfo, SourceOptions } from '../core/table.js';

/**
 * Refuses a sheet that was asked of a file without sheets: most likely another file was meant.
 * @param name of the file, as the person knows it
 * @throws UsageError
 */
export function refuseSheetOfText(
  name: string,
  { sheets, formatName }: SourceInfo,
  { sheet }: SourceOptions,
): void {
  if (sheet === undefined || sheets.length > 0) return;
  throw new UsageError(
    `${name} is no workbook but ${formatName}, and has no sheets. Leave --sheet out, or name another file.`,
  );
}

/**
 * Refuses a text of which it is not sure in which encoding it is. Holds no word of it: the error may be logged.
 * @param name of the file, as the person knows it
 * @throws InputError
 */
export function refuseUnsureEncoding(name: string, { encoding, encodingDoubt }: SourceInfo): void {
  if (!encodingDoubt) return;
  const reason =
    `the text is in ${encoding ?? 'one encoding'} or in ${encodingDoubt.runnerUp}, and either makes sense. "cardline rows" ` +
    'shows a word in both. Name the right one with --encoding, or "source: { encoding: … }" in the mapping.';
  throw new InputError('unsure_encoding', reason, { file: name });
}
