import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Installation } from '../../src/installation/installation.js';
import type { MappedRow } from '../../src/mapping/compile.js';
import { CARD, clientOf, compiled, faultsOf } from './files.js';

const HEADERS = ['Id', 'Name', 'Phone', 'Alt', 'Kind', 'Mail', 'Home', 'Budget'];
const BUDGET: Installation['card'] = {
  ...CARD,
  budget: { type: 'Number', sync: false, required: false },
};
const RU = 'transform: [{ phone: { country: RU } }]';

const mappingOf = (contacts: string, fields = ''): string => `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id${fields} }
  ${contacts}
`;
const PHONES = `phones:
    - { column: Phone, type: MOB, ${RU} }
    - { column: Alt, type: HOME, ${RU}, invalid: drop }`;

/** What a row of the columns becomes, by their names. */
async function rowOf(yaml: string, cells: Record<string, string>): Promise<MappedRow> {
  const { map } = await compiled(yaml, { card: BUDGET, headers: HEADERS });
  return map(HEADERS.map((header) => cells[header] ?? null));
}

const codesOf = (row: MappedRow): string[] =>
  row.status === 'client' ? [] : row.problems.map(({ column, code }) => `${column ?? ''} ${code}`);

const remarksOf = (row: MappedRow): string[] =>
  row.status === 'client' ? (row.remarks ?? []).map(({ column, code }) => `${column} ${code}`) : [];

const GOOD = { Id: '1', Phone: '9161234567' };

describe('a wrong value that is to be left out', () => {
  test('keeps the row, with a remark that says why and shows the value', async () => {
    const row = await rowOf(mappingOf(PHONES), { ...GOOD, Alt: 'n/a' });
    expect(clientOf(row).phones).toEqual([{ phoneNumber: '+79161234567', type: 'MOB' }]);
    expect(row).toMatchObject({
      remarks: [
        {
          column: 'Alt',
          code: 'not_a_phone',
          message: expect.stringMatching(/^Left out: This is not a phone number of RU/) as string,
          value: 'n/a',
        },
      ],
    });
  });

  test('says nothing of a value that is right, or not there', async () => {
    for (const cells of [GOOD, { ...GOOD, Alt: '8 916 765 43 21' }]) {
      const row = await rowOf(mappingOf(PHONES), cells);
      expect(row.status === 'client' && row.remarks).toBeUndefined();
    }
  });

  test.each([
    ['emails: [{ column: Mail, invalid: drop }]', { Mail: 'none' }, 'Mail not_an_email'],
    [
      'addresses: [{ column: Home, type: { column: Kind }, invalid: drop }]',
      { Home: 'Main St. 1', Kind: 'castle' },
      'Kind not_allowed',
    ],
    [
      'addresses: [{ column: Home, type: HOME, active: Kind, invalid: drop }]',
      { Home: 'Main St. 1', Kind: 'perhaps' },
      'Kind not_a_boolean',
    ],
  ])('%s', async (contacts, cells, remark) => {
    const yaml = mappingOf(`phones: [{ column: Phone, type: MOB }]\n  ${contacts}`);
    const row = await rowOf(yaml, { ...GOOD, ...cells });
    expect(clientOf(row)).toMatchObject({ emails: [], addresses: [] });
    expect(remarksOf(row)).toEqual([remark]);
  });

  test('leaves out the wrong ones of several in one cell', async () => {
    const yaml = mappingOf(`phones: [{ column: Phone, type: MOB, split: ";", invalid: drop }]`);
    const row = await rowOf(yaml, { Id: '1', Phone: '123456; n/a; 456789; -' });
    expect(clientOf(row).phones.map(({ phoneNumber }) => phoneNumber)).toEqual([
      '123456',
      '456789',
    ]);
    expect(remarksOf(row)).toEqual(['Phone not_a_phone', 'Phone not_a_phone']);
  });

  test('leaves out a field', async () => {
    const yaml = mappingOf(
      'phones: [{ column: Phone, type: MOB }]',
      ', budget: { column: Budget, invalid: drop }',
    );
    const row = await rowOf(yaml, { ...GOOD, Budget: 'much' });
    expect(clientOf(row).fields).toEqual({ id: 1 });
    expect(remarksOf(row)).toEqual(['Budget not_a_number']);
  });

  test('rejects the row without it', async () => {
    for (const invalid of ['', ', invalid: reject']) {
      const yaml = mappingOf(`phones: [{ column: Phone, type: MOB${invalid} }]`);
      expect(codesOf(await rowOf(yaml, { Id: '1', Phone: 'x' }))).toEqual(['Phone not_a_phone']);
    }
  });
});

describe('a row that cannot do without the value', () => {
  test('is rejected when its only phone is wrong, naming both', async () => {
    const yaml = mappingOf(
      `phones: [{ column: Phone, type: MOB, invalid: drop }, { column: Alt, type: MOB, invalid: drop }]`,
    );
    const row = await rowOf(yaml, { Id: '1', Alt: 'n/a' });
    expect(codesOf(row)).toEqual(['Alt not_a_phone', ' no_phone']);
    expect(row).toMatchObject({ problems: [{ value: 'n/a' }, {}] });
    expect(JSON.stringify(row)).not.toContain('Left out');
  });

  test('is rejected when a required entry is left with nothing', async () => {
    const mail = 'emails: [{ column: Mail, required: true, invalid: drop }]';
    const yaml = mappingOf(`phones: [{ column: Phone, type: MOB }]\n  ${mail}`);
    const row = await rowOf(yaml, { ...GOOD, Mail: 'none' });
    expect(codesOf(row)).toEqual(['Mail not_an_email', 'Mail required']);
    expect(codesOf(await rowOf(yaml, GOOD))).toEqual(['Mail required']);
  });

  test('says only what is wrong when it is rejected for another reason', async () => {
    const row = await rowOf(mappingOf(PHONES), { ...GOOD, Id: 'x', Alt: 'n/a' });
    expect(codesOf(row)).toEqual(['Id not_a_number']);
  });

  test.each([
    [
      'mode: update\nclient:\n  fields: { id: Id, budget: { column: Budget, invalid: drop } }\n',
      'Budget not_a_number',
      ' nothing_to_change',
    ],
    [
      'mode: contacts\nclient:\n  fields: { id: Id }\n  phones: [{ column: Budget, active: true, invalid: drop }]\n',
      'Budget not_a_phone',
      ' no_contact',
    ],
  ])('%j', async (yaml, ...codes) => {
    expect(codesOf(await rowOf(yaml, { Id: '1', Budget: 'x' }))).toEqual(codes);
  });

  test.each([
    ['id: { column: Id, invalid: drop }', 'client.fields.id.invalid'],
    ['id: Id, name: { column: Name, required: true, invalid: drop }', 'client.fields.name.invalid'],
  ])('is no place for it: %s', async (fields, path) => {
    const found = await faultsOf(() =>
      compiled(
        `client:\n  clientRoleId: { value: 1 }\n  timeZone: { value: UTC }\n  fields: { ${fields} }\n  phones: [{ column: Phone, type: MOB }]\n`,
      ),
    );
    expect(found).toMatchObject([
      { path, message: 'this value is required and cannot be left out.' },
    ]);
  });
});

/** A cell as a problem shows it: nothing where it is blank. */
const shown = (cell: string | null | undefined): string | null =>
  cell === undefined || cell === null || cell.trim() === '' ? null : cell;

test('what is left out never loses the row, and what is right is never left out', async () => {
  const yaml = mappingOf(
    `phones:
    - { column: Phone, type: MOB }
    - { column: Alt, type: { column: Kind, map: { a: MOB, b: HOME } }, ${RU}, invalid: drop }
  emails: [{ column: Mail, split: ',', invalid: drop }]
  addresses: [{ column: Home, type: HOME, active: Kind, invalid: drop }]`,
    ', budget: { column: Budget, invalid: drop }',
  );
  const { map } = await compiled(yaml, { card: BUDGET, headers: HEADERS });
  const cell = fc.option(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('9161234567', 'a@b.example', 'a', 'b', 'yes', '12.5', '12.000', ' '),
    ),
  );
  const cells = fc.tuple(cell, cell, cell, cell, cell, cell);
  fc.assert(
    fc.property(cells, ([name, ...others]) => {
      const row = map(['1', name, '123456', ...others]);
      expect(row.status).toBe('client');
      const { remarks } = row as Extract<MappedRow, { status: 'client' }>;
      for (const { column, value } of remarks ?? [])
        expect(value).toBe(shown(others[HEADERS.indexOf(column ?? '') - 3]));
      expect(map(['1', name, '123456', ...others])).toEqual(row);
    }),
  );
});
