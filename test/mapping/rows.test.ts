import { describe, expect, it } from 'vitest';
import { client as clientShape } from '../../src/contract/operations.js';
import { isClient } from '../../src/core/client.js';
import type { Mode, Problem } from '../../src/core/outcome.js';
import type { Cell } from '../../src/core/table.js';
import type { MappedRow } from '../../src/mapping/compile.js';
import { type CardOf, cardOf, CARD, clientOf, compiled, sent, withName } from './files.js';
import { tablesIn } from '../kit/tables.js';

type Cells = Readonly<Record<string, Cell>>;

/** What is looked at of a row: what the file says of its keys. */
interface Outcome {
  readonly sends?: object;
  readonly with?: object;
  readonly fields?: object;
  readonly rejected?: string;
  readonly skipped?: string;
  readonly remarks?: string;
  /** A part of the first problem or remark, and the cell that it shows. */
  readonly says?: string;
  readonly shows?: string | null;
  readonly uuid?: string;
  readonly identifiers?: readonly unknown[];
  readonly compared?: readonly unknown[] | null;
  /** The zone of the client, and where it comes from. */
  readonly zone?: string;
}

interface Case {
  readonly case: string;
  readonly mapping: string;
  readonly rest?: string;
  readonly mode?: Mode;
  readonly card?: CardOf;
  readonly roles?: readonly number[];
  readonly usual?: Cells;
  readonly rows: readonly (readonly [cells: Cells, outcome: Outcome])[];
}

const CASES = tablesIn(import.meta.dirname, 'rows.yaml') as Readonly<
  Record<string, readonly Case[]>
>;

/** Two identifiers, a required field and optional ones; every object has something of the name of the last. */
const USUAL_CARD = cardOf({
  offerId: { type: 'Number', sync: true },
  domain: { sync: true },
  fullName: { required: true },
  budget: { type: 'Number' },
  toString: {} as object,
});
const USUAL_CELLS: Cells = { Offer: '1007', Site: 'shop.example.com' };

const listed = (problems: readonly Problem[] = []): string =>
  problems.map(({ column, code }) => `${column ?? ''}: ${code}`).join(', ');

function expectOutcome(row: MappedRow, outcome: Outcome): void {
  const { rejected, skipped, remarks = '' } = outcome;
  const status = rejected !== undefined ? 'rejected' : skipped !== undefined ? 'skipped' : 'client';
  const told = row.status === 'client' ? row.remarks : row.problems;
  expect([row.status, listed(told)]).toEqual([status, rejected ?? skipped ?? remarks]);
  if ('says' in outcome) expect(told?.[0]?.message).toContain(outcome.says);
  if ('shows' in outcome) expect(told?.[0]?.value).toBe(outcome.shows);
  if ('uuid' in outcome) expect(row.uuid).toBe(outcome.uuid);
  if ('identifiers' in outcome) expect(row.identifiers).toEqual(outcome.identifiers);
  if (row.status !== 'client') return;
  const payload = sent(row.payload) as Record<string, unknown>;
  if (isClient(row.payload)) expect(clientShape.safeParse(payload).error).toBeUndefined();
  if (outcome.sends) expect(payload).toStrictEqual(outcome.sends);
  if (outcome.with) expect(payload).toMatchObject(outcome.with);
  if (outcome.fields) expect(payload['fields']).toStrictEqual(outcome.fields);
  if ('compared' in outcome) expect(row.compared ?? null).toEqual(outcome.compared);
  if (outcome.zone !== undefined)
    expect([payload['timeZone'], row.zoneFrom].join(' ').trimEnd()).toBe(outcome.zone);
}

describe.each(Object.entries(CASES))('%s', (_kind, cases) => {
  describe.each(cases.map((one) => [one.case, one] as const))('%s', async (_name, one) => {
    const { mapping, rest = '', card, roles, usual = USUAL_CELLS, mode } = one;
    const headers = [...new Set([usual, ...one.rows.map(([cells]) => cells)].flatMap(Object.keys))];
    const { map } = await compiled(mapping + rest, {
      card: card ? cardOf(card) : USUAL_CARD,
      headers,
      ...(mode ? { mode } : {}),
      ...(roles ? { clientRoles: roles } : {}),
    });

    it.each(one.rows)('%j: %j', (cells, outcome) => {
      const all: Cells = { ...usual, ...cells };
      expectOutcome(map(headers.map((header) => all[header] ?? null)), outcome);
    });
  });
});

it('a near value of a choice is suggested', async () => {
  const card = {
    ...CARD,
    name: cardOf({ a: { type: 'ComboBox', values: ['cold', 'warm'] } })['a']!,
  };
  const { map } = await compiled(withName('Name'), { card });
  expect(map(['1', 'Warm', '123'])).toMatchObject({
    status: 'rejected',
    problems: [
      {
        column: 'Name',
        code: 'not_allowed',
        message: 'This value is not allowed. Did you mean "warm"? Allowed: cold, warm.',
        value: 'Warm',
      },
    ],
  });
});

it('a skipped row is known by the UUID that it would have had', async () => {
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

describe('without a card', () => {
  it('values pass as text, constants as they are written', async () => {
    const { map, identifierNames } = await compiled(withName('{ value: 7 }'), { card: undefined });
    expect(identifierNames).toEqual([]);
    expect(clientOf(map(['007', null, '123'])).fields).toEqual({ id: '007', name: 7 });
  });

  it.each(['create', 'update', 'enqueue', 'delete', 'dequeue'] as const)(
    'every field of mode %s makes the uuid, and none is refused',
    async (mode) => {
      const { map } = await compiled(withName('Name'), { card: undefined, mode });
      const rows = [map(['1', 'x', '123']), map(['1', 'y', '123']), map(['1', 'x', '456'])];
      const uuids = rows.map((row) => row.uuid);
      expect(rows.map(({ status }) => status)).toEqual(['client', 'client', 'client']);
      expect(uuids[0]).toBe(uuids[2]);
      expect(uuids[0]).not.toBe(uuids[1]);
    },
  );
});

describe('rows that a mapping leaves out', () => {
  it.each([
    ['{ column: Name, notIn: [x, y] }', '"Name" is none of x, y'],
    ['{ column: Name, notEquals: x }', '"Name" is not x'],
    ['{ column: Name, matches: y }', '"Name" matches y'],
    ['{ column: Name, equals: y, empty: true }', '"Name" is y and is empty'],
    ['{ any: [{ column: Name, empty: true }, { column: Id, in: [2] }] }', '("Name" is empty or "Id" is one of 2)'], // prettier-ignore
    ['{ all: [{ column: Name, empty: false }, { column: Id, in: [2] }] }', '"Name" is not empty and "Id" is one of 2'], // prettier-ignore
  ])('%s is told as %s', async (where, told) => {
    const { map } = await compiled(withName('Name', `where: ${where}`));
    const message = `Left out by the mapping: it takes rows where ${told}.`;
    expect(map(['1', 'x', '123'])).toMatchObject({ status: 'skipped', problems: [{ message }] });
  });

  it('a row without an identifier has no UUID', async () => {
    const { map } = await compiled(withName('Name', 'where: { column: Name, equals: x }'));
    for (const name of ['x', 'y']) expect(map([null, name, '123'])).toMatchObject({ uuid: null });
  });
});
