import { z } from 'zod';
import { filled } from '../../config/scalar.js';

const list = filled
  .optional()
  .describe(
    'Name of the list: files of one list follow each other, whatever they are called. Default: the path of this file.',
  );

/** Only rows that have changed since they were sent. */
export const delta = z
  .strictObject({ list })
  .meta({ id: 'delta' })
  .describe('Only rows are sent that have changed since they were sent. Default: all rows are.');

const maxMissing = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^(?:100|\d{1,2}(?:\.\d+)?)%$/, 'it must be a number, or a percentage such as 10%.'),
]);

/** The same where clients are added to a campaign. */
export const deltaWithCampaign = z
  .strictObject({
    list,
    missing: z
      .enum(['keep', 'dequeue'])
      .optional()
      .describe(
        'What becomes of clients of the last list that are not in this one: keep: nothing; dequeue: their call ' +
          'applications are removed from the campaign. Default: keep.',
      ),
    maxMissing: maxMissing
      .optional()
      .describe(
        'Where more clients of the last list are missing, nothing is sent at all: a number, or a percentage of that ' +
          'list. Default: 10%.',
      ),
  })
  .meta({ id: 'deltaWithCampaign' })
  .describe('Only rows are sent that have changed since they were sent. Default: all rows are.');

/** A client has to have one row, by whose last word it is known. */
export function checkDelta(
  context: z.core.ParsePayload<{ delta?: unknown; duplicates: { by: unknown } }>,
): void {
  const { delta: wanted, duplicates } = context.value;
  const by = [duplicates.by].flat();
  if (wanted === undefined || by.includes('sync')) return;
  context.issues.push({
    code: 'custom',
    path: ['duplicates', 'by'],
    message: '"delta" compares clients by their identifiers: it needs sync here.',
    input: duplicates.by,
  });
}

export type DeltaWithCampaign = z.output<typeof deltaWithCampaign>;
