import ExcelJS, { type CellValue, type DataValidation, type Worksheet } from 'exceljs';
import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cardline, root } from '../kit/cardline.js';
import { runAt } from './terminal.js';
import { testFolder } from '../kit/folder.js';

const mappings = (await readdir(join(root, 'mappings'))).filter(
  (name) => name.endsWith('.yaml') && name !== 'installation.yaml',
);

const folder = testFolder();
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  await cp(join(root, 'mappings'), at('mappings'), { recursive: true });
});

const installation = (): string => at('mappings/installation.yaml');
const template = (mapping: string, out: string, ...more: string[]) =>
  runAt(['template', '-m', mapping, '-i', installation(), '-o', out, ...more]);

/** A template of a mapping, opened as a spreadsheet program does. */
async function opened(mapping: string): Promise<ExcelJS.Workbook> {
  const out = at(`${basename(mapping)}.xlsx`);
  const { code, stderr } = await template(mapping, out, '--force');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(out);
  return workbook;
}

/** A sheet by its headers. */
class Sheet {
  readonly columns = new Map<string, number>();
  constructor(
    readonly sheet: Worksheet,
    readonly headerRow: number,
  ) {
    sheet.getRow(headerRow).eachCell((cell, column) => this.columns.set(cell.text, column));
  }
  cell(header: string, row: number): ExcelJS.Cell {
    return this.sheet.getCell(row, this.columns.get(header) ?? 0);
  }
  format = (header: string): string | undefined => this.cell(header, this.headerRow + 7).numFmt;
  note = (header: string): string => noteText(this.cell(header, this.headerRow).note);
  choices = (header: string, row = this.headerRow + 1): string[] =>
    listOf(this.sheet, this.cell(header, row).dataValidation);
}

const noteText = (note: string | ExcelJS.Comment | undefined): string =>
  typeof note === 'string' ? note : (note?.texts ?? []).map(({ text }) => text).join('');

function listOf({ workbook }: Worksheet, validation: DataValidation | undefined): string[] {
  const formula = String(validation?.formulae[0] ?? '');
  const [, sheet = '', letter = '', last = '0'] =
    /^'(.*)'!\$(\w+)\$1:\$\w+\$(\d+)$/.exec(formula) ?? [];
  if (sheet === '') return formula === '' ? [] : formula.slice(1, -1).split(',');
  const lists = workbook.getWorksheet(sheet);
  expect(lists?.state).toBe('hidden');
  return Array.from(
    { length: Number(last) },
    (_, row) => lists!.getCell(`${letter}${row + 1}`).text,
  );
}

async function sheetsOf(
  mapping: string,
): Promise<{ workbook: ExcelJS.Workbook; data: Sheet; example: Sheet }> {
  const workbook = await opened(mapping);
  const example = workbook.worksheets.find(({ name }) => name === 'Example');
  const data = workbook.worksheets.find(
    ({ name, state }) => name !== 'Example' && state === 'visible',
  );
  const { ySplit = 1 } = data?.views[0] as { ySplit?: number };
  return { workbook, data: new Sheet(data!, ySplit), example: new Sheet(example!, 1) };
}

/** Fills in the rows as a person does who follows the example, each choice of each column once, and checks them. */
async function filledIn(
  { workbook, data, example }: Awaited<ReturnType<typeof sheetsOf>>,
  name: string,
) {
  const headers = [...data.columns.keys()];
  const shown = (header: string): CellValue => example.cell(header, 2).value;
  const rows: Record<string, CellValue>[] = [
    Object.fromEntries(headers.map((one) => [one, shown(one)])),
  ];
  for (const header of headers)
    for (const choice of data.choices(header)) rows.push({ ...rows[0], [header]: choice });
  rows.forEach((row, index) => {
    for (const header of headers) data.cell(header, data.headerRow + 1 + index).value = row[header];
  });
  // The library holds choices cell by cell, 10,000 of each column, and writing them takes longest.
  Object.assign(data.sheet, { dataValidations: { model: {} } });
  const file = at(`filled-${name}.xlsx`);
  await workbook.xlsx.writeFile(file);
  return { file, rows: rows.length };
}

async function check(file: string, mapping: string) {
  const args = ['check', file, '-m', mapping, '-i', installation(), '--json', '-q'];
  const { stdout, stderr } = await cardline(args, { cwd: folder });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Record<'rows' | 'clients' | 'rejected' | 'problems', unknown>;
}

describe('a template that is filled in', () => {
  /** Of each kind of column and of step one; the others in depth. */
  const kept = ['callbacks.yaml', 'calling.yaml', 'leads-1251.yaml', 'vendor-b.yaml'];
  const isKept = (name: string): boolean => kept.includes(name);
  const imports = async (name: string): Promise<void> => {
    const mapping = at(`mappings/${name}`);
    const { file, rows } = await filledIn(await sheetsOf(mapping), name);
    const found = await check(file, mapping);
    expect(found).toMatchObject({ rows, rejected: 0, problems: [] });
    expect(found.clients).toBeGreaterThan(0);
  };
  it.each(mappings.filter(isKept))('of %s imports without a reject', imports);
  it.each(mappings.filter((name) => !isKept(name)))(
    'of %s imports without a reject',
    { tags: 'depth' },
    imports,
  );

  it('does so with a date as text in the pattern of the mapping, and with numbers in text cells', async () => {
    const mapping = at('mappings/leads-1251.yaml');
    const sheets = await sheetsOf(mapping);
    const { file } = await filledIn(sheets, 'texts');
    sheets.data.cell('Дата рождения', 4).value = '31.12.2001';
    sheets.data.cell('Телефон', 4).value = 79123456789;
    sheets.data.cell('Бюджет', 4).value = '1 250,50';
    await sheets.workbook.xlsx.writeFile(file);
    expect(await check(file, mapping)).toMatchObject({ rejected: 0 });
  });

  it('does so when LibreOffice has saved it', async ({ skip }) => {
    skip(!hasLibreOffice(), 'There is no soffice on the path: LibreOffice is not installed.');
    const mapping = at('mappings/leads.yaml');
    const { file, rows } = await filledIn(await sheetsOf(mapping), 'office');
    const args = ['--headless', '--convert-to', 'xlsx', '--outdir', at('office'), file];
    execFileSync('soffice', args, { stdio: 'ignore' });
    expect(await check(at(`office/${basename(file)}`), mapping)).toMatchObject({
      rows,
      rejected: 0,
    });
  }, 120_000);
});

function hasLibreOffice(): boolean {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('the columns of a template', () => {
  it('are those of the mapping, marked, with formats, choices and notes', async () => {
    const { workbook, data } = await sheetsOf(at('mappings/leads.yaml'));
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Data', 'Example']);
    expect(data.sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
    for (const header of ['Offer ID', 'Mobile', 'Lead UUID']) expect(data.format(header)).toBe('@');
    expect(data.format('Registered')).toBe('yyyy-mm-dd');
    expect([undefined, 'General']).toContain(data.format('Budget'));
    expect(data.choices('Segment')).toEqual(['cold', 'warm', 'hot']);
    expect(data.choices('Segment', 10_001)).toEqual(['cold', 'warm', 'hot']);
    expect(data.choices('Segment', 10_002)).toEqual([]);
    expect(data.choices('Status')).toEqual(['new', 'open']);
    expect(data.choices('Tier')).toEqual(['Gold', 'SIMPLE']);
    expect(data.choices('Comment')).toEqual([]);
    expect(data.note('Offer ID')).toMatch(/^Required\.\nCard field offerId, a number; identifies/);
    expect(data.note('First name')).toContain(
      'At least one has to be filled in: First name, Last name',
    );
    expect(data.note('Other phones')).toContain('Several with ";" between them.');
    expect(data.note('TZ')).toContain('Empty: Europe/Moscow.');
    const color = (header: string) => JSON.stringify(data.cell(header, 1).fill);
    expect(color('Offer ID')).toBe(color('Mobile'));
    expect(color('Offer ID')).not.toBe(color('Comment'));
  });

  it('offer the keys of a value map, and what a table knows', async () => {
    const { data } = await sheetsOf(at('mappings/leads-1251.yaml'));
    expect(data.headerRow).toBe(3);
    expect(data.choices('Сегмент')).toEqual(['холодный', 'теплый', 'горячий']);
    expect(data.choices('Город')).toContain('Москва');
    expect(data.format('Дата рождения')).toBe('dd.mm.yyyy');
    const { data: update } = await sheetsOf(at('mappings/update.yaml'));
    expect(update.choices('Kind')).toEqual(['mobile', 'work', 'home']);
  });

  it('offer lists that are long or hold commas, on a hidden sheet', async () => {
    const map = Object.fromEntries(
      Array.from({ length: 80 }, (_, n) => [`Kind ${n}, of many`, 'cold']),
    );
    const file = at('long.yaml');
    const client = {
      ...{ clientRoleId: 'Role', timeZone: { value: 'UTC' } },
      fields: {
        offerId: 'Id',
        offerDomain: 'Choices',
        fullName: 'Name',
        segment: { column: 'S', map },
      },
      phones: [{ column: 'P', type: { column: 'T' } }],
    };
    await writeFile(file, JSON.stringify({ source: { sheet: 'choices' }, client }));
    const sheets = await sheetsOf(file);
    expect(sheets.data.sheet.name).toBe('choices');
    expect(sheets.data.choices('S')).toEqual(Object.keys(map));
    expect(sheets.data.choices('Role')).toEqual(['1', '2']);
    expect(sheets.data.choices('T')).toEqual(['MOB', 'HOME', 'WORK', 'FAX']);
    const { file: filled, rows } = await filledIn(sheets, 'long');
    expect(await check(filled, file)).toMatchObject({ rows, rejected: 0 });
  });

  it('keep their names, whatever these hold', async () => {
    const names = ['=1+1', '  a  b ', '<&">', "it's", 'Город, дом', '+7'];
    const file = at('names.yaml');
    const fields = {
      ...{
        offerId: { column: 'Id' },
        offerDomain: { template: 'x' },
        fullName: { columns: names },
      },
    };
    const client = {
      clientRoleId: { value: 1 },
      timeZone: { value: 'UTC' },
      fields,
      phones: [{ column: 'P', type: 'MOB' }],
    };
    await writeFile(file, JSON.stringify({ client }));
    const { file: filled } = await filledIn(await sheetsOf(file), 'names');
    expect(await check(filled, file)).toMatchObject({ rows: 1, rejected: 0 });
  });

  it('keep a name that looks like an escaped character', async () => {
    const file = at('escaped.yaml');
    await writeFile(file, smallMapping('fullName: x_x0041_y'));
    // The library that opens workbooks here would not write it as it was.
    await template(file, at('escaped.xlsx'));
    const { stdout } = await cardline(['rows', at('escaped.xlsx')]);
    expect(stdout).toContain('"x_x0041_y"');
  });

  it('stand alone where every sheet is imported', async () => {
    const file = at('all.yaml');
    const text = await readFile(at('mappings/upsert.yaml'), 'utf8');
    await writeFile(file, `source: { allSheets: true }\n${text}`);
    const workbook = await opened(file);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Data']);
  });
});

describe('making a template', () => {
  it('names the required columns and the next command', async () => {
    const out = at('named.xlsx');
    const { code, stdout } = await template(at('mappings/upsert.yaml'), out);
    expect(code).toBe(0);
    expect(stdout).toContain('Required: Offer ID, Site, Client, Mobile.');
    expect(stdout).toContain(
      `Next, when it is filled in: cardline check ${out} -m ${at('mappings/upsert.yaml')}`,
    );
  });

  it('keeps a file that is there, unless it may be replaced', async () => {
    const [mapping, out] = [at('mappings/upsert.yaml'), at('kept.xlsx')];
    await writeFile(out, 'mine');
    const refused = await template(mapping, out);
    expect(refused).toMatchObject({ code: 64, stdout: '' });
    expect(refused.stderr).toContain('exists already');
    expect(await readFile(out, 'utf8')).toBe('mine');
    expect((await template(mapping, out, '--force')).stdout).toContain('replaced');
  });

  it.each([
    ['another kind of file', 'client: {}', 'list.csv', /ends with \.xlsx/],
    [
      'a mapping that does not suit the card',
      smallMapping('nobody: Id'),
      'a.xlsx',
      /no field "nobody"/,
    ],
    ['a third sheet', `source: { sheet: 3 }\n${smallMapping()}`, 'a.xlsx', /reads sheet 3/],
    ['a sheet that cannot be', `source: { sheet: 'a/b' }\n${smallMapping()}`, 'a.xlsx', /"a\/b"/],
  ])('refuses %s', async (_, text, out, words) => {
    await writeFile(at('odd.yaml'), text);
    const { code, stderr } = await template(at('odd.yaml'), at(out));
    expect(code).toBe(64);
    expect(stderr).toMatch(words);
  });
});

function smallMapping(field = 'fullName: Name'): string {
  return `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { offerId: Id, offerDomain: Site, ${field} }
  phones: [{ column: P, type: MOB }]
`;
}
