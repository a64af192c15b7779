import { afterEach, beforeEach, expect, it } from 'vitest';
import { cardline } from '../../kit/cardline.js';
import { type Bench, csv, installation, leads, openBench, twice } from '../harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const DEADLINE = '06:00 UTC';
/** Beside others, a process may take seconds until its first request. */
const BEFORE_MS = 12_000;

/** Has the clock of a process show a time shortly before the deadline, counted from when that process begins. */
function shortlyBefore(): Record<string, string> {
  const today = new Date().setUTCHours(6, 0, 0, 0);
  const script = `const now = Date.now; const shift = ${today - BEFORE_MS} - now(); Date.now = () => now() + shift;`;
  const preload = `data:text/javascript,${encodeURIComponent(script)}`;
  return { ...bench.environment, NODE_OPTIONS: `--import ${preload}` };
}

it('stops gently at its deadline, says what is left, and goes on with the same command', async () => {
  const file = await bench.write('leads.csv', csv(leads(400)));
  const one = ['--campaign', '42', '--batch-size', '10', '--concurrency', '1'];
  const args = bench.args('run', [file], [...one, '--deadline', DEADLINE]);
  bench.center.behave = () => ({ delay: 350 });
  const invocation = { cwd: bench.at('.'), env: shortlyBefore() };
  const stopped = bench.imported('run', await cardline(args, invocation));
  expect(stopped.code, stopped.stderr).toBe(3);
  expect(stopped.stderr).toContain(`It is ${DEADLINE}, at which the run was to stop.`);
  expect(stopped.stdout).toMatch(/^ *waiting +\d/m);
  const { rows, state } = stopped.summary();
  expect(state).toBe('stopped');
  expect(rows).toBeGreaterThan(0);
  bench.center.behave = () => undefined;
  const ended = await bench.import('run', [file], one);
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.summary().rows).toBe(400);
  expect(twice(bench.center.creations)).toEqual([]);
});

it('ends outside of the hours where it is not to wait', async () => {
  const hour = (new Date().getUTCHours() + 12) % 24;
  const two = (number: number): string => String(number).padStart(2, '0');
  const hours = `${two(hour)}:00-${two((hour + 1) % 24)}:00 UTC`;
  const file = await bench.write('leads.csv', csv(leads(5)));
  const closed = await bench.write(
    'closed.yaml',
    installation(bench.center.url, `{ hours: "${hours}" }`),
  );
  for (const campaign of [[], ['--campaign', 'Autumn leads']]) {
    const options = ['-i', closed, ...campaign, '--no-wait-for-hours'];
    const { code, stderr } = await bench.import('run', [file], options);
    expect(code, stderr).toBe(3);
    expect(stderr).toContain(`Requests are permitted ${hours}, and the run was not to wait.`);
    expect(stderr).toContain(`${two(hour)}:00 there`);
  }
  expect(bench.center.requests).toEqual([]);
});

it('refuses a deadline that is no time of day', async () => {
  const file = await bench.write('leads.csv', csv(leads(1)));
  const { code, stderr } = await bench.import('run', [file], ['--deadline', 'at six']);
  expect(code).toBe(64);
  expect(stderr).toMatch(/--deadline: this is no time of day/);
});
