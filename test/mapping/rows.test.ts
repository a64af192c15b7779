import { describe, expect, test } from 'vitest';
import type { Installation } from '../../src/installation/installation.js';
import type { Cell } from '../../src/core/table.js';
import { clientOf, compiled, nameFrom, withName } from './files.js';

type Field = Installation['card'][string];
const field = (written: Partial<Field>): Installation['card'] => ({
  id: { type: 'Number', sync: true, required: false },
  name: { type: 'TextField', sync: false, required: false, ...written },
});

describe('types of the card', () => {
  test.each<[Partial<Field>, Cell, object]>([
    [{ type: 'Number' }, ' 007 ', { value: 7 }],
    [{ type: 'Number' }, '-12.50', { value: -12.5 }],
    [{ type: 'Number' }, '-0', { value: 0 }],
    [{ type: 'Number' }, '79161234567', { value: 79161234567 }],
    [{ type: 'Number' }, '9007199254740991', { value: 9007199254740991 }],
    [{ type: 'Number' }, '9007199254740993', { problem: 'number_too_large' }],
    [{ type: 'Number' }, '1e3', { problem: 'not_a_number' }],
    [{ type: 'Number' }, '1 000', { problem: 'not_a_number' }],
    [{ type: 'Number' }, '0x10', { problem: 'not_a_number' }],
    [{ type: 'Number' }, 'Infinity', { problem: 'not_a_number' }],
    [{ type: 'Number' }, null, { value: undefined }],
    [{ type: 'Number', sync: true }, '1.5', { problem: 'not_an_integer' }],
    [{ type: 'TextField' }, '007', { value: '007' }],
    [{ type: 'TextField' }, ' a ', { value: ' a ' }],
    [{ type: 'TextField', sync: true }, ' a ', { value: 'a' }],
    [{ type: 'TextField', sync: true }, ' ', { problem: 'required' }],
    [{ type: 'TextField', required: true }, null, { problem: 'required' }],
    [{ type: 'ComboBox', values: ['cold', 'warm'] }, ' warm', { value: 'warm' }],
    [{ type: 'ComboBox', values: ['cold', 'warm'] }, 'Warm', { problem: 'not_allowed' }],
    [{ type: 'StatusField', values: ['1'] }, '1', { value: '1' }],
    [{ type: 'StatusField' }, 'anything', { value: 'anything' }],
  ])('%j takes %j', async (written, cell, expected) => {
    expect((await nameFrom('Name', { card: field(written) }))(cell)).toEqual(expected);
  });

  test('an empty field is left out', async () => {
    const row = (await compiled(withName('Name'))).map(['1', null, '123']);
    expect(clientOf(row).fields).toStrictEqual({ id: 1 });
  });

  test('a near value is suggested', async () => {
    const card = field({ type: 'ComboBox', values: ['cold', 'warm'] });
    const row = (await compiled(withName('Name'), { card })).map(['1', 'Warm', '123']);
    expect(row.status === 'rejected' && row.problems).toEqual([
      {
        column: 'Name',
        code: 'not_allowed',
        message: 'This value is not allowed. Did you mean "warm"? Allowed: cold, warm.',
        value: 'Warm',
      },
    ]);
  });
});

describe('without a card', () => {
  test('values pass as text, constants as they are written', async () => {
    const { map, identifierNames } = await compiled(withName('{ value: 7 }'), { card: undefined });
    const row = map(['007', null, '123']);
    expect(identifierNames).toEqual([]);
    expect(clientOf(row).fields).toEqual({ id: '007', name: 7 });
  });

  test('every field makes the UUID', async () => {
    const { map } = await compiled(withName('Name'), { card: undefined });
    const uuid = (...cells: Cell[]) => {
      const row = map(cells);
      return clientOf(row).uuid;
    };
    expect(uuid('1', 'a', '123')).toBe(uuid('1', 'a', '456'));
    expect(uuid('1', 'a', '123')).not.toBe(uuid('1', 'b', '123'));
  });
});

const CONTACTS = (contacts: string) => `client:
  clientRoleId: Role
  timeZone: TZ
  fields: { id: Id }
${contacts}`;
const HEADERS = ['Id', 'Role', 'TZ', 'Phones', 'Kind', 'Active', 'Mail', 'Home'];

async function mapped(contacts: string, cells: Partial<Record<string, Cell>>) {
  const { map } = await compiled(CONTACTS(contacts), { headers: HEADERS, clientRoles: [1, 2] });
  const row: Record<string, Cell | undefined> = {
    Id: '5',
    Role: '1',
    TZ: 'UTC',
    Phones: '123',
    ...cells,
  };
  return map(HEADERS.map((name) => row[name] ?? null));
}

const PHONES =
  '  phones: [{ column: Phones, type: { column: Kind, default: MOB }, active: Active, disabled: true, split: ";" }]\n';

describe('contacts', () => {
  test('a cell may hold several phones; the same one twice is one', async () => {
    const row = await mapped(PHONES, { Phones: ' 123 ;; 456;123', Kind: 'FAX', Active: 'нет' });
    expect(clientOf(row).phones).toStrictEqual([
      { phoneNumber: '123', type: 'FAX', active: false, disabled: true },
      { phoneNumber: '456', type: 'FAX', active: false, disabled: true },
    ]);
  });

  test('what the row does not say is left to the contact center', async () => {
    const row = await mapped(PHONES, {});
    expect(clientOf(row).phones).toStrictEqual([
      { phoneNumber: '123', type: 'MOB', disabled: true },
    ]);
  });

  test('a row without a phone is rejected', async () => {
    expect(await mapped(PHONES, { Phones: null })).toMatchObject({
      status: 'rejected',
      problems: [{ column: null, code: 'no_phone', value: null }],
    });
  });

  test('a bad phone is told once, not again as missing; a good one beside it does not save the row', async () => {
    expect(await mapped(PHONES, { Phones: 'no' })).toMatchObject({
      problems: [{ column: 'Phones', code: 'not_a_phone', value: 'no' }],
    });
    expect(await mapped(PHONES, { Phones: '123; no' })).toMatchObject({
      status: 'rejected',
      problems: [{ column: 'Phones', code: 'not_a_phone', value: '123; no' }],
    });
  });

  test('every problem of type and flags is told', async () => {
    const row = await mapped(PHONES, { Kind: 'MOBILE', Active: 'perhaps', Role: '3', TZ: null });
    expect(
      row.status === 'rejected' && row.problems.map(({ column, code }) => [column, code]),
    ).toEqual([
      ['Role', 'unknown_role'],
      ['TZ', 'required'],
      ['Kind', 'not_allowed'],
    ]);
    expect(await mapped(PHONES, { Active: 'perhaps' })).toMatchObject({
      problems: [{ column: 'Active', code: 'not_a_boolean', value: 'perhaps' }],
    });
  });

  test.each(['a@b', 'a b@c.de', '@c.de', 'a@c..de', 'a@@c.de', 'a@c.de.', 'a@c.de, b@c.de'])(
    '%s is not an e-mail address',
    async (mail) => {
      const emails = `${PHONES}  emails: [Mail]\n`;
      expect(await mapped(emails, { Mail: mail })).toMatchObject({
        problems: [{ column: 'Mail', code: 'not_an_email', value: mail }],
      });
    },
  );

  test('addresses and e-mail addresses with their flags', async () => {
    const row = await mapped(
      `${PHONES}  emails: [{ column: Mail, active: false, split: "," }]\n  addresses: [{ column: Home, type: HOME }]\n`,
      { Mail: 'a@b.ru, ä@пример.рф,a@b.ru', Home: ' Tverskaya 1 ' },
    );
    expect([clientOf(row).emails, clientOf(row).addresses]).toStrictEqual([
      [
        { email: 'a@b.ru', active: false },
        { email: 'ä@пример.рф', active: false },
      ],
      [{ address: 'Tverskaya 1', type: 'HOME' }],
    ]);
  });

  test('an entry may be required', async () => {
    const row = await mapped(
      `${PHONES}  emails: [{ column: Mail, required: true }]\n  addresses: [{ column: Home, type: HOME, required: true, split: "|" }]\n`,
      {},
    );
    expect(
      row.status === 'rejected' && row.problems.map(({ column, code }) => [column, code]),
    ).toEqual([
      ['Mail', 'required'],
      ['Home', 'required'],
    ]);
  });
});

describe('where', () => {
  test.each<[string, Cell, boolean]>([
    ['{ column: Name, in: [new, 1, true] }', ' new ', true],
    ['{ column: Name, in: [new, 1, true] }', '1', true],
    ['{ column: Name, in: [new, 1, true] }', 'true', true],
    ['{ column: Name, in: [new] }', 'New', false],
    ['{ column: Name, in: [new] }', null, false],
    ['{ column: Name, notIn: [old] }', 'old', false],
    ['{ column: Name, notIn: [old] }', null, true],
    ['{ column: Name, equals: a }', 'a', true],
    ['{ column: Name, equals: a }', 'b', false],
    ['{ column: Name, notEquals: a }', null, true],
    ['{ column: Name, notEquals: a }', 'a', false],
    ['{ column: Name, matches: "^7\\\\d+$" }', '79', true],
    ['{ column: Name, matches: "(?i)abc" }', 'xABCx', true],
    ['{ column: Name, matches: abc }', 'ab', false],
    ['{ column: Name, empty: true }', ' ', true],
    ['{ column: Name, empty: true }', 'x', false],
    ['{ column: Name, empty: false }', 'x', true],
    ['{ column: Name, empty: false, notEquals: x }', 'x', false],
    ['{ all: [{ column: Name, empty: false }, { column: Id, equals: 1 }] }', 'x', true],
    ['{ all: [{ column: Name, empty: false }, { column: Id, equals: 2 }] }', 'x', false],
    ['{ any: [{ column: Name, empty: true }, { column: Id, equals: 1 }] }', 'x', true],
    ['{ any: [{ column: Name, empty: true }, { not: { column: Id, equals: 1 } }] }', 'x', false],
  ])('%s with %j: %s', async (where, cell, passes) => {
    const { map } = await compiled(withName('Name', `where: ${where}`));
    expect(map(['1', cell, '123']).status).toBe(passes ? 'client' : 'skipped');
  });

  test('a skipped row is known by the UUID that it would have had', async () => {
    const kept = (await compiled(withName('Name'))).map(['1', 'x', '123']);
    const { map } = await compiled(withName('Name', 'where: { not: { column: Name, equals: x } }'));
    expect(map(['1', 'x', '123'])).toEqual({
      status: 'skipped',
      uuid: clientOf(kept).uuid,
      identifiers: [1],
      problems: [
        {
          column: null,
          code: 'filtered',
          message: 'Left out by the mapping: it takes rows where not ("Name" is x).',
          value: null,
        },
      ],
    });
  });
});
