import { describe, expect, it } from 'vitest';
import { operations } from '../../src/contract/operations.js';
import type { Operation } from '../../src/contract/operation.js';
import {
  APPLICATIONS,
  BLACKLISTED,
  CAMPAIGN,
  CAMPAIGNS,
  callback,
  client,
  CLIENTS,
  READ,
  startWorld,
  type Method,
  type World,
} from './harness.js';

/** One request to a sandbox with clients 1 to 3, campaign 1, and client 1 in it. */
interface Case {
  readonly section: string;
  readonly title: string;
  readonly before?: (world: World) => Promise<unknown>;
  readonly request: readonly [Method, string, unknown?];
  readonly status: number;
  /** The whole JSON body; a string that does not begin with a quote is plain text. */
  readonly body: unknown;
}

const ids = (offerId: number | string) => ({ offerId });
const fails = (errorMessage: string) => ({ errorMessage });
const NO_CLIENT = fails('No clients with identifiers: [offerId=9]');
const INCOMPLETE = fails("Client doesn't have all syncronize identifier fields.");
const NO_CAMPAIGN = fails('TelemarketCampaign 7 not found');
const campaign = (id: number | string, rest: string) =>
  `/api/v1/telemarketing/campaigns/${id}/${rest}`;
const tacs = (id: number, rest: string) => `/api/v1/tacs/campaigns/${id}/${rest}`;
const enqueue = (...clients: unknown[]) => ({ maxCallCount: 1, clients });
const TASK = { taskPriority: 1, userSelectionMode: 'BY_ROUND', previewTimeout: 10 };
const recall = (world: World, changes = {}) =>
  world.call('POST', '/api/v1/callbacks/exec.do?type=tm', callback(changes));

/** The operations that name a client and otherwise only acknowledge: section, method, path, body. */
const ON_CLIENT = [
  ['4.2', 'PUT', CLIENTS, { fieldsToUpdate: { fullName: 'New' } }],
  ['4.3', 'POST', '/api/v1/clients/phones/exec.do', { phoneNumber: '123', type: 'WORK' }],
  [
    '4.4',
    'PUT',
    '/api/v1/clients/phones/statuses/exec.do',
    { phoneNumber: '79160000001', active: false },
  ],
  ['4.5', 'POST', '/api/v1/clients/emails/exec.do', { emailAddress: 'b@example.org' }],
  [
    '4.6',
    'PUT',
    '/api/v1/clients/emails/statuses/exec.do',
    { emailAddress: 'a@example.org', active: false },
  ],
  [
    '4.6a',
    'POST',
    '/api/v1/clients/addresses/exec.do',
    { clientAddress: 'Elsewhere', type: 'HOME' },
  ],
  [
    '4.6b',
    'PUT',
    '/api/v1/clients/addresses/statuses/exec.do',
    { clientAddress: 'Here', active: true },
  ],
  ['4.7', 'DELETE', CLIENTS, {}],
] as const;

const identifierName = (section: string) =>
  ['4.2', '4.7'].includes(section) ? 'syncIdentifiers' : 'clientSyncIdentifiers';

const onClient: Case[] = ON_CLIENT.flatMap(([section, method, path, rest]) => {
  const name = identifierName(section);
  const by = (identifiers: unknown): [Method, string, unknown] => [
    method,
    path,
    { [name]: identifiers, ...rest },
  ];
  const bare = Object.keys(rest).map((field): Case => ({
    section,
    title: `needs ${field}`,
    request: [method, path, { [name]: ids(1), ...rest, [field]: undefined }],
    status: 400,
    body: fails(`Field [${field}] is required.`),
  }));
  return [
    { section, title: 'acknowledges', request: by(ids(1)), status: 200, body: 'OK' },
    {
      section,
      title: 'knows a number that came as text',
      request: by(ids('1')),
      status: 200,
      body: 'OK',
    },
    {
      section,
      title: 'does not know the client',
      request: by(ids(9)),
      status: 404,
      body: NO_CLIENT,
    },
    {
      section,
      title: 'refuses a blank identifier',
      request: by(ids(' ')),
      status: 400,
      body: INCOMPLETE,
    },
    {
      section,
      title: 'refuses a missing identifier',
      request: by({ other: 1 }),
      status: 400,
      body: INCOMPLETE,
    },
    { section, title: 'refuses no identifiers', request: by({}), status: 400, body: INCOMPLETE },
    {
      section,
      title: 'needs identifiers',
      request: by(undefined),
      status: 400,
      body: fails(`Field [${name}] is required.`),
    },
    {
      section,
      title: 'does not know a deleted client',
      before: (world) => world.call('DELETE', CLIENTS, { syncIdentifiers: ids(1) }),
      request: by(ids(1)),
      status: 404,
      body: fails('No clients with identifiers: [offerId=1]'),
    },
    ...bare,
  ];
});

const cases: Case[] = [
  ...onClient,
  {
    section: '4.1',
    title: 'judges clients one by one, in order',
    request: [
      'POST',
      CLIENTS,
      {
        clients: [
          client(4),
          client(5, { fields: { fullName: 'x' } }),
          client(6, { fields: { offerId: 6 } }),
          client(7),
        ],
      },
    ],
    status: 201,
    body: {
      createResult: [
        { uuid: 'u-4', result: 'Success', createdClientId: 4 },
        { uuid: 'u-5', result: "Client doesn't have all syncronize identifier fields." },
        { uuid: 'u-6', result: 'Field [fullName] is required.' },
        { uuid: 'u-7', result: 'Success', createdClientId: 5 },
      ],
    },
  },
  {
    section: '4.1',
    title: 'needs clients',
    request: ['POST', CLIENTS, {}],
    status: 400,
    body: fails('Field [clients] is required.'),
  },
  {
    section: '4.1',
    title: 'takes no other list',
    request: ['POST', CLIENTS, { clients: {} }],
    status: 400,
    body: fails('Field [clients]: Invalid input: expected array, received object.'),
  },
  {
    section: '4.1',
    title: 'needs an object',
    request: ['POST', CLIENTS, []],
    status: 400,
    body: fails('The request body must be a JSON object.'),
  },
  {
    section: '4.2',
    title: 'refuses an unknown field',
    request: ['PUT', CLIENTS, { syncIdentifiers: ids(1), fieldsToUpdate: { nope: 1 } }],
    status: 400,
    body: fails('Field [nope] is not in the card configuration.'),
  },
  {
    section: '4.2',
    title: 'refuses to empty a mandatory field',
    request: ['PUT', CLIENTS, { syncIdentifiers: ids(1), fieldsToUpdate: { fullName: ' ' } }],
    status: 400,
    body: fails('Field [fullName] is required.'),
  },
  {
    section: '4.2',
    title: 'refuses to empty an identifier',
    request: ['PUT', CLIENTS, { syncIdentifiers: ids(1), fieldsToUpdate: { offerId: null } }],
    status: 400,
    body: fails('Field [offerId] is required.'),
  },
  {
    section: '4.2',
    title: 'refuses a value that does not fit',
    request: ['PUT', CLIENTS, { syncIdentifiers: ids(1), fieldsToUpdate: { segment: 'hot' } }],
    status: 400,
    body: fails('Field [segment] must be one of cold, warm.'),
  },
  {
    section: '4.2',
    title: "refuses another client's identifiers",
    request: ['PUT', CLIENTS, { syncIdentifiers: ids(1), fieldsToUpdate: { offerId: 2 } }],
    status: 409,
    body: fails('Client with identifiers: [offerId=2] already exists'),
  },
  {
    section: '4.3',
    title: 'refuses a phone that is there',
    request: [
      'POST',
      '/api/v1/clients/phones/exec.do',
      { clientSyncIdentifiers: ids(1), phoneNumber: '+7 916 000-00-01', type: 'MOB' },
    ],
    status: 409,
    body: fails('Phone already exists on the client card'),
  },
  {
    section: '4.4',
    title: 'refuses a phone that is not there',
    request: [
      'PUT',
      '/api/v1/clients/phones/statuses/exec.do',
      { clientSyncIdentifiers: ids(1), phoneNumber: '5', active: true },
    ],
    status: 404,
    body: fails('Phone not found on the client card'),
  },
  {
    section: '4.5',
    title: 'refuses an e-mail that is there',
    request: [
      'POST',
      '/api/v1/clients/emails/exec.do',
      { clientSyncIdentifiers: ids(1), emailAddress: 'A@example.org' },
    ],
    status: 409,
    body: fails('E-mail already exists on the client card'),
  },
  {
    section: '4.6',
    title: 'refuses an e-mail that is not there',
    request: [
      'PUT',
      '/api/v1/clients/emails/statuses/exec.do',
      { clientSyncIdentifiers: ids(1), emailAddress: 'z@example.org', active: true },
    ],
    status: 404,
    body: fails('E-mail not found on the client card'),
  },
  {
    section: '4.6a',
    title: 'refuses an address that is there',
    request: [
      'POST',
      '/api/v1/clients/addresses/exec.do',
      { clientSyncIdentifiers: ids(1), clientAddress: 'Here', type: 'WORK' },
    ],
    status: 409,
    body: fails('Address already exists on the client card'),
  },
  {
    section: '4.6b',
    title: 'refuses an address that is not there',
    request: [
      'PUT',
      '/api/v1/clients/addresses/statuses/exec.do',
      { clientSyncIdentifiers: ids(1), clientAddress: 'There', active: true },
    ],
    status: 404,
    body: fails('Address not found on the client card'),
  },
  {
    section: '4.6c',
    title: 'acknowledges',
    request: [
      'PUT',
      '/api/v1/clients/1/syncIdentifiers/exec.do',
      { clientSyncIdentifiers: ids(10) },
    ],
    status: 200,
    body: 'OK',
  },
  {
    section: '4.6c',
    title: 'lets a client keep its own',
    request: [
      'PUT',
      '/api/v1/clients/1/syncIdentifiers/exec.do',
      { clientSyncIdentifiers: ids(1) },
    ],
    status: 200,
    body: 'OK',
  },
  {
    section: '4.6c',
    title: 'does not know the client',
    request: [
      'PUT',
      '/api/v1/clients/99/syncIdentifiers/exec.do',
      { clientSyncIdentifiers: ids(10) },
    ],
    status: 404,
    body: fails('No clients with identifiers: [id=99]'),
  },
  {
    section: '4.6c',
    title: 'needs an integer in the path',
    request: [
      'PUT',
      '/api/v1/clients/x/syncIdentifiers/exec.do',
      { clientSyncIdentifiers: ids(10) },
    ],
    status: 400,
    body: fails('Field [clientId]: Invalid input: expected number, received string.'),
  },
  {
    section: '4.6c',
    title: "refuses another client's identifiers",
    request: [
      'PUT',
      '/api/v1/clients/1/syncIdentifiers/exec.do',
      { clientSyncIdentifiers: ids(2) },
    ],
    status: 409,
    body: fails('Client with identifiers: [offerId=2] already exists'),
  },
  {
    section: '4.6c',
    title: 'refuses other fields',
    request: [
      'PUT',
      '/api/v1/clients/1/syncIdentifiers/exec.do',
      { clientSyncIdentifiers: { offerId: 5, fullName: 'x' } },
    ],
    status: 400,
    body: fails('Field [fullName] is not a synchronization identifier.'),
  },
  {
    section: '4.6c',
    title: 'refuses a blank identifier',
    request: [
      'PUT',
      '/api/v1/clients/1/syncIdentifiers/exec.do',
      { clientSyncIdentifiers: ids('') },
    ],
    status: 400,
    body: INCOMPLETE,
  },
  {
    section: '4.8',
    title: 'gives every field of the card, null when unset',
    request: ['POST', READ, { clientSyncIdentifiers: ids(1) }],
    status: 200,
    body: {
      clientFieldsToValues: {
        offerId: 1,
        fullName: 'Name 1',
        segment: null,
        stage: null,
        score: null,
        note: null,
        id: 1,
        clientType: 'VIP',
        timeZone: 'Europe/Moscow',
      },
    },
  },
  {
    section: '4.8',
    title: 'does not know the client',
    request: ['POST', READ, { clientSyncIdentifiers: ids(9) }],
    status: 404,
    body: NO_CLIENT,
  },
  {
    section: '4.8',
    title: 'refuses a missing identifier',
    request: ['POST', READ, { clientSyncIdentifiers: { x: 1 } }],
    status: 400,
    body: INCOMPLETE,
  },
  {
    section: '4.9',
    title: 'answers an empty object',
    request: ['POST', tacs(1, 'exec.do'), enqueue({ clientIdentifiers: ids(2) })],
    status: 200,
    body: {},
  },
  {
    section: '4.9',
    title: 'names those that failed, as they were sent',
    request: [
      'POST',
      tacs(1, 'exec.do'),
      enqueue(
        { clientIdentifiers: ids('1') },
        { clientIdentifiers: ids(2) },
        { clientIdentifiers: ids(9) },
        { clientIdentifiers: ids(3) },
        { clientIdentifiers: { x: 1 } },
        7,
      ),
    ],
    status: 400,
    body: {
      errors: [
        { clientIdentifiers: ids('1'), errorMessage: 'Client already exists' },
        { clientIdentifiers: ids(9), errorMessage: 'No such client' },
        { clientIdentifiers: ids(3), errorMessage: 'Client is in blacklist' },
        { clientIdentifiers: { x: 1 }, errorMessage: 'No such client' },
        { clientIdentifiers: {}, errorMessage: 'No such client' },
      ],
    },
  },
  {
    section: '4.9',
    title: 'does not know the campaign',
    request: ['POST', tacs(7, 'exec.do'), enqueue()],
    status: 404,
    body: NO_CAMPAIGN,
  },
  {
    section: '4.9',
    title: 'needs maxCallCount',
    request: ['POST', tacs(1, 'exec.do'), { clients: [] }],
    status: 400,
    body: fails('Field [maxCallCount] is required.'),
  },
  {
    section: '4.9',
    title: 'needs at least one call',
    request: ['POST', tacs(1, 'exec.do'), { maxCallCount: 0, clients: [] }],
    status: 400,
    body: fails('Field [maxCallCount]: Too small: expected number to be >=1.'),
  },
  {
    section: '4.9',
    title: 'needs clients',
    request: ['POST', tacs(1, 'exec.do'), { maxCallCount: 1 }],
    status: 400,
    body: fails('Field [clients] is required.'),
  },
  {
    section: '4.10',
    title: 'acknowledges',
    request: [
      'PUT',
      tacs(1, 'applications/by/syncId/remove.do'),
      { clientIdentifiers: ids(1), cancelCallbacks: true },
    ],
    status: 200,
    body: 'OK',
  },
  {
    section: '4.10',
    title: 'does not know the campaign',
    request: [
      'PUT',
      tacs(7, 'applications/by/syncId/remove.do'),
      { clientIdentifiers: ids(1), cancelCallbacks: true },
    ],
    status: 404,
    body: NO_CAMPAIGN,
  },
  {
    section: '4.10',
    title: 'does not know the client',
    request: [
      'PUT',
      tacs(1, 'applications/by/syncId/remove.do'),
      { clientIdentifiers: ids(9), cancelCallbacks: true },
    ],
    status: 404,
    body: NO_CLIENT,
  },
  {
    section: '4.10',
    title: 'refuses a client that is not in the campaign',
    request: [
      'PUT',
      tacs(1, 'applications/by/syncId/remove.do'),
      { clientIdentifiers: ids(2), cancelCallbacks: true },
    ],
    status: 404,
    body: fails('Client not found in campaign'),
  },
  {
    section: '4.10',
    title: 'needs cancelCallbacks',
    request: ['PUT', tacs(1, 'applications/by/syncId/remove.do'), { clientIdentifiers: ids(1) }],
    status: 400,
    body: fails('Field [cancelCallbacks] is required.'),
  },
  {
    section: '4.11',
    title: 'acknowledges',
    request: [
      'PUT',
      tacs(1, 'applications/by/filter/remove.do'),
      { criteria: [{ key: 'id', operator: '=', value: 1 }] },
    ],
    status: 200,
    body: 'OK',
  },
  {
    section: '4.11',
    title: 'refuses to remove everything',
    request: ['PUT', tacs(1, 'applications/by/filter/remove.do'), { criteria: [] }],
    status: 400,
    body: fails('Field [criteria] is required.'),
  },
  {
    section: '4.11',
    title: 'does not know the campaign',
    request: [
      'PUT',
      tacs(7, 'applications/by/filter/remove.do'),
      { criteria: [{ key: 'id', operator: '=', value: 1 }] },
    ],
    status: 404,
    body: NO_CAMPAIGN,
  },
  {
    section: '4.12',
    title: 'lists the applications of a client',
    request: ['GET', `${APPLICATIONS}?offerId=1`],
    status: 200,
    body: [
      {
        id: 1,
        telemarketCampaignId: 1,
        maxCallCount: 3,
        calledCount: 0,
        status: 'NONE',
        lastCall: 0,
        nextCall: Date.parse('2026-03-01T12:00:00Z'),
        nextPhoneNumber: '79160000001',
        hasRecall: false,
      },
    ],
  },
  {
    section: '4.12',
    title: 'lists none',
    request: ['GET', `${APPLICATIONS}?offerId=2`],
    status: 200,
    body: [],
  },
  {
    section: '4.12',
    title: 'does not know the client',
    request: ['GET', `${APPLICATIONS}?offerId=9`],
    status: 404,
    body: NO_CLIENT,
  },
  {
    section: '4.12',
    title: 'refuses a blank identifier',
    request: ['GET', `${APPLICATIONS}?offerId=`],
    status: 400,
    body: INCOMPLETE,
  },
  {
    section: '4.12',
    title: 'refuses an identifier given twice',
    request: ['GET', `${APPLICATIONS}?offerId=1&offerId=2`],
    status: 400,
    body: INCOMPLETE,
  },
  {
    section: '4.12',
    title: 'refuses no identifiers',
    request: ['GET', APPLICATIONS],
    status: 400,
    body: INCOMPLETE,
  },
  {
    section: '4.13',
    title: 'acknowledges',
    request: ['POST', CAMPAIGNS, CAMPAIGN],
    status: 200,
    body: 'OK',
  },
  {
    section: '4.13',
    title: 'tells every fault',
    request: ['POST', CAMPAIGNS, { ...CAMPAIGN, name: ' ', callingSearchSpaceId: undefined }],
    status: 400,
    body: fails('Field [name] must not be blank. Field [callingSearchSpaceId] is required.'),
  },
  {
    section: '4.14',
    title: 'acknowledges',
    request: ['DELETE', campaign(1, 'remove.do')],
    status: 200,
    body: 'OK',
  },
  {
    section: '4.14',
    title: 'does not know the campaign',
    request: ['DELETE', campaign(7, 'remove.do')],
    status: 404,
    body: NO_CAMPAIGN,
  },
  {
    section: '4.15',
    title: 'answers the word',
    request: ['POST', campaign(1, 'progress.do')],
    status: 201,
    body: 'Created',
  },
  {
    section: '4.15',
    title: 'does not know the campaign',
    request: ['POST', campaign(7, 'progress.do')],
    status: 404,
    body: NO_CAMPAIGN,
  },
  {
    section: '4.16',
    title: 'stops',
    request: ['DELETE', campaign(1, 'progress.do')],
    status: 200,
    body: 'OK',
  },
  {
    section: '4.16',
    title: 'does not know the campaign to stop',
    request: ['DELETE', campaign(7, 'progress.do')],
    status: 404,
    body: NO_CAMPAIGN,
  },
  {
    section: '4.16',
    title: 'restarts',
    request: ['PUT', campaign(1, 'progress.do')],
    status: 200,
    body: 'OK',
  },
  {
    section: '4.16',
    title: 'does not know the campaign to restart',
    request: ['PUT', campaign(7, 'progress.do')],
    status: 404,
    body: NO_CAMPAIGN,
  },
  {
    section: '4.17',
    title: 'gives an integer',
    request: ['GET', campaign(1, 'taskId.json')],
    status: 200,
    body: { taskId: 1_000_001 },
  },
  {
    section: '4.17',
    title: 'does not know the campaign',
    request: ['GET', campaign(7, 'taskId.json')],
    status: 404,
    body: NO_CAMPAIGN,
  },
  {
    section: '4.18',
    title: 'acknowledges',
    request: ['POST', '/api/v1/groups/3/tasks/1000001/exec.do', TASK],
    status: 200,
    body: 'OK',
  },
  {
    section: '4.18',
    title: 'does not know the task',
    request: ['POST', '/api/v1/groups/3/tasks/7/exec.do', TASK],
    status: 404,
    body: NO_CAMPAIGN,
  },
  {
    section: '4.18',
    title: 'refuses another mode',
    request: [
      'POST',
      '/api/v1/groups/3/tasks/1000001/exec.do',
      { ...TASK, userSelectionMode: 'ANY' },
    ],
    status: 400,
    body: fails(
      'Field [userSelectionMode]: Invalid option: expected one of "BY_ROUND"|"BY_PRIORITY"|"LONGEST_AVAILABLE".',
    ),
  },
  {
    section: '4.18',
    title: 'needs a priority',
    request: [
      'POST',
      '/api/v1/groups/3/tasks/1000001/exec.do',
      { ...TASK, taskPriority: undefined },
    ],
    status: 400,
    body: fails('Field [taskPriority] is required.'),
  },
  {
    section: '4.19',
    title: 'needs a limit',
    request: ['GET', '/api/v1/telemarketing/campaigns.do'],
    status: 400,
    body: fails('Field [limit] is required.'),
  },
  {
    section: '4.19',
    title: 'refuses more than 100',
    request: ['GET', '/api/v1/telemarketing/campaigns.do?limit=101'],
    status: 400,
    body: fails('Field [limit]: Too big: expected number to be <=100.'),
  },
  {
    section: '4.19',
    title: 'gives an empty page',
    request: ['GET', '/api/v1/telemarketing/campaigns.do?limit=100&offset=1'],
    status: 200,
    body: [],
  },
  {
    section: '4.19',
    title: 'refuses a limit that is no number',
    request: ['GET', '/api/v1/telemarketing/campaigns.do?limit=many'],
    status: 400,
    body: fails('Field [limit]: Invalid input: expected number, received string.'),
  },
  {
    section: '4.20',
    title: 'answers the callback',
    request: ['POST', '/api/v1/callbacks/exec.do?type=tm', callback()],
    status: 200,
    body: callback(),
  },
  {
    section: '4.20',
    title: 'needs type=tm',
    request: ['POST', '/api/v1/callbacks/exec.do', callback()],
    status: 400,
    body: fails('Query parameter type=tm is required.'),
  },
  {
    section: '4.20',
    title: 'does not know the campaign',
    request: ['POST', '/api/v1/callbacks/exec.do?type=tm', callback({ campaignId: 7 })],
    status: 404,
    body: fails('Campaign not found'),
  },
  {
    section: '4.20',
    title: 'refuses a client outside the campaign',
    request: ['POST', '/api/v1/callbacks/exec.do?type=tm', callback({ clientIdentifiers: ids(2) })],
    status: 404,
    body: fails('Client not found in campaign'),
  },
  {
    section: '4.20',
    title: 'refuses a client that does not exist',
    request: ['POST', '/api/v1/callbacks/exec.do?type=tm', callback({ clientIdentifiers: ids(9) })],
    status: 404,
    body: fails('Client not found in campaign'),
  },
  {
    section: '4.20',
    title: 'refuses a moment that has passed',
    request: [
      'POST',
      '/api/v1/callbacks/exec.do?type=tm',
      callback({ callAt: '2026-03-01T14:59:59+03:00' }),
    ],
    status: 400,
    body: fails('callAt must be in future'),
  },
  {
    section: '4.20',
    title: 'refuses this very moment',
    request: [
      'POST',
      '/api/v1/callbacks/exec.do?type=tm',
      callback({ callAt: '2026-03-01T12:00:00Z' }),
    ],
    status: 400,
    body: fails('callAt must be in future'),
  },
  {
    section: '4.20',
    title: 'refuses a moment without an offset',
    request: [
      'POST',
      '/api/v1/callbacks/exec.do?type=tm',
      callback({ callAt: '2026-03-01T18:00:00' }),
    ],
    status: 400,
    body: fails('Field [callAt]: Invalid ISO datetime.'),
  },
];

async function prepared(): Promise<World> {
  const world = await startWorld();
  await world.addClients(
    client(1, {
      type: 'VIP',
      emails: [{ email: 'a@example.org' }],
      addresses: [{ address: 'Here', type: 'WORK' }],
    }),
    client(2),
    client(3, { phones: [{ phoneNumber: BLACKLISTED, type: 'HOME' }] }),
  );
  await world.haveCampaign();
  await world.enqueue(1, 1);
  return world;
}

describe('each operation', () => {
  it.each(cases)('$section $title', async ({ before, request, status, body }) => {
    const world = await prepared();
    await before?.(world);
    const answer = await world.call(...request);
    const isJson = answer.headers.get('content-type')?.includes('json');
    expect({ status: answer.status, body: isJson ? answer.json : answer.text }).toEqual({
      status,
      body,
    });
  });

  it('is covered above, with every error text that the interface names for it', () => {
    for (const operation of Object.values(operations) as Operation[]) {
      const own = cases.filter(
        ({ section, request: [method] }) =>
          section === operation.section && method === operation.method,
      );
      const pattern = (text: string) =>
        new RegExp(text.replace(/[[\].'()]/g, '\\$&').replace(/<\w+>/g, '.+'));
      expect(
        own.some(({ status }) => status === operation.status),
        operation.summary,
      ).toBe(true);
      for (const message of operation.messages) {
        const told = own.some(({ body }) => pattern(message).test(JSON.stringify(body)));
        expect(told, `${operation.section}: ${message}`).toBe(true);
      }
    }
  });
});

describe('callbacks', () => {
  const remove = (world: World, cancelCallbacks: boolean) =>
    world.call('PUT', tacs(1, 'applications/by/syncId/remove.do'), {
      clientIdentifiers: ids(1),
      cancelCallbacks,
    });

  it.each([true, false])('set hasRecall (automatic: %s)', async (callAutomatically) => {
    const world = await prepared();
    await recall(world, { callAutomatically });
    expect(await world.applications(1)).toMatchObject([{ hasRecall: true }]);
  });

  it.each([
    { cancelCallbacks: true, callAutomatically: true, hasRecall: false },
    { cancelCallbacks: true, callAutomatically: false, hasRecall: false },
    { cancelCallbacks: false, callAutomatically: true, hasRecall: true },
    { cancelCallbacks: false, callAutomatically: false, hasRecall: true },
  ])('outlive their application only when kept: %o', async (given) => {
    const world = await prepared();
    await recall(world, { callAutomatically: given.callAutomatically });
    expect((await remove(world, given.cancelCallbacks)).status).toBe(200);
    expect(await world.applications(1)).toEqual([]);
    await world.enqueue(1, 1);
    expect(await world.applications(1)).toMatchObject([{ hasRecall: given.hasRecall }]);
  });

  it('go with their campaign', async () => {
    const world = await prepared();
    await recall(world);
    await world.call('DELETE', campaign(1, 'remove.do'));
    expect(await world.applications(1)).toEqual([]);
    await world.haveCampaign();
    expect((await recall(world)).json).toEqual(fails('Campaign not found'));
    await world.enqueue(2, 1);
    expect(await world.applications(1)).toMatchObject([
      { telemarketCampaignId: 2, hasRecall: false },
    ]);
  });
});
