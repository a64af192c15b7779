import { expect, it } from 'vitest';
import type { ClientChanges } from '../../../src/core/center.js';
import { updateRule } from '../../../src/delivery/change-rules.js';

const changes: ClientChanges = {
  change: () => Promise.resolve(),
  readCard: () => Promise.resolve({ id: 1, fields: { offerId: 7, fullName: 'Ann', budget: '5' } }),
  readApplications: () => Promise.resolve([]),
};
const subject = {
  identifiers: '{"offerId":7}',
  payload: {
    fields: { offerId: 7, fullName: 'Ann', budget: 5 },
    phones: [],
    emails: [],
    addresses: [],
  },
};

it('sends no field that has its value already, as text or as number', async () => {
  const { lookUp, steps } = updateRule(changes);
  const earlier = await lookUp?.(subject);
  expect(steps(subject, earlier && !('absent' in earlier) ? earlier : {})).toEqual([]);
});

it('sends all fields of a client that an earlier part of the run looked up', () => {
  const [step, ...others] = updateRule(changes).stepsInDoubt?.(subject) ?? [];
  expect(others).toEqual([]);
  expect(step?.body).toContain('"fieldsToUpdate":{"fullName":"Ann","budget":5}');
});
