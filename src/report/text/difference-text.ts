import type { Difference } from '../../core/center.js';

/** A field that differs, as a person reads it. */
export function differenceText({ field, sheet, center }: Difference): string {
  return `${field}: ${JSON.stringify(sheet)} in the spreadsheet, ${JSON.stringify(center)} on the card`;
}
