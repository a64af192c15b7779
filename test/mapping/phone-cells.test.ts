import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { MappedRow } from '../../src/mapping/compile.js';
import { clientOf, compiled, withName } from './files.js';

const maps = new Map<string, Promise<(cells: (string | null)[]) => MappedRow>>();

/** What becomes of a cell in a column of phones of a country: what is sent, with the codes of remarks, or why nothing is. */
async function outcomeOf(country: string, cell: string, options = ''): Promise<string> {
  const key = country + options;
  const map = maps.get(key) ?? mapOf(country, options);
  maps.set(key, map);
  const row = (await map)(['1', 'x', cell]);
  if (row.status !== 'client') return row.problems.map(({ message }) => message).join(' ');
  const numbers = clientOf(row).phones.map(({ phoneNumber }) => phoneNumber);
  return [...numbers, ...(row.remarks ?? []).map(({ code }) => code)].join(' ');
}

async function mapOf(country: string, options: string) {
  const { map } = await compiled(`client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id, name: Name }
  phones: [{ column: Phone, type: MOB${options}, transform: [{ phone: { country: ${country} } }] }]
`);
  return map;
}

/** Why nothing is sent, by the words of `phone-cells.yaml`: a part of the message. */
const REFUSED: Readonly<Record<string, string>> = {
  several: 'more than one phone',
  forbidden: 'must not be called',
  none: 'This is not a phone number',
  rounded: 'rounded',
  elsewhere: 'or one of another country',
};

type Case = readonly [country: string, cell: string, outcome: string];
const KINDS = parse(readFileSync(new URL('phone-cells.yaml', import.meta.url), 'utf8')) as Readonly<
  Record<string, readonly Case[]>
>;

describe.each(Object.entries(KINDS))('%s', (_kind, cases) => {
  test.each(cases)('%s: %j', async (country, cell, outcome) => {
    const found = await outcomeOf(country, cell);
    if (outcome.startsWith('+')) expect(found).toBe(outcome);
    else expect(found).toContain(REFUSED[outcome]);
  });
});

test.each([
  ['DE', ';', '0151 23450001; 030 1230001', '+4915123450001 +49301230001'],
  ['DE', 'und', '0151 23450001 und 030 1230001', '+4915123450001 +49301230001'],
  ['RU', ',', '8 916 123-45-67, 8 916 123-45-68', '+79161234567 +79161234568'],
  ['US', '|', '(212) 555-0123|(212) 555-0124', '+12125550123 +12125550124'],
])('%s: with split: %j, %j are two phones', async (country, split, cell, outcome) => {
  expect(await outcomeOf(country, cell, `, split: '${split}'`)).toBe(outcome);
});

const [ONE, OTHER] = ['0151 23450001', '030 1230001'];
const CALLED = '+4915123450001';

describe('a ban beside several numbers, of which one is taken', () => {
  test.each([
    [1, `${ONE}; do not call`, 'forbidden'],
    [1, `${ONE}; ${OTHER}; do not call`, 'forbidden'],
    [1, `do not call: ${ONE}; ${OTHER}`, 'forbidden'],
    [1, `${ONE}; nicht anrufen; ${OTHER}`, 'forbidden'],
    [1, `${ONE} (do not call); ${OTHER}`, 'forbidden'],
    [1, `${ONE}; ${OTHER}; email only`, 'forbidden'],
    [1, `${ONE}; no sms, no calls`, 'forbidden'],
    [1, `${ONE}; widerrufen`, 'forbidden'],
    [1, `${ONE} (nein); ${OTHER}`, 'forbidden'],
    [2, `do not call; ${ONE}; ${OTHER}`, 'forbidden'],
    [2, `${ONE}; do not call ${OTHER}`, 'forbidden'],
    [1, `${ONE}; ${OTHER}`, CALLED],
    [1, `${ONE}; ${OTHER} (do not call)`, CALLED],
    [1, `${ONE}; ${OTHER} do not call`, CALLED],
    [1, `${ONE}; do not call ${OTHER}`, CALLED],
    [1, `${ONE}; no sms, only calls`, CALLED],
    [1, `Tel. ${ONE}; Frau Zett`, CALLED],
    [1, `${ONE}; DNC: no`, CALLED],
  ])('part %i of %s', async (part, cell, outcome) => {
    const found = await outcomeOf('DE', cell, `, split: ';', part: ${part}`);
    expect(found).toContain(REFUSED[outcome] ?? outcome);
  });
});

/** What becomes of a phone that no transform reads as one. */
async function unreadOf(cell: string, transform = ''): Promise<string> {
  const { map } = await compiled(withName('Name').replace('type: MOB', `type: MOB${transform}`));
  return JSON.stringify(map(['1', 'x', cell]));
}

test.each(['{ replace: { pattern: "[^0-9]" } }', 'digits'])(
  'a ban stays behind %s',
  async (left) => {
    const transform = `, transform: [${left}]`;
    expect(await unreadOf('015123450001 do not call', transform)).toContain(REFUSED['forbidden']);
    expect(await unreadOf('015123450001 mobile', transform)).not.toContain('must not');
  },
);

test.each([
  `${ONE}\n${OTHER}`,
  `${ONE} und ${OTHER}`,
  '8 916 123-45-67; 8 916 123-45-68',
  '(212) 555-0123 ::: (212) 555-0124',
])('two phones in a cell that nothing reads are not sent as one: %j', async (cell) => {
  expect(await unreadOf(cell)).toMatch(/"rejected".*"column":"Phone"/);
});

test.each([
  ['1234x678', 'a letter stands among its digits'],
  ['21255x50123', 'a letter stands among its digits'],
  ['03012O4567', 'a letter stands among its digits'],
  ['8 916 12345б67', 'a letter stands among its digits'],
  ['4.91512E+11', 'a program has rounded'],
  ['2125550123x45', ''],
  ['22 123 45 67w12', ''],
  ['030 123456 ab 9h30', ''],
  ['1-800-FLOWERS', ''],
])('where nothing reads phones, %j is sent as it stands, or: %j', async (cell, why) => {
  const { map } = await compiled(`client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id, name: Name }
  phones: [{ column: Phone, type: MOB }]
`);
  const row = map(['1', 'x', cell]);
  if (row.status === 'client')
    expect(clientOf(row).phones[0]?.phoneNumber).toBe(why === '' ? cell : why);
  else expect(row.problems.map(({ message }) => message).join()).toContain(why === '' ? cell : why);
});
