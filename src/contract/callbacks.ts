import { z } from 'zod';
import type { Operation } from './operation.js';
import { filledText, syncIdentifiers } from './shapes.js';

/** Section 4.20: TM callbacks, with the fields of 2.5. */

export const callback = z.object({
  name: filledText.describe('Callback name.'),
  description: z.string().describe('Description.'),
  clientIdentifiers: syncIdentifiers,
  phone: filledText.describe('Client phone for the callback.'),
  campaignId: z.int().describe('TM campaign.'),
  operatorId: z.int().describe('Operator who receives the callback.'),
  callAt: z.iso
    .datetime({ offset: true })
    .describe('Moment of the callback, ISO 8601 with time-zone offset; must lie in the future.'),
  callAutomatically: z
    .boolean()
    .describe('true: starts by itself; false: the operator is reminded.'),
});

export const callbackOperations = {
  createCallback: {
    section: '4.20',
    summary: 'Create a TM callback',
    tag: 'Callbacks',
    method: 'POST',
    path: '/api/v1/callbacks/exec.do',
    fixedQuery: { type: 'tm' },
    body: callback,
    response: callback.partial().loose(),
    messages: ['callAt must be in future', 'Client not found in campaign', 'Campaign not found'],
  },
} as const satisfies Record<string, Operation>;
