import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bench, type Imported, openBench, twice, useBench } from '../kit/bench.js';
import { startCardline } from '../kit/cardline.js';
import { everythingOnce, isFull } from './harness.js';
import { testFolder } from '../kit/folder.js';
import { tablesIn } from '../kit/tables.js';

/** With so many, a full proof also meets checkpoints in the middle of a run. */
const ROWS = isFull ? 1_500 : 240;
const OPTIONS = ['--campaign', '42', '--batch-size', isFull ? '5' : '20', '--concurrency', '2'];

/** What the disk does to the ledger, beside the call at which it does it. */
interface Fault {
  readonly call: 'write' | 'sync';
  readonly how: 'EIO' | 'ENOSPC' | 'torn';
  /** Whether all later calls fail too. */
  readonly lasting?: true;
}

/** The nth call, or the one that comes after this share of all calls that an import makes. */
type Place = { readonly nth: number } | { readonly share: number };

const FAULTS = tablesIn(import.meta.dirname, 'disk-calls.yaml') as readonly Fault[];
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

const SOURCE = join(import.meta.dirname, 'disk-faults.c');
const folder = testFolder();
const library = join(folder, 'disk-faults.so');

/** Compiles what is put in front of the C library, with whatever compiler the machine has, and tries it. Gives why there is none. */
async function missing(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'LD_PRELOAD is known on Linux only';
  const run = promisify(execFile);
  const counts = join(folder, 'counts.json');
  let reason = '';
  for (const compiler of ['cc', 'gcc', 'clang', 'c++', 'g++'])
    try {
      const options = ['-x', 'c', '-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl'];
      await run(compiler, options);
      // A library that cannot be loaded is passed over: only what it leaves behind shows that it was there.
      const env = { LD_PRELOAD: library, FAULT_COUNTS: counts };
      await run(process.execPath, ['-e', ''], { env });
      if (existsSync(counts)) return undefined;
      reason = 'LD_PRELOAD has no effect';
    } catch (error) {
      reason ||= String(error);
    }
  return reason;
}
const why = await missing();

const bench = useBench();

interface Calls {
  readonly write: number;
  readonly sync: number;
  readonly failed: number;
}

/** Imports on a disk with this fault; `calls` is `null` when the process was killed. */
async function importOn(
  fault: Fault,
  at: number,
  own: Bench = bench,
): Promise<{ readonly run: Imported; readonly calls: Calls | null }> {
  const counts = own.at('calls.json');
  const { child, ended } = startCardline(own.args('run', [await own.list(ROWS)], OPTIONS), {
    env: {
      ...own.environment,
      LD_PRELOAD: library,
      ...{ FAULT_FILE: 'run.db', FAULT_CALL: fault.call, FAULT_HOW: fault.how },
      ...{ FAULT_AT: String(at), FAULT_LASTING: fault.lasting ? '1' : '0', FAULT_COUNTS: counts },
    },
  });
  child.stdin.end();
  const run = own.imported('run', await ended);
  const told = (): Calls => JSON.parse(readFileSync(counts, 'utf8')) as Calls;
  return { run, calls: run.code === null ? null : told() };
}

// Without a compiler, or where nothing can be put in front of the C library, no single call can be made to fail.
const tried = why === undefined ? '' : ` (not tried: ${why})`;
describe.skipIf(why !== undefined)(`a disk that fails at one call of the ledger${tried}`, () => {
  /** The calls of an import on a sound disk. */
  let usual: Calls;
  beforeAll(async () => {
    const own = await openBench();
    const { run, calls } = await importOn(FAULTS[0]!, 0, own);
    everythingOnce(own, run, ROWS);
    await own.close();
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
    everythingOnce(bench, await bench.import('run', [bench.at('leads.csv')], OPTIONS), ROWS);
  });
});
