/* global AbortController */
import { importFiles } from '../../../dist/run/import.js';
import { undoRun } from '../../../dist/run/on-record.js';
import { DeadlineStop } from '../../../dist/core/errors.js';

/**
 * node submit.mjs REQUEST
 * Shares an import as the command does, in pieces of a size that a test can afford; `undoes` in place of files takes a run
 * back. REQUEST is JSON. SIGTERM is Ctrl-C, and SIGUSR2 the deadline.
 */
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
process.once('SIGUSR2', () => stop.abort(new DeadlineStop('It is 06:00.')));
const request = JSON.parse(process.argv[2]);
try {
  const execute = request.undoes === undefined ? importFiles : undoRun;
  const { exitCode, summary, already, detached, stopped } = await execute({
    shared: true,
    signal: stop.signal,
    onWarning: (message) => process.stderr.write(`${message}\n`),
    ...request,
  });
  process.stdout.write(JSON.stringify({ summary, already, detached, stopped }));
  process.exitCode = exitCode;
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode ?? 70;
}
