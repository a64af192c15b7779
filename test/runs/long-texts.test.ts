import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useBench } from '../kit/bench.js';

/** A contact center that answers every row with a text of half a million characters. */
const bench = useBench();

const ROWS = 12;
const LONG = `Blocked 😀${'x'.repeat(500_000)}`;
const KEPT = `${LONG.slice(0, 4096)} … (500,010 characters)`;

it.each([
  ['a creation', '4.1', 'createResult'],
  ['a call application', '4.9', 'enqueueResult'],
] as const)(
  'keeps the beginning of what %s was refused with, and its length',
  async (_, operation, column) => {
    const file = await bench.list(ROWS);
    bench.center.behave = (request) =>
      request.operation === operation ? { refuse: () => LONG } : undefined;
    const run = await bench.import('run', [file], ['--campaign', '42']);
    expect(run.code, run.stderr).toBe(2);
    expect(run.report().map((line) => line[column])).toEqual(Array<string>(ROWS).fill(KEPT));
    expect(statSync(run.ledger).size).toBeLessThan(2_000_000);
  },
);

it('keeps the beginning of what a whole request was refused with', async () => {
  const file = await bench.list(ROWS);
  bench.center.behave = ({ operation }) =>
    operation === '4.1'
      ? {
          untouched: true,
          answer: { status: 400, body: JSON.stringify({ errorMessage: LONG }) },
        }
      : undefined;
  const run = await bench.import('run', [file], ['--campaign', '42', '--max-failures', '1000']);
  const told = new Set(run.report().map((line) => line['createResult']));
  expect([...told]).toEqual([KEPT]);
});
