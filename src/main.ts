#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { explain } from './cli/output/explain.js';
import { note } from './cli/output/output.js';
import { run } from './cli/run.js';
import type { Terminal } from './cli/output/terminal.js';
import { EXIT } from './core/errors.js';

// Little is held for long, so memory can be flat over millions of rows: a heap is swept before it has grown by half.
setFlagsFromString('--heap-growing-percent=50');
// So little of the young generation is alive that the threads which would help to empty it cost more time than they save.
setFlagsFromString('--no-parallel-scavenge');
// Answers have few headers. Code that would read them faster takes a tenth of a second to make, more than it ever saves.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');
// Threads that read for a long time sweep their heaps themselves.
setFlagsFromString('--expose-gc');

const stopping = new AbortController();

/** Signals that ask for an end. SIGBREAK is of Windows alone; elsewhere it never comes. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const;

/**
 * The first signal asks for a gentle end; whoever sends a second one is in a hurry. A closed terminal sends SIGHUP more
 * than once, from the shell and from the system.
 */
function onSignal(signal: NodeJS.Signals): void {
  if (stopping.signal.aborted && signal !== 'SIGHUP') process.exit(EXIT.stopped);
  stopping.abort();
}

function onInternalError(error: unknown): void {
  const { text } = explain(error, Boolean(process.env['CARDLINE_DEBUG']));
  note(process.stderr, text);
  process.exit(EXIT.internal);
}

for (const signal of SIGNALS) process.on(signal, onSignal);
process.on('uncaughtException', onInternalError);
process.on('unhandledRejection', onInternalError);

const terminal: Terminal = {
  // Opened only when it is wanted: an opened standard input keeps the process alive.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  interactive: process.stderr.isTTY && process.env['TERM'] !== 'dumb',
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  onSteady: keepNurseries,
  signal: stopping.signal,
};

/**
 * The engine doubles a thread's young generation each time when as much has outlived its collections as it holds, which even the
 * little that does so comes to in a long run. Then it is emptied half as often, and twice the buffers of what was sent
 * long ago lie in it. The threads that read have all that they may have within the first few thousand rows.
 */
function keepNurseries(keep: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${keep ? 1 : 2}`);
}

// Should nothing be left to wait for before the end is known, that is no success.
process.exitCode = EXIT.internal;
void run(process.argv.slice(2), terminal).then((exitCode) => {
  process.exitCode = exitCode;
  // Work that was left behind must not hold up somebody who wants to stop.
  if (stopping.signal.aborted) process.exit();
});
