#!/usr/bin/env node
import { setEngineFlags } from './cli/engine-flags.js';
import { explain, note, type Terminal } from './cli/output/output.js';
import { run } from './cli/run.js';
import { EXIT } from './core/errors.js';

setEngineFlags();

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
  begun: { monotonic: 0, wall: performance.timeOrigin },
  signal: stopping.signal,
};

// Should nothing be left to wait for before the end is known, that is no success.
process.exitCode = EXIT.internal;
void run(process.argv.slice(2), terminal).then((exitCode) => {
  process.exitCode = exitCode;
  // Work that was left behind must not hold up somebody who wants to stop.
  if (stopping.signal.aborted) process.exit();
});
