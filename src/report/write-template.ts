import ExcelJS from 'exceljs';
import type { DataValidation, Workbook, Worksheet } from 'exceljs';
import { writeWhole } from './files.js';
import { xlsxText } from './xlsx.js';

/** Rows below the header that are prepared: choices hold in them. */
const PREPARED_ROWS = 10_000;

const [REQUIRED_FILL, OPTIONAL_FILL] = ['FFFFE699', 'FFE7E6E6'];
const [MIN_WIDTH, MAX_WIDTH] = [12, 40];
/** Longest list that a validation holds by itself, in characters. */
const INLINE_LENGTH = 255;

/**
 * Writes a workbook for filling in: the header with a note on each column, text and date formats, and choices.
 * @throws OutputError when it cannot be written
 */
export async function writeTemplate(file: string, template: Template): Promise<void> {
  const workbook = new ExcelJS.Workbook();
  const addExample = (): void => {
    if (!template.isAlone) addExampleSheet(workbook, template);
  };
  if (template.position === 2) addExample();
  const sheet = workbook.addWorksheet(template.sheet, {
    views: [{ state: 'frozen', ySplit: template.headerRow }],
  });
  if (template.position === 1) addExample();
  // A program opens a workbook at the first sheet that is active.
  workbook.views = [
    {
      ...WINDOW,
      activeTab: workbook.worksheets.indexOf(sheet),
      firstSheet: 0,
      visibility: 'visible',
    },
  ];
  addColumns(sheet, template.columns, template.headerRow);
  addChoices(workbook, sheet, template);
  const bytes = new Uint8Array(await workbook.xlsx.writeBuffer());
  await writeWhole(file, (target) => target.write(bytes));
}

const WINDOW = { x: 0, y: 0, width: 20_000, height: 12_000 };

function addColumns(sheet: Worksheet, columns: readonly TemplateColumn[], headerRow: number): void {
  for (const [index, column] of columns.entries()) {
    const { header, format, isRequired, note } = column;
    // The format of a column holds for cells that do not exist yet.
    Object.assign(sheet.getColumn(index + 1), { numFmt: format, width: widthOf(column) });
    const cell = sheet.getCell(headerRow, index + 1);
    cell.value = xlsxText(header);
    cell.numFmt = '@';
    cell.font = { bold: true };
    cell.fill = {
      ...{ type: 'pattern', pattern: 'solid' },
      fgColor: { argb: isRequired ? REQUIRED_FILL : OPTIONAL_FILL },
    };
    cell.note = { texts: [{ text: note }], margins: { insetmode: 'auto' } };
  }
}

const widthOf = ({ header, format, example }: TemplateColumn): number => {
  const shown = typeof example === 'string' ? example : format;
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, header.length, shown.length) + 2);
};

function addExampleSheet(workbook: Workbook, { columns, sheet: name }: Template): void {
  const sheet = workbook.addWorksheet(beside(name, 'Example'), {
    views: [{ state: 'frozen', ySplit: 1 }],
  });
  addColumns(sheet, columns, 1);
  for (const [index, { example }] of columns.entries()) sheet.getCell(2, index + 1).value = example;
  const remark = sheet.getCell(4, 1);
  remark.numFmt = 'General';
  remark.value = `An example. Only the sheet "${name}" is imported.`;
  remark.font = { italic: true };
}

/** Sheets cannot have the same name, in whatever letters. */
const beside = (sheet: string, wanted: string): string =>
  sheet.toLowerCase() === wanted.toLowerCase() ? `${wanted} 2` : wanted;

/** Choices that do not fit into a validation stand on a hidden sheet, in a column of their own. */
function addChoices(workbook: Workbook, sheet: Worksheet, template: Template): void {
  const { columns, headerRow, isAlone } = template;
  let lists: Worksheet | undefined;
  for (const [index, { choices, isOpen }] of columns.entries()) {
    if (choices.length === 0) continue;
    let formula = inlineList(choices);
    if (formula === undefined) {
      if (isAlone) continue;
      lists ??= workbook.addWorksheet(beside(template.sheet, 'Choices'), { state: 'hidden' });
      formula = listOn(lists, lists.columnCount + 1, choices);
    }
    const letter = sheet.getColumn(index + 1).letter;
    const [first, last] = [headerRow + 1, headerRow + PREPARED_ROWS];
    addValidation(sheet, `${letter}${first}:${letter}${last}`, validationOf(formula, isOpen));
  }
}

function validationOf(formula: string, isOpen: boolean): DataValidation {
  const list: DataValidation = { type: 'list', allowBlank: true, formulae: [formula] };
  return isOpen
    ? list
    : {
        ...list,
        ...{ showErrorMessage: true, errorStyle: 'stop', errorTitle: 'Not allowed' },
        error: 'Choose one of the values in the list.',
      };
}

/** `undefined`: too long for a formula, or a comma or a blank would be lost. */
function inlineList(choices: readonly string[]): string | undefined {
  const isPlain = choices.every((choice) => !/[",]|^\s|\s$/.test(choice));
  const list = choices.join(',');
  return isPlain && list.length <= INLINE_LENGTH ? `"${list}"` : undefined;
}

function listOn(lists: Worksheet, column: number, choices: readonly string[]): string {
  const { letter } = Object.assign(lists.getColumn(column), { numFmt: '@' });
  for (const [index, choice] of choices.entries())
    lists.getCell(index + 1, column).value = xlsxText(choice);
  return `'${lists.name}'!$${letter}$1:$${letter}$${choices.length}`;
}

interface Validations {
  readonly dataValidations: { add(address: string, validation: DataValidation): void };
}

/** The types of the package leave out what gives a whole range its validation. */
const hasValidations = (sheet: Worksheet): sheet is Worksheet & Validations =>
  'dataValidations' in sheet;

function addValidation(sheet: Worksheet, range: string, validation: DataValidation): void {
  if (!hasValidations(sheet)) throw new Error('a sheet has validations');
  sheet.dataValidations.add(range, validation);
}

/** What a cell of an example holds. */
export type ExampleValue = string | number | Date;

/** One column of a workbook that people fill in. */
export interface TemplateColumn {
  /** Exactly as the mapping names it. */
  readonly header: string;
  readonly isRequired: boolean;
  /** Number format of the column, such as `@` for text or `dd.mm.yyyy`. */
  readonly format: string;
  /** What may be chosen from; empty: anything may be written. */
  readonly choices: readonly string[];
  /** Whether something else than the choices may be written too. */
  readonly isOpen: boolean;
  /** Shown where the header is pointed at. */
  readonly note: string;
  readonly example: ExampleValue;
}

/** A workbook that people fill in. */
export interface Template {
  readonly sheet: string;
  readonly position: 1 | 2;
  readonly headerRow: number;
  /** Whether other sheets would be imported too: then there are none. */
  readonly isAlone: boolean;
  readonly columns: readonly TemplateColumn[];
}
