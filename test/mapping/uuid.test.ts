import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { Installation } from '../../src/installation/installation.js';
import { NAMESPACE } from '../../src/mapping/compile.js';
import { clientOf, compiled } from './files.js';

const CARD: Installation['card'] = {
  offer: { type: 'Number', sync: true, required: false },
  domain: { type: 'TextField', sync: true, required: false },
};

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { offer: A, domain: B }
  phones: [{ column: Phone, type: MOB }]
`;

/** UUIDv5 as RFC 9562 writes it down. */
function uuid5(name: string): string {
  const namespace = Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex');
  const bytes = createHash('sha1').update(namespace).update(name, 'utf8').digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

test('the default UUID is the UUIDv5 of the identifiers as JSON, sorted by name', async () => {
  const { map } = await compiled(MAPPING, { card: CARD, headers: ['A', 'B', 'Phone'] });
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(
      fc.nat(),
      text.filter((domain) => domain.trim() !== ''),
      (offer, domain) => {
        const row = map([String(offer), domain, '123']);
        expect(clientOf(row).uuid).toBe(uuid5(JSON.stringify({ domain: domain.trim(), offer })));
      },
    ),
  );
});

test('it stays the same from one version to the next', async () => {
  const { map } = await compiled(MAPPING, { card: CARD, headers: ['A', 'B', 'Phone'] });
  expect(map(['1', 'example.com', '123'])).toMatchObject({
    uuid: 'f9d61702-301c-5786-ae3e-3107ab5eb444',
    payload: { uuid: 'f9d61702-301c-5786-ae3e-3107ab5eb444' },
  });
});
