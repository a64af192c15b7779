import { expect, it } from 'vitest';
import type { ClientChanges } from '../../../src/core/center.js';
import { changeRuleOf } from '../../../src/delivery/rules.js';

const changes: ClientChanges = {
  change: () => Promise.resolve(),
  readCard: () => Promise.resolve({ id: 1, fields: { offerId: 7, fullName: 'Ann', budget: '5' } }),
  readApplications: () => Promise.resolve([]),
};
const subject = {
  identifiers: '{"offerId":7}',
  payload: JSON.stringify({
    fields: { offerId: 7, fullName: 'Ann', budget: 5 },
    phones: [],
    emails: [],
    addresses: [],
  }),
};

it('sends no field that has its value already, as text or as number', async () => {
  const { lookUp, steps } = changeRuleOf('update', changes, null)!;
  const earlier = await lookUp?.(subject);
  expect(steps(subject, earlier && !('absent' in earlier) ? earlier : {})).toEqual([]);
});

it('sends all fields of a client that an earlier part of the run looked up', () => {
  const [step, ...others] = changeRuleOf('update', changes, null)?.stepsInDoubt?.(subject) ?? [];
  expect(others).toEqual([]);
  expect(step?.body).toContain('"fieldsToUpdate":{"fullName":"Ann","budget":5}');
});
