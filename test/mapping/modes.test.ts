import { describe, expect, test } from 'vitest';
import type { Installation } from '../../src/installation/installation.js';
import type { Cell } from '../../src/core/table.js';
import { client as clientShape } from '../../src/contract/shapes.js';
import { compiled, sent } from './files.js';

/** Two identifiers, a required field and an optional one. */
const CARD: Installation['card'] = {
  offerId: { type: 'Number', sync: true, required: false },
  domain: { type: 'TextField', sync: true, required: false },
  fullName: { type: 'TextField', sync: false, required: true },
  budget: { type: 'Number', sync: false, required: false },
  // Every object has something of this name.
  toString: { type: 'TextField' as const, sync: false, required: false },
};

const IDENTIFIERS = 'offerId: Offer, domain: Site';
const WHO = { Offer: '1007', Site: 'shop.example.com' };
/** UUIDv5 of these identifiers, whatever the mode. */
const UUID = '4e977ce1-1445-53ab-a013-1833db393167';

type Row = Readonly<Record<string, Cell>>;

/** What a row becomes by a mapping over the columns that the row has. */
async function mapped(yaml: string, row: Row) {
  const cells = { ...WHO, ...row };
  const { map } = await compiled(yaml, { card: CARD, headers: Object.keys(cells) });
  return map(Object.values(cells));
}

/** The payload of a row, as it would be sent. */
async function payload(yaml: string, row: Row = {}) {
  const result = await mapped(yaml, row);
  if (result.status !== 'client') throw new Error(JSON.stringify(result));
  expect(result).toMatchObject({
    uuid: UUID,
    identifiers: [1007, 'shop.example.com'],
  });
  return sent(result.payload);
}

/** Columns and codes of the problems of a row. */
async function problems(yaml: string, row: Row) {
  const result = await mapped(yaml, row);
  if (result.status !== 'rejected') throw new Error(JSON.stringify(result));
  return result.problems.map(({ column, code }) => [column, code]);
}

describe.each(['enqueue', 'delete'])('mode %s', (mode) => {
  const MAPPING = `mode: ${mode}\nclient: { fields: { ${IDENTIFIERS} } }\n`;

  test('wants to know who is meant, and nothing else', async () => {
    expect(await payload(MAPPING)).toStrictEqual({});
  });

  test.each([
    [{ Offer: null }, [['Offer', 'required']]],
    [{ Offer: '12x' }, [['Offer', 'not_a_number']]],
    [
      { Offer: '1.5', Site: ' ' },
      [
        ['Offer', 'not_an_integer'],
        ['Site', 'required'],
      ],
    ],
  ])('%j: every problem is told', async (row: Row, expected) => {
    expect(await problems(MAPPING, row)).toEqual(expected);
  });

  test('a row may have a uuid of its own, and be left out', async () => {
    const rest = 'uuid: Key\nwhere: { column: Key, notEquals: skip }\n';
    expect(await mapped(MAPPING + rest, { Key: 'k-1' })).toMatchObject({
      status: 'client',
      uuid: 'k-1',
    });
    expect(await mapped(MAPPING + rest, { Key: 'skip' })).toMatchObject({
      status: 'skipped',
      identifiers: [1007, 'shop.example.com'],
    });
  });
});

describe('mode upsert', () => {
  test('makes the client that create makes', async () => {
    const yaml = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { ${IDENTIFIERS}, fullName: Name }
  phones: [{ column: Phone, type: MOB, active: { column: Active } }]
`;
    const row = { Name: 'Anna', Phone: '79990001000', Active: 'no' };
    const created = await payload(yaml, row);
    expect(clientShape.safeParse(created).error).toBeUndefined();
    expect(created).toMatchObject({ phones: [{ phoneNumber: '79990001000', active: false }] });
    expect(await payload(`mode: upsert\n${yaml}`, row)).toStrictEqual(created);
    expect(await payload(`mode: create\n${yaml}`, row)).toStrictEqual(created);
  });
});

describe('mode update', () => {
  const MAPPING = `mode: update
client:
  fields: { ${IDENTIFIERS}, fullName: Name, budget: Budget, toString: Text }
  phones: [{ column: Mobile, type: MOB }, { column: Other, type: { column: Kind }, split: ';' }]
  emails: [Mail]
  addresses: [{ column: Home, type: HOME }]
`;
  const EMPTY = {
    ...{ Name: null, Budget: null, Text: null, Mobile: null, Other: null, Kind: null },
    ...{ Mail: null, Home: null },
  };

  test('fields and contacts that are filled in are changed and added; identifiers are not', async () => {
    const full = {
      ...{ Name: 'Anna', Budget: '007.50', Text: 'x', Mobile: '79990001000' },
      ...{ Other: '79990001001;79990001000;', Kind: 'WORK', Mail: 'a@b.org', Home: ' Sadovaya 1 ' },
    };
    expect(await payload(MAPPING, full)).toStrictEqual({
      fields: { fullName: 'Anna', budget: 7.5, toString: 'x' },
      phones: [
        { phoneNumber: '79990001000', type: 'MOB' },
        { phoneNumber: '79990001001', type: 'WORK' },
      ],
      emails: [{ email: 'a@b.org' }],
      addresses: [{ address: 'Sadovaya 1', type: 'HOME' }],
    });
  });

  test('empty cells change nothing, those of required fields neither', async () => {
    expect(await payload(MAPPING, { ...EMPTY, Budget: '0' })).toStrictEqual({
      ...{ fields: { budget: 0 }, phones: [], emails: [], addresses: [] },
    });
    expect(await payload(MAPPING, { ...EMPTY, Mail: 'a@b.org' })).toStrictEqual({
      ...{ fields: {}, phones: [], emails: [{ email: 'a@b.org' }], addresses: [] },
    });
  });

  test('a row that would change nothing is rejected', async () => {
    expect(await mapped(MAPPING, EMPTY)).toMatchObject({
      status: 'rejected',
      uuid: UUID,
      problems: [
        {
          column: null,
          code: 'nothing_to_change',
          message:
            'The row changes nothing. Fill in a cell beside the synchronization identifiers.',
          value: null,
        },
      ],
    });
  });

  test('a bad cell is told, and not that nothing is left beside it', async () => {
    const row = { ...EMPTY, Budget: 'much', Mobile: 'no', Mail: 'a@b' };
    expect(await problems(MAPPING, row)).toEqual([
      ['Budget', 'not_a_number'],
      ['Mobile', 'not_a_phone'],
      ['Mail', 'not_an_email'],
    ]);
  });

  test('a field may be required, or have a default', async () => {
    const fields = (spec: string) =>
      `mode: update\nclient: { fields: { ${IDENTIFIERS}, fullName: ${spec} } }\n`;
    const row = { Name: null };
    expect(await problems(fields('{ column: Name, required: true }'), row)).toEqual([
      ['Name', 'required'],
    ]);
    expect(await payload(fields('{ column: Name, default: nobody }'), row)).toMatchObject({
      fields: { fullName: 'nobody' },
    });
  });
});

describe('mode dequeue', () => {
  const MAPPING = `mode: dequeue\nclient: { fields: { ${IDENTIFIERS} } }\n`;

  test.each([
    ['', null, false],
    ['cancelCallbacks: true', null, true],
    ['cancelCallbacks: { value: true }', null, true],
    ['cancelCallbacks: { value: no }', null, false],
    ['cancelCallbacks: Cancel', 'Да', true],
    ['cancelCallbacks: Cancel', 'n', false],
    ['cancelCallbacks: Cancel', null, false],
    ['cancelCallbacks: { column: Cancel, default: true }', null, true],
    ['cancelCallbacks: { column: Cancel, map: { all: true, none: false } }', 'all', true],
    ['cancelCallbacks: { column: Cancel, transform: [{ boolean: { true: [x] } }] }', 'X', true],
  ])('%s with %j: %s', async (rest, cell, cancelCallbacks) => {
    expect(await payload(`${MAPPING}${rest}\n`, { Cancel: cell })).toStrictEqual({
      cancelCallbacks,
    });
  });

  test('what is neither yes nor no is told', async () => {
    const yaml = `${MAPPING}cancelCallbacks: Cancel\n`;
    expect(await problems(yaml, { Cancel: 'perhaps' })).toEqual([['Cancel', 'not_a_boolean']]);
    const required = `${MAPPING}cancelCallbacks: { column: Cancel, required: true }\n`;
    expect(await problems(required, { Cancel: null })).toEqual([['Cancel', 'required']]);
  });
});

describe('mode contacts', () => {
  const MAPPING = `mode: contacts
client:
  fields: { ${IDENTIFIERS} }
  phones:
    - { column: Mobile, active: { column: Active, transform: [lower, { boolean: { true: [on], false: [off] } }] } }
    - { column: Old, split: ';', active: false }
  emails: [{ column: Mail, active: Active mail }]
  addresses: [{ column: Home, active: { value: true } }]
`;
  const EMPTY = {
    ...{ Mobile: null, Active: null, Old: null },
    ...{ Mail: null, 'Active mail': null, Home: null },
  };

  test('every contact gets its status', async () => {
    const row = {
      ...{ Mobile: '79990001000', Active: 'ON', Old: '79990001001; 79990001002' },
      ...{ Mail: 'a@b.org', 'Active mail': 'нет', Home: 'Sadovaya 1' },
    };
    expect(await payload(MAPPING, row)).toStrictEqual({
      phones: [
        { phoneNumber: '79990001000', active: true },
        { phoneNumber: '79990001001', active: false },
        { phoneNumber: '79990001002', active: false },
      ],
      emails: [{ email: 'a@b.org', active: false }],
      addresses: [{ address: 'Sadovaya 1', active: true }],
    });
  });

  test('a status without a contact says nothing', async () => {
    const row = { ...EMPTY, Active: 'on', Home: 'Sadovaya 1' };
    expect(await payload(MAPPING, row)).toStrictEqual({
      ...{ phones: [], emails: [], addresses: [{ address: 'Sadovaya 1', active: true }] },
    });
  });

  test('a row without any contact is rejected', async () => {
    expect(await problems(MAPPING, { ...EMPTY, Active: 'on' })).toEqual([[null, 'no_contact']]);
  });

  test('a contact needs a status that is one, and a contact that is one', async () => {
    const row = { ...EMPTY, Mobile: '79990001000', Mail: 'a@b.org', 'Active mail': 'perhaps' };
    expect(await problems(MAPPING, row)).toEqual([
      ['Active', 'required'],
      ['Active mail', 'not_a_boolean'],
    ]);
    expect(await problems(MAPPING, { ...EMPTY, Mobile: 'no', Active: 'on', Mail: 'a' })).toEqual([
      ['Mobile', 'not_a_phone'],
      ['Mail', 'not_an_email'],
    ]);
  });

  test('the same contact twice is one, unless its statuses differ', async () => {
    const row = { ...EMPTY, Mobile: '79990001000', Old: '79990001000' };
    expect(await payload(MAPPING, { ...row, Active: 'off' })).toMatchObject({
      phones: [{ phoneNumber: '79990001000', active: false }],
    });
    expect(await problems(MAPPING, { ...row, Active: 'on' })).toEqual([[null, 'two_statuses']]);
  });

  test('a required contact is told where it is missing', async () => {
    const yaml = `mode: contacts
client: { fields: { ${IDENTIFIERS} }, phones: [{ column: Mobile, active: true, required: true }] }
`;
    expect(await problems(yaml, { Mobile: null })).toEqual([['Mobile', 'required']]);
  });
});

describe('mode callbacks', () => {
  const MAPPING = `mode: callbacks
client: { fields: { ${IDENTIFIERS} } }
callback:
  name: Subject
  description: { column: Notes, default: none }
  phone: { column: Mobile, transform: [{ phone: { country: RU } }] }
  operatorId: Operator
  callAt: { column: Call at, pattern: dd.MM.yyyy HH:mm, timeZone: { column: TZ, default: Europe/Moscow } }
  callAutomatically: Automatic
`;
  const ROW = {
    ...{ Subject: ' Offer ', Notes: 'in the evening', Mobile: '8 999 000-10-00', Operator: '12' },
    ...{ 'Call at': '21.11.2026 10:00', TZ: null, Automatic: 'yes' },
  };

  test('makes a callback without its client and its campaign', async () => {
    expect(await payload(MAPPING, ROW)).toStrictEqual({
      name: 'Offer',
      description: 'in the evening',
      phone: '+79990001000',
      operatorId: 12,
      callAt: '2026-11-21T10:00:00+03:00',
      callAutomatically: true,
    });
  });

  test('constants are callbacks of every row', async () => {
    const yaml = `mode: callbacks
client: { fields: { ${IDENTIFIERS} } }
callback:
  name: { value: Offer }
  description: { value: none }
  phone: { value: 79990001000 }
  operatorId: { value: 12 }
  callAt: { value: '2026-11-21 10:00', timeZone: Asia/Kolkata }
  callAutomatically: false
`;
    expect(await payload(yaml)).toStrictEqual({
      name: 'Offer',
      description: 'none',
      phone: '79990001000',
      operatorId: 12,
      callAt: '2026-11-21T10:00:00+05:30',
      callAutomatically: false,
    });
  });

  test('whatever is missing is told', async () => {
    const empty = Object.fromEntries(Object.keys(ROW).map((column) => [column, null]));
    expect(await mapped(MAPPING, empty)).toMatchObject({
      problems: [
        { column: 'Subject', message: 'The name of the callback is required. Fill in the cell.' },
        { column: 'Mobile', message: 'The phone of the callback is required. Fill in the cell.' },
        { column: 'Operator', code: 'required' },
        { column: 'Call at', message: 'The time of the callback is required. Fill in the cell.' },
        { column: 'Automatic', code: 'required' },
      ],
    });
    const yaml = MAPPING.replace('{ column: Notes, default: none }', 'Notes');
    expect(await problems(yaml, { ...ROW, Notes: ' ' })).toEqual([['Notes', 'required']]);
  });

  test('whatever is wrong is told', async () => {
    const row = {
      ...{ ...ROW, Mobile: '12', Operator: '1.5', TZ: 'Europe/Moskow', Automatic: 'perhaps' },
    };
    expect(await problems(MAPPING, row)).toEqual([
      ['Mobile', 'not_a_phone'],
      ['Operator', 'not_an_integer'],
      ['TZ', 'not_a_time_zone'],
      ['Automatic', 'not_a_boolean'],
    ]);
  });
});

describe('mode rekey', () => {
  const MAPPING = `mode: rekey\nclientId: Id\nclient: { fields: { ${IDENTIFIERS} } }\n`;

  test('tells the client by its id, and the new identifiers', async () => {
    expect(await payload(MAPPING, { Id: '0123' })).toStrictEqual({ clientId: 123 });
  });

  test.each([
    [null, 'required'],
    ['0', 'not_an_id'],
    ['-5', 'not_an_id'],
    ['1.5', 'not_an_integer'],
    ['x', 'not_a_number'],
    ['9007199254740993', 'number_too_large'],
  ])('%j is no id: %s', async (id, code) => {
    expect(await problems(MAPPING, { Id: id })).toEqual([['Id', code]]);
  });

  test('every new identifier is needed', async () => {
    expect(await problems(MAPPING, { Id: '1', Site: null })).toEqual([['Site', 'required']]);
  });
});

test.each(['update', 'enqueue', 'delete', 'dequeue'])(
  'without a card every field of mode %s makes the uuid, and none is refused',
  async (mode) => {
    const yaml = `mode: ${mode}\nclient: { fields: { a: A, b: B } }\n`;
    const { map, identifierNames } = await compiled(yaml, { card: undefined, headers: ['A', 'B'] });
    expect(identifierNames).toEqual([]);
    const rows = [map(['1', 'x']), map(['1', 'y']), map(['1', 'x'])];
    const uuids = rows.map((row) => row.uuid);
    expect(rows.map(({ status }) => status)).toEqual(['client', 'client', 'client']);
    expect(uuids[0]).toBe(uuids[2]);
    expect(uuids[0]).not.toBe(uuids[1]);
  },
);
