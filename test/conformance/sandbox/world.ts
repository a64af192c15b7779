import { afterEach, expect } from 'vitest';
import { createContactCenter, type ContactCenter } from '../../../src/client/contact-center.js';
import {
  type OperationInput,
  type OperationOutput,
  SUCCESS,
} from '../../../src/contract/operations.js';
import { RefusedError } from '../../../src/core/errors.js';
import type { Installation } from '../../../src/installation/installation.js';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.js';

/** The moment at which every sandbox of the tests lives. */
export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const BLACKLISTED = '79990000666';

const optional = { sync: false, required: false } as const;

/** Two identifiers, every type of field, roles and a blacklist. */
export const INSTALLATION: Installation = {
  name: 'test',
  baseUrl: 'http://127.0.0.1:1',
  headers: {},
  card: {
    offerId: { type: 'Number', sync: true, required: false },
    offerDomain: { type: 'TextField', sync: true, required: false },
    fullName: { type: 'TextField', sync: false, required: true },
    segment: { ...optional, type: 'ComboBox', values: ['cold', 'warm'] },
    leadStatus: { ...optional, type: 'StatusField', values: ['new', 'open'] },
    budget: { ...optional, type: 'Number' },
    note: { ...optional, type: 'TextField' },
  },
  clientRoles: [1, 2],
  limits: {},
  transport: { timeoutMs: 60_000, responseBytes: 67_108_864 },
  sandbox: { blacklist: ['+7 (999) 000-06-66'] },
};

export const PATHS = {
  clients: '/api/v1/clients/exec.do',
  read: '/api/v1/clients/by/syncIds.json',
  campaigns: '/api/v1/telemarketing/campaigns/progress.do',
  list: '/api/v1/telemarketing/campaigns.do?limit=100',
} as const;

export const CAMPAIGN = {
  name: 'Spring',
  typeProcessing: 'OPERATOR',
  callingMode: 'PROGRESSIVE_NEW',
  callingSearchSpaceId: 1,
  callStatusRuleProcessorId: 2,
} as const;

type NewClient = OperationInput<'addClients'>['body']['clients'][number];
export type CreateResult = OperationOutput<'addClients'>['createResult'][number];
type Callback = OperationInput<'createCallback'>['body'];

export const identifiers = (offerId: number) => ({ offerId, offerDomain: 'shop.example' });

/** A client that is right in every way; `fields` are added to those that it has. */
export function client(offerId: number, changes: Record<string, unknown> = {}): NewClient {
  const { fields, ...others } = changes;
  return {
    uuid: `u-${offerId}`,
    clientRoleId: 1,
    type: 'SIMPLE',
    timeZone: 'Europe/Moscow',
    phones: [{ phoneNumber: `7916${String(offerId).padStart(7, '0')}`, type: 'MOB' }],
    addresses: [],
    emails: [],
    ...others,
    fields: { ...identifiers(offerId), fullName: `Name ${offerId}`, ...(fields as object) },
  };
}

export const mobile = (...numbers: string[]) => ({
  phones: numbers.map((phoneNumber) => ({ phoneNumber, type: 'MOB' })),
});

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body: parsed where it is JSON. */
  readonly body: unknown;
}

/** A sandbox, asked by the typed client or with requests as they are. */
export class World {
  readonly center: ContactCenter;
  constructor(private readonly sandbox: Sandbox) {
    this.center = createContactCenter(INSTALLATION, { baseUrl: sandbox.url });
  }

  get url(): string {
    return this.sandbox.url;
  }

  async close(): Promise<void> {
    await this.center.close();
    await this.sandbox.close();
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.send(method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** Sends text as it is, with the content type given. */
  async send(
    method: string,
    path: string,
    body?: string,
    type: string | null = 'application/json',
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      // Bytes have no content type of their own.
      ...(body !== undefined && {
        body: Buffer.from(body),
        ...(type !== null && { headers: { 'content-type': type } }),
      }),
    });
    const { status, headers } = response;
    const text = await response.text();
    const isJson = headers.get('content-type')?.includes('json') ?? false;
    return { status, headers, body: isJson ? JSON.parse(text) : text };
  }

  /** Operation 4.1, its clients as they are: what it says of each. */
  async add(clients: readonly unknown[], more: object = {}): Promise<readonly CreateResult[]> {
    const body = new TextEncoder().encode(JSON.stringify({ clients, ...more }));
    return (await this.center.sendPrepared('addClients', {}, body)).createResult;
  }

  /** Adds one client that must succeed; its internal id. */
  async have(offerId: number, changes: Record<string, unknown> = {}): Promise<number> {
    const [one] = await this.add([client(offerId, changes)]);
    expect(one?.result).toBe(SUCCESS);
    return one!.createdClientId!;
  }

  /** Makes a campaign; the first one has id 1. */
  async haveCampaign(changes: object = {}): Promise<number> {
    await this.center.createCampaign({ body: { ...CAMPAIGN, ...changes } });
    return (await this.campaigns()).at(-1)!.id;
  }

  campaigns(limit = 100, offset = 0) {
    return this.center.listCampaigns({ query: { limit, offset } });
  }

  /** Operation 4.9: which clients could not be added, and why. */
  async enqueue(campaigId: number, offerIds: readonly number[], more: object = {}) {
    const clients = offerIds.map((offerId) => ({ clientIdentifiers: identifiers(offerId) }));
    const body = { maxCallCount: 3, clients, ...more };
    const { errors } = await this.center.addApplications({ params: { campaigId }, body });
    return (errors ?? []).map(({ clientIdentifiers, errorMessage }) => [
      clientIdentifiers['offerId'],
      errorMessage,
    ]);
  }

  applications(offerId: number) {
    return this.center.listApplications({ query: identifiers(offerId) });
  }

  /** Removes an application; without `cancelCallbacks`, its callbacks stay. */
  dequeue(campaignId: number, offerId: number, cancelCallbacks = false) {
    const body = { clientIdentifiers: identifiers(offerId), cancelCallbacks };
    return this.center.removeApplication({ params: { campaignId }, body });
  }

  filter(
    campaignId: number,
    ...criteria: OperationInput<'removeApplications'>['body']['criteria']
  ) {
    return this.center.removeApplications({ params: { campaignId }, body: { criteria } });
  }

  callBack(campaignId: number, offerId: number, changes: Partial<Callback> = {}) {
    const body = {
      ...{ name: 'Call again', description: 'asked for it', phone: '79160000001', operatorId: 5 },
      ...{ clientIdentifiers: identifiers(offerId), campaignId, callAutomatically: false },
      callAt: '2026-03-01T18:00:00+03:00',
    };
    return this.center.createCallback({ body: { ...body, ...changes } });
  }

  async card(offerId: number): Promise<Readonly<Record<string, unknown>>> {
    const body = { clientSyncIdentifiers: identifiers(offerId) };
    return (await this.center.readClient({ body })).clientFieldsToValues;
  }

  change(offerId: number, fieldsToUpdate: Record<string, string | number | null>) {
    const body = { syncIdentifiers: identifiers(offerId), fieldsToUpdate };
    return this.center.changeClient({ body });
  }

  rename(clientId: number, clientSyncIdentifiers: Record<string, string | number>) {
    return this.center.changeSyncIdentifiers({
      params: { clientId },
      body: { clientSyncIdentifiers },
    });
  }

  delete(offerId: number) {
    return this.center.deleteClient({ body: { syncIdentifiers: identifiers(offerId) } });
  }
}

/** What the contact center says where it refuses. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof RefusedError) return error.errorMessage;
  throw error;
}

export const noClient = (offerId: number): string =>
  `No clients with identifiers: [offerId=${offerId}, offerDomain=shop.example]`;

const open: World[] = [];

export async function openWorld(options: Partial<SandboxOptions> = {}): Promise<World> {
  const own = { installation: INSTALLATION, port: 0, database: ':memory:', now: () => NOW };
  return new World(await startSandbox({ ...own, ...options }));
}

/** A sandbox that is closed after the test. */
export async function startWorld(options: Partial<SandboxOptions> = {}): Promise<World> {
  const world = await openWorld(options);
  open.push(world);
  return world;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((world) => world.close()));
});
