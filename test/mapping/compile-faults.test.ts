import { describe, expect, test } from 'vitest';
import type { Installation } from '../../src/installation/installation.js';
import { compiled, faultsOf, withName, type Setup } from './files.js';

const faults = (yaml: string, setup: Setup = {}) => faultsOf(() => compiled(yaml, setup));

const CARD: Installation['card'] = {
  offerId: { type: 'Number', sync: true, required: false },
  domain: { type: 'TextField', sync: true, required: false },
  fullName: { type: 'TextField', sync: false, required: true },
  segment: { type: 'ComboBox', sync: false, required: false, values: ['cold', 'warm'] },
};

test('columns, fields and constants are all told at once, each with its place', async () => {
  const yaml = `client:
  clientRoleId: { value: 7 }
  type: { column: Tier, map: { Gold: VPI }, default: SIMPEL }
  timeZone: { value: "a time zone of many characters" }
  fields:
    offerID: Offer Id
    segment: { column: Segment, default: hot }
  phones:
    - { column: Mobil, type: MOB, transform: [{ phone: { country: XX } }] }
  emails: [Mail, { columns: [E-Mail, Post] }]
where: { all: [{ column: State, empty: false }, { column: Tier, matches: "a(?=b)" }] }
uuid: { value: same }
`;
  const headers = ['Offer ID', 'Tier', 'Segment', 'Mobile', 'E-mail'];
  expect(await faults(yaml, { card: CARD, clientRoles: [1, 2], headers })).toEqual([
    {
      line: 2,
      column: 26,
      path: 'client.clientRoleId.value',
      message: '"7": There is no such role. Roles: 1, 2.',
    },
    {
      line: 3,
      column: 38,
      path: 'client.type.map.Gold',
      message: '"VPI": This value is not allowed. Use one of: SIMPLE, VIP.',
    },
    {
      line: 3,
      column: 54,
      path: 'client.type.default',
      message: '"SIMPEL": This value is not allowed. Did you mean "SIMPLE"? Allowed: SIMPLE, VIP.',
    },
    {
      line: 4,
      column: 22,
      path: 'client.timeZone.value',
      message:
        '"a time zone of many characters": A time zone has at most 25 characters, such as Europe/Moscow.',
    },
    {
      line: 5,
      column: 3,
      path: 'client.fields',
      message: 'the field "offerId" is a synchronization identifier and is missing here.',
      suggestion: 'Add "offerId: …".',
    },
    {
      line: 5,
      column: 3,
      path: 'client.fields',
      message: 'the field "domain" is a synchronization identifier and is missing here.',
      suggestion: 'Add "domain: …".',
    },
    {
      line: 5,
      column: 3,
      path: 'client.fields',
      message: 'the field "fullName" is required and is missing here.',
      suggestion: 'Add "fullName: …".',
    },
    {
      line: 6,
      column: 14,
      path: 'client.fields.offerID',
      message: 'the card has no field "offerID".',
      suggestion: 'Did you mean "offerId"?',
    },
    {
      line: 6,
      column: 14,
      path: 'client.fields.offerID',
      message: 'leads.csv has no column "Offer Id".',
      suggestion: 'Did you mean "Offer ID"?',
    },
    {
      line: 7,
      column: 42,
      path: 'client.fields.segment.default',
      message: '"hot": This value is not allowed. Use one of: cold, warm.',
    },
    {
      line: 9,
      column: 17,
      path: 'client.phones[0].column',
      message: 'leads.csv has no column "Mobil".',
      suggestion: 'Did you mean "Mobile"?',
    },
    {
      line: 9,
      column: 67,
      path: 'client.phones[0].transform[0].phone.country',
      message: '"XX" is not a country.',
      suggestion: 'Use two letters, such as RU.',
    },
    {
      line: 10,
      column: 12,
      path: 'client.emails[0]',
      message: 'leads.csv has no column "Mail".',
      suggestion: 'Did you mean "E-mail"?',
    },
    {
      line: 10,
      column: 30,
      path: 'client.emails[1].columns[0]',
      message: 'leads.csv has no column "E-Mail".',
      suggestion: 'Did you mean "E-mail"?',
    },
    {
      line: 10,
      column: 38,
      path: 'client.emails[1].columns[1]',
      message: 'leads.csv has no column "Post".',
      suggestion: 'There is: "Offer ID", "Tier", "Segment", "Mobile", "E-mail".',
    },
    {
      line: 11,
      column: 26,
      path: 'where.all[0].column',
      message: 'leads.csv has no column "State".',
      suggestion: 'There is: "Offer ID", "Tier", "Segment", "Mobile", "E-mail".',
    },
    {
      line: 11,
      column: 74,
      path: 'where.all[1].matches',
      message: 'this regular expression cannot be used: invalid or unsupported Perl syntax: `(?=`.',
      suggestion: 'The syntax is that of RE2: without look-around and back-references.',
    },
    {
      line: 12,
      column: 1,
      path: 'uuid',
      message: 'a constant would give every row the same UUID.',
      suggestion: 'Name a column.',
    },
  ]);
});

describe('single faults', () => {
  test.each<[string, string]>([
    ['{ column: Name, split: "," }', 'a split gives several values here.'],
    [
      '{ column: Name, transform: [{ date: { from: dd.dd } }] }',
      '"dd.dd" is not a date pattern: "dd.dd" means nothing, or a part comes twice.',
    ],
    [
      '{ column: Name, transform: [{ date: { from: dd.nn.yyyy } }] }',
      '"dd.nn.yyyy" is not a date pattern: "nn" means nothing, or a part comes twice.',
    ],
    [
      '{ column: Name, transform: [{ date: { to: dd.q } }] }',
      '"dd.q" is not a date pattern: "q" means nothing, or a part comes twice.',
    ],
    [
      '{ column: Name, transform: [{ date: { from: dd.MM, to: dd.MM.yyyy } }] }',
      '"dd.MM.yyyy" shows the year, and "dd.MM" has none.',
    ],
    ['{ template: "{Name} {" }', 'a "{" stands alone in the template.'],
    ['{ template: "{Nmae}" }', 'leads.csv has no column "Nmae".'],
    [
      '{ column: Name, transform: [{ template: "{value} {Nobody}" }] }',
      'leads.csv has no column "Nobody".',
    ],
    [
      '{ column: Name, transform: [{ replace: { pattern: "(a)", with: "$2" } }] }',
      '$2 names a group that the pattern does not have.',
    ],
    [
      '{ column: Name, transform: [{ replace: { pattern: "(a" } }] }',
      'this regular expression cannot be used: missing closing ): `(a`.',
    ],
    [
      '{ column: Name, transform: [{ boolean: { true: [x], false: [X] } }] }',
      '"x" means both true and false.',
    ],
  ])('%s', async (spec, message) => {
    expect(await faults(withName(spec))).toMatchObject([{ line: 6, message }]);
  });

  test('a column that the file has twice', async () => {
    expect(await faults(withName('Name'), { headers: ['Id', 'Name', 'Name ', 'Phone'] })).toEqual([
      {
        line: 6,
        column: 11,
        path: 'client.fields.name',
        message: 'leads.csv has two columns "Name".',
        suggestion: 'Rename one of them.',
      },
    ]);
  });

  test.each<[string, string[][], string]>([
    ['the key', [['c', 'b']], 't.csv has no column "a".'],
    ['the value', [['a', 'c']], 't.csv has no column "b".'],
    [
      'contradiction',
      [
        ['a', 'b'],
        ['1', 'x'],
        ['1', 'y'],
      ],
      'row 3 of t.csv says something else for a key that stands further up.',
    ],
  ])('a lookup table that lacks or repeats: %s', async (_, table, message) => {
    const spec = '{ column: Name, transform: [{ lookup: { file: t.csv, key: a, value: b } }] }';
    const setup = { readTable: () => Promise.resolve(table) };
    expect(await faults(withName(spec), setup)).toMatchObject([{ line: 6, message }]);
  });
});

test('headers are compared without white space at their ends, and other columns do not matter', async () => {
  const headers = [' Id', 'Name ', '', 'Phone', 'cardline:outcome', 'cardline:problems'];
  const { map, columns } = await compiled(withName('Name'), { headers });
  expect(columns).toEqual(['Id', 'Name', 'Phone']);
  expect(map(['1', 'Anna', null, '123', 'rejected', 'x']).status).toBe('client');
});
