import type { Scenario } from './scenario.js';

/** A scenario in which nothing goes wrong, to be changed in what a test is about. */
export const QUIET: Scenario = {
  rows: [],
  rowsInChunk: 1000,
  batchSize: 200,
  requestBytes: 1_000_000,
  concurrency: 4,
  campaign: 'plain',
  refusal: 400,
  isBare: false,
  serverBytes: 1_000_000,
  isNaive: true,
  timeoutMs: 60_000,
  settleAfterMs: 2_000,
  latencyMs: 100,
  flushMs: 5,
  patienceMs: 900_000,
  fates: [],
  outages: [],
  crashes: [],
  stops: [],
  canary: 0,
  maxFailures: null,
  pace: {},
  brokenFlushes: [],
  seed: 1,
};
