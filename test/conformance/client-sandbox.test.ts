import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContactCenter, type ContactCenter } from '../../src/client/contact-center.js';
import { createCenterPort } from '../../src/client/center-port.js';
import { type OperationInput, operations } from '../../src/contract/operations.js';
import { MESSAGES, SUCCESS } from '../../src/contract/shapes.js';
import { RefusedError } from '../../src/core/errors.js';
import type { Installation } from '../../src/installation/installation.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';

/** Each operation through the typed client against the sandbox: what succeeds, and every error text of section 7. */

const BLACKLISTED = '79990000666';
const LATER = '2099-01-01T10:00:00+03:00';
const UNKNOWN = { offerId: 999_999 };
const NO_CAMPAIGN = 999_999;

const installation: Installation = {
  name: 'conformance',
  baseUrl: 'http://127.0.0.1',
  headers: {},
  card: {
    offerId: { type: 'Number', sync: true, required: true },
    fullName: { type: 'TextField', sync: false, required: true },
    segment: { type: 'ComboBox', sync: false, required: false, values: ['cold', 'warm'] },
  },
  clientRoles: [1, 2],
  limits: {},
  transport: { timeoutMs: 20_000, responseBytes: 1_000_000 },
  sandbox: { blacklist: [BLACKLISTED] },
};

type NewClient = OperationInput<'addClients'>['body']['clients'][number];

let sandbox: Sandbox;
let center: ContactCenter;
const called = new Set<string>();
let lastOffer = 0;
/** Identifiers of a client that exists and that nothing has been done to; its internal id. */
let clientSyncIdentifiers: { offerId: number };
let clientId: number;
/** A campaign without call applications. */
let campaignId: number;

beforeAll(async () => {
  sandbox = await startSandbox({ installation, port: 0, database: ':memory:' });
  center = createContactCenter(installation, {
    baseUrl: sandbox.url,
    onAnswer: ({ operation }) => called.add(operation),
  });
});
afterAll(async () => {
  await center.close();
  await sandbox.close();
});
beforeEach(async () => {
  clientSyncIdentifiers = { offerId: ++lastOffer };
  clientId = await add(clientSyncIdentifiers.offerId);
  campaignId = await newCampaign(`campaign ${lastOffer}`);
});

const newClient = (offerId: number, more: Partial<NewClient> = {}): NewClient => ({
  uuid: `uuid-${offerId}`,
  clientRoleId: 1,
  type: 'SIMPLE',
  timeZone: 'Europe/Moscow',
  fields: { offerId, fullName: 'Анна Котова' },
  phones: [{ phoneNumber: `7916${String(offerId).padStart(7, '0')}`, type: 'MOB' }],
  addresses: [],
  emails: [],
  ...more,
});

async function add(offerId: number, more: Partial<NewClient> = {}): Promise<number> {
  const { createResult } = await center.addClients({
    body: { clients: [newClient(offerId, more)] },
  });
  expect(createResult).toMatchObject([{ uuid: `uuid-${offerId}`, result: SUCCESS }]);
  return createResult[0]!.createdClientId!;
}

async function newCampaign(name: string): Promise<number> {
  await center.createCampaign({
    body: {
      name,
      typeProcessing: 'OPERATOR',
      callingMode: 'PROGRESSIVE_NEW',
      callingSearchSpaceId: 1,
      callStatusRuleProcessorId: 2,
      weekDays: 'Mon,Fri',
    },
  });
  const limit = 100;
  for (let offset = 0; ; offset += limit) {
    const page = await center.listCampaigns({ query: { limit, offset } });
    const found = page.find((campaign) => campaign.name === name);
    if (found !== undefined) return found.id;
    expect(page).toHaveLength(limit);
  }
}

const enqueue = (clients: { clientIdentifiers: { offerId: number } }[], more = {}) =>
  center.addApplications({
    params: { campaigId: campaignId },
    body: { maxCallCount: 3, clients, ...more },
  });

/** Expects a refusal in the contact center's words. */
async function refuses(call: Promise<unknown>, errorMessage: string): Promise<void> {
  const error: unknown = await call.then(
    () => 'resolved',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({ errorMessage });
}

const card = async (): Promise<Record<string, unknown>> =>
  (await center.readClient({ body: { clientSyncIdentifiers } })).clientFieldsToValues;
const noClient = MESSAGES.noClient('offerId=999999');

describe('clients', () => {
  it('4.1 are added one by one, each with its own result', async () => {
    const good = newClient(++lastOffer);
    const { offerId: _, ...unidentified } = good.fields;
    const clients = [
      good,
      { ...good, uuid: 'no identifier', fields: unidentified },
      { ...good, uuid: 'no name', fields: { offerId: ++lastOffer } },
      { ...good, uuid: 'again' },
    ];
    const { createResult } = await center.addClients({ body: { clients } });
    expect(createResult.map(({ uuid }) => uuid)).toEqual(clients.map(({ uuid }) => uuid));
    const [first, second, third, fourth] = createResult;
    expect(first).toMatchObject({ result: SUCCESS });
    expect(first?.createdClientId).toBeGreaterThan(clientId);
    expect(second?.result).toBe(MESSAGES.identifiersMissing);
    expect(third?.result).toBe(MESSAGES.fieldRequired('fullName'));
    expect(fourth?.result).not.toBe(SUCCESS);
    for (const failed of [second, third, fourth])
      expect(failed).not.toHaveProperty('createdClientId');
  });

  it('4.2 are changed', async () => {
    const fieldsToUpdate = { fullName: 'Пётр Котов', segment: 'warm' };
    const syncIdentifiers = clientSyncIdentifiers;
    await expect(
      center.changeClient({ body: { syncIdentifiers, fieldsToUpdate } }),
    ).resolves.toBeUndefined();
    expect(await card()).toMatchObject(fieldsToUpdate);
    await refuses(
      center.changeClient({ body: { syncIdentifiers: UNKNOWN, fieldsToUpdate } }),
      noClient,
    );
  });

  it('4.3 to 4.6b get phones, e-mails and addresses, and change their status', async () => {
    const phone = { phoneNumber: '74950000001', type: 'WORK' } as const;
    const emailAddress = 'a@example.test';
    const address = { clientAddress: 'Москва, Тверская 1', type: 'HOME' } as const;
    const active = false;
    const calls = (identifiers: { offerId: number }) => {
      const clientSyncIdentifiers = identifiers;
      const { clientAddress } = address;
      return [
        () => center.addPhone({ body: { clientSyncIdentifiers, ...phone } }),
        () =>
          center.setPhoneStatus({
            body: { clientSyncIdentifiers, phoneNumber: phone.phoneNumber, active },
          }),
        () => center.addEmail({ body: { clientSyncIdentifiers, emailAddress } }),
        () => center.setEmailStatus({ body: { clientSyncIdentifiers, emailAddress, active } }),
        () => center.addAddress({ body: { clientSyncIdentifiers, ...address } }),
        () => center.setAddressStatus({ body: { clientSyncIdentifiers, clientAddress, active } }),
      ];
    };
    for (const call of calls(clientSyncIdentifiers)) await expect(call()).resolves.toBeUndefined();
    for (const call of calls(UNKNOWN)) await refuses(call(), noClient);
  });

  it('4.6c get new identifiers by their internal id', async () => {
    const before = clientSyncIdentifiers;
    clientSyncIdentifiers = { offerId: ++lastOffer };
    await center.changeSyncIdentifiers({ params: { clientId }, body: { clientSyncIdentifiers } });
    expect(await card()).toMatchObject({ id: clientId, ...clientSyncIdentifiers });
    const old = center.readClient({ body: { clientSyncIdentifiers: before } });
    await refuses(old, MESSAGES.noClient(`offerId=${before.offerId}`));
  });

  it('4.7 are deleted, and restored when they are added again', async () => {
    const { offerId } = clientSyncIdentifiers;
    const remove = { body: { syncIdentifiers: clientSyncIdentifiers } };
    await expect(center.deleteClient(remove)).resolves.toBeUndefined();
    await refuses(card(), MESSAGES.noClient(`offerId=${offerId}`));
    await refuses(center.deleteClient(remove), MESSAGES.noClient(`offerId=${offerId}`));
    const { createResult } = await center.addClients({
      body: { clients: [newClient(offerId)], recovery: true },
    });
    expect(createResult).toMatchObject([{ result: SUCCESS, createdClientId: clientId }]);
    expect(await card()).toMatchObject({ id: clientId });
  });

  it('4.8 are read', async () => {
    expect(await card()).toMatchObject({
      id: clientId,
      fullName: 'Анна Котова',
      clientType: 'SIMPLE',
      timeZone: 'Europe/Moscow',
      ...clientSyncIdentifiers,
    });
    await refuses(center.readClient({ body: { clientSyncIdentifiers: UNKNOWN } }), noClient);
  });
});

describe('call applications', () => {
  it('4.9 are added, and those that could not be are told by client', async () => {
    const clientIdentifiers = clientSyncIdentifiers;
    expect(await enqueue([{ clientIdentifiers }])).toEqual({});
    const blocked = { offerId: ++lastOffer };
    await add(blocked.offerId, { phones: [{ phoneNumber: BLACKLISTED, type: 'MOB' }] });
    const fresh = { offerId: ++lastOffer };
    await add(fresh.offerId);
    const { errors } = await enqueue(
      [clientIdentifiers, blocked, UNKNOWN, fresh].map((one) => ({ clientIdentifiers: one })),
    );
    expect(errors).toEqual([
      { clientIdentifiers, errorMessage: MESSAGES.alreadyInCampaign },
      { clientIdentifiers: blocked, errorMessage: MESSAGES.blacklisted },
      { clientIdentifiers: UNKNOWN, errorMessage: MESSAGES.noSuchClient },
    ]);
    expect(await center.listApplications({ query: fresh })).toHaveLength(1);
  });

  it('4.10 are removed by client', async () => {
    await enqueue([{ clientIdentifiers: clientSyncIdentifiers }]);
    const body = { clientIdentifiers: clientSyncIdentifiers, cancelCallbacks: true };
    await expect(
      center.removeApplication({ params: { campaignId }, body }),
    ).resolves.toBeUndefined();
    expect(await center.listApplications({ query: clientSyncIdentifiers })).toEqual([]);
  });

  it('4.11 are removed by filters', async () => {
    await enqueue([{ clientIdentifiers: clientSyncIdentifiers }]);
    const filter = (value: string) =>
      center.removeApplications({
        params: { campaignId },
        body: { criteria: [{ key: 'application.status', value, operator: '=' }] },
      });
    await expect(filter('SUCCESS')).resolves.toBeUndefined();
    expect(await center.listApplications({ query: clientSyncIdentifiers })).toHaveLength(1);
    await filter('NONE');
    expect(await center.listApplications({ query: clientSyncIdentifiers })).toEqual([]);
  });

  it('4.12 are listed', async () => {
    await enqueue([{ clientIdentifiers: clientSyncIdentifiers }]);
    expect(await center.listApplications({ query: clientSyncIdentifiers })).toMatchObject([
      { telemarketCampaignId: campaignId, maxCallCount: 3, calledCount: 0, hasRecall: false },
    ]);
    await refuses(center.listApplications({ query: UNKNOWN }), noClient);
  });
});

describe('campaigns', () => {
  const unknown = { params: { campaignId: NO_CAMPAIGN } };
  const noCampaign = MESSAGES.noCampaign(NO_CAMPAIGN);

  it('4.13 and 4.19 are created and listed, with the defaults filled in', async () => {
    const page = await center.listCampaigns({ query: { limit: 100 } });
    expect(page.find(({ id }) => id === campaignId)).toMatchObject({
      name: `campaign ${lastOffer}`,
      weekDays: ['Mon', 'Fri'],
      notResponceTime: 30,
      smsMessage: null,
      ccProjectId: null,
    });
    expect(await center.listCampaigns({ query: { limit: 1, offset: 0 } })).toHaveLength(1);
  });

  it('4.14 are deleted', async () => {
    const params = { campaignId };
    await expect(center.deleteCampaign({ params })).resolves.toBeUndefined();
    await refuses(center.deleteCampaign({ params }), MESSAGES.noCampaign(campaignId));
  });

  it('4.15 and 4.16 are started, stopped and restarted', async () => {
    const params = { campaignId };
    await expect(center.startCampaign({ params })).resolves.toBeUndefined();
    await expect(center.stopCampaign({ params })).resolves.toBeUndefined();
    await expect(center.restartCampaign({ params })).resolves.toBeUndefined();
    await refuses(center.startCampaign(unknown), noCampaign);
    await refuses(center.stopCampaign(unknown), noCampaign);
    await refuses(center.restartCampaign(unknown), noCampaign);
  });

  it('4.17 and 4.18 have a task that an agent group is given', async () => {
    const { taskId } = await center.campaignTask({ params: { campaignId } });
    const body = { taskPriority: 1, userSelectionMode: 'BY_ROUND', previewTimeout: 5 } as const;
    await expect(
      center.assignTask({ params: { groupId: 3, taskId }, body }),
    ).resolves.toBeUndefined();
    await refuses(center.campaignTask(unknown), noCampaign);
    const missing = { groupId: 3, taskId: NO_CAMPAIGN };
    await refuses(center.assignTask({ params: missing, body }), noCampaign);
  });
});

describe('callbacks', () => {
  const callback = (more: Partial<OperationInput<'createCallback'>['body']> = {}) => ({
    body: {
      name: 'Call again',
      description: 'asked for it',
      clientIdentifiers: clientSyncIdentifiers,
      phone: '79160000001',
      campaignId,
      operatorId: 4,
      callAt: LATER,
      callAutomatically: false,
      ...more,
    },
  });

  it('4.20 are created, and the call application has one', async () => {
    await enqueue([{ clientIdentifiers: clientSyncIdentifiers }]);
    expect(await center.createCallback(callback())).toEqual(callback().body);
    expect(await center.listApplications({ query: clientSyncIdentifiers })).toMatchObject([
      { hasRecall: true },
    ]);
  });

  it('4.20 are refused in the words of the interface', async () => {
    await refuses(center.createCallback(callback()), MESSAGES.callbackClientAbsent);
    await refuses(
      center.createCallback(callback({ campaignId: NO_CAMPAIGN })),
      MESSAGES.callbackCampaignUnknown,
    );
    await enqueue([{ clientIdentifiers: clientSyncIdentifiers }]);
    await refuses(
      center.createCallback(callback({ callAt: '2020-01-01T10:00:00+03:00' })),
      MESSAGES.callAtNotInFuture,
    );
  });
});

describe('delivery', () => {
  it('brings prepared bodies, and the results of each client', async () => {
    const delivery = createCenterPort(center);
    const bytes = (body: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(body));
    const clientIdentifiers = { offerId: ++lastOffer };
    const clients = [newClient(lastOffer), { ...newClient(++lastOffer), type: 'GOLD' }];
    const results = await delivery.addClients(bytes({ clients }));
    expect(results.map(({ result }) => result === SUCCESS)).toEqual([true, false]);
    const entries = bytes({
      maxCallCount: 3,
      clients: [{ clientIdentifiers }, { clientIdentifiers: UNKNOWN }],
    });
    expect(await delivery.addApplications(campaignId, entries)).toEqual([
      { clientIdentifiers: UNKNOWN, errorMessage: MESSAGES.noSuchClient },
    ]);
    await refuses(delivery.addApplications(NO_CAMPAIGN, entries), MESSAGES.noCampaign(NO_CAMPAIGN));
  });
});

it('has called every operation of the table', () => {
  expect([...called].sort()).toEqual(Object.keys(operations).sort());
});
