import { afterEach } from 'vitest';
import type { CreateResult, EnqueueError } from '../../../src/core/center.js';
import type { Installation } from '../../../src/installation/installation.js';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.js';

/** The moment at which every sandbox of the tests lives. */
export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const BLACKLISTED = '79990000666';

export const INSTALLATION: Installation = {
  name: 'test',
  baseUrl: 'http://127.0.0.1:8080',
  headers: {},
  card: {
    offerId: { type: 'Number', sync: true, required: false },
    fullName: { type: 'TextField', sync: false, required: true },
    segment: { type: 'ComboBox', sync: false, required: false, values: ['cold', 'warm'] },
    stage: { type: 'StatusField', sync: false, required: false, values: ['new', 'done'] },
    score: { type: 'Number', sync: false, required: false },
    note: { type: 'TextField', sync: false, required: false },
  },
  clientRoles: [1, 2],
  limits: {},
  transport: { timeoutMs: 60_000, responseBytes: 67_108_864 },
  sandbox: { blacklist: ['+7 (999) 000-06-66'] },
};

/** All that a test may look for in a JSON answer. */
export interface AnswerBody {
  readonly createResult: readonly CreateResult[];
  readonly errors?: readonly EnqueueError[];
  readonly errorMessage: string;
  readonly clientFieldsToValues: Readonly<Record<string, unknown>>;
  readonly taskId: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed; which of the parts there are depends on the operation. */
  readonly json: AnswerBody;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A sandbox with short words for what the tests do most. */
export class World {
  constructor(private readonly sandbox: Sandbox) {}

  get url(): string {
    return this.sandbox.url;
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }

  async call(method: Method, path: string, body?: unknown): Promise<Answer> {
    return this.send(method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** Sends text as it is, with the content type given. */
  async send(
    method: Method,
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
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const json = (isJson ? JSON.parse(text) : undefined) as AnswerBody;
    return { status: response.status, headers: response.headers, text, json };
  }

  addClients(...clients: unknown[]): Promise<Answer> {
    return this.call('POST', CLIENTS, { clients });
  }

  /** Adds clients that must succeed. */
  async haveClients(...offerIds: number[]): Promise<void> {
    const { json } = await this.addClients(...offerIds.map((offerId) => client(offerId)));
    const failed = json.createResult.filter(({ result }) => result !== 'Success');
    if (failed.length > 0) throw new Error(`not added: ${JSON.stringify(failed)}`);
  }

  /** Makes a campaign; the first one has id 1. */
  async haveCampaign(): Promise<void> {
    const answer = await this.call('POST', CAMPAIGNS, CAMPAIGN);
    if (answer.status !== 200) throw new Error(answer.text);
  }

  enqueue(campaignId: number, ...offerIds: number[]): Promise<Answer> {
    return this.call('POST', `/api/v1/tacs/campaigns/${campaignId}/exec.do`, {
      maxCallCount: 3,
      clients: offerIds.map((offerId) => ({ clientIdentifiers: { offerId } })),
    });
  }

  async applications(offerId: number): Promise<Record<string, unknown>[]> {
    return (await this.list(`${APPLICATIONS}?offerId=${offerId}`)) as Record<string, unknown>[];
  }

  async card(offerId: number): Promise<Readonly<Record<string, unknown>>> {
    const { json } = await this.call('POST', READ, { clientSyncIdentifiers: { offerId } });
    return json.clientFieldsToValues;
  }

  /** A body that should be an array. */
  async list(path: string): Promise<unknown> {
    return (await this.call('GET', path)).json;
  }
}

export const CLIENTS = '/api/v1/clients/exec.do';
export const READ = '/api/v1/clients/by/syncIds.json';
export const CAMPAIGNS = '/api/v1/telemarketing/campaigns/progress.do';
export const APPLICATIONS = '/api/v1/tacs/byClientIdentifiers.json';

export const CAMPAIGN = {
  name: 'Spring',
  typeProcessing: 'OPERATOR',
  callingMode: 'PROGRESSIVE_NEW',
  callingSearchSpaceId: 1,
  callStatusRuleProcessorId: 2,
};

/** A client that is right in every way. */
export function client(offerId: number, changes: Record<string, unknown> = {}) {
  return {
    uuid: `u-${offerId}`,
    clientRoleId: 1,
    type: 'SIMPLE',
    timeZone: 'Europe/Moscow',
    fields: { offerId, fullName: `Name ${offerId}` },
    phones: [{ phoneNumber: `7916${String(offerId).padStart(7, '0')}`, type: 'MOB' }],
    addresses: [],
    emails: [],
    ...changes,
  };
}

export function callback(changes: Record<string, unknown> = {}) {
  return {
    name: 'Call again',
    description: 'asked for it',
    clientIdentifiers: { offerId: 1 },
    phone: '79160000001',
    campaignId: 1,
    operatorId: 5,
    callAt: '2026-03-01T18:00:00+03:00',
    callAutomatically: false,
    ...changes,
  };
}

const open: World[] = [];

/** Starts a sandbox that is closed after the test. */
export async function startWorld(options: Partial<SandboxOptions> = {}): Promise<World> {
  const sandbox = await startSandbox({
    installation: INSTALLATION,
    port: 0,
    database: ':memory:',
    now: () => NOW,
    ...options,
  });
  const world = new World(sandbox);
  open.push(world);
  return world;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((world) => world.close()));
});
