/**
 * Creations that the contact center carries out after the importer has given the request up: after a time-out, behind a
 * gateway that answers 502 or 504, and after the importer itself was killed. The importer looks up soon and again, and
 * sends a client a second time only when the deadline has passed, which is at least a minute where no setting says
 * otherwise. Nobody is created twice, the other rows go on meanwhile, and the run ends with every row confirmed.
 *
 * About a minute and a half, of which the last of the table, which waits for the deadline, takes one.
 */
import { afterEach, expect, it } from 'vitest';
import { type Bench, type Imported, countOutcomes, openBench, until } from '../kit/bench.js';
import type { Misbehaviour } from '../kit/contact-center.js';
import { BATCH, NAIVE, STEADY, creationsOf, eachOnce } from './harness.js';

const BATCHES = 8;
const ROWS = BATCHES * BATCH;
const OPTIONS = [...STEADY, '--campaign', '42'];

let bench: Bench;
let file: string;
afterEach(async () => {
  await bench.center.quiet();
  await bench.close();
});

async function open(transport: string): Promise<void> {
  bench = await openBench('{}', { ...NAIVE, transport });
  file = await bench.list(ROWS);
}

/** Every row is created and enqueued, once, and the run has ended. */
async function confirmed(run: Imported): Promise<void> {
  await eachOnce(bench.center, ROWS);
  expect(run.code, run.stderr).toBe(0);
  expect(countOutcomes(run.report())).toEqual({ enqueued: ROWS });
  expect(run.summary()).toMatchObject({ rows: ROWS, state: 'finished' });
}

interface Case {
  readonly what: string;
  readonly transport: string;
  /** What befalls creations, by their number in the order of arrival. */
  readonly plan: Readonly<Record<number, Misbehaviour>>;
}

const NEVER: Misbehaviour = { silent: true, untouched: true };
const page = (status: number) => ({ status, body: '<html>Bad gateway</html>' });

const CASES: readonly Case[] = [
  {
    what: '2.5 s after a time-out of 1 s, with no setting given',
    transport: '{ timeoutMs: 1000 }',
    plan: { 2: { delay: 3500 }, 5: { delay: 3500 } },
  },
  {
    what: '1 and 2 s after a time-out of 0.5 s, and never, where the deadline is 3 s',
    transport: '{ timeoutMs: 500, serverDeadlineMs: 3000 }',
    plan: { 2: { delay: 1500 }, 5: { delay: 2500 }, 6: NEVER },
  },
  {
    what: '3 s after a gateway gave up with 502 and 504, with no setting given',
    transport: '{}',
    plan: { 2: { later: 3000, answer: page(502) }, 5: { later: 3000, answer: page(504) } },
  },
  {
    what: '2.5, 6 and 30 s after a time-out of 0.5 s, and never, with no setting given',
    transport: '{ timeoutMs: 500 }',
    plan: { 2: { delay: 3000 }, 3: { delay: 6500 }, 5: { delay: 30_500 }, 6: NEVER },
  },
];

it.each(CASES)('$what', { timeout: 240_000 }, async ({ transport, plan }) => {
  await open(transport);
  const { center } = bench;
  const identitiesOf = new Map<number, readonly string[]>();
  let arrivedBefore = 0;
  center.behave = ({ operation, number, identities }) => {
    if (operation !== '4.1') return undefined;
    identitiesOf.set(number, identities);
    return plan[number];
  };
  center.onCarriedOut = ({ operation, number }) => {
    if (operation === '4.1' && plan[number] && arrivedBefore === 0)
      arrivedBefore = creationsOf(center);
  };
  const run = await bench.import('run', [file], OPTIONS);
  await confirmed(run);
  // The others did not wait for those that are late: more have arrived than the two that may be under way with the first.
  expect(arrivedBefore).toBeGreaterThan(3);
  // What never had an effect is sent again, once the deadline has passed, and all else is found.
  const never = Object.values(plan).filter((how) => how === NEVER).length;
  const sent = center.requests.filter(({ operation }) => operation === '4.1');
  expect(sent.length).toBeGreaterThanOrEqual(BATCHES + never);
  const late = Object.keys(plan).length - never;
  const found = run.report().filter(({ createResult }) => createResult?.includes('confirmed'));
  // Where the machine is too slow for the time-out, there are more of them.
  expect(found.length).toBeGreaterThanOrEqual(late * BATCH);
  if (!transport.includes('serverDeadlineMs') && never > 0) {
    expect(sent).toHaveLength(BATCHES + never);
    expect(sent.at(-1)?.identities).toEqual(identitiesOf.get(6));
    // By then all other rows have long been in the campaign, and a person knows what is waited for.
    const before = center.requests.slice(0, center.requests.indexOf(sent.at(-1)!));
    const added = before.filter(({ operation }) => operation === '4.9');
    expect(added.reduce((sum, { clients }) => sum + clients, 0)).toBe(ROWS - BATCH);
    expect(run.stderr.match(/Waiting up to \d+ s: .*serverDeadlineMs/g)).toHaveLength(1);
  }
});

it('4 s after the request, whose sender was killed and continued at once', async () => {
  await open('{}');
  const { center } = bench;
  center.behave = ({ operation, number }) =>
    operation === '4.1' && (number === 3 || number === 4) ? { delay: 4000 } : undefined;
  const { child, ended } = bench.start('run', [file], OPTIONS);
  // Both permitted requests are under way, so that no other one waits to be sent.
  await until(() => creationsOf(center) === 4, 'the late creations arrive');
  child.kill('SIGKILL');
  await ended;
  await confirmed(await bench.import('run', [file], OPTIONS));
}, 240_000);
