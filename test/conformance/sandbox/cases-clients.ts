import { client, CLIENTS, READ, type Method } from './harness.js';
import { fails, ids, INCOMPLETE, NO_CLIENT, type Case } from './cases.js';

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

/** Sections 4.1 to 4.8. */
export const clientCases: readonly Case[] = [
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
];
