import { describe, expect, it } from 'vitest';
import { zip } from '../../kit/zip.js';
import { timesOpen } from '../files.js';
import {
  openBook,
  cellsOf,
  parts,
  readFile,
  readParts,
  relationships,
  strings,
  styles,
  toFile,
  workbook,
  worksheet,
} from './workbook.js';

const text = (value: string) => `<row><c t="inlineStr"><is><t>${value}</t></is></c></row>`;

describe('rows and cells', () => {
  it('leaves gaps empty, trailing ones out, and counts blank rows', async () => {
    const data =
      '<row r="2"><c r="B2"><v>1</v></c><c r="D2"><v>2</v></c><c r="E2" s="1"/></row>' +
      '<row r="3"/><row r="4"><c r="A4"/></row><row r="7"><c r="AB7"><v>3</v></c></row>';
    const wide: (string | null)[] = new Array<null>(27).fill(null);
    expect(await readParts(parts(data))).toEqual([
      { sheet: 'Sheet1', row: 2, cells: [null, '1', null, '2'] },
      { sheet: 'Sheet1', row: 7, cells: [...wide, '3'] },
    ]);
  });

  it('numbers rows and cells that have no reference', async () => {
    const data =
      '<row><c><v>1</v></c><c/><c><v>2</v></c></row><row r="5"><c r="C5"><v>3</v></c><c><v>4</v></c></row>' +
      '<row><c><v>5</v></c></row><row><c r="B9"><v>6</v></c></row>';
    expect(await readParts(parts(data))).toEqual([
      { sheet: 'Sheet1', row: 1, cells: ['1', null, '2'] },
      { sheet: 'Sheet1', row: 5, cells: [null, null, '3', '4'] },
      { sheet: 'Sheet1', row: 6, cells: ['5'] },
      { sheet: 'Sheet1', row: 9, cells: [null, '6'] },
    ]);
  });

  it('takes rows with one number for one row, and cells numbered from 0 as they come', async () => {
    const data =
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="1"><c r="C1"><v>3</v></c></row><row r="1"><c r="B1"><v>2</v></c></row>' +
      '<row r="2"><c r="0"><v>4</v></c><c r="1"><v>5</v></c></row><row r="3"/><row r="3"><c r="A3"><v>6</v></c></row>';
    expect((await readParts(parts(data))).map(({ row, cells }) => [row, cells])).toEqual([
      [1, ['1', '2', '3']],
      [2, ['4', '5']],
      [3, ['6']],
    ]);
  });

  it('takes cells in any order, and elements with other names for none', async () => {
    const data =
      '<row r="1"><c r="B1"><v>2</v><extLst><c r="C1"><v>9</v></c></extLst></c><c r="A1"><v>1</v></c></row>';
    expect(await cellsOf(data)).toEqual([['1', '2']]);
  });

  it('gives batches of at most 1,000 rows', async () => {
    const data = Array.from({ length: 3_500 }, (_, at) => `<row><c><v>${at}</v></c></row>`);
    const source = await openBook(toFile(zip(parts(data.join('')))), {});
    const sizes: number[] = [];
    for await (const batch of source.batches()) sizes.push(batch.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(3_500);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
  });
});

describe('the package', () => {
  const table = {
    'xl/sharedStrings.xml': strings('<t>Имя</t>', '<t>x</t>'),
    'xl/styles.xml': styles('yyyy-mm-dd'),
  };
  const data = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45292</v></c></row>';
  const cells = [['Имя', '2024-01-01']];

  it('has its parts in any order', async () => {
    const rows = await readParts(parts(data, table).reverse());
    expect(rows.map((row) => row.cells)).toEqual(cells);
  });

  it('may be without compression', async () => {
    const all = parts(data, table).map((part) => ({ ...part, deflate: false }));
    expect((await readParts(all)).map((row) => row.cells)).toEqual(cells);
  });

  it.each([
    ['an absolute path', '/xl/worksheets/sheet1.xml', 'xl/worksheets/sheet1.xml'],
    ['backslashes', 'worksheets\\sheet1.xml', 'xl\\worksheets\\sheet1.xml'],
    ['another case', 'Worksheets/SHEET1.xml', 'XL/worksheets/Sheet1.XML'],
    ['dots', '../xl/./worksheets/sheet1.xml', 'xl/worksheets/sheet1.xml'],
    ['escapes', 'work%20sheets/%D0%B0.xml', 'xl/work sheets/а.xml'],
    ['a leading slash in the container', 'worksheets/sheet1.xml', '/xl/worksheets/sheet1.xml'],
  ])('finds a sheet by %s', async (_what, target, name) => {
    const rels = relationships([
      ['rId1', 'worksheet', target],
      ['rId2', 'sharedStrings', 'sharedStrings.xml'],
      ['rId3', 'styles', 'styles.xml'],
    ]);
    const other = { 'xl/_rels/workbook.xml.rels': rels, 'xl/worksheets/sheet1.xml': null };
    const all = parts('', { ...other, ...table, [name]: worksheet(data) });
    expect((await readParts(all)).map((row) => row.cells)).toEqual(cells);
  });

  it('may be strict and with any prefix', async () => {
    const strict = (xml: string | Buffer | null) =>
      String(xml)
        .replaceAll(
          'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
          'http://purl.oclc.org/ooxml/spreadsheetml/main',
        )
        .replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006',
          'http://purl.oclc.org/ooxml/officeDocument',
        )
        .replaceAll(/<(\/?)([a-wyz])/gi, '<$1x:$2')
        .replaceAll('xmlns=', 'xmlns:x=')
        .replaceAll('x:Relationship', 'Relationship')
        .replaceAll(/(<Relationships [^>]*)xmlns:x=/g, '$1xmlns=');
    const all = parts(data, table).map((part) => ({ ...part, data: strict(part.data) }));
    expect((await readParts(all)).map((row) => row.cells)).toEqual(cells);
  });

  it.each([
    ['UTF-16LE', (xml: string) => Buffer.from(`\ufeff${xml}`, 'utf16le')],
    ['UTF-16BE', (xml: string) => Buffer.from(`\ufeff${xml}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', (xml: string) => Buffer.from(xml, 'utf16le')],
    ['UTF-8 with a mark', (xml: string) => Buffer.from(`\ufeff${xml}`)],
  ])('may be in %s', async (_name, encode) => {
    const all = parts(data, table).map((part) => ({ ...part, data: encode(String(part.data)) }));
    expect((await readParts(all)).map((row) => row.cells)).toEqual(cells);
  });

  it('may lack the styles that it announces: numbers with a format are marked, as they may be dates', async () => {
    const all = parts(data, table).filter(({ name }) => name !== 'xl/styles.xml');
    const [row, ...others] = await readParts(all);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      cells: ['Имя', '45292'],
      defects: [{ column: 1, code: 'number_without_format' }],
    });
  });

  it.each([1, 4_000, 300_000])('may have %i bytes behind its end', async (count) => {
    const tail = Buffer.alloc(count, 'P');
    const file = toFile(Buffer.concat([zip(parts(data, table)), tail]));
    expect((await readFile(file)).map((row) => row.cells)).toEqual(cells);
  });

  it('may be in the encoding that a part declares', async () => {
    const xml = worksheet(text('naïve')).replace('UTF-8', 'ISO-8859-1');
    const other = { 'xl/worksheets/sheet1.xml': Buffer.from(xml, 'latin1') };
    expect(await cellsOf('', other)).toEqual([['naïve']]);
  });
});

describe('sheets', () => {
  const sheet = (at: number, name: string, state = 'visible') =>
    `<sheet name="${name}" sheetId="${at + 10}" state="${state}" r:id="rId${at}"/>`;
  const several = () =>
    parts('', {
      'xl/workbook.xml': workbook(
        sheet(3, 'Chart') +
          sheet(2, 'Secret', 'veryHidden') +
          sheet(1, 'Лиды &amp; Co') +
          sheet(4, 'Last'),
      ),
      'xl/_rels/workbook.xml.rels': relationships([
        ['rId4', 'worksheet', 'worksheets/d.xml'],
        ['rId1', 'worksheet', 'worksheets/a.xml'],
        ['rId2', 'worksheet', 'worksheets/b.xml'],
        ['rId3', 'chartsheet', 'chartsheets/c.xml'],
      ]),
      'xl/worksheets/sheet1.xml': null,
      'xl/worksheets/a.xml': worksheet(text('a')),
      'xl/worksheets/b.xml': worksheet(text('b')),
      'xl/worksheets/d.xml': worksheet(text('d')),
    });
  const firsts = async (options: Parameters<typeof readParts>[1]) =>
    (await readParts(several(), options)).map(({ sheet, row, cells }) => [sheet, row, cells[0]]);

  it.each([
    ['the first visible one by default', {}, [['Лиды & Co', 1, 'a']]],
    ['one by name', { sheet: 'Last' }, [['Last', 1, 'd']]],
    ['one by name without regard to case', { sheet: 'лиды & co' }, [['Лиды & Co', 1, 'a']]],
    ['a hidden one that is named', { sheet: 'Secret' }, [['Secret', 1, 'b']]],
    ['one by its number among all tabs', { sheet: 2 }, [['Secret', 1, 'b']]],
    ['one by its number as text, where none has that name', { sheet: '2' }, [['Secret', 1, 'b']]],
  ])('reads %s', async (_what, options, rows) => {
    expect(await firsts(options)).toEqual(rows);
  });

  it('reads all in the order of the tabs, hidden ones included', async () => {
    expect((await firsts({ allSheets: true })).map(([name]) => name)).toEqual([
      'Secret',
      'Лиды & Co',
      'Last',
    ]);
  });

  it.each([{ sheet: 'Nowhere' }, { sheet: 9 }, { sheet: 0 }, { sheet: 'Chart' }, { sheet: 1 }])(
    'refuses %j and lists what there is',
    async (options) => {
      await expect(readParts(several(), options)).rejects.toMatchObject({
        code: 'unknown_sheet',
        message: expect.stringContaining('"Secret" (hidden), "Лиды & Co", "Last"') as unknown,
      });
    },
  );

  it('refuses to read another sheet in place of one that is lost', async () => {
    const all = parts(text('second'), {
      'xl/workbook.xml': workbook(sheet(7, 'Lost') + sheet(1, 'Second')),
    });
    for (const options of [{}, { sheet: 'Lost' }, { sheet: 1 }, { allSheets: true }])
      await expect(readParts(all, options)).rejects.toMatchObject({
        code: 'lost_sheet',
        message: expect.stringContaining('"Lost"') as unknown,
      });
    expect(await readParts(all, { sheet: 'Second' })).toHaveLength(1);
  });

  it('passes over a sheet without a relationship of its own', async () => {
    const all = parts(text('second'), {
      'xl/workbook.xml': workbook('<sheet name="Module" r:id=""/>' + sheet(1, 'Second')),
    });
    expect((await readParts(all))[0]?.sheet).toBe('Second');
  });

  it('refuses a workbook whose sheets are all hidden, unless they are asked for', async () => {
    const hidden = parts(text('x'), { 'xl/workbook.xml': workbook(sheet(1, 'Only', 'hidden')) });
    await expect(readParts(hidden)).rejects.toMatchObject({ code: 'no_sheet' });
    expect(await readParts(hidden, { allSheets: true })).toHaveLength(1);
  });
});

describe('an opened workbook', () => {
  const many = () =>
    zip(parts(Array.from({ length: 5_000 }, (_, at) => text(String(at))).join('')));

  it('says what it is and gives the same rows each time', async () => {
    const bytes = many();
    const source = await openBook(toFile(bytes), {});
    expect(source.info).toEqual({
      format: 'xlsx',
      formatName: 'workbook',
      gzip: false,
      bom: false,
      sheets: ['Sheet1'],
      bytes: bytes.length,
    });
    const counts = [0, 0];
    for (const time of [0, 1])
      for await (const batch of source.batches()) counts[time]! += batch.length;
    expect(counts).toEqual([5_000, 5_000]);
    expect(source.bytesRead()).toBe(bytes.length);
  });

  describe('with more texts than are read at once', () => {
    const COUNT = 30_000;
    const texts = Array.from({ length: COUNT }, (_, at) => `${at} ${'x'.repeat(30)}`);
    const shared = strings(...texts.map((one) => `<t>${one}</t>`));
    /** Cells as programs write them, and as they may be written too. */
    const forms = [
      (at: number) => `<c t="s"><v>${at}</v></c>`,
      (at: number) => `<c  t='s'><v>${at}</v ></c>`,
    ];
    const sheetOf = (order: readonly number[]) =>
      order.map((at, row) => `<row>${forms[row % forms.length]!(at)}</row>`).join('');
    const inOrder = texts.map((_, at) => at);

    it.each([
      ['in their order', inOrder],
      ['from the last to the first', inOrder.toReversed()],
      ['here and there', inOrder.map((at) => (at * 7919) % COUNT)],
    ])('finds those that cells refer to %s', async (_how, order) => {
      const rows = await readParts(parts(sheetOf(order), { 'xl/sharedStrings.xml': shared }));
      expect(rows.map(({ cells }) => cells[0])).toEqual(order.map((at) => texts[at]));
    });

    it('gives rows before the texts that only later rows need, which may be broken', async () => {
      const broken = parts(sheetOf(inOrder), { 'xl/sharedStrings.xml': shared }).map((part) =>
        part.name === 'xl/sharedStrings.xml' ? { ...part, crc: 1 } : part,
      );
      const given: unknown[] = [];
      const reading = async () => {
        const source = await openBook(toFile(zip(broken)), {});
        for await (const batch of source.batches()) given.push(...batch);
      };
      await expect(reading()).rejects.toMatchObject({ code: 'broken_zip' });
      expect(given.length).toBeGreaterThan(0);
    });

    it('tells that texts are broken which no cell refers to', async () => {
      const broken = parts(sheetOf([0]), { 'xl/sharedStrings.xml': shared }).map((part) =>
        part.name === 'xl/sharedStrings.xml' ? { ...part, crc: 1 } : part,
      );
      await expect(readParts(broken)).rejects.toMatchObject({ code: 'broken_zip' });
    });
  });

  it.skipIf(process.platform !== 'linux')(
    'leaves no file open, whether read to the end, broken off or broken',
    async () => {
      const good = toFile(many());
      const broken = toFile(zip(parts('<row><c></row>')));
      const open = async () => (await timesOpen(good)) + (await timesOpen(broken));
      const use = async () => {
        await readFile(good);
        for await (const _ of (await openBook(good, {})).batches()) break;
        await expect(readFile(broken)).rejects.toThrow();
        await expect(openBook(good, { sheet: 'no' })).rejects.toThrow();
      };
      for (let time = 0; time < 2; time++) await use();
      expect(await open()).toBe(0);
    },
  );
});
