import { describe, expect, it } from 'vitest';
import { zip } from '../../kit/zip.js';
import { timesOpen } from '../files.js';
import { openBook, parts, readFile, readParts, strings, styles, toFile } from './workbook.js';

const text = (value: string) => `<row><c t="inlineStr"><is><t>${value}</t></is></c></row>`;

describe('rows and cells', () => {
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
