import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { client as clientShape, syncIdentifiers } from '../../src/contract/shapes.js';
import type { Installation } from '../../src/installation/installation.js';
import type { Cell } from '../../src/core/table.js';
import { clientOf, compiled } from './files.js';

const CARD: Installation['card'] = {
  id: { type: 'Number', sync: true, required: false },
  code: { type: 'TextField', sync: true, required: false },
  name: { type: 'TextField', sync: false, required: true },
  debt: { type: 'Number', sync: false, required: false },
  grade: { type: 'ComboBox', sync: false, required: false, values: ['a', 'b'] },
  state: { type: 'StatusField', sync: false, required: false },
};

const HEADERS = [
  'Id',
  'Code',
  'Name',
  'Debt',
  'Grade',
  'Born',
  'Phone',
  'Phones',
  'Mail',
  'Home',
  'Flag',
  'Tier',
];

const MAPPING = `where: { column: Flag, notIn: [skip] }
client:
  clientRoleId: { column: Tier, map: { one: 1, two: 2 }, default: 1 }
  type: { column: Tier, map: { VIP: VIP }, default: SIMPLE }
  timeZone: { column: Home, split: ",", part: 2, transform: [trim], default: UTC }
  fields:
    id: Id
    code: { template: "{Code}" }
    name: { columns: [Name, Code], transform: [collapse, title] }
    debt: { column: Debt, transform: [{ number: { decimal: "," } }] }
    grade: { column: Grade, transform: [trim, lower, { replace: { pattern: "^(x+)+$", with: a } }] }
    state: { column: Born, transform: [{ date: { from: [dd.MM.yyyy, d.M.yy] } }] }
  phones:
    - { column: Phone, type: MOB, transform: [{ phone: { country: RU } }] }
    - { column: Phones, type: { column: Tier, map: { home: HOME }, default: WORK }, split: ";", active: Flag }
  emails: [{ column: Mail, split: "," }]
  addresses: [{ column: Home, type: HOME }]
`;

const anyCell: fc.Arbitrary<Cell> = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '__proto__', '\ud800', '1', '-0', '1e9', 'x'.repeat(40), '{Code}', '$1'),
);
const likely = (...values: string[]): fc.Arbitrary<Cell> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<Cell>(...values) },
    { weight: 1, arbitrary: anyCell },
  );

const likelyRow: fc.Arbitrary<Cell[]> = fc.tuple(
  likely('1', '007', '42'),
  likely('A1', ' b '),
  likely('anna', 'ИВАН'),
  likely('1 000,50', '7', ''),
  likely('A', 'b', 'xx'),
  likely('31.12.2024', '1.2.03', ''),
  likely('89161234567', '+7 495 123-45-67'),
  likely('', '123;456;123', ';;'),
  likely('a@b.ru', 'a@b.ru,c@d.org', ''),
  likely('Moscow', 'Moscow, Europe/Moscow'),
  likely('yes', 'нет', '', 'skip'),
  likely('one', 'VIP', 'home', ''),
);
const anyRow = fc.oneof(likelyRow, fc.array(anyCell, { maxLength: 15 }));

describe('whatever the cells hold', async () => {
  const { map, identifierNames } = await compiled(MAPPING, { card: CARD, headers: HEADERS });
  const seen = { client: 0, rejected: 0, skipped: 0 };

  test('a row has exactly one ending, and it is a whole one', () => {
    fc.assert(
      fc.property(anyRow, (cells) => {
        const row = map(cells);
        seen[row.status]++;
        if (row.status === 'client') {
          expect(clientShape.safeParse(clientOf(row)).error).toBeUndefined();
          expect(row.identifiers).toHaveLength(identifierNames.length);
          const named = Object.fromEntries(
            identifierNames.map((name, place) => [name, row.identifiers[place]]),
          );
          expect(syncIdentifiers.safeParse(named).error).toBeUndefined();
          expect(clientOf(row).fields).toMatchObject(named);
          return;
        }
        expect(row.identifiers).toHaveLength(identifierNames.length);
        expect(row.uuid === null).toBe(row.identifiers.includes(null));
        expect(row.problems.length).toBeGreaterThan(0);
        for (const problem of row.problems) {
          expect(problem.message).toMatch(/\.$/);
          expect(problem.code).toMatch(/^[a-z_]+$/);
          expect(problem.code === 'filtered').toBe(row.status === 'skipped');
        }
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
  });

  test('the same cells give the same ending, and are left as they are', () => {
    fc.assert(
      fc.property(anyRow, (cells) => {
        const before = structuredClone(cells);
        const first = map(cells);
        map(['2', 'B2', 'between']);
        expect(map(cells)).toStrictEqual(first);
        expect(cells).toStrictEqual(before);
      }),
    );
  });

  test('a problem never repeats the value in its message', () => {
    const secret = 'Zq7Wx9';
    const row = map([
      secret,
      null,
      null,
      secret,
      secret,
      secret,
      secret,
      secret,
      secret,
      secret,
      secret,
      secret,
    ]);
    expect(row.status).toBe('rejected');
    expect(
      row.status === 'rejected' && row.problems.map(({ message }) => message).join(),
    ).not.toContain(secret);
  });
});
