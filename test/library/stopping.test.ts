import { existsSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { beforeEach, describe, expect, it } from 'vitest';
import type * as Library from '../../src/index.js';
import type { ImportFilesOptions, RunResult } from '../../src/index.js';
import { type Bench, csv, leads, openBench, twice } from '../kit/bench.js';
import type { Operation } from '../kit/contact-center.js';
import { built, LIBRARY } from '../kit/built.js';

const library = await built<typeof Library>(LIBRARY);
const { checkFiles, draftInstallation, importFiles, listRuns, reconcileFiles } = library;
const { reconcileRun, resumeRun, startCheck, startImport, StopRun, undoRun } = library;

const ROWS = 60;

let bench: Bench;
let stop: AbortController;
beforeEach(async () => {
  bench = await openBench();
  stop = new AbortController();
  await bench.write('leads.csv', csv(leads(ROWS)));
  return () => bench.close();
});

const place = () => ({
  installation: bench.at('center.yaml'),
  env: bench.environment,
  ledger: bench.at('ledger.db'),
});
const options = (): ImportFilesOptions => ({
  ...{ files: [bench.at('leads.csv')], mapping: bench.at('mapping.yaml'), ...place() },
  ...{ out: bench.at('out'), campaign: { name: 'Autumn leads' }, batchSize: 10, concurrency: 1 },
});
/** Aborts as soon as the contact center has this request before it, and answers it a little later. */
function stopAt(operation: Operation): void {
  bench.center.behave = (request) => {
    if (request.operation !== operation || stop.signal.aborted) return undefined;
    stop.abort();
    return { delay: 20 };
  };
}
const STOPPED = {
  state: 'stopped',
  exitCode: 3,
  stopped: expect.stringContaining('Interrupted') as string,
};
/** Of a run that is not on record there is nothing: nothing was sent, and nothing was written. */
const NOT_BEGUN = { ...STOPPED, run: '', rows: 0, out: '', report: '', ledger: '', rejects: [] };

/** Some only stop. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
type Prepare = () => Partial<ImportFilesOptions> | void;

/** The moments of an import, whether it is on record by then, and what stops it there. */
const MOMENTS: readonly (readonly [moment: string, isOnRecord: boolean, prepare: Prepare])[] = [
  ['before it starts', false, () => stop.abort()],
  ['while it opens its files', false, () => void setImmediate(() => stop.abort())],
  ['when its files are open', false, () => ({ onInput: () => stop.abort() })],
  ['while it asks for the campaign', false, () => stopAt('4.19')],
  ['while it creates clients', true, () => stopAt('4.1')],
  [
    ...(['between two batches', true] as const),
    () => ({ onProgress: ({ outcomes }) => outcomes.enqueued > 0 && stop.abort() }),
  ],
  [
    ...(['behind the last row', true] as const),
    () => ({ onProgress: ({ rows }) => rows === ROWS && stop.abort() }),
  ],
];

it.each(MOMENTS)('an import that is stopped %s answers so, and goes on', async (...moment) => {
  const [, isOnRecord, prepare] = moment;
  const ended = await importFiles({ ...options(), ...prepare(), signal: stop.signal });
  expect(ended).toMatchObject({ mode: 'create', ...(isOnRecord ? STOPPED : NOT_BEGUN) });
  expect(ended.summary).toMatchObject({ run: ended.run, state: 'stopped', rows: ended.rows });
  if (isOnRecord) {
    expect(existsSync(ended.report)).toBe(true);
    const resumed = await resumeRun({ run: ended.run, ...place() });
    expect(resumed).toMatchObject({ run: ended.run, state: 'finished', rows: ROWS });
  } else {
    expect(bench.center.creations.size).toBe(0);
    expect(existsSync(bench.at('out'))).toBe(false);
    expect(await importFiles(options())).toMatchObject({ state: 'finished', rows: ROWS });
  }
  expect(await listRuns(place())).toHaveLength(1);
  expect(twice(bench.center.creations)).toEqual([]);
  expect(twice(bench.center.enqueuings)).toEqual([]);
  expect(bench.center.enqueuings.size).toBe(ROWS);
});

it.each(MOMENTS.filter(([moment]) => /before|creates/.test(moment)))(
  'an import that is watched is stopped %s as others are',
  async (...moment) => {
    const [, isOnRecord, prepare] = moment;
    const run = startImport({ ...options(), ...prepare(), signal: stop.signal });
    expect(await run.result).toMatchObject(isOnRecord ? STOPPED : NOT_BEGUN);
    expect(run.state().phase).toBe('stopped');
  },
);

describe('runs on what is there', () => {
  const COMPARISON = { mode: 'reconcile' };
  const kinds: Record<string, [object, (run: string, signal: AbortSignal) => Promise<RunResult>]> =
    {
      reconcileFiles: [
        COMPARISON,
        (_, signal) => reconcileFiles({ ...options(), ...apart(), signal }),
      ],
      reconcileRun: [
        COMPARISON,
        (run, signal) => reconcileRun({ run, ...place(), ...apart(), signal }),
      ],
      undoRun: [
        { mode: 'undo' },
        (run, signal) => undoRun({ run, ...place(), ...apart(), concurrency: 1, signal }),
      ],
    };
  const apart = () => ({ out: bench.at('apart') });

  it.each(Object.entries(kinds))('%s is stopped as an import is', async (_, [mode, work]) => {
    const { run } = await importFiles(options());
    expect(await work(run, AbortSignal.abort())).toMatchObject({ ...NOT_BEGUN, ...mode });
    bench.center.behave = ({ operation }) => {
      if (['4.8', '4.10', '4.12'].includes(operation)) stop.abort();
      return undefined;
    };
    const stopped = await work(run, stop.signal);
    expect(stopped).toMatchObject({ ...STOPPED, ...mode });
    expect(stopped.rows).toBeLessThan(ROWS);
    const before = await resumeRun({ run: stopped.run, ...place(), signal: AbortSignal.abort() });
    expect(before).toMatchObject({ ...STOPPED, ...mode, run: stopped.run });
    const resumed = await resumeRun({ run: stopped.run, ...place() });
    expect(resumed).toMatchObject({ ...mode, run: stopped.run, state: 'finished', rows: ROWS });
  });
});

describe('what keeps nothing', () => {
  const checked = (): Parameters<typeof checkFiles>[0] => ({
    ...{ files: [bench.at('leads.csv')], mapping: bench.at('mapping.yaml'), signal: stop.signal },
  });

  it.each(['before', 'open', 'reading'])(
    'a check that is stopped (%s) gives up',
    async (moment) => {
      // Several chunks, so that there is something between them, and so many that threads read them.
      await bench.write('leads.csv', csv(leads(20_000)));
      const threads = new Set<Worker>();
      let began = 0;
      const watch = (thread: Worker): void => {
        began++;
        threads.add(thread.once('exit', () => threads.delete(thread)));
      };
      process.on('worker', watch);
      if (moment === 'before') stop.abort();
      const abort = { [moment === 'open' ? 'onInput' : 'onProgress']: () => stop.abort() };
      await expect(checkFiles({ ...checked(), ...abort })).rejects.toThrow(StopRun);
      const { onProgress: _, ...watched } = { ...checked(), onProgress: undefined };
      const check = await startCheck({ ...watched, folder: bench.at('index') });
      await expect(check.result).rejects.toThrow(StopRun);
      expect(check.state().phase).toBe('stopped');
      await check.close();
      process.off('worker', watch);
      await expect.poll(() => threads.size).toBe(0);
      expect(began).toBe(moment === 'before' ? 0 : 2);
    },
  );

  it.each([[['offerId']], [{ offerId: 7, offerDomain: 'x.example.com' }]])(
    'a draft that is stopped is not written (%j)',
    async (identifiers) => {
      const file = bench.at('drafted.yaml');
      const draft = { file, url: bench.center.url, identifiers, signal: stop.signal };
      if (Array.isArray(identifiers)) stop.abort();
      else stopAt('4.8');
      await expect(draftInstallation(draft)).rejects.toThrow(StopRun);
      expect(existsSync(file)).toBe(false);
    },
  );
});
