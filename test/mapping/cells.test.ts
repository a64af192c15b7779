import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Cell, cleanCells, looksOf } from '../../src/core/table.js';
import { CARD, clientOf, compiled, nameFrom, withName } from './files.js';
import { tablesIn } from '../kit/tables.js';

type Rows = readonly [cell: Cell, value: unknown][];
type BySpec = Readonly<Record<string, Rows>>;

const CELLS = tablesIn(import.meta.dirname, 'cells.yaml') as Readonly<
  Record<'transforms' | 'values' | 'fields' | 'where', BySpec> &
    Record<'e-mail addresses' | 'phones as they stand' | 'read', Rows> & {
      'dates by column': readonly [column: string, cell: string, value: string][];
      stays: readonly string[];
    }
>;

const TABLE = [
  ['name', 'code'],
  ['Moscow', '495'],
  ['Saint Petersburg', '812'],
  ['', ''],
];

type Becomes = (cell: Cell) => unknown;

/** What a cell becomes under a value: the value as `cells.yaml` writes it. */
async function under(...args: Parameters<typeof nameFrom>): Promise<Becomes> {
  const from = await nameFrom(...args);
  return (cell) => {
    const found = from(cell);
    return 'problem' in found ? `!${found.problem}` : (found.value ?? null);
  };
}

const transformed = (transform: string): Promise<Becomes> =>
  under(`{ column: Name, transform: ${transform} }`, { readTable: () => Promise.resolve(TABLE) });

const BY_SPEC = {
  transforms: transformed,
  values: under,
  fields: (spec) =>
    under('Name', {
      card: { ...CARD, name: { ...CARD['name']!, ...(parse(spec) as object) } },
    }),
  where: async (condition) => {
    const { map } = await compiled(withName('Name', `where: ${condition}`));
    return (cell) => map(['1', cell, '123']).status === 'client';
  },
} satisfies Readonly<Record<string, (spec: string) => Promise<Becomes>>>;

describe.each(Object.entries(BY_SPEC))('%s', (table, bySpec) => {
  const specs = Object.entries(CELLS[table as keyof typeof BY_SPEC]);
  describe.each(specs)('%s', async (spec, rows) => {
    const becomes = await bySpec(spec);
    it.each(rows)('%j becomes %j', (cell, value) => {
      expect(becomes(cell)).toEqual(value);
    });
  });
});

it.each([
  ['date', '9'.repeat(300), '!not_a_date'],
  ['{ phone: { country: ru } }', '9'.repeat(300), '!not_a_phone'],
  ['[number, { default: 0 }]', `${'1'.repeat(120)} €`, '!not_a_number'],
  [
    '{ replace: { pattern: "^(a+)+$", with: x } }',
    'a'.repeat(100_000) + 'b',
    'a'.repeat(100_000) + 'b',
  ],
  ['{ replace: { pattern: "^(a+)+$", with: x } }', 'a'.repeat(1000), 'x'],
])('%s takes time in proportion to the text (%#)', async (transform, cell, value) => {
  expect((await transformed(transform))(cell)).toBe(value);
});

describe('dates by the name of their column', () => {
  const nextYear = String((new Date().getFullYear() + 1) % 100).padStart(2, '0');

  it.each(CELLS['dates by column'])('%s: %s is %s', async (column, cell, value) => {
    const spec = `{ column: ${column}, transform: { date: { from: [d.M.yyyy, d.M.yy] } } }`;
    const becomes = await under(spec, { headers: ['Id', column, 'Phone'] });
    const dated = (text: string): string => text.replace('{yy}', nextYear);
    expect(becomes(dated(cell))).toBe(dated(value));
  });
});

describe('e-mail addresses', async () => {
  const { map } = await compiled(withName('Id', '  emails: [Name]\n'));
  const long: Rows = [
    [`${'a'.repeat(243)}@example.com`, '!not_an_email'],
    [`Ada <ada@example.com>${';'.repeat(300)}`, '!not_an_email'],
  ];

  it.each([...CELLS['e-mail addresses'], ...long])('%j is %j', (cell, value) => {
    const row = map(['1', cell, '79161234567']);
    if (row.status === 'client') expect(clientOf(row).emails).toEqual([{ email: value }]);
    else expect(row.problems.map(({ code }) => `!${code}`)).toEqual([value]);
  });
});

describe('phones that no transform reads', async () => {
  const { map } = await compiled(withName('Id'));
  const long: Rows = [[`030 12345${' '.repeat(100)}6`, '100 characters']];

  it.each([...CELLS['phones as they stand'], ...long])('%j: %s', (cell, refusal) => {
    const row = map(['1', 'Ada', cell]);
    if (row.status === 'client')
      expect([clientOf(row).phones, refusal]).toEqual([
        [{ phoneNumber: cell, type: 'MOB' }],
        undefined,
      ]);
    else expect(row.problems[0]?.message).toContain(refusal ?? 'no refusal');
  });
});

describe('what stands in a cell and is no part of its value', () => {
  const long: Rows = [
    ["'".repeat(50_000) + '1', "'".repeat(49_999) + '1'],
    ["'".repeat(50_000), "'".repeat(50_000)],
  ];
  const stays: Rows = CELLS.stays.map((text) => [text, text]);

  it.each([...CELLS.read, ...stays, ...long])('%j is %j', (text, value) => {
    const cells: Cell[] = [text];
    cleanCells(cells, looksOf(text ?? ''));
    expect(cells[0] || null).toBe(value);
  });
});
