import { type InputPlace, InputError } from '../../core/errors.js';
import type { SourceOptions } from '../../core/table.js';
import { fail, SAVE_AGAIN, shownName, LIMITS } from './limits.js';
import type { Archive } from '../zip.js';
import { readTags, decodeEscapes } from './xml.js';
import { posix } from 'node:path';

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
export function chooseSheets(sheets: readonly Sheet[], options: SourceOptions, place: InputPlace) {
  const { sheet: wanted, allSheets = false } = options;
  const readable = sheets.filter(({ part }) => part !== null);
  const first = readable.find(({ hidden }) => !hidden);
  const noSheet = `the workbook has no visible sheet with rows. ${listed(sheets)}`;
  if (wanted === undefined && !allSheets && !first) fail('no_sheet', noSheet, place);
  const asked = allSheets ? readable : readable.filter((one) => one === first);
  const those = wanted === undefined ? asked : namedSheets(sheets, wanted, place);
  const chosen = those.map(({ name, part }): ChosenSheet => {
    const lost = `the workbook is damaged: it does not say where sheet "${name}" is stored. ${SAVE_AGAIN}`;
    if (part === undefined) fail('lost_sheet', lost, place);
    const chart = `sheet "${name}" is a chart or dialog without rows. ${listed(sheets)}`;
    if (part === null) fail('unknown_sheet', chart, place);
    return { name, part };
  });
  const names = chosen.map(({ name }) => name);
  const others = sheets.filter(({ name, part }) => part !== null && !names.includes(name));
  const hidden = others.filter((sheet) => sheet.hidden);
  // What is shown of the sheets of a workbook, by those that are read.
  const about = {
    sheets: names,
    ...(others.length > 0
      ? { otherSheets: others.map(({ name }) => name), tabs: sheets.map(({ name }) => name) }
      : {}),
    ...(hidden.length > 0 ? { hiddenSheets: hidden.map(({ name }) => name) } : {}),
  };
  return { chosen, about };
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

const MAX_LISTED = 20;

function listed(sheets: readonly Sheet[]): string {
  const names = sheets
    .filter(({ part }) => part !== null)
    .map(({ name, hidden }) => `"${name}"${hidden ? ' (hidden)' : ''}`);
  if (names.length === 0) return 'It has no sheets with rows.';
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
  return `Its sheets are: ${names.slice(0, MAX_LISTED).join(', ')}${more}.`;
}

/** A tab of the workbook. */
export interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  /**
   * Its part; `null` for a chart, a dialog or a macro sheet, which have no rows; `undefined` where the workbook does not
   * say which it is.
   */
  readonly part: string | null | undefined;
}

export interface Workbook {
  /** In the order of the tabs. */
  readonly sheets: readonly Sheet[];
  /** Whether day 0 is 1904-01-01. */
  readonly date1904: boolean;
  /** May be missing, as in Excel: all cells are without a format then. */
  readonly styles: string | null;
  /** May be missing: a cell that refers to a text is refused then. */
  readonly sharedStrings: string | null;
}

/** Reads what a workbook is made of. @throws InputError when the file is no workbook. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const { place } = archive;
  const name = await findWorkbook(archive);
  const entries: ReadonlyMap<string, string>[] = [];
  let [isWorkbook, date1904] = [false, false];
  await readTags(archive, name, (scanner) => {
    const { depth, local } = scanner;
    if (depth === 1) isWorkbook = local === 'workbook';
    else if (depth === 2 && local === 'workbookPr')
      date1904 = /^(?:1|true|on)$/.test(scanner.attributes().get('date1904') ?? '');
    else if (depth === 3 && local === 'sheet' && scanner.ancestor(2) === 'sheets') {
      if (entries.length >= LIMITS.entries)
        fail('too_large', 'the workbook has too many sheets.', place);
      entries.push(scanner.attributes());
    }
  });
  if (!isWorkbook) failNoWorkbook(archive);
  const relationships = await readRelationships(archive, name);
  const targetOf = (wanted: string): string | null =>
    relationships.find(({ type }) => type === wanted)?.target ?? null;
  return {
    sheets: entries.map((attributes) => sheetOf(attributes, relationships)),
    date1904,
    styles: targetOf('styles'),
    sharedStrings: targetOf('sharedStrings'),
  };
}

async function findWorkbook(archive: Archive): Promise<string> {
  const main = (await packageRelationships(archive)).find(({ type }) => type === 'officeDocument');
  const name = main?.target ?? 'xl/workbook.xml';
  if (name.toLowerCase().endsWith('.bin') || !archive.has(name)) failNoWorkbook(archive);
  return name;
}

const BROKEN: readonly string[] = ['malformed_xml', 'truncated_xml'];

/** The package's own relationships say no more than where the workbook is; all programs put it in the same place. */
async function packageRelationships(archive: Archive): Promise<Relationship[]> {
  try {
    return await readRelationships(archive, '');
  } catch (error) {
    if (error instanceof InputError && BROKEN.includes(error.code)) return [];
    throw error;
  }
}

/** Other kinds of documents that are zip containers, by a part that only they have. */
const OTHERS = [
  ['word/document.xml', 'a Word document (.docx)'],
  ['ppt/presentation.xml', 'a PowerPoint presentation (.pptx)'],
  ['index/document.iwa', 'a document of Numbers, Pages or Keynote'],
] as const;

function failNoWorkbook(archive: Archive): never {
  const other = OTHERS.find(([part]) => archive.has(part));
  const reason =
    other === undefined
      ? `the file is a zip container without a workbook. ${SAVE_AGAIN}`
      : `the file is ${other[1]}, not a workbook. ${SAVE_AGAIN}`;
  fail('not_a_workbook', reason, archive.place);
}

/** Of sheets: they are shown on screens and in every line of reports. Spreadsheet programs take 31. */
const LONGEST_NAME = 128;

function sheetOf(attributes: ReadonlyMap<string, string>, all: readonly Relationship[]): Sheet {
  const name = shownName(decodeEscapes(attributes.get('name') ?? ''), LONGEST_NAME);
  const hidden = /^(very)?hidden$/i.test(attributes.get('state') ?? '');
  const relationship = attributes.get('id') ?? '';
  // Sheets without rows may do without any.
  if (relationship === '') return { name, hidden, part: null };
  const found = all.find(({ id }) => id === relationship);
  const part = found === undefined || found.type === 'worksheet' ? found?.target : null;
  return { name, hidden, part };
}

interface Relationship {
  readonly id: string;
  /** Last word of the type's address, the same in transitional and strict workbooks, such as `worksheet`. */
  readonly type: string;
  /** Name of the part that is meant. */
  readonly target: string;
}

/** The relationships of a part, or of the package for `''`; none when they are absent. External ones are left out. */
async function readRelationships(archive: Archive, part: string): Promise<Relationship[]> {
  const { dir, base } = posix.parse(part);
  const name = posix.join(dir, '_rels', `${base}.rels`);
  const found: Relationship[] = [];
  if (!archive.has(name)) return found;
  await readTags(archive, name, (scanner) => {
    if (scanner.local !== 'Relationship') return;
    const attributes = scanner.attributes();
    if (attributes.get('TargetMode')?.toLowerCase() === 'external') return;
    if (found.length >= LIMITS.entries)
      fail('too_large', 'the workbook has too many relationships.', archive.place);
    // A target is relative to the folder of its part, or to the package when it begins with a slash.
    const path = unescaped((attributes.get('Target') ?? '').trim()).replaceAll('\\', '/');
    found.push({
      id: attributes.get('Id') ?? '',
      type: (attributes.get('Type') ?? '').split('/').at(-1) ?? '',
      target: posix.join('/', path.startsWith('/') ? '' : dir, path).slice(1),
    });
  });
  return found;
}

function unescaped(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    // A bare percent sign: the target is meant as it stands.
    return target;
  }
}
