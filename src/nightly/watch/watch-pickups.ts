import { importFiles } from '../../run/import.js';
import { join, basename } from 'node:path';
import { EXIT, type ExitCode, LedgerError } from '../../core/errors.js';
import { systemClock } from '../../core/time.js';
import { Outbox } from '../notices/outbox.js';
import { sendNotice } from '../notices/send.js';
import { loadPickups, type PickupFile } from '../pickup/load.js';
import type { Secrets } from '../pickup/schema.js';
import { openPlace } from '../places/open-place.js';
import { memoryOf } from '../places/place.js';
import { openState, CLAIM_MS, type WatchState } from '../state/state.js';
import { Watcher } from './watcher.js';
import { lastTimeOfDay, type TimeOfDay, EVERY_DAY } from '../../core/hours.js';
import { statusOf, statusSentence, statusText } from './status.js';
import type { OpenMetrics } from '../../metrics/open-metrics.js';
import type { Metrics } from '../../metrics/registry.js';
import type { PlaceFigures } from './take-file.js';

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
    const metrics = await openWatchMetrics(settings, warn);
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
  { state, metrics }: { readonly state: WatchState; readonly metrics: OpenMetrics | undefined },
  { once = false, env, signal, onNote }: WatchRequest,
): Promise<ExitCode> {
  const over = new AbortController();
  const sending = new AbortController();
  const outbox = new Outbox({
    ...{ state, targets: settings.notify, send: sendNotice, clock: systemClock },
    onWarning: (message) => onNote(null, message),
    onAttempt: (kind, result) => metrics?.metrics.add('cardline_notices_total', { kind, result }),
  });
  const digest = {
    settings,
    state,
    outbox,
    env,
    onNote: (message: string) => onNote(null, message),
  };
  const beside = Promise.all([
    sendUntil(outbox, over.signal, sending.signal),
    holdUntil(state, over.signal),
    ...(once ? [] : [digestUntil(digest, over.signal)]),
  ]);
  const failed = new AbortController();
  // Watchers that cannot hold what they have claimed end gently; the reason is thrown behind them.
  beside.catch(() => failed.abort());
  const ended = AbortSignal.any([signal, failed.signal]);
  const watchers = settings.pickups.map((pickup) => {
    const { name } = pickup;
    const { ledger } = settings;
    const work = join(settings.work, name);
    const place = openPlace(pickup, { memory: memoryOf(state, name), work, env });
    const watcher: Watcher = new Watcher({
      ...{ pickup, place, ledger, work, state, outbox, env, clock: systemClock },
      elapsed: () => performance.now(),
      execute: importFiles,
      observer: metrics?.ofRuns(name),
      figures: metrics && figuresOf(metrics.metrics, name, () => watcher.isLate),
      onNote: (message) => onNote(name, message),
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
    // The answer to what is being sent is waited for: given up, it would be sent a second time.
    const last = setTimeout(() => sending.abort(), LAST_NOTICES_MS);
    try {
      await beside;
      await flush(outbox, sending.signal);
    } finally {
      clearTimeout(last);
      // Where the state has failed, what is still being sent could not be noted.
      sending.abort();
    }
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

async function sendUntil(outbox: Outbox, signal: AbortSignal, sending: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await flush(outbox, sending);
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

const DAY = 86_400_000;
/** No pickup has this name. */
const ALL = '*';

interface DigestPorts {
  readonly settings: PickupFile;
  readonly state: WatchState;
  readonly outbox: Outbox;
  readonly env: Secrets;
  readonly onNote: (message: string) => void;
}

/** Keeps the digest of the day where its hour has come and nobody else has: once a day, whoever watches, also of no file. */
async function keepDigest(ports: DigestPorts, now: number): Promise<void> {
  const { settings, state, outbox, env, onNote } = ports;
  if (!settings.digest) return;
  const due = lastTimeOfDay(settings.digest.at, EVERY_DAY, now);
  const names = settings.pickups.map(({ name }) => name).sort();
  // Watchers of the same pickups share a state, and so may those of others.
  const name = `digest ${names.join(' ')}`;
  const from = await state.mark(ALL, name);
  if (from === null ? !isToday(settings.digest.at, due, now) : Number(from) >= due) return;
  const status = await statusOf(settings, state, env, now);
  const sentence = `${statusSentence(status)}\n${statusText(status)}`;
  const next =
    status.exitCode === EXIT.ok ? null : `cardline watch ${basename(settings.file)} --status`;
  const event = { kind: 'digest', pickup: basename(settings.file), sentence, next } as const;
  const mark = { pickup: ALL, name, from, to: String(due) };
  if (await outbox.add([event], { mark })) onNote(statusSentence(status));
}

/** Of days before anybody watched, there is nothing to tell. */
function isToday({ zone }: TimeOfDay, due: number, now: number): boolean {
  const dayOf = (at: number): number => Math.floor((at + zone.offsetAt(at)) / DAY);
  return dayOf(due) === dayOf(now);
}

/**
 * The metrics that a pickup file asks for; `undefined` where it asks for none, and nothing is loaded.
 * @throws UsageError where the address cannot be listened at
 */
async function openWatchMetrics(
  { metrics: { file, listen } }: PickupFile,
  onWarning: (message: string) => void,
): Promise<OpenMetrics | undefined> {
  if (file === undefined && listen === undefined) return undefined;
  const { openMetrics } = await import('../../metrics/open-metrics.js');
  return openMetrics({ file, listen, of: 'watch', onWarning });
}

/** Counts what a watcher sees of its place, for the metrics. */
function figuresOf(metrics: Metrics, pickup: string, isLate: () => boolean): PlaceFigures {
  const labels = { pickup };
  /** Files that wait, with when they were first seen. */
  const since = new Map<string, number>();
  metrics.beforeRead(() => {
    const now = systemClock.now();
    const oldest = Math.min(now, ...since.values());
    metrics.set('cardline_pickup_files_waiting', labels, since.size);
    metrics.set('cardline_pickup_lag_seconds', labels, (now - oldest) / 1000);
    metrics.set('cardline_pickup_late', labels, isLate() ? 1 : 0);
  });
  return {
    listed: (names) => {
      metrics.set('cardline_pickup_up', labels, 1);
      const there = new Set(names);
      for (const name of since.keys()) if (!there.has(name)) since.delete(name);
      for (const name of there) if (!since.has(name)) since.set(name, systemClock.now());
    },
    failed: () => metrics.set('cardline_pickup_up', labels, 0),
    putAway: (name, shelf) => {
      since.delete(name);
      metrics.add('cardline_pickup_files_total', { ...labels, shelf });
    },
  };
}
