import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EvidenceTally } from '../../src/run/list.js';
import { suspicionsOf } from '../../src/mapping/suspicions.js';
import { compiled, nameFrom, withName } from './files.js';

const NUMBER_CARD = {
  id: { type: 'Number', sync: true, required: false },
  name: { type: 'Number', sync: false, required: false },
} as const;

/** What is suspected of a mapping after these cells of the column Name. */
async function suspected(
  spec: string,
  cells: readonly string[],
  card?: typeof NUMBER_CARD,
): Promise<string[]> {
  const { map, takeEvidence } = await compiled(withName(spec), card ? { card } : {});
  for (const cell of cells) map(['1', cell, '123']);
  return suspicionsOf(takeEvidence()).map(({ message }) => message);
}

const COMMA = `number: { decimal: ',', thousands: '.' }`;
const POINT = `number: { decimal: '.', thousands: ',' }`;

describe('numbers of a column', () => {
  test.each(['Name', '{ column: Name, transform: trim }'])(
    'that go into a number field as they stand (%s) are refused when they mean two',
    async (spec) => {
      const from = await nameFrom(spec, { card: NUMBER_CARD });
      expect(from('12.000')).toEqual({ problem: 'ambiguous_number' });
      expect(from('-1.234')).toEqual({ problem: 'ambiguous_number' });
      expect(from('12.50')).toEqual({ value: 12.5 });
      expect(from('1234.567')).toEqual({ value: 1234.567 });
      expect(from('0.125')).toEqual({ value: 0.125 });
    },
  );

  test.each([
    [`{ column: Name, transform: { ${COMMA} } }`, 12000],
    [`{ column: Name, transform: { ${POINT} } }`, 12],
    [`{ column: Name, transform: { map: { '12.000': 12.345 } } }`, 12.345],
    ['{ column: Nothing, default: 12.345 }', 12.345],
    ['{ value: 12.345 }', 12.345],
  ])('of a known style are not: %s', async (spec, value) => {
    const headers = ['Id', 'Name', 'Phone', 'Nothing'];
    const from = await nameFrom(spec, { card: NUMBER_CARD, headers });
    expect(from('12.000')).toEqual({ value });
  });

  test('written in a style are that number, or are refused as two', async () => {
    const from = await nameFrom('{ column: Name, transform: number }', { card: NUMBER_CARD });
    const styles = [
      ['.', ','],
      [',', '.'],
      ['.', ' '],
      [',', '\u00a0'],
      ['.', "'"],
    ] as const;
    const grouped = (whole: number, sign: string): string =>
      String(whole).replace(/\B(?=(\d{3})+$)/g, sign);
    fc.assert(
      fc.property(
        fc.nat({ max: 999_999_999 }),
        fc.integer({ min: 0, max: 4 }),
        fc.constantFrom(...styles),
        (units, places, [decimal, thousands]) => {
          const [whole, rest] = [Math.floor(units / 10 ** places), units % 10 ** places];
          const text =
            grouped(whole, thousands) +
            (places === 0 ? '' : decimal + String(rest).padStart(places, '0'));
          const signs = text.replaceAll(/[^.,]/g, '');
          const isAmbiguous = signs.length === 1 && /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);
          expect(from(text)).toEqual(
            isAmbiguous
              ? { problem: 'ambiguous_number' }
              : { value: Number(`${whole}.${String(rest).padStart(places, '0')}`) },
          );
        },
      ),
    );
  });
});

const many = (count: number, cell: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => cell(index));
const two = (number: number): string => String(number).padStart(2, '0');

const DATE = '{ column: Name, transform: date }';
const dated = (from: string): string => `{ column: Name, transform: { date: { from: ${from} } } }`;
const NUMBER = '{ column: Name, transform: number }';
const EITHER = `the right one: ${COMMA} or ${POINT}`;
const NO_PATTERN = 'look like dates that need no pattern; leave out "from"';

test.each<[what: string, spec: string, cells: string[], message: string | null]>([
  [
    'days first',
    DATE,
    many(200, (at) => `${two((at % 28) + 1)}.${two((at % 12) + 1)}.2026`),
    '200 of 200 look like dd.MM.yyyy; add from: dd.MM.yyyy',
  ],
  [
    'without zeros',
    DATE,
    many(40, (at) => `${(at % 31) + 1}.3.26`),
    '40 of 40 look like d.M.yy; add from: d.M.yy',
  ],
  [
    'in two orders',
    DATE,
    many(12, (at) => `${two(at + 1)}/${two(at + 1)}/2026`),
    '12 of 12 look like dd/MM/yyyy or MM/dd/yyyy; add the right one: from: dd/MM/yyyy or from: MM/dd/yyyy',
  ],
  [
    'with a time',
    DATE,
    many(31, (at) => `03/${two(at + 1)}/2026 9:05`),
    '31 of 31 look like MM/dd/yyyy H:mm; add from: MM/dd/yyyy H:mm',
  ],
  [
    'with am and pm',
    DATE,
    ['11/25/2026 3:04 PM', '5/11/2026 12:00 am'],
    '2 of 2 look like M/d/yyyy h:mm a; add from: M/d/yyyy h:mm a',
  ],
  [
    'with am and pm in two orders',
    DATE,
    ['11/05/26 3:04PM', '5/11/26 12:00AM'],
    '2 of 2 look like d/M/yy h:mma or M/d/yy h:mma; add the right one: from: d/M/yy h:mma or from: M/d/yy h:mma',
  ],
  [
    'nearly all',
    DATE,
    [...many(30, () => '31-12-2026'), 'soon', ''],
    '30 of 31 look like dd-MM-yyyy; add from: dd-MM-yyyy',
  ],
  ['few', DATE, ['31.12.2026', 'soon', 'later'], null],
  ['none', DATE, ['2026-12-31'], null],
  [
    'that need no pattern',
    dated('dd.MM.yyyy'),
    ['Nov 3, 2026', '20261103'],
    `2 of 2 ${NO_PATTERN}`,
  ],
  ['one that needs no pattern', dated('dd.MM.yyyy'), ['2026/11/03'], `1 of 1 ${NO_PATTERN}`],
  [
    'without the zeros of the pattern',
    dated('dd.MM.yyyy'),
    ['23.4.2026', '4.4.2026'],
    '2 of 2 look like d.M.yyyy; add from: d.M.yyyy',
  ],
  ['of days that do not exist', dated('d.M.yyyy'), ['30.02.2026', '31.04.2026'], null],
  ['of such a day, with its zeros', dated('dd.MM.yyyy'), ['30.02.2026'], null],
  [
    'of another form in few',
    dated('d.M.yyyy'),
    [...many(40, () => '3.4.2026'), '03/13/2026'],
    null,
  ],
  [
    'numbers with a comma',
    NUMBER,
    ['12.000', '1.234,56', '5'],
    `1 of 3 numbers can be read in two ways, and 1 have a decimal comma; add ${COMMA}`,
  ],
  [
    'numbers with a point',
    NUMBER,
    ['1,234', '1,234.56'],
    `1 of 2 numbers can be read in two ways, and 1 have a decimal point; add ${POINT}`,
  ],
  [
    'numbers with both',
    NUMBER,
    ['12.000', '1,5', '1.5'],
    `1 of 3 numbers can be read in two ways, 1 have a decimal comma and 1 a point; add ${EITHER}`,
  ],
  [
    'numbers with neither',
    NUMBER,
    ['12.000'],
    `1 of 1 numbers can be read in two ways; add ${EITHER}`,
  ],
])(
  'cells that fail alike are told with what would read them: %s',
  async (_, spec, cells, message) => {
    expect(await suspected(spec, cells)).toEqual(message === null ? [] : [`Name: ${message}`]);
  },
);

describe('dates of a column', () => {
  test('are read by the pattern that is proposed', async () => {
    const cell = fc
      .tuple(
        fc.constantFrom('.', '/', '-'),
        fc.integer({ min: 13, max: 28 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1970, max: 2060 }),
        fc.boolean(),
      )
      .map(([sign, day, month, year, dayFirst]) => ({
        text: (dayFirst ? [two(day), two(month), year] : [two(month), two(day), year]).join(sign),
        date: `${year}-${two(month)}-${two(day)}`,
      }));
    await fc.assert(
      fc.asyncProperty(cell, async ({ text, date }) => {
        const { map, takeEvidence } = await compiled(withName('{ column: Name, transform: date }'));
        map(['1', text, '123']);
        const [suspicion] = suspicionsOf(takeEvidence());
        const from = suspicion?.proposals[0]?.replace('from: ', '') ?? '';
        const read = await nameFrom(`{ column: Name, transform: { date: { from: '${from}' } } }`);
        expect(read(text)).toEqual({ value: date });
      }),
      { numRuns: 30 },
    );
  });
});

test('what is seen adds up, however the rows come in parts', async () => {
  const { map, takeEvidence } = await compiled(withName('{ column: Name, transform: date }'));
  const [whole, parts] = [new EvidenceTally(), new EvidenceTally()];
  const cells = ['31.12.2026', '1.2.2026', '2026-01-01', 'x', '02/03/2026'];
  for (const cell of cells) map(['1', cell, '123']);
  whole.add(takeEvidence());
  for (const cell of cells) {
    map(['1', cell, '123']);
    parts.add(takeEvidence());
  }
  expect(parts.list()).toEqual(whole.list());
  expect(takeEvidence()).toEqual([]);
});

test('an extension of a phone is left out with a remark, and kept where that is wanted', async () => {
  const spec = (options: string): string => `{ column: Name, transform: { phone: ${options} } }`;
  for (const cell of ['+1 202 555 0100 ext. 12', '+1 202 555 0100 доб. 12', '+1 202 555 0100x12']) {
    const row = (await compiled(withName(spec('{ country: US }')))).map(['1', cell, '123']);
    expect(row).toMatchObject({
      status: 'client',
      remarks: [{ column: 'Name', code: 'phone_extension', value: '12' }],
    });
    const kept = (await compiled(withName(spec('{ extension: keep }')))).map(['1', cell, '123']);
    expect(kept.status === 'client' && kept.remarks).toBeUndefined();
  }
});

test('digits that can be two phone numbers have a remark', async () => {
  const { map } = await compiled(
    withName('{ column: Name, transform: { phone: { country: DE } } }'),
  );
  expect(map(['1', '4921112345', '123'])).toMatchObject({
    status: 'client',
    remarks: [{ column: 'Name', code: 'ambiguous_phone', value: '4921112345' }],
  });
  const sure = map(['1', '4915112345678', '123']);
  expect(sure.status === 'client' && sure.remarks).toBeUndefined();
});
