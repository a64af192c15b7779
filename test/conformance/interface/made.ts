import { expect } from 'vitest';
import type { Center } from './center.js';

/** The paths of section 4 that several files use. */
export const paths = {
  clients: '/api/v1/clients/exec.do',
  lookup: '/api/v1/clients/by/syncIds.json',
  campaigns: '/api/v1/telemarketing/campaigns/progress.do',
  callbacks: '/api/v1/callbacks/exec.do?type=tm',
  enqueue: (campaign: number | string) => `/api/v1/tacs/campaigns/${campaign}/exec.do`,
  removeBySync: (campaign: number | string) =>
    `/api/v1/tacs/campaigns/${campaign}/applications/by/syncId/remove.do`,
  removeByFilter: (campaign: number | string) =>
    `/api/v1/tacs/campaigns/${campaign}/applications/by/filter/remove.do`,
  campaign: (campaign: number | string) =>
    `/api/v1/telemarketing/campaigns/${campaign}/progress.do`,
  taskId: (campaign: number | string) => `/api/v1/telemarketing/campaigns/${campaign}/taskId.json`,
  list: (limit: number | string, offset: number | string = 0) =>
    `/api/v1/telemarketing/campaigns.do?limit=${limit}&offset=${offset}`,
};

export type Fields = Record<string, unknown>;

export interface CreateResult {
  readonly uuid: string;
  readonly result: string;
  readonly createdClientId?: number;
}

let last = 1000;
/** A number that this test file has not used yet. */
export const fresh = (): number => ++last;

/** Identifiers that belong to nobody yet. */
export const newIdentifiers = () => ({ offerId: fresh(), offerDomain: 'shop.example' });

export const newPhone = (): string => `7900${String(fresh()).padStart(7, '0')}`;

/** A payload of section 2.2 with everything that is required. */
export function payload(identifiers: Fields, changes: Fields = {}): Fields {
  const { fields = {}, ...others } = changes;
  return {
    uuid: `uuid-${fresh()}`,
    clientRoleId: 1,
    type: 'SIMPLE',
    timeZone: 'Europe/Moscow',
    fields: { ...identifiers, fullName: 'Ann Lee', ...(fields as Fields) },
    phones: [{ phoneNumber: newPhone(), type: 'MOB' }],
    addresses: [],
    emails: [],
    ...others,
  };
}

/** Operation 4.1; checks the shape of the answer. */
export async function create(
  center: Center,
  clients: readonly Fields[],
  more: Fields = {},
): Promise<CreateResult[]> {
  const { status, body, text } = await center.send('POST', paths.clients, { clients, ...more });
  expect(status, text).toBe(201);
  const { createResult } = body as { createResult: CreateResult[] };
  expect(createResult).toHaveLength(clients.length);
  for (const one of createResult) {
    expect(one.result).toEqual(expect.any(String));
    if (one.result === 'Success') expect(one.createdClientId).toEqual(expect.any(Number));
    else expect(one).not.toHaveProperty('createdClientId');
  }
  return createResult;
}

/** Adds one client that has to succeed. Returns its internal id. */
export async function made(center: Center, identifiers: Fields, changes: Fields = {}) {
  const [one] = await create(center, [payload(identifiers, changes)]);
  expect(one?.result).toBe('Success');
  return one!.createdClientId!;
}

/** What 4.1 says of one client. */
export async function judged(center: Center, client: Fields): Promise<string> {
  const [one] = await create(center, [client]);
  return one!.result;
}

/** Operation 4.8 for a client that has to be there. */
export async function cardOf(center: Center, clientSyncIdentifiers: Fields): Promise<Fields> {
  const { status, body, text } = await center.send('POST', paths.lookup, {
    clientSyncIdentifiers,
  });
  expect(status, text).toBe(200);
  return (body as { clientFieldsToValues: Fields }).clientFieldsToValues;
}

export const operatorCampaign = (changes: Fields = {}): Fields => ({
  name: `campaign ${fresh()}`,
  typeProcessing: 'OPERATOR',
  callingMode: 'PROGRESSIVE_NEW',
  callingSearchSpaceId: 7,
  callStatusRuleProcessorId: 8,
  ...changes,
});

/** Operation 4.13, then 4.19 to find what was created. */
export async function madeCampaign(center: Center, changes: Fields = {}): Promise<Listed> {
  const campaign = operatorCampaign(changes);
  const { status, text } = await center.send('POST', paths.campaigns, campaign);
  expect(status, text).toBe(200);
  const found = (await listed(center)).find(({ name }) => name === campaign['name']);
  expect(found, 'the new campaign is in the list').toBeDefined();
  return found!;
}

export interface Listed extends Fields {
  readonly id: number;
  readonly name: string;
}

/** Every campaign, page by page. */
export async function listed(center: Center): Promise<Listed[]> {
  const all: Listed[] = [];
  for (;;) {
    const { status, body, text } = await center.send('GET', paths.list(100, all.length));
    expect(status, text).toBe(200);
    const page = body as Listed[];
    all.push(...page);
    if (page.length < 100) return all;
  }
}

/** Operation 4.9. */
export const enqueue = (
  center: Center,
  campaign: number,
  clients: readonly Fields[],
  more: Fields = {},
) =>
  center.send('POST', paths.enqueue(campaign), {
    maxCallCount: 3,
    clients: clients.map((clientIdentifiers) => ({ clientIdentifiers })),
    ...more,
  });

/** Operation 4.9 for clients that have to be taken. */
export async function enqueued(
  center: Center,
  campaign: number,
  clients: readonly Fields[],
  more: Fields = {},
): Promise<void> {
  const { status, body, text } = await enqueue(center, campaign, clients, more);
  expect(status, text).toBe(200);
  expect(body).toEqual({});
}

export interface Application extends Fields {
  readonly id: number;
  readonly telemarketCampaignId: number;
}

const query = (identifiers: Fields): string =>
  new URLSearchParams(
    Object.entries(identifiers).map(([k, v]): [string, string] => [k, String(v)]),
  ).toString();

export const applicationsPath = (identifiers: Fields): string =>
  `/api/v1/tacs/byClientIdentifiers.json?${query(identifiers)}`;

/** Operation 4.12 for a client that has to be there. */
export async function applicationsOf(center: Center, identifiers: Fields): Promise<Application[]> {
  const { status, body, text } = await center.send('GET', applicationsPath(identifiers));
  expect(status, text).toBe(200);
  return body as Application[];
}

/** ISO 8601 with a zone offset, so many hours from now. */
export const hoursFromNow = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString().replace('Z', '+00:00');

export const callback = (campaignId: number, clientIdentifiers: Fields, changes: Fields = {}) => ({
  name: 'Call back',
  description: 'Asked for a call',
  clientIdentifiers,
  phone: '79001112233',
  campaignId,
  operatorId: 5,
  callAt: hoursFromNow(24),
  callAutomatically: false,
  ...changes,
});
