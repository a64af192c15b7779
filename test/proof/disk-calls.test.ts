import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCardline } from '../kit/cardline.js';
import { type Bench, type Imported, csv, leads, openBench, twice } from '../runs/harness.js';
import { everythingOnce, isFull } from './harness.js';
import { buildShim } from './shim/build.js';

/** With so many, a full proof also meets checkpoints in the middle of a run. */
const ROWS = isFull ? 1_500 : 240;
const OPTIONS = ['--campaign', '42', '--batch-size', isFull ? '5' : '20', '--concurrency', '2'];

/** What the disk does to the ledger, beside the call at which it does it. */
interface Fault {
  readonly call: 'write' | 'sync';
  readonly how: 'EIO' | 'ENOSPC' | 'torn';
  /** Whether all later calls fail too. */
  readonly lasting: boolean;
}

/** The nth call, or the one that comes after this share of all calls that an import makes. */
type Place = { readonly nth: number } | { readonly share: number };

const FAULTS: readonly Fault[] = [
  { call: 'write', how: 'EIO', lasting: false },
  { call: 'write', how: 'EIO', lasting: true },
  { call: 'write', how: 'ENOSPC', lasting: false },
  { call: 'write', how: 'ENOSPC', lasting: true },
  { call: 'write', how: 'torn', lasting: false },
  { call: 'sync', how: 'EIO', lasting: false },
  { call: 'sync', how: 'EIO', lasting: true },
];
const PLACES: readonly Place[] = [
  ...[1, 2, 5].map((nth) => ({ nth })),
  ...[0.1, 0.3, 0.5, 0.7, 0.95].map((share) => ({ share })),
];
const CASES: readonly (readonly [Fault, Place])[] = isFull
  ? FAULTS.flatMap((fault) => PLACES.map((place) => [fault, place] as const))
  : [
      [FAULTS[3]!, { share: 0.4 }],
      [FAULTS[4]!, { share: 0.7 }],
      [FAULTS[5]!, { share: 0.5 }],
    ];

const shim = await buildShim();
afterAll(() => shim.remove());

let bench: Bench;
let file: string;
beforeEach(async () => {
  bench = await openBench();
  file = await bench.write('leads.csv', csv(leads(ROWS)));
});
afterEach(() => bench.close());

interface Calls {
  readonly write: number;
  readonly sync: number;
  readonly failed: number;
}

/** Imports on a disk with this fault; `calls` is `null` when the process was killed. */
async function importOn(
  fault: Fault,
  at: number,
): Promise<{ readonly run: Imported; readonly calls: Calls | null }> {
  const { child, ended } = startCardline(bench.args('run', [file], OPTIONS), {
    env: {
      ...bench.environment,
      LD_PRELOAD: 'library' in shim ? shim.library : '',
      FAULT_FILE: 'run.db',
      FAULT_CALL: fault.call,
      FAULT_HOW: fault.how,
      FAULT_AT: String(at),
      FAULT_LASTING: fault.lasting ? '1' : '0',
      FAULT_COUNTS: bench.at('calls.json'),
    },
  });
  child.stdin.end();
  const run = bench.imported('run', await ended);
  const told = (): Calls => JSON.parse(readFileSync(bench.at('calls.json'), 'utf8')) as Calls;
  return { run, calls: run.code === null ? null : told() };
}

const why = 'missing' in shim ? ` (not tried: ${shim.missing})` : '';

// Without a compiler, or where nothing can be put in front of the C library, no single call can be made to fail.
describe.skipIf('missing' in shim)(`a disk that fails at one call of the ledger${why}`, () => {
  /** The calls of an import on a sound disk. */
  let usual: Calls;
  beforeAll(async () => {
    bench = await openBench();
    file = await bench.write('leads.csv', csv(leads(ROWS)));
    const { run, calls } = await importOn(FAULTS[0]!, 0);
    everythingOnce(bench, run, ROWS);
    await bench.close();
    expect(calls).toMatchObject({ failed: 0 });
    usual = calls!;
    console.log(`an import on a sound disk: ${JSON.stringify(usual)}`);
  });

  it.each(CASES)('%j at %j: nothing is lost, nothing is twice', async (fault, place) => {
    const at = 'nth' in place ? place.nth : Math.ceil(place.share * usual[fault.call]);
    const { run, calls } = await importOn(fault, at);
    expect(twice(bench.center.creations)).toEqual([]);
    if (calls === null) expect(fault.how).toBe('torn');
    // Imports differ a little in their calls.
    else if (!('share' in place && place.share > 0.8)) expect(calls.failed).toBeGreaterThan(0);
    // Where SQLite has coped, there is nothing left to do.
    if (run.code === 0) everythingOnce(bench, run, ROWS);
    else if (calls !== null) {
      expect(run.code, run.stderr).toBe(3);
      const what = fault.how === 'ENOSPC' ? 'is full' : '(is full or )?reports an error';
      expect(run.stderr).toMatch(new RegExp(`The ledger .*run\\.db: the disk ${what}`));
      expect(run.stderr).not.toMatch(/\n\s+at /);
    }
    everythingOnce(bench, await bench.import('run', [file], OPTIONS), ROWS);
  });
});
