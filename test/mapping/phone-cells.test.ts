import { describe, expect, test } from 'vitest';
import type { MappedRow } from '../../src/mapping/compile.js';
import { clientOf, compiled, withName } from './files.js';
import { tablesIn } from '../kit/tables.js';

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

/** The options are those of the phone in the mapping. */
type Case = readonly [country: string, cell: string, outcome: string, options?: string];
const KINDS = tablesIn(import.meta.dirname, 'phone-cells.yaml') as Readonly<
  Record<string, readonly Case[]>
>;

describe.each(Object.entries(KINDS))('%s', (_kind, cases) => {
  for (const [country, cell, outcome, options] of cases)
    test(`${country}: ${JSON.stringify(cell)}${options ?? ''}`, async () => {
      const found = await outcomeOf(country, cell, options);
      if (outcome.startsWith('+')) expect(found).toBe(outcome);
      else expect(found).toContain(REFUSED[outcome]);
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
  '0151 23450001\n030 1230001',
  '0151 23450001 und 030 1230001',
  '8 916 123-45-67; 8 916 123-45-68',
  '(212) 555-0123 ::: (212) 555-0124',
])('two phones in a cell that nothing reads are not sent as one: %j', async (cell) => {
  expect(await unreadOf(cell)).toMatch(/"rejected".*"column":"Phone"/);
});
