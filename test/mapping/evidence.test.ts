import { EvidenceTally } from '../../src/core/table.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { suspicionsOf } from '../../src/mapping/column-uses.js';
import { compiled, nameFrom, withName } from './files.js';
import { tablesIn } from '../kit/tables.js';

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

const two = (number: number): string => String(number).padStart(2, '0');

interface Suspected {
  readonly case: string;
  readonly name: string;
  readonly cells: readonly (string | readonly [cell: string, times: number])[];
  readonly says?: string;
}

const { suspected: SUSPECTED } = tablesIn(import.meta.dirname, 'evidence.yaml') as {
  suspected: readonly Suspected[];
};

test.each(SUSPECTED)(
  'cells that fail alike are told with what would read them: $case',
  async ({ name, cells, says }) => {
    const all = cells.flatMap((cell) =>
      typeof cell === 'string' ? [cell] : Array<string>(cell[1]).fill(cell[0]),
    );
    expect(await suspected(name, all)).toEqual(says === undefined ? [] : [`Name: ${says}`]);
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
