import type { InputPlace } from '../../core/errors.js';
import type { SourceInfo, SourceOptions } from '../../core/table.js';
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
  if (sheet !== undefined)
    return namedSheets(sheets, sheet, place).map((one) => withPart(one, sheets, place));
  if (allSheets) return readable.map((candidate) => withPart(candidate, sheets, place));
  const first = readable.find(({ hidden }) => !hidden);
  if (first === undefined)
    fail('no_sheet', `the workbook has no visible sheet with rows. ${listed(sheets)}`, place);
  return [withPart(first, sheets, place)];
}

/** What is shown of the sheets of a workbook, by those that are read. */
export function sheetFacts(
  sheets: readonly Sheet[],
  chosen: readonly ChosenSheet[],
): Pick<SourceInfo, 'sheets' | 'otherSheets' | 'hiddenSheets' | 'tabs'> {
  const names = chosen.map(({ name }) => name);
  const others = sheets.filter(({ name, part }) => part !== null && !names.includes(name));
  const hidden = others.filter((sheet) => sheet.hidden);
  return {
    sheets: names,
    ...(others.length > 0
      ? { otherSheets: others.map(({ name }) => name), tabs: sheets.map(({ name }) => name) }
      : {}),
    ...(hidden.length > 0 ? { hiddenSheets: hidden.map(({ name }) => name) } : {}),
  };
}

const ALL = 'all';

/** The sheet of a name or number; else all, or several with their names. In the order of the workbook, each once. */
function namedSheets(
  sheets: readonly Sheet[],
  wanted: string | number,
  place: InputPlace,
): readonly Sheet[] {
  if (typeof wanted === 'number' || byText(sheets, wanted)) return [named(sheets, wanted, place)];
  const visible = sheets.filter(({ part, hidden }) => part !== null && !hidden);
  if (wanted.trim().toLowerCase() === ALL && visible.length > 0) return visible;
  const names = wanted.split(/[,;]/).map((name) => name.trim());
  if (names.length === 1) return [named(sheets, wanted, place)];
  const found = new Set(names.map((name) => named(sheets, name, place)));
  return sheets.filter((sheet) => found.has(sheet));
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
