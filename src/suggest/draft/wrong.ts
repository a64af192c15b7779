import type { Column } from '../choose/columns.js';
import { isPhone } from '../contents/phones.js';
import { toEmail, toPhone } from '../../mapping/compile/convert.js';
import type { Plain } from '../../config/yaml-text.js';

/** What is done with wrong values, with a remark on how many there are. */
export interface WrongValues {
  readonly keys: Readonly<Record<string, Plain>>;
  readonly note?: string;
}

/** Leaves wrong values out where the rows that were looked at have some. */
export function dropped(count: number, { cells }: Column, what: string): WrongValues {
  if (count === 0) return { keys: {} };
  const note = `${count} of ${cells.filled} cells looked at are no ${what}: they are left out, with a remark`;
  return { keys: { invalid: 'drop' }, note };
}

/** How many cells hold something that is no e-mail address. */
export function wrongEmails(column: Column, separator: string | undefined): number {
  return countWrong(column, separator, (part) => typeof toEmail(part) === 'string');
}

/** How many cells hold something that is no phone; `isChecked`: no number that can exist in the country. */
export function wrongPhones(
  column: Column,
  country: string | undefined,
  isChecked: boolean,
): number {
  return countWrong(column, column.phoneSeparator ?? undefined, (part) =>
    isChecked ? isPhone(part, country) : typeof toPhone(part) === 'string',
  );
}

function countWrong(
  { cells }: Column,
  separator: string | undefined,
  isRight: (part: string) => boolean,
): number {
  let wrong = 0;
  for (const [text, count] of cells.values) {
    const parts = separator === undefined ? [text] : text.split(separator);
    if (!parts.every((part) => part.trim() === '' || isRight(part.trim()))) wrong += count;
  }
  return wrong;
}
