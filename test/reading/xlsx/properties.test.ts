import fc from 'fast-check';
import ExcelJS from 'exceljs';
import { describe, expect, it, vi } from 'vitest';
import { InputError } from '../../../src/core/errors.js';
import { unmarkedText, type Row } from '../../../src/core/table.js';
import { zip } from '../../kit/zip.js';
import {
  openBook,
  parts,
  readFile,
  readParts,
  strings,
  styles,
  toFile,
  worksheet,
} from './workbook.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'properties.yaml') as string[];

const characters = fc.constantFrom(...Array.from('aЯ东😀 <>&"\'_x005F\n\t]]>'));
const texts = fc.array(characters, { minLength: 1, maxLength: 12 }).map((all) => all.join(''));
const values = fc.oneof(
  texts,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
  fc.boolean(),
  fc.constant(null),
);
const grids = fc.array(fc.array(values, { maxLength: 6 }), { minLength: 1, maxLength: 8 });
type Value = string | number | boolean | null;

/** What ended a reading, with the rows that were given before. */
async function attempt(file: string): Promise<{ rows: Row[]; error: unknown }> {
  const rows: Row[] = [];
  try {
    const source = await openBook(file, {});
    for await (const batch of source.batches()) rows.push(...batch);
    return { rows, error: null };
  } catch (error) {
    return { rows, error };
  }
}

describe('what exceljs writes', () => {
  const same = (cell: string | null, value: Value): boolean => {
    if (value === null) return cell === null;
    // A mark for text is taken off, as it is in every format.
    if (typeof value !== 'number') return cell === unmarkedText(String(value));
    return (
      cell !== null && !/e/i.test(cell) && Math.abs(Number(cell) - value) <= Math.abs(value) * 1e-14
    );
  };

  it.each([true, false])('is read back equal (shared strings: %s)', async (useSharedStrings) => {
    await fc.assert(
      fc.asyncProperty(grids, async (grid) => {
        const filename = toFile('');
        const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename, useSharedStrings });
        const sheet = book.addWorksheet('Sheet');
        for (const row of grid) sheet.addRow(row).commit();
        sheet.commit();
        await book.commit();
        const rows = new Map((await readFile(filename)).map(({ row, cells }) => [row, cells]));
        grid.forEach((row, at) =>
          row.forEach((value, column) => {
            const cell = rows.get(at + 1)?.[column] ?? null;
            expect({ value, cell, same: same(cell, value) }).toMatchObject({ same: true });
          }),
        );
      }),
      { numRuns: 12 },
    );
  });
});

describe('the two ways through the reader', () => {
  const cells = fc.record({
    type: fc.constantFrom('', 's', 'n', 'b', 'str'),
    style: fc.constantFrom('', '0', '1', '2'),
    value: fc.constantFrom(...CASES),
  });
  const other = {
    'xl/sharedStrings.xml': strings(
      '<t>а</t>',
      '<t>b_x0041_</t>',
      '<t xml:space="preserve"> c&amp;</t>',
    ),
    'xl/styles.xml': styles('yyyy-mm-dd', 'hh:mm'),
  };
  const tag = ({ type, style }: { type: string; style: string }, at: number, quote: string) =>
    `c r=${quote}${String.fromCharCode(65 + at)}1${quote}` +
    (style && ` s=${quote}${style}${quote}`) +
    (type && ` t=${quote}${type}${quote}`);

  it('give the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(cells, { maxLength: 20 }), async (all) => {
        const usable = all.filter(({ type, value }) => type !== 's' || /^[012]?$/.test(value));
        const plain = usable.map((cell, at) => `<${tag(cell, at, '"')}><v>${cell.value}</v></c>`);
        // Quotes and spaces that the short cut leaves to the scanner.
        const odd = usable.map((cell, at) => `<${tag(cell, at, "'")} ><v >${cell.value}</v ></c >`);
        const read = (data: string[]) =>
          readParts(parts(`<row r="1">${data.join('')}</row>${' '.repeat(300)}`, other));
        expect(await read(plain)).toEqual(await read(odd));
      }),
      { numRuns: 20 },
    );
  });
});

describe('the two ways to a text in its cell', () => {
  const pieces = fc.constantFrom(
    ...Array.from('aЯ😀 _'),
    '_x0041_',
    '&lt;',
    '\r\n',
    '\n',
    '<!---->',
  );
  const all = fc.array(
    fc.record({
      text: fc.array(pieces, { maxLength: 12 }).map((some) => some.join('')),
      long: fc.boolean(),
      spaces: fc.boolean(),
      style: fc.boolean(),
      reference: fc.boolean(),
    }),
    { maxLength: 20 },
  );

  it('give the same', async () => {
    await fc.assert(
      fc.asyncProperty(all, async (cells) => {
        const written = (quote: string, type: string, end: string) =>
          cells.map(({ text, long, spaces, style, reference }, at) => {
            const r = reference ? ` r=${quote}${String.fromCharCode(65 + at)}1${quote}` : '';
            const s = style ? ` s=${quote}0${quote}` : '';
            const t = spaces ? 't xml:space="preserve"' : 't';
            const content = long ? text.repeat(200) : text;
            return `<c${r}${s} ${type}><is><${t}>${content}</t${end}></is></c${end}>`;
          });
        const read = (data: string[]) =>
          readParts(parts(`<row r="1">${data.join('')}</row>${' '.repeat(300)}`));
        expect(await read(written('"', 't="inlineStr"', ''))).toEqual(
          await read(written("'", "t='inlineStr'", ' ')),
        );
      }),
      { numRuns: 20 },
    );
  });
});

describe('the two ways to the number of a row', () => {
  const rest = fc.constantFrom(
    '',
    ' spans="1:2"',
    ' spans="1:2" ht="15"',
    ' ',
    ' s="1" ',
    ' r2="x>"',
  );
  const rows = fc.array(fc.record({ rest, gap: fc.integer({ min: 1, max: 3 }) }), {
    maxLength: 30,
  });

  it('give the same', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const written = (quote: string) => {
          let number = 0;
          return all.map(({ rest: behind, gap }) => {
            number += gap;
            return `<row r=${quote}${number}${quote}${behind}><c><v>1</v></c></row>`;
          });
        };
        const read = (data: string[]) => readParts(parts(data.join('')));
        expect(await read(written('"'))).toEqual(await read(written("'")));
      }),
      { numRuns: 20 },
    );
  });

  it.each(['r="2" r="3"', 'r="2" spans="1:1', 'r="2" a="1" a="1"', 'r="2"s="1"'])(
    'does not take <row %s>',
    async (tag) => {
      const good = '<row r="1"><c><v>1</v></c></row>';
      const { error } = await attempt(toFile(zip(parts(`${good}<row ${tag}></row>`))));
      expect(error).toBeInstanceOf(InputError);
    },
  );
});

describe('damage', () => {
  const ROWS = 60;
  const rows = Array.from(
    { length: ROWS },
    (_, at) =>
      `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>${at % 3}</v></c><c r="B${at + 1}" s="1"><v>${45_000 + at}</v></c><c r="C${at + 1}" t="inlineStr"><is><t>Имя ${at}</t></is></c></row>`,
  ).join('');
  const good = parts(rows, {
    'xl/sharedStrings.xml': strings('<t>a</t>', '<r><t>б</t></r>', '<t>c</t>'),
    'xl/styles.xml': styles('yyyy-mm-dd'),
  });
  const bytes = zip(good);

  it('a file cut anywhere is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
        const { error } = await attempt(toFile(bytes.subarray(0, length)));
        expect(error).toBeInstanceOf(InputError);
      }),
      { numRuns: 50 },
    );
  });

  it('a flipped byte is told, or changes nothing', { tags: 'depth' }, async () => {
    const whole = await attempt(toFile(bytes));
    expect(whole).toMatchObject({ error: null, rows: { length: ROWS } });
    const flips = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(flips, async ([at, mask]) => {
        const damaged = Buffer.from(bytes);
        damaged[at]! ^= mask;
        const { rows: read, error } = await attempt(toFile(damaged));
        // What a row lacks is told with it, and rejects it.
        const isMarked = read.some(({ defects }) => defects !== undefined);
        if (error === null && !isMarked) expect(read).toEqual(whole.rows);
        else if (error !== null) expect(error).toBeInstanceOf(InputError);
      }),
      { numRuns: 150 },
    );
  });

  const names = good.map(({ name }) => name).filter((name) => name.startsWith('xl/'));

  it('a part cut anywhere is told', async () => {
    const cuts = fc.tuple(fc.constantFrom(...names), fc.double({ min: 0, max: 0.99, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(cuts, async ([name, share]) => {
        const all = good.map((part) => {
          const data = Buffer.from(part.data);
          const length = Math.floor((data.length - 1) * share);
          return part.name === name ? { ...part, data: data.subarray(0, length) } : part;
        });
        const { error } = await attempt(toFile(zip(all)));
        expect(error).toBeInstanceOf(InputError);
      }),
      { numRuns: 50 },
    );
  });

  it('bytes changed inside of a part give rows or an error that is meant', async () => {
    const change = fc.record({
      name: fc.constantFrom(...names),
      at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      byte: fc.oneof(
        fc.integer({ min: 0, max: 255 }),
        fc.constantFrom(0x3c, 0x3e, 0x26, 0x22, 0x2f),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const all = good.map((part) => {
          const data = Buffer.from(part.data);
          for (const { name, at, byte } of changes)
            if (name === part.name) data[Math.floor(at * data.length)] = byte;
          return { ...part, data };
        });
        const { error } = await attempt(toFile(zip(all)));
        if (error !== null) expect(error).toBeInstanceOf(InputError);
      }),
      { numRuns: 120 },
    );
  });
});

describe('size', () => {
  const count = 40_000;
  const of = (at: number) => `${at} ${'Привет '.repeat(160)}`;
  const asked = [count - 1, 0, 39_000, 38_999, 1, 36_000, count - 2, 35_999];
  const beyondMemory = () => {
    const items = Array.from({ length: count }, (_, at) => `<t>${of(at)}</t>`);
    const data = asked.map((at) => `<row><c t="s"><v>${at}</v></c></row>`).join('');
    const all = parts(data, { 'xl/sharedStrings.xml': strings(...items) });
    return toFile(zip(all.map((part) => ({ ...part, deflate: false }))));
  };

  it('shared strings beyond memory are read from a temporary file', { tags: 'depth' }, async () => {
    const rows = await readFile(beyondMemory());
    expect(rows.map(({ cells }) => cells[0])).toEqual(asked.map(of));
  });

  it('a temporary folder that cannot be used is told', { tags: 'depth' }, async () => {
    const file = beyondMemory();
    vi.stubEnv('TMPDIR', '/nowhere/at/all');
    try {
      await expect(readFile(file)).rejects.toMatchObject({ code: 'no_space' });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('a sheet with wide rows is given in small batches', async () => {
    const row = '<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>';
    const data = Array.from({ length: 100 }, (_, at) => row.replaceAll('1"', `${at + 1}"`)).join(
      '',
    );
    const source = await openBook(
      toFile(zip(parts('', { 'xl/worksheets/sheet1.xml': worksheet(data) }))),
      {},
    );
    const sizes: number[] = [];
    for await (const batch of source.batches()) sizes.push(batch.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(100);
    expect(Math.max(...sizes)).toBeLessThan(64);
  });
});
