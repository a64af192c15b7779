import fc from 'fast-check';
import { expect, it } from 'vitest';
import { carriedOver } from '../../../src/metrics/open-metrics.js';
import { Metrics } from '../../../src/metrics/registry.js';
import { samplesIn } from './samples.js';

/** The metrics of a process that saw these requests, by status. */
async function textOf(statuses: readonly number[], lastSuccess: number | null): Promise<string> {
  const metrics = new Metrics('run');
  metrics.begin({});
  const labels = { operation: 'createClients' };
  for (const status of statuses) {
    metrics.add('cardline_requests_total', { ...labels, status: String(status) });
    metrics.observe('cardline_request_duration_seconds', labels, status / 1000);
  }
  metrics.set('cardline_requests_in_flight', {}, statuses.length);
  if (lastSuccess !== null) metrics.set('cardline_last_success_timestamp_seconds', {}, lastSuccess);
  return metrics.text();
}

const processes = fc.array(
  fc.record({
    statuses: fc.array(fc.constantFrom(200, 400, 503), { maxLength: 8 }),
    lastSuccess: fc.option(fc.nat(2_000_000_000)),
  }),
  { minLength: 1, maxLength: 4 },
);

it('counts over all processes that shared a file, and keeps the last success', async () => {
  await fc.assert(
    fc.asyncProperty(processes, async (all) => {
      let file = '';
      for (const { statuses, lastSuccess } of all)
        file = carriedOver(await textOf(statuses, lastSuccess), file);
      const every = all.flatMap(({ statuses }) => statuses);
      const success = all.map(({ lastSuccess }) => lastSuccess).findLast((one) => one !== null);
      const expected = samplesIn(await textOf(every, success ?? null));
      const last = all.at(-1)?.statuses.length ?? 0;
      const inFlight = { cardline_requests_in_flight: last };
      const read = samplesIn(file);
      const sum = 'cardline_request_duration_seconds_sum{operation="createClients"}';
      if (every.length > 0) expect(read[sum]).toBeCloseTo(expected[sum] ?? 0);
      expect({ ...read, [sum]: 0 }).toEqual({ ...expected, ...inFlight, [sum]: 0 });
    }),
    { numRuns: 50 },
  );
});

it('takes nothing from a file that is something else', async () => {
  const text = await textOf([200], 1);
  expect(carriedOver(text, '')).toBe(text);
  expect(carriedOver(text, 'other_total 7\ncardline_rows_total many\n{"a": 1}')).toBe(text);
});
