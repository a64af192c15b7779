import type { InputPlace } from '../../core/errors/errors.js';
import type { SourceOptions } from '../../core/table/source.js';
import { fail, SAVE_AGAIN } from './errors.js';
import type { Sheet } from './workbook.js';

/** A sheet that has rows. */
export interface ChosenSheet {
  readonly name: string;
  readonly part: string;
}

/**
 * The sheets to be read: the named or numbered one (from 1, over all tabs, hidden ones and charts included), all with
 * `allSheets`, else the first visible one. Charts and dialogs are passed over.
 * @throws InputError `unknown_sheet` or `no_sheet`, naming what there is; `lost_sheet` where a wanted one has no part.
 */
export function chooseSheets(
  sheets: readonly Sheet[],
  { sheet, allSheets = false }: SourceOptions,
  place: InputPlace,
): ChosenSheet[] {
  const readable = sheets.filter((candidate) => candidate.part !== null);
  if (sheet !== undefined) return [withPart(named(sheets, sheet, place), sheets, place)];
  if (allSheets) return readable.map((candidate) => withPart(candidate, sheets, place));
  const first = readable.find(({ hidden }) => !hidden);
  if (first === undefined)
    fail('no_sheet', `the workbook has no visible sheet with rows. ${listed(sheets)}`, place);
  return [withPart(first, sheets, place)];
}

function named(sheets: readonly Sheet[], wanted: string | number, place: InputPlace): Sheet {
  const found = typeof wanted === 'number' ? sheets[wanted - 1] : byText(sheets, wanted);
  if (found !== undefined) return found;
  const what = typeof wanted === 'number' ? `sheet number ${wanted}` : `sheet "${wanted}"`;
  fail('unknown_sheet', `there is no ${what}. ${listed(sheets)}`, place);
}

/** By name; where no sheet has it, a number from 1 is a position. */
function byText(sheets: readonly Sheet[], wanted: string): Sheet | undefined {
  return (
    sheets.find(({ name }) => name === wanted) ??
    // Names of sheets differ in more than their case (Excel sees to it).
    sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ??
    (/^[1-9]\d*$/.test(wanted) ? sheets[Number(wanted) - 1] : undefined)
  );
}

function withPart({ name, part }: Sheet, sheets: readonly Sheet[], place: InputPlace): ChosenSheet {
  if (part === undefined)
    fail(
      'lost_sheet',
      `the workbook is damaged: it does not say where sheet "${name}" is stored. ${SAVE_AGAIN}`,
      place,
    );
  if (part === null)
    fail(
      'unknown_sheet',
      `sheet "${name}" is a chart or dialog without rows. ${listed(sheets)}`,
      place,
    );
  return { name, part };
}

const MAX_LISTED = 20;

function listed(sheets: readonly Sheet[]): string {
  const names = sheets
    .filter(({ part }) => part !== null)
    .map(({ name, hidden }) => `"${name}"${hidden ? ' (hidden)' : ''}`);
  if (names.length === 0) return 'It has no sheets with rows.';
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
  return `Its sheets are: ${names.slice(0, MAX_LISTED).join(', ')}${more}.`;
}
