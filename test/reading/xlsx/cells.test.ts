import { describe, expect, it } from 'vitest';
import { tablesIn } from '../files.js';
import { cellsOf, parts, readParts, strings, styles } from './workbook.js';

const TABLES = tablesIn(import.meta.dirname, 'cells.yaml') as {
  numbers: readonly (readonly [stored: string, shown: string])[];
  dates: readonly (readonly [format: string, serial: string, shown: string])[];
  isoDates: readonly (readonly [stored: string, shown: string])[];
  texts: readonly (readonly [item: string, text: string | null])[];
};

const numbers = (...values: string[]) =>
  `<row r="1">${values.map((value) => `<c><v>${value}</v></c>`).join('')}</row>`;

describe('numbers', () => {
  it.each(TABLES.numbers)('%s is given as %s', async (stored, shown) => {
    expect(await cellsOf(numbers(stored))).toEqual([[shown]]);
    // The same with a reference, which is another way through the reader.
    const cell = `<row r="1"><c r="A1"><v>${stored}</v></c></row>`;
    expect(await cellsOf(`${cell}${blank(200)}`)).toEqual([[shown]]);
  });

  it('leaves formats of percent and currency aside', async () => {
    const other = { 'xl/styles.xml': styles('0.00%', '#,##0.00 [$€-407]', '[Red]0;[Blue]-0') };
    const row = [1, 2, 3].map((style) => `<c s="${style}"><v>0.25</v></c>`).join('');
    expect(await cellsOf(`<row>${row}</row>`, other)).toEqual([['0.25', '0.25', '0.25']]);
  });
});

/** Empty rows, so that what stands before them does not lie at the end of the part. */
function blank(count: number): string {
  return '<row/>'.repeat(count);
}

describe('dates', () => {
  const dated = async (format: string, serial: string, date1904 = false) => {
    const base = parts(`<row r="1"><c r="A1" s="1"><v>${serial}</v></c></row>${blank(50)}`, {
      'xl/styles.xml': styles(format),
    });
    const all = base.map((part) =>
      part.name === 'xl/workbook.xml' && date1904
        ? {
            ...part,
            data: String(part.data).replace('<sheets>', '<workbookPr date1904="1"/><sheets>'),
          }
        : part,
    );
    return (await readParts(all))[0]?.cells[0];
  };

  it.each(TABLES.dates)('format %s shows %s as %s', async (format, serial, shown) => {
    expect(await dated(format, serial)).toBe(shown);
  });

  it.each([
    ['0', '00:00:00'],
    ['1', '1904-01-02'],
    ['43830', '2024-01-01'],
  ])('the 1904 system shows %s as %s', async (serial, shown) => {
    expect(await dated('yyyy-mm-dd', serial, true)).toBe(shown);
  });

  it('knows the formats that have a number only', async () => {
    const ids = [14, 22, 20, 46, 2, 31].map((id) => `<xf numFmtId="${id}"/>`).join('');
    const other = { 'xl/styles.xml': `<styleSheet><cellXfs>${ids}</cellXfs></styleSheet>` };
    const row = ['45292', '45292.5', '0.5', '2', '1', '45292']
      .map((value, style) => `<c s="${style}"><v>${value}</v></c>`)
      .join('');
    expect(await cellsOf(`<row>${row}</row>`, other)).toEqual([
      ['2024-01-01', '2024-01-01T12:00:00', '12:00:00', '48:00:00', '1', '2024-01-01'],
    ]);
  });

  it.each(TABLES.isoDates)('the ISO date %s is given as %s', async (stored, shown) => {
    expect(await cellsOf(`<row><c t="d"><v>${stored}</v></c></row>`)).toEqual([[shown]]);
  });
});

describe('texts', () => {
  const shared = async (item: string) =>
    (
      await cellsOf('<row><c t="s"><v>0</v></c><c><v>1</v></c></row>', {
        'xl/sharedStrings.xml': strings(item),
      })
    )[0]?.[0];
  const inline = async (item: string) =>
    (await cellsOf(`<row><c t="inlineStr"><is>${item}</is></c><c><v>1</v></c></row>`))[0]?.[0];

  it.each(TABLES.texts)('%s is read as %j, shared and inline', async (item, text) => {
    expect([await shared(item), await inline(item)]).toEqual([text, text]);
  });

  it('keeps texts that reach over many pieces of the part', async () => {
    const long = 'Привет, мир. '.repeat(20_000);
    expect(await shared(`<t>${long}</t>`)).toBe(long);
    expect(await inline(`<r><t>${long}</t></r>`)).toBe(long);
  });

  it('reads booleans, errors and the results of formulas', async () => {
    const row =
      '<c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><f>NA()</f><v>#N/A</v></c>' +
      '<c t="str"><f>A1&amp;"x"</f><v>1x &amp; _x0041_</v></c><c><f>1+1</f><v>2</v></c><c><f>1</f></c>';
    expect(await cellsOf(`<row>${row}</row>`)).toEqual([['true', 'false', '#N/A', '1x & A', '2']]);
  });

  it.each([
    ['<c r="B1"><f>1+1</f></c>', [1]],
    ['<c r="B1"><f>1+1</f><v></v></c>', [1]],
    ['<c r="B1"><f>1+1</f><v/></c><c r="D1" t="str"><f>A1</f></c>', [1, 3]],
    ['<c r="B1" t="shared"><f t="shared" si="0"/></c>', [1]],
    ['<c r="B1" t="str"><f>""</f><v></v></c>', undefined],
    ['<c r="B1" t="str"><f>A1</f><v>x</v></c>', undefined],
    ['<c r="B1"><v></v></c>', undefined],
  ])('a formula without a stored value is told: %s', async (cells, columns) => {
    const data = `<row r="1"><c r="A1"><v>1</v></c>${cells}</row><row r="2">${cells.replaceAll('1"', '2"')}</row>`;
    const [row, alone] = await readParts(parts(data));
    expect(row?.cells.slice(0, 1)).toEqual(['1']);
    expect(row?.defects?.map(({ column }) => column)).toEqual(columns);
    for (const { code, message } of row?.defects ?? []) {
      expect(code).toBe('formula_without_value');
      expect(message).toMatch(/Open the file in a spreadsheet program, save it/);
    }
    expect(alone?.defects?.map(({ column }) => column)).toEqual(columns);
  });
});
