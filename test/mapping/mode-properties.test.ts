import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callback } from '../../src/contract/applications.js';
import { address, cardFields, email, phone, syncIdentifiers } from '../../src/contract/shapes.js';
import type { Installation } from '../../src/installation/installation.js';
import type { Cell } from '../../src/core/table.js';
import { compiled } from './files.js';

const CARD: Installation['card'] = {
  id: { type: 'Number', sync: true, required: false },
  code: { type: 'TextField', sync: true, required: false },
  name: { type: 'TextField', sync: false, required: true },
  debt: { type: 'Number', sync: false, required: false },
};
const HEADERS = [
  'Id',
  'Code',
  'Name',
  'Debt',
  'Phones',
  'Mail',
  'Home',
  'Kind',
  'Flag',
  'At',
  'TZ',
];
const WHO = 'id: Id, code: { column: Code, transform: trim }';

const MAPPINGS = {
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
  fc.constantFrom('', ' ', '__proto__', '\ud800', '1', '-0', '0', '1e9', '2026-11-21T10:00:00'),
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
  likely('1250', '7', null),
  likely('89161234567', '123;456;123', null),
  likely('a@b.ru', null),
  likely('Moscow', null),
  likely('MOB', 'FAX', null),
  likely('yes', 'нет', null),
  likely('21.11.2026 10:00', '1/2/27 9', '2026-11-21T10:00:00', '2026-11-21 10:00+03'),
  likely('Europe/Moscow', 'America/New_York', null),
);
const anyRow = fc.oneof(
  { weight: 4, arbitrary: likelyRow },
  { weight: 1, arbitrary: fc.array(anyCell, { maxLength: 14 }) },
);

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
        expect(map(cells)).toStrictEqual(row);
        expect(cells).toStrictEqual(before);
        if (row.status === 'client') {
          expect(SHAPES[mode].safeParse(row.payload).error).toBeUndefined();
          expect(row.identifiers).toHaveLength(identifierNames.length);
          const named = Object.fromEntries(
            identifierNames.map((name, place) => [name, row.identifiers[place]]),
          );
          expect(syncIdentifiers.safeParse(named).error).toBeUndefined();
          return;
        }
        expect(row.identifiers).toHaveLength(identifierNames.length);
        expect(row.uuid === null).toBe(row.identifiers.includes(null));
        expect(row.problems.length).toBeGreaterThan(0);
        for (const { code, message } of row.problems) {
          expect(code).toMatch(/^[a-z_]+$/);
          expect(message).toMatch(/\.$/);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(seen.client, seen.rejected)).toBeGreaterThan(20);
  });

  test('a problem never repeats the value in its message', () => {
    const secret = 'Zq7Wx9';
    const row = map(HEADERS.map(() => secret));
    if (row.status !== 'rejected') throw new Error('everything is wrong in this row');
    expect(row.problems.map(({ message }) => message).join()).not.toContain(secret);
  });
});
