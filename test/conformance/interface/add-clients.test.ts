import { describe, expect, it } from 'vitest';
import { expectRefusal, useCenter } from './center.js';
import {
  cardOf,
  create,
  type Fields,
  fresh,
  judged,
  made,
  newIdentifiers,
  newPhone,
  paths,
  payload,
} from './made.js';

const center = useCenter();
const noIdentifiers = "Client doesn't have all syncronize identifier fields.";
const required = (field: string) => `Field [${field}] is required.`;
const faulty = /^(?!Success$).*\S/;

describe('4.1 adds clients', () => {
  it('answers 201 with uuid, Success and an integer id for each', async () => {
    const clients = [payload(newIdentifiers()), payload(newIdentifiers(), { type: 'VIP' })];
    const results = await create(center, clients);
    expect(results.map(({ uuid }) => uuid).sort()).toEqual(clients.map((c) => c['uuid']).sort());
    expect(new Set(results.map((r) => r.createdClientId)).size).toBe(2);
    for (const one of results) {
      expect(one.result).toBe('Success');
      expect(Number.isInteger(one.createdClientId)).toBe(true);
    }
  });

  it('takes every optional part of phones, addresses and emails', async () => {
    const phones = ['MOB', 'HOME', 'WORK', 'FAX'].map((type) => ({
      phoneNumber: newPhone(),
      type,
      active: false,
      disabled: true,
    }));
    const addresses = [
      { address: '1 Main St', type: 'WORK' },
      { address: '2 Main St', type: 'HOME', active: false },
    ];
    const emails = [{ email: 'a@shop.example' }, { email: 'b@shop.example', active: false }];
    const client = payload(newIdentifiers(), { phones, addresses, emails });
    expect(await judged(center, client)).toBe('Success');
  });

  it('takes the values of every field type', async () => {
    const identifiers = newIdentifiers();
    const fields = { segment: 'warm', leadStatus: 'open', budget: 12, note: 'Ring "twice"; ünï' };
    await made(center, identifiers, { fields });
    expect(await cardOf(center, identifiers)).toMatchObject({ ...identifiers, ...fields });
  });

  it('judges the clients of one request one by one', async () => {
    const good = payload(newIdentifiers());
    const bad = payload(newIdentifiers(), { fields: { fullName: '' } });
    const worse = payload({ offerId: fresh() });
    const alsoGood = payload(newIdentifiers());
    const results = await create(center, [bad, good, worse, alsoGood]);
    const of = new Map(results.map(({ uuid, result }) => [uuid, result]));
    expect(of.get(String(good['uuid']))).toBe('Success');
    expect(of.get(String(alsoGood['uuid']))).toBe('Success');
    expect(of.get(String(bad['uuid']))).toBe(required('fullName'));
    expect(of.get(String(worse['uuid']))).toBe(noIdentifiers);
  });

  it('adds nothing of a client that failed', async () => {
    const identifiers = newIdentifiers();
    await create(center, [payload(identifiers, { type: 'GOLD' })]);
    const body = { clientSyncIdentifiers: identifiers };
    expectRefusal(await center.send('POST', paths.lookup, body), /^No clients with identifiers: /);
    await made(center, identifiers);
  });

  it('lets a second client of the same identifiers fail alone', async () => {
    const identifiers = newIdentifiers();
    const id = await made(center, identifiers);
    const other = payload(newIdentifiers());
    const results = await create(center, [payload(identifiers), other]);
    expect(results.find(({ uuid }) => uuid === other['uuid'])?.result).toBe('Success');
    expect(results.find(({ uuid }) => uuid !== other['uuid'])?.result).toMatch(faulty);
    expect(await cardOf(center, identifiers)).toMatchObject({ id });
  });

  it('lets the second of two same clients in one request fail', async () => {
    const identifiers = newIdentifiers();
    const results = await create(center, [payload(identifiers), payload(identifiers)]);
    expect(results.map(({ result }) => result === 'Success').sort()).toEqual([false, true]);
  });

  it('does not take one uuid twice in a request', async () => {
    const clients = [newIdentifiers(), newIdentifiers()].map((one) =>
      payload(one, { uuid: 'same' }),
    );
    const results = await create(center, clients);
    expect(results.every(({ result }) => result === 'Success')).toBe(false);
  });

  it('takes one uuid again in another request', async () => {
    for (const one of [newIdentifiers(), newIdentifiers()]) {
      expect(await judged(center, payload(one, { uuid: 'again' }))).toBe('Success');
    }
  });

  it('tells clients apart by every identifier, not only the first', async () => {
    const offerId = fresh();
    const first = await made(center, { offerId, offerDomain: 'a.example' });
    const second = await made(center, { offerId, offerDomain: 'b.example' });
    expect(first).not.toBe(second);
  });

  it('takes a Number identifier as digits too, for the same client', async () => {
    const offerId = fresh();
    await made(center, { offerId: String(offerId), offerDomain: 'digits.example' });
    const again = payload({ offerId, offerDomain: 'digits.example' });
    expect(await judged(center, again)).toMatch(faulty);
    expect(await cardOf(center, { offerId, offerDomain: 'digits.example' })).toMatchObject({
      offerId,
    });
  });

  it('creates a client anew where recovery finds none deleted', async () => {
    const results = await create(center, [payload(newIdentifiers())], { recovery: true });
    expect(results[0]?.result).toBe('Success');
  });

  it('takes a time zone of 25 characters', async () => {
    const client = payload(newIdentifiers(), { timeZone: 'America/Argentina/Ushuaia' });
    expect(await judged(center, client)).toBe('Success');
  });
});

describe('4.1 says which identifiers or required fields lack', () => {
  const domain = { offerDomain: 'shop.example' };
  it.each<[string, Fields]>([
    ['one missing', { offerId: 1 }],
    ['the other missing', domain],
    ['both missing', {}],
    ['one empty', { offerId: 1, offerDomain: '' }],
    ['one of spaces', { offerId: 1, offerDomain: '  ' }],
    ['one null', { offerId: null, ...domain }],
    ['a Number as empty text', { offerId: '', ...domain }],
  ])('identifiers: %s', async (_what, identifiers) => {
    expect(await judged(center, payload(identifiers))).toBe(noIdentifiers);
  });

  it.each([[''], ['   '], [null]])('required field: %j', async (fullName) => {
    const client = payload(newIdentifiers(), { fields: { fullName } });
    expect(await judged(center, client)).toBe(required('fullName'));
  });

  it('required field: missing', async () => {
    const identifiers = newIdentifiers();
    const client = payload(identifiers, { fields: {} });
    expect(await judged(center, { ...client, fields: identifiers })).toBe(required('fullName'));
  });

  it('takes optional fields that are blank', async () => {
    const client = payload(newIdentifiers(), { fields: { note: '', segment: '', budget: null } });
    expect(await judged(center, client)).toBe('Success');
  });
});

describe('4.1 judges what section 2.2 rules', () => {
  const phone = { phoneNumber: '79001234567', type: 'MOB' };
  const address = { address: '1 Main St', type: 'HOME' };
  it.each<[string, Fields]>([
    ['type is neither SIMPLE nor VIP', { type: 'GOLD' }],
    ['type in small letters', { type: 'vip' }],
    ['type missing', { type: undefined }],
    ['role missing', { clientRoleId: undefined }],
    ['role not of the installation', { clientRoleId: 3 }],
    ['role as text', { clientRoleId: 'one' }],
    ['role broken', { clientRoleId: 1.5 }],
    ['time zone missing', { timeZone: undefined }],
    ['time zone of 26 characters', { timeZone: 'America/Argentina/Ushuaiaa' }],
    ['time zone a number', { timeZone: 3 }],
    ['no phones', { phones: [] }],
    ['phones missing', { phones: undefined }],
    ['phones not an array', { phones: phone }],
    ['phone without a number', { phones: [{ type: 'MOB' }] }],
    ['phone as a number', { phones: [{ ...phone, phoneNumber: 79001234567 }] }],
    ['phone without a type', { phones: [{ phoneNumber: '79001234567' }] }],
    ['phone of an unknown type', { phones: [{ ...phone, type: 'PAGER' }] }],
    ['second phone of an unknown type', { phones: [phone, { ...phone, type: 'PAGER' }] }],
    ['phone active as text', { phones: [{ ...phone, active: 'yes' }] }],
    ['phone disabled as a number', { phones: [{ ...phone, disabled: 1 }] }],
    ['addresses missing', { addresses: undefined }],
    ['address of an unknown type', { addresses: [{ ...address, type: 'MOB' }] }],
    ['address without a type', { addresses: [{ address: '1 Main St' }] }],
    ['address without text', { addresses: [{ type: 'HOME' }] }],
    ['address active as text', { addresses: [{ ...address, active: 'no' }] }],
    ['emails missing', { emails: undefined }],
    ['email without text', { emails: [{}] }],
    ['email active as text', { emails: [{ email: 'a@shop.example', active: 'no' }] }],
    ['fields an array', { fields: undefined }],
    ['Number that is no number', { fields: { budget: 'plenty' } }],
    ['ComboBox with another value', { fields: { segment: 'hot' } }],
    ['StatusField with another value', { fields: { leadStatus: 'closed' } }],
    ['TextField as an object', { fields: { note: { a: 1 } } }],
    ['a field that the card lacks', { fields: { nickname: 'Annie' } }],
  ])('%s', async (what, changes) => {
    const broken = { ...payload(newIdentifiers(), changes) };
    if (what === 'fields an array') broken['fields'] = [];
    const good = payload(newIdentifiers());
    const results = await create(center, [broken, good]);
    expect(results.find(({ uuid }) => uuid === broken['uuid'])?.result).toMatch(faulty);
    expect(results.find(({ uuid }) => uuid === good['uuid'])?.result).toBe('Success');
  });

  it('judges an element that is no object without losing the others', async () => {
    const good = payload(newIdentifiers());
    const answer = await center.send('POST', paths.clients, { clients: ['Ann', good] });
    if (answer.status >= 400) expectRefusal(answer);
    else expect(answer.text).toContain(String(good['uuid']));
  });

  it('judges a client without uuid without losing the others', async () => {
    const good = payload(newIdentifiers());
    const nameless = payload(newIdentifiers(), { uuid: undefined });
    const answer = await center.send('POST', paths.clients, { clients: [nameless, good] });
    expect(answer.status).toBe(201);
    const { createResult } = answer.body as { createResult: Fields[] };
    expect(createResult.find(({ uuid }) => uuid === good['uuid'])).toMatchObject({
      result: 'Success',
    });
    expect(createResult.filter(({ result }) => result === 'Success')).toHaveLength(1);
  });

  it('tells whose result it is where uuid is a number', async () => {
    const [one] = await create(center, [payload(newIdentifiers(), { uuid: 7 })]);
    expect(one?.result).toMatch(faulty);
    expect(one?.uuid).toBe('7');
  });

  it.each<[string, unknown]>([
    ['no clients', {}],
    ['clients not an array', { clients: {} }],
    ['recovery not a boolean', { clients: [], recovery: 'sure' }],
    ['an array', []],
  ])('refuses the whole request: %s', async (_what, body) => {
    expectRefusal(await center.send('POST', paths.clients, body));
  });

  it('answers an empty list of clients soundly', async () => {
    const answer = await center.send('POST', paths.clients, { clients: [] });
    if (answer.status === 201) expect(answer.body).toEqual({ createResult: [] });
    else expectRefusal(answer);
  });
});
