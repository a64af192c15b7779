import { importFiles } from '../../app/import/import.js';
import { join } from 'node:path';
import { EXIT, type ExitCode, LedgerError } from '../../core/errors.js';
import { systemClock } from '../../core/time.js';
import { Outbox } from '../notices/outbox.js';
import { sendNotice } from '../notices/send.js';
import { loadPickups, type PickupFile } from '../pickup/load.js';
import type { Secrets } from '../pickup/secrets.js';
import { openWatchMetrics, type WatchMetrics } from '../metrics/watch-metrics.js';
import { openPlace } from '../places/open-place.js';
import { memoryOf } from '../places/memory.js';
import { openState } from '../state/open-state.js';
import { CLAIM_MS } from '../state/sql-state.js';
import type { WatchState } from '../state/state.js';
import { type DigestPorts, keepDigest } from './digest.js';
import { Watcher } from './watcher.js';

export interface WatchRequest {
  /** Path of the pickup file. */
  readonly file: string;
  /** Take what is there, and end. @default false */
  readonly once?: boolean;
  readonly env: Secrets;
  readonly signal: AbortSignal;
  /** Called with what happens, in words for a person, without personal data. */
  readonly onNote: (pickup: string | null, message: string) => void;
}

/** How often notices are looked for that are due, in milliseconds. */
const OUTBOX_MS = 1_000;
/** How often it is looked whether the hour of the digest has come, in milliseconds. */
const DIGEST_MS = 5_000;
/** How long notices are waited for at the end, in milliseconds: what is left is sent by the next watcher. */
const LAST_NOTICES_MS = 10_000;

/**
 * Watches the places of a pickup file and imports what arrives there, until the signal is aborted; with `once`, until
 * all that is there was taken.
 * @returns with `once`, the worst exit code of an import; else `EXIT.ok`
 * @throws ConfigurationError with every mistake of the file, its mappings and installations, before anything is taken;
 * PlaceError, with `once`, when a place does not answer
 */
export async function watchPickups(request: WatchRequest): Promise<ExitCode> {
  const settings = await loadPickups(request.file, request.env);
  const state = await openState(settings.ledger, settings.state);
  const warn = (message: string): void => request.onNote(null, message);
  try {
    const metrics = await openWatchMetrics(settings, systemClock, warn);
    if (metrics?.url !== undefined) warn(`Metrics are served at ${metrics.url}/metrics.`);
    try {
      return await watchAll(settings, { state, metrics }, request);
    } finally {
      await metrics?.close();
    }
  } finally {
    await state.close();
  }
}

async function watchAll(
  settings: PickupFile,
  { state, metrics }: { readonly state: WatchState; readonly metrics: WatchMetrics | undefined },
  { once = false, env, signal, onNote }: WatchRequest,
): Promise<ExitCode> {
  const over = new AbortController();
  const outbox = new Outbox({
    ...{ state, targets: settings.notify, send: sendNotice, clock: systemClock },
    onWarning: (message) => onNote(null, message),
    onAttempt: metrics?.noticed,
  });
  const digest = {
    settings,
    state,
    outbox,
    env,
    onNote: (message: string) => onNote(null, message),
  };
  const beside = Promise.all([
    sendUntil(outbox, over.signal),
    holdUntil(state, over.signal),
    ...(once ? [] : [digestUntil(digest, over.signal)]),
  ]);
  const failed = new AbortController();
  // Watchers that cannot hold what they have claimed end gently; the reason is thrown behind them.
  beside.catch(() => failed.abort());
  const ended = AbortSignal.any([signal, failed.signal]);
  const watchers = settings.pickups.map((pickup) => {
    const memory = memoryOf(state, pickup.name);
    const work = join(settings.work, pickup.name);
    const opened = openPlace(pickup, { memory, work, env });
    const isLate = (): boolean => watcher.isLate;
    const place = metrics?.measured(pickup, opened, isLate) ?? opened;
    const observer = metrics?.ofRuns(pickup.name);
    const elapsed = (): number => performance.now();
    const ports = { state, outbox, env, elapsed, clock: systemClock, execute: importFiles };
    const { ledger } = settings;
    const note = (message: string): void => onNote(pickup.name, message);
    const watcher = new Watcher({
      ...{ ...ports, pickup, place, ledger, work, observer, onNote: note },
    });
    return watcher;
  });
  try {
    if (!once) {
      await untilFirstFails(
        watchers.map((watcher) => (end: AbortSignal) => watcher.watch(end)),
        ended,
      );
      return EXIT.ok;
    }
    const codes = await untilFirstFails(
      watchers.map((watcher) => (end: AbortSignal) => watcher.once(end)),
      ended,
    );
    await keepDigest(digest, systemClock.now());
    return worst(codes);
  } finally {
    metrics?.ending();
    over.abort();
    await beside;
    await flush(outbox, AbortSignal.timeout(LAST_NOTICES_MS));
  }
}

/** Runs all until they end. When one fails, the others end gently, and the failure is thrown. */
async function untilFirstFails<T>(
  works: readonly ((signal: AbortSignal) => Promise<T>)[],
  signal: AbortSignal,
): Promise<T[]> {
  const failed = new AbortController();
  const end = AbortSignal.any([signal, failed.signal]);
  const all = works.map((work) =>
    work(end).catch((error: unknown) => {
      failed.abort();
      throw error;
    }),
  );
  await Promise.allSettled(all);
  return Promise.all(all);
}

/** While the database of the ledger is away, the digest waits as the notices do. */
async function digestUntil(ports: DigestPorts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await keepDigest(ports, systemClock.now()).catch(unlessAway);
    await systemClock.sleep(DIGEST_MS, signal).catch(() => undefined);
  }
}

async function sendUntil(outbox: Outbox, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await flush(outbox, signal);
    await systemClock.sleep(OUTBOX_MS, signal).catch(() => undefined);
  }
}

/** While the database of the ledger is away, notices wait in it; the watchers say that it is. */
async function flush(outbox: Outbox, signal: AbortSignal): Promise<void> {
  await outbox.flush(signal).catch(unlessAway);
}

/** Holds the claims of this process while it lives. */
async function holdUntil(state: WatchState, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await systemClock.sleep(CLAIM_MS / 6, signal).catch(() => undefined);
    await state.renew().catch(unlessAway);
  }
}

function unlessAway(error: unknown): void {
  if (!(error instanceof LedgerError) || error.exitCode !== EXIT.stopped) throw error;
}

const worst = (codes: readonly ExitCode[]): ExitCode =>
  codes.reduce((a, b) => (ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a), EXIT.ok);

const ORDER: readonly ExitCode[] = [EXIT.ok, EXIT.rows, EXIT.stopped, EXIT.usage, EXIT.internal];
