import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlaced } from '../../../src/config/document.js';
import { draftCard, draftHeader, draftText, namedField } from '../../../src/setup/init.js';
import { checkInstallation } from '../../../src/installation/installation.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'draft.yaml') as {
  readonly addresses: string[];
  readonly credentials: string[];
};

const loaded = (card: Parameters<typeof draftCard>[0], headers: readonly string[] = []) =>
  checkInstallation(
    parsePlaced(
      'drafted.yaml',
      draftText({
        name: 'cc.example.com:8443',
        baseUrl: 'https://cc.example.com:8443/cc',
        headers: headers.map(draftHeader),
        card: draftCard(card),
        isRead: card.values !== undefined,
      }),
    ),
  );

describe('a card that is drafted from a client', () => {
  it('has the types of the values, and the identifiers first', () => {
    const values = { fullName: 'Ann', offerId: 7, score: 1.5, id: 3, clientType: 'VIP' };
    const { card } = loaded({ identifiers: ['offerId'], values });
    expect(Object.entries(card).map(([name, { type, sync }]) => [name, type, sync])).toEqual([
      ['offerId', 'Number', true],
      ['fullName', 'TextField', false],
      ['score', 'Number', false],
    ]);
  });

  it('keeps the internal id where it is given as an identifier', () => {
    expect(loaded({ identifiers: ['id'], values: { id: 3 } }).card['id']).toMatchObject({
      type: 'Number',
      sync: true,
    });
  });

  it('says where the type is a guess', () => {
    const { fields } = draftCard({ identifiers: ['a'], values: { b: null, c: ['x'], d: 'x' } });
    const remarks = Object.fromEntries(fields.map(({ name, remark }) => [name, remark]));
    expect(remarks['a']).toMatch(/guess/);
    expect(remarks['b']).toMatch(/empty/);
    expect(remarks['c']).toMatch(/a list/);
    expect(remarks['d']).toBeUndefined();
  });

  it('can be loaded whatever its fields are called, and holds no value of the client', () => {
    const name = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom(...ODD));
    const value = fc.oneof(fc.integer(), fc.constant(null), fc.constant('Zq7-value-of-a-client'));
    fc.assert(
      fc.property(fc.dictionary(name, value), fc.constantFrom('offerId', 'Ид', 'y'), (all, id) => {
        const card = draftCard({ identifiers: [id], values: all });
        const text = draftText({
          ...{ name: 'x', baseUrl: 'http://x', headers: [], card, isRead: true },
        });
        expect(text).not.toContain('Zq7-value-of-a-client');
        const read = checkInstallation(parsePlaced('drafted.yaml', text)).card;
        expect(Object.keys(read).sort()).toEqual(card.fields.map((field) => field.name).sort());
        const kept = [...card.leftOut, ...Object.keys(read)];
        expect(Object.keys(all).filter((one) => !kept.includes(one))).toEqual([]);
      }),
    );
  });
});

const ODD = ['null', 'true', 'on', '~', '- a', 'a: b', '# no', '"', "'", '*a', '&a', '!!str', '7'];

it('takes fields that a person names, with their types', () => {
  expect(namedField('budget:Number')).toEqual({ name: 'budget', type: 'Number', sync: false });
  expect(namedField('a:b:TextField')).toEqual({ name: 'a:b', type: 'TextField', sync: false });
  expect(() => namedField('budget:numbr')).toThrow(/Did you mean "Number"/);
  expect(() => namedField(':Number')).toThrow(/takes the name/);
  const { card } = loaded({
    identifiers: ['offerId'],
    named: [namedField('offerId:Number'), namedField('budget:Number')],
  });
  expect(card).toMatchObject({ offerId: { type: 'Number', sync: true }, budget: { sync: false } });
});

describe('a header', () => {
  it.each(CASES.addresses)('is taken as it is: %s', (text) => {
    const { headers } = loaded({ identifiers: ['offerId'] }, [text]);
    const at = text.indexOf(':');
    expect(headers).toEqual({ [text.slice(0, at)]: text.slice(at + 2) });
  });

  it.each(CASES.credentials)(
    'that holds a credential is refused without repeating it: %s',
    (text) => {
      const refused = (): unknown => draftHeader(text);
      expect(refused).toThrow(/must not stand in a file.*\$\{CC_TOKEN\}'$/s);
      expect(refused).not.toThrow(/hunter2|0123456789|dXNlcj|eyJh/);
    },
  );

  it.each(['Authorization', 'Authorization:', ': x'])('needs a name and a value: %s', (text) => {
    expect(() => draftHeader(text)).toThrow(/a name and a value/);
  });
});
