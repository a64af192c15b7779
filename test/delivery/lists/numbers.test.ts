import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import metadata from 'libphonenumber-js/max/metadata';
import { describe, expect, it } from 'vitest';
import { type ListSource, type NumberList, openNumbers } from '../../../src/lists/lists.js';
import { numberReader, closeReader } from '../../../src/mapping/transforms/phone/phone.js';
import { testFolder } from '../../kit/folder.js';

const folder = testFolder();
let files = 0;
const fresh = (): string => join(folder, `${++files}.txt`);

const MEBIBYTE = 1024 ** 2;
/** The numbers as a list, by way of a file. */
async function listOf(numbers: Iterable<number>, maxFilter = MEBIBYTE): Promise<NumberList> {
  const text = Array.from(numbers, (number) => `+${number}`).join('\n');
  return await openNumbers(sourceOf(text, { reader: EXACT }), maxFilter, 0);
}

/** Takes any digits as a number. */
const EXACT: ListSource['reader'] = { plain: (value) => value, parse: () => 0 };

const numbers = fc.uniqueArray(
  fc.oneof(
    fc.integer({ min: 10_000_000, max: 999_999_999_999_999 }),
    fc.integer({ min: 79_160_000_000, max: 79_160_002_000 }),
    fc.integer({ min: 12_000_000_000, max: 12_000_100_000 }),
  ),
  { maxLength: 1500 },
);

describe('a compiled list', () => {
  it('has the numbers that it was made of, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        numbers,
        numbers,
        fc.constantFrom(0, 64, MEBIBYTE),
        async (listed, asked, maxFilter) => {
          const known = new Set(listed);
          const list = await listOf([...listed, ...listed.slice(0, 5)], maxFilter);
          for (const number of listed) expect(list.has(number)).toBe(true);
          for (const number of [...asked, ...listed.flatMap((one) => [one - 1, one + 1])])
            expect(list.has(number)).toBe(known.has(number));
          expect(list.head.numbers).toBe(known.size);
          list.close();
        },
      ),
      { numRuns: 20 },
    );
  });

  it(
    'holds numbers in any order, of which more come than are sorted at a time',
    { tags: 'depth' },
    async () => {
      const count = 1_600_000;
      const numberAt = (at: number): number => 12_000_000_000 + ((at * 7_919) % 4_000_037) * 3;
      const all = function* (): Generator<number> {
        for (let at = 0; at < count; at++) yield numberAt(at);
        for (let at = 0; at < 1000; at++) yield numberAt(at);
      };
      const list = await listOf(all());
      const known = new Set(all());
      expect(list.head.numbers).toBe(known.size);
      for (let at = 0; at < 200_000; at++) {
        const number = 12_000_000_000 + at * 61;
        if (list.has(number) !== known.has(number)) expect.fail(`${number} differs`);
      }
      list.close();
    },
  );

  it('is made anew where a part of it is missing, or where it is of another kind', async () => {
    const source = sourceOf('2025550101\n');
    const made = await open(source);
    made.close();
    const bytes = readFileSync(made.path);
    for (const left of [
      bytes.subarray(0, -1),
      bytes.subarray(0, 4096),
      Buffer.alloc(0),
      // Earlier versions had a form of their own.
      Buffer.from(`cardline numbers\n${JSON.stringify({ version: 1 })}`.padEnd(4096)),
    ]) {
      writeFileSync(made.path, left);
      const list = await open(source);
      expect([list.isNew, list.has(12025550101)]).toEqual([true, true]);
      list.close();
    }
  });
});

describe('plain digits', () => {
  const codes = Object.keys(metadata.country_calling_codes);
  const written = fc
    .tuple(fc.constantFrom(...codes), fc.stringMatching(/^\d{4,12}$/))
    .map(([code, rest]) => (code + rest).slice(0, 15))
    .filter((digits) => digits.length >= 7);

  it('are taken as they are only where the transform would not change them', () => {
    const read = closeReader(undefined);
    const reader = numberReader(undefined);
    let sure = 0;
    fc.assert(
      fc.property(written, (digits) => {
        const number = reader.plain(Number(digits), digits.length, true);
        if (number === 0) return;
        sure++;
        expect([null, `+${digits}`]).toContain(read(`+${digits}`));
        expect(number).toBe(Number(digits));
      }),
      // The shortest number of Tokelau behind its calling code twice, and one of Norway behind a zero.
      { numRuns: 4000, examples: [['69069030000'], ['47066000000']] },
    );
    expect(sure).toBeGreaterThan(2000);
  });

  it('are American numbers where the transform would say so', () => {
    const read = closeReader('US');
    const reader = numberReader('US');
    fc.assert(
      fc.property(fc.stringMatching(/^1?\d{9,11}$/), (digits) => {
        const number = reader.plain(Number(digits), digits.length, false);
        if (number !== 0) expect([null, `+${number}`]).toContain(read(digits));
      }),
      { numRuns: 4000 },
    );
  });
});

/** A list of a file as text. */
function sourceOf(text: string | Uint8Array, change: Partial<ListSource> = {}): ListSource {
  const file = fresh();
  writeFileSync(file, text);
  return { file, settings: 'numbers', reader: numberReader('US'), areas: false, ...change };
}

const open = async (source: ListSource) => await openNumbers(source, MEBIBYTE, 0);

describe('a list that is compiled', () => {
  it('takes a number a line, however it is written', async () => {
    const lines = [
      '2025550101',
      '(202) 555-0102',
      '+1 202 555 0103',
      '1-202-555-0104',
      '+442079460000',
      '447911123456',
      '',
      '# end',
    ];
    for (const text of [lines.join('\n'), lines.join('\r\n'), `\ufeff${lines.join('\n')}\n`]) {
      const list = await open(sourceOf(text));
      for (const number of [
        12025550101, 12025550102, 12025550103, 12025550104, 442079460000, 447911123456,
      ])
        expect(list.has(number), String(number)).toBe(true);
      expect(list.head).toMatchObject({ numbers: 6, unread: 0 });
      list.close();
    }
  });

  it('reads packed files, and area codes before a comma', async () => {
    const plain = '202,5550101\n3035550102\r\n303,5550103';
    for (const text of [plain, gzipSync(plain)]) {
      const list = await open(sourceOf(text, { areas: true }));
      for (const number of [12025550101, 13035550102, 13035550103])
        expect(list.has(number)).toBe(true);
      expect(list.head).toMatchObject({ numbers: 3, unread: 0 });
      list.close();
    }
  });

  it('does not depend on where the pieces of a file end', async () => {
    const lines = Array.from({ length: 60_000 }, (_, at) =>
      at % 3 === 0
        ? `(202) 55${String(at).padStart(5, '0')}`
        : `+120255${String(at).padStart(5, '0')}`,
    );
    const list = await open(sourceOf(lines.join('\r\n')));
    expect(list.head).toMatchObject({ numbers: 60_000, unread: 0 });
    list.close();
  });

  it('counts lines without a number, and finds the date of the first', async () => {
    const list = await open(sourceOf('List of 2026-11-03\n2025550101\nnobody\n12\n'));
    expect(list.head).toMatchObject({
      numbers: 1,
      unread: 2,
      firstUnread: 3,
      dated: Date.UTC(2026, 10, 3),
    });
    list.close();
  });

  it('is compiled once, and again when the file has changed', async () => {
    const source = sourceOf('2025550101\n');
    const first = await open(source);
    expect(first.isNew).toBe(true);
    expect(statSync(first.path).mode & 0o077).toBe(0);
    const again = async () => {
      const list = await open(source);
      list.close();
      return { isNew: list.isNew, has: list.head.numbers };
    };
    expect((await again()).isNew).toBe(false);
    utimesSync(source.file, 1, 1);
    expect((await again()).isNew).toBe(false);
    writeFileSync(source.file, '2025550101\n2025550102\n');
    expect(await again()).toEqual({ isNew: true, has: 2 });
    writeFileSync(source.file, '2025550101\n2025550103\n');
    const list = await open(source);
    expect([list.isNew, list.has(12025550103), list.has(12025550102)]).toEqual([true, true, false]);
    expect((await open({ ...source, settings: 'csv' })).isNew).toBe(true);
  });

  it('is compiled without what a builder that was killed has left', async () => {
    const source = sourceOf('2025550101\n');
    const beside = (name: string): string => `${source.file}.numbers.${name}`;
    const left = ['9090.9j.ea14ex58f.runs', '9090.1sq.jj2llol3.new'].map(beside);
    const others = ['9090.2a.jj2llol3.new', 'mine.txt'].map(beside);
    for (const file of [...left, ...others]) writeFileSync(file, '12025550101');
    for (const file of [...left, beside('mine.txt')]) utimesSync(file, 1, 1);
    (await open(source)).close();
    expect([...left, ...others].filter((file) => existsSync(file))).toEqual(others);
  });

  it('is compiled by one of several who ask at the same time', async () => {
    const source = sourceOf(
      Array.from({ length: 50_000 }, (_, at) => `202${5_550_000 + at}`).join('\n'),
    );
    const opened = await Promise.all(Array.from({ length: 4 }, () => open(source)));
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1);
    for (const { head } of opened) expect(head.numbers).toBe(50_000);
  });
});
