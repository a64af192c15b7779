/** One good command line for each operation of the interface, and what the recorder has to see of it. */
export interface Good {
  /** Group, command, and all that follows but the installation. */
  readonly args: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Whether it is asked for before it is done. */
  readonly asks?: true;
}

const IDS = ['--id', 'offerId=7', '--id', 'offerDomain=shop'] as const;
const identifiers = { offerId: 7, offerDomain: 'shop' };
const client = {
  uuid: 'u-1',
  clientRoleId: 1,
  type: 'SIMPLE',
  timeZone: 'Europe/Moscow',
  fields: { ...identifiers, fullName: 'Ann Lee' },
  phones: [{ phoneNumber: '79161234567', type: 'MOB' }],
};
const callAt = '2099-12-01T10:00:00+03:00';

/** A campaign file in YAML, and the body that it makes. */
export const CAMPAIGN_FILE = `name: Winter
typeProcessing: OPERATOR
callingMode: PREDICTIVE_NEW
callingSearchSpaceId: 7
callStatusRuleProcessorId: 8
automaticStart: true
startDate: 2099-12-01
startTime: 09:00
weekDays: [Mon, Tue]
`;
export const CAMPAIGN = {
  name: 'Winter',
  typeProcessing: 'OPERATOR',
  callingMode: 'PREDICTIVE_NEW',
  callingSearchSpaceId: 7,
  callStatusRuleProcessorId: 8,
  automaticStart: true,
  startDate: '2099-12-01',
  startTime: '09:00',
  weekDays: 'Mon,Tue',
};

const CAMPAIGNS = '/api/v1/telemarketing/campaigns';

/** The campaign with id 42 has the name "Autumn leads"; its task is 4200. `campaignFile` holds CAMPAIGN_FILE. */
export const goodCommands = (campaignFile: string): Good[] => [
  {
    args: ['clients', 'add', '--data', JSON.stringify(client), '--recovery'],
    method: 'POST',
    path: '/api/v1/clients/exec.do',
    body: { clients: [{ ...client, addresses: [], emails: [] }], recovery: true },
  },
  {
    args: ['clients', 'get', ...IDS],
    method: 'POST',
    path: '/api/v1/clients/by/syncIds.json',
    body: { clientSyncIdentifiers: identifiers },
  },
  {
    args: ['clients', 'update', ...IDS, '--field', 'fullName=Ann = Lee', '--field', 'budget=7.5'],
    method: 'PUT',
    path: '/api/v1/clients/exec.do',
    body: { syncIdentifiers: identifiers, fieldsToUpdate: { fullName: 'Ann = Lee', budget: 7.5 } },
  },
  {
    args: ['clients', 'rekey', '1001', ...IDS],
    method: 'PUT',
    path: '/api/v1/clients/1001/syncIdentifiers/exec.do',
    body: { clientSyncIdentifiers: identifiers },
    asks: true,
  },
  {
    args: ['clients', 'delete', ...IDS],
    method: 'DELETE',
    path: '/api/v1/clients/exec.do',
    body: { syncIdentifiers: identifiers },
    asks: true,
  },
  {
    args: ['phones', 'add', ...IDS, '--phone-number', '+7 916 123', '--type', 'MOB'],
    method: 'POST',
    path: '/api/v1/clients/phones/exec.do',
    body: { clientSyncIdentifiers: identifiers, phoneNumber: '+7 916 123', type: 'MOB' },
  },
  {
    args: ['phones', 'set', ...IDS, '--phone-number', '79161234567', '--no-active'],
    method: 'PUT',
    path: '/api/v1/clients/phones/statuses/exec.do',
    body: { clientSyncIdentifiers: identifiers, phoneNumber: '79161234567', active: false },
  },
  {
    args: ['emails', 'add', ...IDS, '--email-address', 'ann@example.com'],
    method: 'POST',
    path: '/api/v1/clients/emails/exec.do',
    body: { clientSyncIdentifiers: identifiers, emailAddress: 'ann@example.com' },
  },
  {
    args: ['emails', 'set', ...IDS, '--email-address', 'ann@example.com', '--active'],
    method: 'PUT',
    path: '/api/v1/clients/emails/statuses/exec.do',
    body: { clientSyncIdentifiers: identifiers, emailAddress: 'ann@example.com', active: true },
  },
  {
    args: ['addresses', 'add', ...IDS, '--client-address', 'Elm street 1', '--type', 'HOME'],
    method: 'POST',
    path: '/api/v1/clients/addresses/exec.do',
    body: { clientSyncIdentifiers: identifiers, clientAddress: 'Elm street 1', type: 'HOME' },
  },
  {
    args: ['addresses', 'set', ...IDS, '--client-address', 'Elm street 1', '--active=true'],
    method: 'PUT',
    path: '/api/v1/clients/addresses/statuses/exec.do',
    body: { clientSyncIdentifiers: identifiers, clientAddress: 'Elm street 1', active: true },
  },
  {
    args: ['applications', 'add', '--campaign', '42', ...IDS, '--max-call-count', '3'],
    method: 'POST',
    path: '/api/v1/tacs/campaigns/42/exec.do',
    body: { maxCallCount: 3, clients: [{ clientIdentifiers: identifiers }] },
  },
  {
    args: ['applications', 'list', ...IDS],
    method: 'GET',
    path: '/api/v1/tacs/byClientIdentifiers.json?offerId=7&offerDomain=shop',
  },
  {
    args: ['applications', 'remove', '--campaign', 'Autumn leads', ...IDS, '--cancel-callbacks'],
    method: 'PUT',
    path: '/api/v1/tacs/campaigns/42/applications/by/syncId/remove.do',
    body: { clientIdentifiers: identifiers, cancelCallbacks: true },
    asks: true,
  },
  {
    args: [
      ...['applications', 'remove-by-filter', '--campaign', '42'],
      ...['--where', 'application.status = FAILED', '--where', 'phones.phoneNumber not like 7999'],
      ...['--where', 'offerId=7', '--where', 'fullName LIKE "A = B"'],
    ],
    method: 'PUT',
    path: '/api/v1/tacs/campaigns/42/applications/by/filter/remove.do',
    body: {
      criteria: [
        { key: 'application.status', operator: '=', value: 'FAILED' },
        { key: 'phones.phoneNumber', operator: 'NOT LIKE', value: '7999' },
        { key: 'offerId', operator: '=', value: 7 },
        { key: 'fullName', operator: 'LIKE', value: 'A = B' },
      ],
    },
    asks: true,
  },
  {
    args: ['campaigns', 'create', '--file', campaignFile],
    method: 'POST',
    path: `${CAMPAIGNS}/progress.do`,
    body: CAMPAIGN,
  },
  {
    args: ['campaigns', 'delete', 'Autumn leads'],
    method: 'DELETE',
    path: `${CAMPAIGNS}/42/remove.do`,
    asks: true,
  },
  { args: ['campaigns', 'start', '42'], method: 'POST', path: `${CAMPAIGNS}/42/progress.do` },
  {
    args: ['campaigns', 'stop', '42'],
    method: 'DELETE',
    path: `${CAMPAIGNS}/42/progress.do`,
    asks: true,
  },
  {
    args: ['campaigns', 'restart', '42'],
    method: 'PUT',
    path: `${CAMPAIGNS}/42/progress.do`,
    asks: true,
  },
  { args: ['campaigns', 'task', '42'], method: 'GET', path: `${CAMPAIGNS}/42/taskId.json` },
  {
    args: [
      ...['groups', 'assign', '7', '--campaign', 'Autumn leads', '--priority', '-10'],
      ...['--mode', 'BY_ROUND', '--preview-timeout', '20'],
    ],
    method: 'POST',
    path: '/api/v1/groups/7/tasks/4200/exec.do',
    body: { taskPriority: -10, userSelectionMode: 'BY_ROUND', previewTimeout: 20 },
  },
  { args: ['campaigns', 'list'], method: 'GET', path: `${CAMPAIGNS}.do?limit=100&offset=0` },
  {
    args: [
      ...['callbacks', 'create', '--campaign', '42', ...IDS, '--phone', '79161234567'],
      ...['--operator-id', '5', '--name', 'Call back', '--description', 'Asked for it'],
      ...['--call-at', callAt, '--no-call-automatically'],
    ],
    method: 'POST',
    path: '/api/v1/callbacks/exec.do?type=tm',
    body: {
      name: 'Call back',
      description: 'Asked for it',
      clientIdentifiers: identifiers,
      phone: '79161234567',
      campaignId: 42,
      operatorId: 5,
      callAt,
      callAutomatically: false,
    },
  },
];
