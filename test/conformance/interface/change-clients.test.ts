import { describe, expect, it } from 'vitest';
import { expectOk, expectRefusal, useCenter } from './center.js';
import {
  applicationsOf,
  applicationsPath,
  cardOf,
  create,
  enqueue,
  enqueued,
  type Fields,
  fresh,
  made,
  madeCampaign,
  newIdentifiers,
  newPhone,
  paths,
  payload,
} from './made.js';

const center = useCenter();
const unknown = /^No clients with identifiers: \[.+\]$/;
const update = (syncIdentifiers: Fields, fieldsToUpdate: unknown) =>
  center.send('PUT', paths.clients, { syncIdentifiers, fieldsToUpdate });
const remove = (syncIdentifiers: Fields) =>
  center.send('DELETE', paths.clients, { syncIdentifiers });
const lookup = (clientSyncIdentifiers: Fields) =>
  center.send('POST', paths.lookup, { clientSyncIdentifiers });
const rename = (id: number | string, clientSyncIdentifiers: Fields) =>
  center.send('PUT', `/api/v1/clients/${id}/syncIdentifiers/exec.do`, { clientSyncIdentifiers });

describe('4.8 reads a card', () => {
  it('holds the card fields, the internal id, type and time zone', async () => {
    const identifiers = newIdentifiers();
    const id = await made(center, identifiers, { type: 'VIP', timeZone: 'Asia/Omsk' });
    const card = await cardOf(center, identifiers);
    expect(card).toMatchObject({
      ...identifiers,
      fullName: 'Ann Lee',
      id,
      clientType: 'VIP',
      timeZone: 'Asia/Omsk',
    });
    expect(Number.isInteger(card['offerId'])).toBe(true);
  });

  it('finds a Number identifier written as digits', async () => {
    const { offerId, offerDomain } = newIdentifiers();
    const id = await made(center, { offerId, offerDomain });
    expect(await cardOf(center, { offerId: String(offerId), offerDomain })).toMatchObject({ id });
  });

  it('says that nobody has the identifiers, naming them', async () => {
    const answer = await lookup({ offerId: 999_001, offerDomain: 'nobody.example' });
    expectRefusal(answer, unknown);
    expect(answer.text).toContain('999001');
    expect(answer.text).toContain('nobody.example');
  });

  it.each<[string, unknown]>([
    ['one lacks', { offerId: 1 }],
    ['one is blank', { offerId: 1, offerDomain: ' ' }],
    ['one is null', { offerId: 1, offerDomain: null }],
    ['none', {}],
    ['text', 'offerId=1'],
    ['missing', undefined],
  ])('refuses identifiers: %s', async (_what, clientSyncIdentifiers) => {
    expectRefusal(await center.send('POST', paths.lookup, { clientSyncIdentifiers }));
  });

  it('does not take one client for another', async () => {
    const { offerId } = newIdentifiers();
    await made(center, { offerId, offerDomain: 'a.example' });
    expectRefusal(await lookup({ offerId, offerDomain: 'A.EXAMPLE.org' }), unknown);
  });
});

describe('4.2 changes card fields', () => {
  it('changes the named fields and keeps the rest', async () => {
    const identifiers = newIdentifiers();
    await made(center, identifiers, { fields: { note: 'old', segment: 'cold' } });
    expectOk(await update(identifiers, { note: 'new', budget: 5 }));
    expect(await cardOf(center, identifiers)).toMatchObject({
      fullName: 'Ann Lee',
      note: 'new',
      budget: 5,
      segment: 'cold',
    });
  });

  it('says that no client matches', async () => {
    expectRefusal(await update(newIdentifiers(), { note: 'x' }), unknown);
  });

  it.each<[string, unknown]>([
    ['an unknown field', { nickname: 'Annie' }],
    ['a ComboBox value that is none', { segment: 'hot' }],
    ['a StatusField value that is none', { leadStatus: 'closed' }],
    ['a Number that is none', { budget: 'plenty' }],
    ['a required field made blank', { fullName: ' ' }],
    ['an identifier made blank', { offerDomain: '' }],
    ['no fields', undefined],
    ['text for fields', 'note=x'],
  ])('refuses %s and changes nothing', async (_what, fieldsToUpdate) => {
    const identifiers = newIdentifiers();
    await made(center, identifiers);
    const before = await cardOf(center, identifiers);
    expectRefusal(await update(identifiers, fieldsToUpdate));
    expect(await cardOf(center, identifiers)).toEqual(before);
  });

  it('changes nothing at all where one of two fields is wrong', async () => {
    const identifiers = newIdentifiers();
    await made(center, identifiers, { fields: { note: 'old' } });
    expectRefusal(await update(identifiers, { note: 'new', segment: 'hot' }));
    expect(await cardOf(center, identifiers)).toMatchObject({ note: 'old' });
  });
});

describe('4.6c changes identifiers by internal id', () => {
  it('moves the client to the new identifiers', async () => {
    const [before, after] = [newIdentifiers(), newIdentifiers()];
    const id = await made(center, before);
    expectOk(await rename(id, after));
    expect(await cardOf(center, after)).toMatchObject({ ...after, id, fullName: 'Ann Lee' });
    expectRefusal(await lookup(before), unknown);
    await made(center, before);
  });

  it('leaves the client findable where nothing changes', async () => {
    const identifiers = newIdentifiers();
    const id = await made(center, identifiers);
    expectOk(await rename(id, identifiers));
    expect(await cardOf(center, identifiers)).toMatchObject({ id });
  });

  it('refuses an id that nobody has, or that is no integer', async () => {
    expectRefusal(await rename(999_999, newIdentifiers()));
    expectRefusal(await rename('abc', newIdentifiers()));
  });

  it('refuses identifiers that lack a field or belong to another', async () => {
    const [own, taken] = [newIdentifiers(), newIdentifiers()];
    const id = await made(center, own);
    await made(center, taken);
    expectRefusal(await rename(id, { offerId: fresh() }));
    expectRefusal(await rename(id, { ...own, offerDomain: '' }));
    expectRefusal(await rename(id, taken));
    expect(await cardOf(center, own)).toMatchObject({ id });
  });
});

describe('4.7 deletes a client', () => {
  it('hides the card from every operation', async () => {
    const identifiers = newIdentifiers();
    const id = await made(center, identifiers);
    const campaign = await madeCampaign(center);
    await enqueued(center, campaign.id, [identifiers]);
    expectOk(await remove(identifiers));
    expectRefusal(await lookup(identifiers), unknown);
    expectRefusal(await update(identifiers, { note: 'x' }), unknown);
    expectRefusal(await center.send('GET', applicationsPath(identifiers)), unknown);
    expectRefusal(await remove(identifiers), unknown);
    expectRefusal(await rename(id, newIdentifiers()));
    const { body } = await enqueue(center, campaign.id, [identifiers]);
    expect(body).toMatchObject({ errors: [{ errorMessage: 'No such client' }] });
  });

  it('says that no client matches', async () => {
    expectRefusal(await remove(newIdentifiers()), unknown);
    expectRefusal(await remove({ offerId: 1 }));
  });

  it('leaves others alone', async () => {
    const [gone, other] = [newIdentifiers(), newIdentifiers()];
    await made(center, gone);
    await made(center, other);
    expectOk(await remove(gone));
    await cardOf(center, other);
  });
});

describe('4.1 restores deleted cards', () => {
  it('restores the card with recovery: true', async () => {
    const identifiers = newIdentifiers();
    const id = await made(center, identifiers);
    expectOk(await remove(identifiers));
    const [one] = await create(center, [payload(identifiers)], { recovery: true });
    expect(one).toMatchObject({ result: 'Success', createdClientId: id });
    expect(await cardOf(center, identifiers)).toMatchObject({ ...identifiers, id });
    expect(await applicationsOf(center, identifiers)).toEqual([]);
  });

  it('brings back what is not given anew, under what is', async () => {
    const identifiers = newIdentifiers();
    const [oldPhone, phone] = [newPhone(), newPhone()];
    const of = (phoneNumber: string) => [{ phoneNumber, type: 'MOB' }];
    const fields = { note: 'kept', segment: 'cold' };
    await made(center, identifiers, { fields, phones: of(oldPhone) });
    expectOk(await remove(identifiers));
    const again = payload(identifiers, {
      type: 'VIP',
      fields: { segment: 'warm' },
      phones: of(phone),
    });
    const [one] = await create(center, [again], { recovery: true });
    expect(one?.result).toBe('Success');
    expect(await cardOf(center, identifiers)).toMatchObject({
      note: 'kept',
      segment: 'warm',
      clientType: 'VIP',
    });
    const campaign = await madeCampaign(center);
    await enqueued(center, campaign.id, [identifiers]);
    expect(await applicationsOf(center, identifiers)).toMatchObject([{ nextPhoneNumber: phone }]);
    const criteria = [{ key: 'phones.phoneNumber', operator: '=', value: oldPhone }];
    expectOk(await center.send('PUT', paths.removeByFilter(campaign.id), { criteria }));
    expect(await applicationsOf(center, identifiers)).toEqual([]);
  });

  it('restores only where everything required is given', async () => {
    const identifiers = newIdentifiers();
    await made(center, identifiers);
    expectOk(await remove(identifiers));
    const incomplete = payload(identifiers, { fields: { fullName: '' } });
    const [one] = await create(center, [incomplete], { recovery: true });
    expect(one?.result).toBe('Field [fullName] is required.');
    expectRefusal(await lookup(identifiers), unknown);
  });

  it('does not add an active client again with recovery: true', async () => {
    const identifiers = newIdentifiers();
    await made(center, identifiers);
    const [one] = await create(center, [payload(identifiers)], { recovery: true });
    expect(one?.result).not.toBe('Success');
  });

  it('does not bring the deleted card back with recovery: false', async () => {
    const identifiers = newIdentifiers();
    const id = await made(center, identifiers);
    expectOk(await remove(identifiers));
    const [one] = await create(center, [payload(identifiers)], { recovery: false });
    expect(one?.createdClientId).not.toBe(id);
  });
});
