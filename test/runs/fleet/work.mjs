/* global AbortController */
import { executeWorker } from '../../../dist/run/shared.js';

/**
 * node work.mjs REQUEST
 * Works as the command does, with leases that a test can wait for. REQUEST is JSON.
 */
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
try {
  process.exitCode = await executeWorker({
    signal: stop.signal,
    onNote: (message) => process.stderr.write(`${new Date().toISOString()} ${message}\n`),
    ...JSON.parse(process.argv[2]),
  });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode ?? 70;
}
