import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import type * as Library from 're2js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  callback,
  address,
  cardFields,
  client,
  email,
  phone,
  syncIdentifiers,
} from '../../src/contract/operations.js';
import type { Cell } from '../../src/core/table.js';
import { type MappedRow, NAMESPACE } from '../../src/mapping/compile.js';
import { compilePattern } from '../../src/mapping/transforms/registry.js';
import { cardOf, clientOf, compiled, withName } from './files.js';
import { tablesIn } from '../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'properties.yaml') as {
  readonly create: string;
  readonly yaml: string;
};

const CARD = cardOf({
  id: { type: 'Number', sync: true },
  code: { sync: true },
  name: { required: true },
  debt: { type: 'Number' },
  grade: { type: 'ComboBox', values: ['a', 'b'] },
  state: { type: 'StatusField' },
});
const HEADERS = [
  ...['Id', 'Code', 'Name', 'Debt', 'Phones', 'Mail', 'Home', 'Kind', 'Flag', 'At', 'TZ'],
  ...['Grade', 'Born', 'Phone', 'Tier'],
];
const WHO = 'id: Id, code: { column: Code, transform: trim }';

const MAPPINGS = {
  create: CASES.create,
  update: `client:
  fields: { ${WHO}, name: Name, debt: { column: Debt, transform: [number] } }
  phones: [{ column: Phones, split: ';', type: { column: Kind, default: MOB } }]
  emails: [Mail]
  addresses: [{ column: Home, type: HOME }]`,
  enqueue: `client: { fields: { ${WHO} } }`,
  dequeue: `client: { fields: { ${WHO} } }\ncancelCallbacks: Flag`,
  contacts: `client:
  fields: { ${WHO} }
  phones: [{ column: Phones, split: ';', active: Flag }, { column: Debt, active: true }]
  emails: [{ column: Mail, active: false }]
  addresses: [{ column: Home, active: { column: Flag, default: true } }]`,
  callbacks: `client: { fields: { ${WHO} } }
callback:
  name: { template: '{Name} {Home}' }
  description: Name
  phone: Phones
  operatorId: { column: Debt, default: 1 }
  callAt: { column: At, pattern: [dd.MM.yyyy HH:mm, 'd/M/yy H'], timeZone: { column: TZ, default: UTC } }
  callAutomatically: { column: Flag, default: false }`,
  rekey: `client: { fields: { ${WHO} } }\nclientId: Debt`,
  delete: `client: { fields: { ${WHO} } }`,
} as const;

/** What the interface wants of each, and nothing beside. */
const addedContacts = {
  phones: z.array(z.strictObject({ phoneNumber: phone.shape.phoneNumber, type: phone.shape.type })),
  emails: z.array(z.strictObject({ email: email.shape.email })),
  addresses: z.array(z.strictObject({ address: address.shape.address, type: address.shape.type })),
};
const active = z.boolean();
const filled = (payload: object): boolean =>
  Object.values(payload).some((part: object) => Object.keys(part).length > 0);

const SHAPES: Record<keyof typeof MAPPINGS, z.ZodType> = {
  create: client,
  update: z
    .strictObject({ fields: cardFields, ...addedContacts })
    .refine(filled)
    .refine(({ fields }) => !('id' in fields) && !('code' in fields)),
  enqueue: z.strictObject({}),
  dequeue: z.strictObject({ cancelCallbacks: z.boolean() }),
  contacts: z
    .strictObject({
      phones: z.array(z.strictObject({ phoneNumber: phone.shape.phoneNumber, active })),
      emails: z.array(z.strictObject({ email: email.shape.email, active })),
      addresses: z.array(z.strictObject({ address: address.shape.address, active })),
    })
    .refine(filled)
    .refine(({ phones }) => new Set(phones.map((one) => one.phoneNumber)).size === phones.length),
  callbacks: callback.omit({ clientIdentifiers: true, campaignId: true }).strict(),
  rekey: z.strictObject({ clientId: z.int().min(1) }),
  delete: z.strictObject({}),
};

const anyCell: fc.Arbitrary<Cell> = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '__proto__',
    '\ud800',
    '1',
    '-0',
    '0',
    '1e9',
    '2026-11-21T10:00:00',
    '{Code}',
    '$1',
  ),
  fc.constant('x'.repeat(40)),
);
const likely = (...values: (string | null)[]): fc.Arbitrary<Cell> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<Cell>(...values) },
    { weight: 1, arbitrary: anyCell },
  );
const likelyRow: fc.Arbitrary<Cell[]> = fc.tuple(
  likely('1', '007', '42'),
  likely('A1', ' b '),
  likely('anna', 'ИВАН', null),
  likely('1250', '7', '1 000,50', null),
  likely('89161234567', '123;456;123', null),
  likely('a@b.ru', 'a@b.ru,c@d.org', null),
  likely('Moscow', 'Moscow, Europe/Moscow', null),
  likely('MOB', 'FAX', null),
  likely('yes', 'нет', 'skip', null),
  likely('21.11.2026 10:00', '1/2/27 9', '2026-11-21T10:00:00', '2026-11-21 10:00+03'),
  likely('Europe/Moscow', 'America/New_York', null),
  likely('A', 'b', 'xx'),
  likely('31.12.2024', '1.2.03', null),
  likely('89161234567', '+7 495 123-45-67'),
  likely('one', 'VIP', 'home', null),
);
const anyRow = fc.oneof(
  { weight: 4, arbitrary: likelyRow },
  { weight: 1, arbitrary: fc.array(anyCell, { maxLength: 14 }) },
);

/** A row that must leave nothing behind for the next. */
const BETWEEN = ['2', 'B2', 'between'];

describe.each(Object.keys(MAPPINGS) as (keyof typeof MAPPINGS)[])('mode %s', async (mode) => {
  const yaml = `mode: ${mode}\n${MAPPINGS[mode]}\n`;
  const { map, identifierNames } = await compiled(yaml, { card: CARD, headers: HEADERS });

  test('whatever the cells hold, a row is what the interface wants, or says why not', () => {
    const seen = { client: 0, rejected: 0, skipped: 0 };
    fc.assert(
      fc.property(anyRow, (cells) => {
        const before = structuredClone(cells);
        const row = map(cells);
        seen[row.status]++;
        map(BETWEEN);
        expect(map(cells)).toStrictEqual(row);
        expect(cells).toStrictEqual(before);
        if (row.status === 'client') {
          expect(
            SHAPES[mode].safeParse(mode === 'create' ? clientOf(row) : row.payload).error,
          ).toBeUndefined();
          expect(row.identifiers).toHaveLength(identifierNames.length);
          const named = Object.fromEntries(
            identifierNames.map((name, place) => [name, row.identifiers[place]]),
          );
          expect(syncIdentifiers.safeParse(named).error).toBeUndefined();
          if (mode === 'create') expect(clientOf(row).fields).toMatchObject(named);
          return;
        }
        expect(row.identifiers).toHaveLength(identifierNames.length);
        expect(row.uuid === null).toBe(row.identifiers.includes(null));
        expect(row.problems.length).toBeGreaterThan(0);
        for (const { code, message } of row.problems) {
          expect(code).toMatch(/^[a-z_]+$/);
          expect(message).toMatch(/\.$/);
          expect(code === 'filtered').toBe(row.status === 'skipped');
        }
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(seen.client, seen.rejected)).toBeGreaterThan(20);
    expect(seen.skipped > 20).toBe(mode === 'create');
  });

  test('a problem never repeats the value in its message', () => {
    const secret = 'Zq7Wx9';
    const row = map(HEADERS.map(() => secret));
    if (row.status !== 'rejected') throw new Error('everything is wrong in this row');
    expect(row.problems.map(({ message }) => message).join()).not.toContain(secret);
  });
});

/** UUIDv5 as RFC 9562 writes it down. */
function uuid5(name: string): string {
  const namespace = Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex');
  const bytes = createHash('sha1').update(namespace).update(name, 'utf8').digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

test('the default UUID is the UUIDv5 of the identifiers as JSON, sorted by name', async () => {
  const card = cardOf({ offer: { type: 'Number', sync: true }, domain: { sync: true } });
  const yaml = 'mode: delete\nclient: { fields: { offer: A, domain: B } }\n';
  const { map } = await compiled(yaml, { card, headers: ['A', 'B'] });
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(
      fc.nat(),
      text.filter((domain) => domain.trim() !== ''),
      (offer, domain) => {
        const name = JSON.stringify({ domain: domain.trim(), offer });
        expect(map([String(offer), domain]).uuid).toBe(uuid5(name));
      },
    ),
  );
  // It stays the same from one version to the next.
  expect(map(['1', 'example.com']).uuid).toBe('f9d61702-301c-5786-ae3e-3107ab5eb444');
});

test('words that count as empty leave every other row as it is', async () => {
  const plain = await compiled(withName('Name'));
  const blank = await compiled(withName('Name', "blank: [n/a, none, '-', нет, 0, false]"));
  const word = /^\s*(?:n\/a|none|-|нет|0|false)\s*$/iu;
  fc.assert(
    fc.property(fc.option(fc.string({ unit: 'grapheme', maxLength: 8 })), (name) => {
      const expected = name !== null && word.test(name) ? null : name;
      expect(blank.map(['1', name, '123'])).toEqual(plain.map(['1', expected, '123']));
    }),
  );
});

/** A cell as a problem shows it: nothing where it is blank. */
const shown = (cell: string | null | undefined): string | null =>
  cell === undefined || cell === null || cell.trim() === '' ? null : cell;

test('what is left out never loses the row, and what is right is never left out', async () => {
  const yaml = CASES.yaml;
  const card = cardOf({ id: { type: 'Number', sync: true }, budget: { type: 'Number' } });
  const headers = ['Id', 'Name', 'Phone', 'Alt', 'Kind', 'Mail', 'Home', 'Budget'];
  const { map } = await compiled(yaml, { card, headers });
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
        expect(value).toBe(shown(others[headers.indexOf(column ?? '') - 3]));
      expect(map(['1', name, '123456', ...others])).toEqual(row);
    }),
  );
});

describe('patterns', () => {
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof Library;

  const never = (): void => expect.unreachable('the pattern is a right one');
  const made = (pattern: string, put = '') => compilePattern(pattern, [], { mistake: never }, put);

  function isRight(pattern: string): boolean {
    try {
      return RE2JS.compile(pattern) instanceof RE2JS;
    } catch {
      return false;
    }
  }

  const item = fc.constantFrom(
    ...['a', 'b', 'A', 'я', '1', ' ', '-', '/', '\n', '😀', '[ab]', '[^a]', '[0-9]', '[^0-9]'],
    ...[
      '[a-zA-Z]',
      '[а-я-]',
      '[^\\d]',
      '[\\]x]',
      '[.]',
      '\\d',
      '\\D',
      '\\.',
      '\\?',
      '\\\\',
      '.',
      '\\s',
    ],
  );
  const once = fc.tuple(item, fc.constantFrom('', '', '', '?')).map((parts) => parts.join(''));
  const several = fc.array(once, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
  const group = fc
    .tuple(fc.array(several, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '?', '*'))
    .map(([choices, count]) => `(${choices.join('|')})${count}`);
  const pattern = fc
    .tuple(
      fc.constantFrom('', '', '^'),
      fc.array(fc.oneof({ weight: 3, arbitrary: once }, group), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '', '+', '*', '??', '|a'),
      fc.constantFrom('', '', '$'),
    )
    .map(([start, parts, end, last]) => start + parts.join('') + end + last)
    .filter(isRight);
  const text = fc
    .array(
      fc.constantFrom('a', 'b', 'A', 'я', '1', '9', ' ', '-', '/', '.', '\n', '😀', '\ud83d', ']'),
    )
    .map((signs) => signs.join(''));

  test('every pattern finds and replaces what RE2 does, whichever engine reads it', () => {
    fc.assert(
      fc.property(pattern, text, fc.constantFrom('', '-', '[$0]', '\\$'), (written, value, put) => {
        const [ours, theirs] = [made(written, put), RE2JS.compile(written)];
        expect(ours.test(value)).toBe(theirs.test(value));
        expect(ours.replaceAll(value)).toBe(theirs.matcher(value).replaceAll(put));
      }),
      { numRuns: 3000 },
    );
  });

  test('choices that may be made in many ways do not take ever longer', () => {
    const pattern = made(`${'(1|11|111)'.repeat(14)}a`);
    expect(pattern.test('1'.repeat(32_000))).toBe(false);
  });

  test.each(['[z-a]', 'a**', '(a', 'a)', '[a', 'a{2', '\\q', '(?=a)', '\\1', ']', 'a]?', '}'])(
    'says of %s what RE2 says',
    (written) => {
      let mistakes = 0;
      const { test: matches } = compilePattern(written, [], { mistake: () => mistakes++ });
      expect(mistakes).toBe(isRight(written) ? 0 : 1);
      if (!isRight(written)) expect(matches('a')).toBe(false);
    },
  );
});
