import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  listRuns,
  type Mode,
  MODES,
  type OutcomeCounts,
  reportRun,
  showRun,
} from '../../src/index.js';
import type * as CommandLine from '../../src/cli/run.js';
import { FORMATS, REPORT_FORMATS } from '../../src/report/formats.js';
import { type Gate, startGate } from '../modes/gate.js';
import { type Center, type World, OPTIONS, openWorld } from '../modes/world.js';
import { READ_BACK } from './read-back.js';

const ROWS = 100;
/** Modes whose runs are processes that are killed; those of the others are functions that are stopped. */
const KILLED: ReadonlySet<string> = new Set<Mode>(['create', 'enqueue', 'delete']);
const UNDOABLE: ReadonlySet<Mode> = new Set<Mode>(['create', 'upsert', 'update', 'enqueue']);
/** Requests of a run that is broken off: the smallest run, of creations in batches, has more. */
const CARRIED_OUT = 4;

/** Built, since a ledger is written by a thread, which begins with a file of its own. */
const commandLine = (await import(
  new URL('../../dist/cli/run.js', import.meta.url).href
)) as typeof CommandLine;

let world: World;
let center: Center;
let gate: Gate;

beforeAll(async () => {
  world = await openWorld(MODES, ROWS);
  center = await world.center('center');
  gate = await startGate(center.port);
}, 600_000);
afterAll(async () => {
  await gate.close();
  await center.close();
  await world.close();
});

const occurring = (counts: Partial<OutcomeCounts> | null): Record<string, number> =>
  Object.fromEntries(Object.entries(counts ?? {}).filter(([, count]) => count > 0));

/** Columns that every report of rows has, of an import as of a comparison. */
const COLUMNS = [
  ...['row', 'sheet', 'uuid', 'outcome', 'verdict', 'createdClientId', 'createResult'],
  ...['enqueueResult', 'changeResult', 'clientId', 'applicationStatus', 'callsMade', 'nextCall'],
  ...['callback', 'differences', 'problems', 'problemCodes', 'file', 'run'],
];

/** A report of every format has these counts; its columns are the same for every mode, but on the page. */
async function everyFormatCounts(name: string, run: string, counts: Record<string, number>) {
  const ledger = world.at(`${name}.db`);
  const { mode } = await showRun({ run, ledger });
  for (const format of REPORT_FORMATS) {
    const file = world.at(`${name}-${run}${FORMATS[format].ending}`);
    expect(await reportRun({ run, file, ledger })).toMatchObject({ run, mode, file });
    const { counts: found, columns } = await READ_BACK[format](file);
    expect([format, found]).toEqual([format, counts]);
    // A page without a row that did not end well has no table.
    if (format === 'text' || (format === 'html' && columns.length === 0)) continue;
    const its = format === 'html' ? [mode === 'reconcile' ? 'verdict' : 'outcome'] : COLUMNS;
    expect([format, columns]).toEqual([format, expect.arrayContaining(its)]);
  }
}

/** Runs a command without a process of its own. Resolves with its exit code. */
function here(args: readonly string[], signal: AbortSignal): Promise<number> {
  const [stdout, stderr, stdin] = [new PassThrough(), new PassThrough(), new PassThrough()];
  for (const output of [stdout, stderr]) output.resume();
  stdin.end();
  return commandLine.run(args, {
    ...{ stdin, stdout, stderr, signal, env: process.env, interactive: false, columns: undefined },
  });
}

/** Stops a run when some of its requests have been carried out. Resolves with its id. */
async function stoppedHere(name: string, args: readonly string[]): Promise<string> {
  const stopping = new AbortController();
  let carriedOut = 0;
  gate.hold = () => 20;
  gate.onCarriedOut = () => {
    if (++carriedOut === CARRIED_OUT) stopping.abort();
  };
  expect(await here(args, stopping.signal)).toBe(3);
  gate.onCarriedOut = () => undefined;
  gate.hold = () => 0;
  const [latest] = await listRuns({ ledger: world.at(`${name}.db`) });
  return latest?.run ?? '';
}

/** Breaks a run off by a signal when some of its requests have been carried out. Resolves with its id. */
async function brokenOff(name: string, args: readonly string[], signal: 'SIGKILL' | 'SIGINT') {
  const begun = world.start(args);
  let carriedOut = 0;
  gate.hold = () => 20;
  gate.onCarriedOut = () => {
    if (++carriedOut === CARRIED_OUT) begun.child.kill(signal);
  };
  const { code } = await begun.ended;
  gate.onCarriedOut = () => undefined;
  gate.hold = () => 0;
  expect(code).toBe(signal === 'SIGKILL' ? null : 3);
  const [latest] = await listRuns({ ledger: world.at(`${name}.db`) });
  return latest?.run ?? '';
}

/** What `summary.json` in the folder of a command counts. */
async function summaryOf(args: readonly string[]) {
  const out = args[args.indexOf('--out') + 1] ?? '';
  const summary = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8')) as {
    run: string;
    mode: string;
    rows: number;
    state: string;
    outcomes: OutcomeCounts;
  };
  const counts = occurring(summary.outcomes);
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(summary.rows);
  return { ...summary, counts };
}

/** Kills a run, stops it, brings it to its end, and looks at its reports each time. */
async function reportsOf(name: string, args: readonly string[]): Promise<string> {
  const ledger = world.at(`${name}.db`);
  const isKilled = KILLED.has(name);
  const killed = await (isKilled ? brokenOff(name, args, 'SIGKILL') : stoppedHere(name, args));
  const { state, outcomes } = await showRun({ run: killed, ledger });
  expect(state).toBe(isKilled ? 'broken_off' : 'stopped');
  await everyFormatCounts(name, killed, occurring(outcomes));

  // A run that is asked to stop leaves a summary behind; one of each kind is enough.
  if (name === 'create') {
    const stopped = await brokenOff(name, args, 'SIGINT');
    const half = await summaryOf(args);
    expect([stopped, half.run, half.state]).toEqual([killed, killed, 'stopped']);
    await everyFormatCounts(name, stopped, half.counts);
  }

  if (isKilled) await world.run(args);
  else expect([0, 2]).toContain(await here(args, new AbortController().signal));
  const whole = await summaryOf(args);
  expect([whole.run, whole.state, whole.rows]).toEqual([killed, 'finished', ROWS]);
  await everyFormatCounts(name, killed, whole.counts);
  if (whole.mode === 'reconcile') expect(whole.counts['match']).toBeGreaterThan(ROWS / 4);
  return killed;
}

describe('reports of a run that is killed, stopped and finished count as summary.json does', () => {
  it.each(MODES)('an import of mode %s', { timeout: 300_000 }, async (mode) => {
    const args = await world.importOf(mode, mode, gate.url);
    const run = await reportsOf(mode, args);
    if (!UNDOABLE.has(mode)) return;
    const ledger = ['--ledger', world.at(`${mode}.db`)];
    // The comparisons first: they are to find what the import did.
    if (mode === 'create' || mode === 'upsert') await compared(mode);
    if (mode === 'create') {
      const claims = ['reconcile', '--run', run, ...ledger, '--out', world.at('claims')];
      await reportsOf(mode, [...claims, ...OPTIONS]);
    }
    await reportsOf(mode, [
      'undo',
      run,
      '--yes',
      ...ledger,
      '--out',
      world.at(`${mode}-undo`),
      ...OPTIONS,
    ]);
  });

  async function compared(mode: 'create' | 'upsert') {
    const args = await world.importOf(mode, mode, gate.url);
    const at = args.indexOf('--out') + 1;
    const comparison = ['reconcile', ...args.slice(1)].with(at, world.at(`${mode}-compared`));
    await reportsOf(mode, comparison);
  }
});
