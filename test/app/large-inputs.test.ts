import { copyFile, readFile, utimes } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Bench,
  type Imported,
  countOutcomes,
  csv,
  lead,
  openBench,
  twice,
  until,
} from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  expect(bench.center.violations).toEqual([]);
  expect(twice(bench.center.creations)).toEqual([]);
  await bench.close();
});

const ROWS = 2500;
/** So much of each row belongs to a column that nobody maps that the file is not digested before it is sent. */
const NOTES = 'n'.repeat(4000);

const large = (): string => {
  const [head = '', ...lines] = csv(
    Array.from({ length: ROWS }, (_, n) => lead(n + 1, { Comment: '' })),
  )
    .trimEnd()
    .split('\r\n');
  return [`${head},"Notes"`, ...lines.map((line) => `${line},"${NOTES}"`)].join('\r\n');
};

const run = (file: string, options: readonly string[] = []): Promise<Imported> =>
  bench.import('run', [bench.at(file)], options);

it('is not repeated when it was imported, under another name and of another time neither', async () => {
  await bench.write('leads.csv', large());
  const first = await run('leads.csv');
  expect(first.code, first.stderr).toBe(0);
  expect(countOutcomes(first.report())).toEqual({ created: ROWS });
  const requests = bench.center.requests.length;
  await copyFile(bench.at('leads.csv'), bench.at('copy.csv'));
  await utimes(bench.at('copy.csv'), new Date(0), new Date(0));
  for (const file of ['leads.csv', 'copy.csv']) expect((await run(file)).code).toBe(0);
  expect(bench.center.requests).toHaveLength(requests);
});

it('is imported when it has changed where no sample of it was taken', async () => {
  await bench.write('leads.csv', large());
  const first = await run('leads.csv');
  expect(first.code, first.stderr).toBe(0);
  const requests = bench.center.requests.length;
  const bytes = await readFile(bench.at('leads.csv'));
  // The pieces that a glance takes are a sixteenth of the file apart.
  const at = bytes.indexOf(NOTES, Math.floor((bytes.length / 15) * 1.5)) + 2000;
  bytes.write('x', at);
  await bench.write('changed.csv', bytes);
  bench.center.behave = () => ({
    answer: { status: 400, body: '{"errorMessage":"no"}' },
    untouched: true,
  });
  await run('changed.csv');
  expect(bench.center.requests.length).toBeGreaterThan(requests);
});

it('is continued when it broke off, and not when it has changed', async () => {
  const file = await bench.write('leads.csv', large());
  bench.center.behave = () => ({ delay: 50 });
  const { child, ended } = bench.start('run', [file], ['--batch-size', '50']);
  await until(() => bench.center.requests.length >= 6, 'requests arrive');
  child.kill('SIGINT');
  expect((await ended).code).toBe(3);
  bench.center.behave = () => undefined;
  const text = await readFile(file, 'utf8');
  await bench.write('leads.csv', text.replace('nnn"', 'nnx"'));
  const refused = await run('leads.csv');
  expect(refused.code).toBe(64);
  expect(refused.stderr).toContain('the input has changed');
  await bench.write('leads.csv', text);
  const continued = await run('leads.csv');
  expect(continued.code, continued.stderr).toBe(0);
  expect(continued.stderr).toContain('Continuing');
  expect(countOutcomes(continued.report())).toEqual({ created: ROWS });
});
