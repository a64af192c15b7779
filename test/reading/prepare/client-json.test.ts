import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClientJson } from '../../../src/prepare/client-columns.js';
import {
  ADDRESS_TYPES,
  CLIENT_TYPES,
  PHONE_TYPES,
  FieldList,
  type MappedClient,
} from '../../../src/core/client.js';
import { jsonOf, numberText, unquoted } from '../../../src/core/text.js';

/** Any text at all: quotes, signs that are escaped, characters of several units, halves of such. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '\n', '\u0000', '\u2028', '\ud83d', '\udc80 \ud83d\udc80'),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);
const value = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null));
const flag = fc.constantFrom(true, false, undefined);
/** Any names but those that look like numbers, which an object does not keep in their order. */
const names = fc.uniqueArray(text.filter((name) => !/^\d+$/.test(name)));
const fields = names.chain((of) =>
  fc
    .array(value, { minLength: of.length, maxLength: of.length })
    .map((values) => new FieldList(of, values)),
);
const client = fc.record({
  uuid: text,
  clientRoleId: fc.integer(),
  type: fc.constantFrom(...CLIENT_TYPES),
  timeZone: text,
  fields,
  phones: fc.array(
    fc.record({
      phoneNumber: text,
      type: fc.constantFrom(...PHONE_TYPES),
      active: flag,
      disabled: flag,
    }),
  ),
  addresses: fc.array(
    fc.record({ address: text, type: fc.constantFrom(...ADDRESS_TYPES), active: flag }),
  ),
  emails: fc.array(fc.record({ email: text, active: flag })),
}) satisfies fc.Arbitrary<MappedClient>;

test('a client is written as JSON.stringify writes it', () => {
  const clientJson = createClientJson();
  fc.assert(
    fc.property(client, (made) => {
      expect(clientJson(unquoted(made.uuid), made)).toBe(JSON.stringify(made));
    }),
    { numRuns: 1000 },
  );
});

test('fields stay in their order, whatever their names look like', () => {
  const made: MappedClient = {
    uuid: 'one',
    clientRoleId: 1,
    type: 'VIP',
    timeZone: 'UTC',
    fields: new FieldList(['zed', '10', '2', 'none'], ['a', 1, true, null]),
    phones: [],
    addresses: [],
    emails: [],
  };
  const json = createClientJson()('one', made);
  expect(json).toContain('"fields":{"zed":"a","10":1,"2":true}');
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(made)));
});

test('a value is written as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(value, (made) => {
      expect(jsonOf(made)).toBe(JSON.stringify(made));
    }),
    { numRuns: 1000 },
  );
});

test.each([0, -0, 1, 999, 1000, 1001, 999_999, 1_000_000, 10_000_050, 999_999_999, 1_000_000_000])(
  'a number, %d, is written as the language does, its negative, and a multiple of it',
  (value) => {
    for (const number of [value, -value, value * 1_000_003, value / 8])
      expect(numberText(number)).toBe(String(number));
  },
);

test('any number is written as the language does', () => {
  const numbers = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.integer(), fc.nat(2_000_000));
  fc.assert(
    fc.property(numbers, (value) => {
      expect(numberText(value)).toBe(String(value));
    }),
    { numRuns: 2000 },
  );
});
