import { describe, expect, it } from 'vitest';
import { cellsOf, parts, readParts, strings, styles } from './workbook.js';
import { tablesIn } from '../../kit/tables.js';

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
});
