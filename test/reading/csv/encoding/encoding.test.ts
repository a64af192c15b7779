import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/core/errors.js';
import { openSource } from '../../../../src/source/source.js';
import { encode, rowsOf, testFolder, type Pair } from '../../files.js';

const folder = testFolder();

const RUSSIAN = [
  ['Offer ID', 'Имя', 'Фамилия', 'Телефон', 'Комментарий'],
  ['1', 'Иван', 'Петров', '79161234567', 'звонить после 18:00, "не раньше"'],
  ['2', 'Ольга', 'Щукина', null, 'скидка; подарок | акция'],
];
const WESTERN = [
  ['Offer ID', 'First name', 'Ort', 'Phone', 'Note'],
  ['1', 'José', 'München', '4989123456', 'costs 5 €, "maybe"'],
  ['2', 'Zoë', 'Orléans', null, 'naïve; “quoted” | café'],
];
const TABLES: readonly (readonly [label: string, bom: string, table: typeof RUSSIAN])[] = [
  ['utf-8', '', RUSSIAN],
  ['utf-8', '\ufeff', RUSSIAN],
  ['utf-8', '', WESTERN],
  ['utf-16le', '', RUSSIAN],
  ['utf-16le', '\ufeff', RUSSIAN],
  ['utf-16be', '', WESTERN],
  ['utf-16be', '\ufeff', RUSSIAN],
  ['windows-1251', '', RUSSIAN],
  ['koi8-r', '', RUSSIAN],
  ['windows-1252', '', WESTERN],
];
const DELIMITERS = [',', ';', '\t', '|'];
const KINDS = TABLES.flatMap(([label, bom, table]) =>
  DELIMITERS.map((delimiter) => ({ label, bom, table, delimiter })),
);

function csvText(table: typeof RUSSIAN, delimiter: string): string {
  const cell = (value: string | null): string =>
    value === null || !/[,;\t|"]/.test(value) ? (value ?? '') : `"${value.replaceAll('"', '""')}"`;
  return table.map((cells) => `${cells.map(cell).join(delimiter)}\r\n`).join('');
}

const numbered = (table: typeof RUSSIAN): Pair[] =>
  table.map((cells, index): Pair => [index + 1, cells]);

describe('encoding and delimiter', () => {
  it.each(KINDS)('finds $label with "$delimiter", mark "$bom"', async (kind) => {
    const bytes = encode(kind.bom + csvText(kind.table, kind.delimiter), kind.label);
    const source = await openSource(await folder.write(bytes));
    expect(source.info).toEqual({
      format: 'csv',
      formatName: 'CSV',
      encoding: kind.label,
      ...(kind.label.startsWith('utf-') ? {} : { encodingGuessed: true }),
      delimiter: kind.delimiter,
      dialect: expect.objectContaining({ delimiter: kind.delimiter }) as object,
      gzip: false,
      bom: kind.bom !== '',
      sheets: [],
      bytes: bytes.length,
    });
    expect(await rowsOf(source)).toEqual(numbered(kind.table));
    expect(source.bytesRead()).toBe(bytes.length);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'])(
    'loses no character of %s between the pieces that a file is read in',
    async (encoding) => {
      // Characters of 2 to 4 bytes, of which some lie across the end of every piece, whatever its size.
      const table = Array.from({ length: 9000 }, (_, row) => [`${row}`, 'яй€€😀'.repeat(12)]);
      const text = table.map((cells) => `${cells.join(',')}\n`).join('');
      const file = await folder.write(encode(text, encoding));
      expect(await rowsOf(await openSource(file, { encoding }))).toEqual(
        table.map((cells, index) => [index + 1, cells]),
      );
    },
  );

  it.each(KINDS)('takes $label with "$delimiter" when told', async (kind) => {
    const file = await folder.write(encode(csvText(kind.table, kind.delimiter), kind.label));
    const delimiter = kind.delimiter === '\t' ? 'tab' : kind.delimiter;
    const source = await openSource(file, { encoding: kind.label.toUpperCase(), delimiter });
    expect(source.info).toMatchObject({ encoding: kind.label, delimiter: kind.delimiter });
    expect(await rowsOf(source)).toEqual(numbered(kind.table));
  });

  it.each([
    { encoding: 'utf-9' },
    { delimiter: ';'.repeat(9) },
    { delimiter: '"' },
    { delimiter: '' },
  ])('refuses %j', async (options) => {
    const file = await folder.write('a,b\n');
    await expect(openSource(file, options)).rejects.toThrow(UsageError);
  });
});

describe('characters at the borders of what is read at a time', () => {
  it.each(['utf-8', 'utf-16le', 'utf-16be'])('stay whole in %s', async (label) => {
    for (let shift = 0; shift < 4; shift++) {
      const text = `${'x'.repeat(shift)}\n${'я😀€\n'.repeat(30_000)}`;
      const rows = await rowsOf(
        await openSource(await folder.write(encode(text, label), 'border'), { encoding: label }),
      );
      expect(rows.slice(shift === 0 ? 0 : 1).every(([, [cell]]) => cell === 'я😀€')).toBe(true);
      expect(rows.at(-1)?.[0]).toBe(30_001);
    }
  });
});
