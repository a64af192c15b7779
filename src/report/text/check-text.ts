import type { CheckOutcome } from '../../core/quality.js';
import { printableLine, shareText, whole } from '../../core/text.js';
import { placesText } from './words.js';
import type { Difference } from '../../core/client.js';

/** What a check of a list came to, as a sentence with figures and examples. */
export function checkText(found: CheckOutcome, inputs: readonly string[]): string {
  const { subject, rows, of, limit, examples } = found;
  if (subject === 'rows') return `rows: the list has ${whole(rows)}, and ${limit} are allowed.`;
  const figures = `${rowsText(rows)} of ${whole(of)} (${shareText(rows, of)})`;
  const where = examples.length === 0 ? '' : `; ${placesText(rows, examples, inputs)}`;
  const allowed = limit === 'none' ? 'none is' : `${limit} ${limit === '1' ? 'is' : 'are'}`;
  return printableLine(`${subject}: ${figures}, and ${allowed} allowed${where}.`);
}

const rowsText = (rows: number): string => (rows === 1 ? '1 row' : `${whole(rows)} rows`);

/** Checks that do not hold, one a text. */
export const failedChecks = (
  outcomes: readonly CheckOutcome[],
  inputs: readonly string[],
): string[] => outcomes.filter(({ holds }) => !holds).map((found) => checkText(found, inputs));

/** Whether one of them is a reason to send nothing. */
export const isStopped = (outcomes: readonly CheckOutcome[]): boolean =>
  outcomes.some(({ holds, else: otherwise }) => !holds && otherwise === 'stop');

/** A field that differs, as a person reads it. */
export function differenceText({ field, sheet, center }: Difference): string {
  return `${field}: ${JSON.stringify(sheet)} in the spreadsheet, ${JSON.stringify(center)} on the card`;
}
