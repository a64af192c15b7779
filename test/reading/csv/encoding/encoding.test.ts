import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/core/errors.js';
import { openSource } from '../../../../src/source/source.js';
import { collect, encode, rowsOf, testFolder, type Pair } from '../../files.js';

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
    ['windows-1251', 'Offer ID,First name,City\n1,Анна,Москва\n'],
    ['koi8-r', 'Offer ID,First name,City\n1,Анна,Москва\n'],
    ['windows-1251', 'id;имя\n1;щукин\n'],
    ['koi8-r', 'id;имя\n1;щукин\n'],
    ['windows-1251', 'ИМЯ;ГОРОД\nПЕТР;КАЗАНЬ\n'],
    ['koi8-r', 'ИМЯ;ГОРОД\nПЕТР;КАЗАНЬ\n'],
    ['windows-1251', 'id;note\n1;№ 5 – «Восход»\n'],
    ['windows-1251', 'Phone,Name\n+7916,ООО Ромашка\n+7911,ИП Сидоров А.Б.\n'],
    ['windows-1252', 'id;name\n1;Åsa Öberg\n'],
    ['windows-1252', 'id;name\n1;MÜLLER\n'],
    ['windows-1252', 'id;price\n1;5 €\n'],
    ['windows-1252', 'id;note\n1;it’s “quoted” –\n'],
  ])('finds %s in a short text: %j', async (label, text) => {
    const source = await openSource(await folder.write(encode(text, label)));
    expect(source.info.encoding).toBe(label);
  });

  it('takes valid UTF-8 for UTF-8, whatever it looks like', async () => {
    const source = await openSource(await folder.write('имя\nРџСЂРёРІРµС‚\n'));
    expect(source.info.encoding).toBe('utf-8');
  });

  it('keeps the sign that Node 20 loses: the euro of windows-1252', async () => {
    const file = await folder.write(encode('price\n5 €\n', 'windows-1252'));
    const told = await openSource(file, { encoding: 'windows-1252' });
    expect(await rowsOf(told)).toEqual([
      [1, ['price']],
      [2, ['5 €']],
    ]);
  });

  it('reads other encodings of the standard when told', async () => {
    const file = await folder.write(Buffer.from([0x8f, 0xe0, 0xa8, 0xa2, 0xa5, 0xe2, 0x0a]));
    expect(await rowsOf(await openSource(file, { encoding: 'ibm866' }))).toEqual([[1, ['Привет']]]);
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

describe('text that is not what its beginning promised', () => {
  const head = 'id,name\r\n'.repeat(100_000);

  it('is read all the same where only its beginning is plain ASCII', async () => {
    const late = encode(`${head}1,Москва\n2,Казань\n`, 'windows-1251');
    for (const bytes of [late, gzipSync(late)]) {
      const source = await openSource(await folder.write(bytes));
      expect(source.info.encoding).toBe('windows-1251');
      expect((await rowsOf(source)).at(-1)).toEqual([100_002, ['2', 'Казань']]);
    }
  });

  it('is told with its line, after the rows before it', async () => {
    const late = Buffer.concat([
      Buffer.from(`имя${head}1,"a\nb"\n2,`),
      Buffer.from([0xc8, 0xe2, 0x0a]),
    ]);
    const source = await openSource(await folder.write(late));
    const { rows, error } = await collect(source.batches());
    expect(source.info.encoding).toBe('utf-8');
    expect(rows).toHaveLength(100_001);
    expect(error).toMatchObject({ code: 'invalid_text', place: { line: 100_003 } });
  });

  it('is told where a character is cut off at the end', async () => {
    const cut = Buffer.from('a\nя').subarray(0, 3);
    const { rows, error } = await collect(
      (await openSource(await folder.write(cut), { encoding: 'utf-8' })).batches(),
    );
    expect(rows).toEqual([[1, ['a']]]);
    expect(error).toMatchObject({ code: 'invalid_text', place: { line: 2 } });
  });

  it.each(['utf-16le', 'utf-16be'])('is told in %s', async (label) => {
    const broken = encode('\ufeffa\nb\nc\ud800\nd\n', label);
    const { rows, error } = await collect((await openSource(await folder.write(broken))).batches());
    expect(rows).toEqual([
      [1, ['a']],
      [2, ['b']],
    ]);
    expect(error).toMatchObject({ code: 'invalid_text', place: { line: 3 } });
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
