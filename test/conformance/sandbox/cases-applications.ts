import { APPLICATIONS } from './harness.js';
import { fails, ids, INCOMPLETE, NO_CAMPAIGN, NO_CLIENT, tacs, type Case } from './cases.js';

const enqueue = (...clients: unknown[]) => ({ maxCallCount: 1, clients });

/** Sections 4.9 to 4.12. */
export const applicationCases: readonly Case[] = [
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
];
