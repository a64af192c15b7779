import { expect } from 'vitest';
import { type Ended, cardlineProcess, startCardline } from '../../kit/cardline.js';
import type { StandIn } from '../../kit/contact-center.js';
import {
  type Bench,
  type BenchOptions,
  type Imported,
  type LeadRow,
  csv,
  identityOf,
  lead,
  leads,
  openBench,
  twice,
  until,
} from '../../runs/harness.js';

export const BATCH = 50;
/** Small batches, so that a run has a middle, and a fixed pace, so that it is known what is in flight. */
export const STEADY = ['--batch-size', String(BATCH), '--concurrency', '2'];

/**
 * A bench whose contact center makes a second card of a second creation, so that it is seen. It gives up requests
 * soon, and the installation says so: what a killed process had not sent yet is then sent again without a long wait.
 */
export function openNaiveBench(options: BenchOptions = {}): Promise<Bench> {
  return openBench('{}', { duplicates: 'accepted', transport: PROMPT, ...options });
}

/** The installation's `transport` of such a contact center. */
export const PROMPT = '{ serverDeadlineMs: 500 }';

/** Any command, in the bench's folder. */
export function command(
  bench: Bench,
  args: readonly string[],
  prefix: readonly string[] = [],
): Promise<Ended> {
  return cardlineProcess(args, { cwd: bench.at('.'), env: bench.environment, command: prefix });
}

/** The same, left running. */
export function startCommand(
  bench: Bench,
  args: readonly string[],
  prefix: readonly string[] = [],
): ReturnType<typeof startCardline> {
  const running = startCardline(args, {
    cwd: bench.at('.'),
    env: bench.environment,
    command: prefix,
  });
  running.child.stdin.end();
  return running;
}

/** Writes so many leads and gives the file. `first`: the number of the first one. */
export function writeLeads(bench: Bench, rows: number, first = 1): Promise<string> {
  return bench.write('leads.csv', csv(leads(first + rows - 1).slice(first - 1)));
}

/** Requests that carry clients: creations and additions to a campaign. */
export const sendings = (center: StandIn): number =>
  center.requests.filter(({ clients }) => clients > 0).length;

/** Creations that have arrived. */
export const creationsOf = (center: StandIn): number =>
  center.requests.filter(({ operation }) => operation === '4.1').length;

/** Nobody was created twice, whatever is still under way at the contact center. */
export async function nobodyTwice(center: StandIn): Promise<void> {
  await center.quiet();
  expect(center.violations.filter((text) => !text.includes('could not be read'))).toEqual([]);
  expect({ twice: twice(center.creations).length }).toEqual({ twice: 0 });
}

/** The clients of these leads were created, each once, and no others. */
export async function eachOnce(center: StandIn, rows: number): Promise<void> {
  await nobodyTwice(center);
  const wanted = new Set(leads(rows).map(identityOf));
  const lost = [...wanted].filter((identity) => !center.creations.has(identity));
  const foreign = [...center.creations.keys()].filter((identity) => !wanted.has(identity));
  expect({ lost, foreign }).toEqual({ lost: [], foreign: [] });
}

/** Starts a command and ends it with a signal when so many more creations have arrived, each answered a little late. */
export async function stoppedAt(
  bench: Bench,
  start: () => ReturnType<Bench['start']>,
  creations: number,
  signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL',
): Promise<Ended> {
  const { center } = bench;
  const before = creationsOf(center);
  const { behave } = center;
  center.behave = (request) => ({ delay: 30, ...behave(request) });
  const { child, ended } = start();
  await until(
    () => creationsOf(center) >= before + creations || child.exitCode !== null,
    'creations arrive',
  );
  child.kill(signal);
  const end = await ended;
  center.behave = behave;
  await center.quiet();
  return end;
}

/** Everything that a command said. */
export const said = ({ stdout, stderr }: Ended): string => `${stdout}\n${stderr}`;

/** A row that the mapping rejects. */
export const rejected = (number: number) => lead(number, { Mobile: 'none' });

/** How often each outcome stands in the summary, zeros left out. */
export function outcomesOf(run: Imported): Record<string, number> {
  const { outcomes } = run.summary();
  return Object.fromEntries(Object.entries(outcomes).filter(([, count]) => count > 0));
}

/** These leads with a column that no mapping reads, so that few rows make a large file. `bytes`: of a cell. */
export function withPadding(rows: readonly LeadRow[], bytes: number): string {
  const [header = '', ...lines] = csv(rows.map((row) => ({ ...row, Comment: '' })))
    .trimEnd()
    .split('\r\n');
  const cell = 'x'.repeat(bytes);
  return [`${header},Notes`, ...lines.map((line) => `${line},${cell}`), ''].join('\r\n');
}

/** The id of the latest run in a ledger. */
export async function latestRun(bench: Bench, ledger: string): Promise<string> {
  const { stdout } = await command(bench, ['runs', '--json', '--ledger', ledger]);
  const [latest] = JSON.parse(stdout) as { run: string }[];
  return latest?.run ?? '';
}
