import { EXIT, LedgerError, type ExitCode } from '../../core/errors.js';
import {
  discardWork,
  fitsPattern,
  mayFitPattern,
  type ArrivedFile,
  type OddEntry,
  PlaceError,
  StuckFileError,
  memoryOf,
} from '../places/place.js';
import { arrivals, lateAt, type SeenFile, sightings, signOf, stageOf } from './due.js';
import { FileTaking, type Taken, type WatcherPorts, type PlaceFigures } from './take-file.js';
import { hostname } from 'node:os';
import type { Event } from '../notices/notice.js';
import { importFiles } from '../../run/import.js';
import { join, basename } from 'node:path';
import { systemClock } from '../../core/time.js';
import { Outbox, sendNotice } from '../notices/outbox.js';
import { loadPickups, type PickupFile } from '../pickup/load.js';
import type { Secrets } from '../pickup/schema.js';
import { openPlace } from '../places/open-place.js';
import { openState, CLAIM_MS, type WatchState } from '../state/state.js';
import { lastTimeOfDay, type TimeOfDay, EVERY_DAY } from '../../core/time.js';
import { statusOf, statusSentence, statusText } from './status.js';
import type { OpenMetrics, Metrics } from '../../metrics/open-metrics.js';

interface WatchRequest {
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
 * UsageError where metrics cannot be served at their address; PlaceError, with `once`, when a place does not answer
 */
export async function watchPickups(request: WatchRequest): Promise<ExitCode> {
  const settings = await loadPickups(request.file, request.env);
  const state = await openState(settings.ledger, settings.state);
  const warn = (message: string): void => request.onNote(null, message);
  try {
    const { file, listen } = settings.metrics;
    let metrics: OpenMetrics | undefined;
    if (file !== undefined || listen !== undefined) {
      // Loaded where they are asked for.
      const { openMetrics } = await import('../../metrics/open-metrics.js');
      metrics = await openMetrics({ file, listen, of: 'watch', onWarning: warn });
    }
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
  const dailyDigest = async (): Promise<void> => {
    const sentence = await keepDigest(settings, state, outbox, env);
    if (sentence !== null) onNote(null, sentence);
  };
  const beside = Promise.all([
    repeat(() => outbox.flush(sending.signal), OUTBOX_MS, over.signal),
    repeat(() => state.renew(), CLAIM_MS / 6, over.signal),
    ...(once ? [] : [repeat(dailyDigest, DIGEST_MS, over.signal)]),
  ]);
  const failed = new AbortController();
  const end = AbortSignal.any([signal, failed.signal]);
  // Watchers that cannot hold what they have claimed end gently; the reason is thrown behind them.
  beside.catch(() => failed.abort());
  const watching = settings.pickups.map(async (pickup) => {
    try {
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
      if (once) return await watcher.once(end);
      await watcher.watch(end);
      return EXIT.ok;
    } catch (error) {
      // The others end gently, and the failure is thrown behind them.
      failed.abort();
      throw error;
    }
  });
  try {
    await Promise.allSettled(watching);
    const codes = await Promise.all(watching);
    if (once) await dailyDigest();
    return worst(codes);
  } finally {
    metrics?.ending();
    over.abort();
    // The answer to what is being sent is waited for: given up, it would be sent a second time.
    const last = setTimeout(() => sending.abort(), LAST_NOTICES_MS);
    try {
      await beside;
      await outbox.flush(sending.signal).catch(unlessAway);
    } finally {
      clearTimeout(last);
      // Where the state has failed, what is still being sent could not be noted.
      sending.abort();
    }
  }
}

/**
 * Does something again and again. While the database of the ledger is away, notices and the digest wait in it; the
 * watchers say that it is.
 */
async function repeat(
  work: () => Promise<unknown>,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await work().catch(unlessAway);
    await systemClock.sleep(ms, signal).catch(() => undefined);
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

/**
 * Keeps the digest of the day where its hour has come and nobody else has: once a day, whoever watches, also of no file.
 * @returns what was kept, in a sentence; `null` where nothing was
 */
async function keepDigest(
  settings: PickupFile,
  state: WatchState,
  outbox: Outbox,
  env: Secrets,
): Promise<string | null> {
  if (!settings.digest) return null;
  const now = systemClock.now();
  const due = lastTimeOfDay(settings.digest.at, EVERY_DAY, now);
  const names = settings.pickups.map(({ name }) => name).sort();
  // Watchers of the same pickups share a state, and so may those of others.
  const name = `digest ${names.join(' ')}`;
  const from = await state.mark(ALL, name);
  if (from === null ? !isToday(settings.digest.at, due, now) : Number(from) >= due) return null;
  const status = await statusOf(settings, state, env, now);
  const sentence = `${statusSentence(status)}\n${statusText(status)}`;
  const next =
    status.exitCode === EXIT.ok ? null : `cardline watch ${basename(settings.file)} --status`;
  const event = { kind: 'digest', pickup: basename(settings.file), sentence, next } as const;
  const mark = { pickup: ALL, name, from, to: String(due) };
  return (await outbox.add([event], { mark })) ? statusSentence(status) : null;
}

/** Of days before anybody watched, there is nothing to tell. */
function isToday({ zone }: TimeOfDay, due: number, now: number): boolean {
  const dayOf = (at: number): number => Math.floor((at + zone.offsetAt(at)) / DAY);
  return dayOf(due) === dayOf(now);
}

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

/** How often a place is looked at, in milliseconds. */
const POLL_MS = 2_000;

interface Round {
  /** Files that are not whole yet, or that another watcher works on. */
  readonly waiting: number;
  readonly bad: number;
  /** Entries that lie there and are not imported as they are. */
  readonly odd: number;
  /** An import has stopped: it goes on later, and the others wait for it. */
  readonly stopped: boolean;
}

/**
 * Watches one place and imports what arrives there, one file after the other, in the order of their names. A file is
 * claimed and taken out of the place before it is read, and put away once it is known how it ended. What was begun
 * before is finished first; the ledger knows what of it has been sent.
 */
export class Watcher {
  #seen: readonly SeenFile[] = [];
  #failures = 0;
  #isFirst = true;
  /** Files of this round that cannot be taken out of where they arrived. */
  readonly #stuck: OddEntry[] = [];
  readonly #notices: PlaceNotices;

  constructor(private readonly ports: WatcherPorts) {
    this.#notices = new PlaceNotices(ports);
  }

  get isLate(): boolean {
    return this.#notices.isLate;
  }

  async watch(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        const pause = await this.#turn(signal);
        await this.ports.clock.sleep(pause, signal).catch(() => undefined);
      }
    } finally {
      // A connection that is left open would keep the process from its end.
      await this.ports.place.close();
    }
  }

  /**
   * Takes what is there, waits for what is not whole yet, and ends.
   * @returns the exit code of an import in which the worst happened that did here
   * @throws PlaceError when the place does not answer
   */
  async once(
    signal: AbortSignal,
  ): Promise<typeof EXIT.ok | typeof EXIT.rows | typeof EXIT.stopped> {
    let bad = 0;
    try {
      for (;;) {
        const round = await this.#look(signal);
        bad += round.bad;
        if (round.stopped || signal.aborted) return EXIT.stopped;
        if (round.waiting === 0) return bad + round.odd > 0 ? EXIT.rows : EXIT.ok;
        await this.ports.clock.sleep(POLL_MS, signal).catch(() => undefined);
      }
    } finally {
      await this.#notices.ofLate();
      await this.ports.place.close();
    }
  }

  /** One look; returns how long to wait for the next, in milliseconds. */
  async #turn(signal: AbortSignal): Promise<number> {
    try {
      const { stopped } = await this.#look(signal).catch((error: unknown) => {
        if (!(error instanceof PlaceError)) throw error;
        return { stopped: true };
      });
      await this.#notices.ofLate();
      this.#notices.ofLedger(null);
      this.#failures = stopped ? this.#failures + 1 : 0;
      return stopped ? pauseAfter(this.#failures) : POLL_MS;
    } catch (error) {
      // What would be kept of it waits in the same database.
      if (!(error instanceof LedgerError) || error.exitCode !== EXIT.stopped) throw error;
      this.#notices.ofLedger(error.message);
      return pauseAfter(++this.#failures);
    }
  }

  /** One round, after which it is noted whether the place answers. @throws PlaceError where it does not */
  async #look(signal: AbortSignal): Promise<Round> {
    try {
      const round = await this.#round(signal);
      await this.#notices.ofPlace(null);
      return round;
    } catch (error) {
      if (error instanceof PlaceError && !signal.aborted) {
        this.ports.figures?.failed();
        await this.#notices.ofPlace(error.message);
      }
      throw error;
    }
  }

  async #round(signal: AbortSignal): Promise<Round> {
    const { place, pickup, clock, elapsed, figures } = this.ports;
    const claimed = await place.claimed();
    const { files: all, odd: others } = await place.list();
    const fitting = all.filter(({ name }) => fitsPattern(name, pickup.files));
    figures?.listed([...claimed, ...fitting].map(({ name }) => name));
    if (this.#isFirst) await this.#discardLeftovers([...claimed, ...all]);
    const begun = await this.#takeAll(claimed, true, signal);
    if (begun.stopped) return begun;
    const names = new Set(all.map(({ name }) => name));
    const now = elapsed();
    this.#seen = sightings(this.#seen, arrivals(all, pickup), now);
    const inStage = (stage: ReturnType<typeof stageOf>): SeenFile[] =>
      this.#seen.filter((file) => stageOf(pickup.ready, file, names, now) === stage);
    const taken = await this.#takeAll(inStage('whole'), false, signal);
    const bad = begun.bad + taken.bad;
    const odd = [
      ...others.filter(({ matched }) => mayFitPattern(matched, pickup.files)),
      ...inStage('unsigned').map(({ name, version }) => ({
        ...{ name, matched: name, version },
        reason: `${signOf(pickup.ready, name) ?? 'its sign'} has not come, which says that it is whole. Send that.`,
      })),
      ...this.#stuck.splice(0),
    ];
    await this.#notices.ofOdd(odd);
    if (taken.stopped) return { bad, odd: odd.length, waiting: 0, stopped: true };
    if (pickup.after.keep !== undefined) await place.sweep(clock.now() - pickup.after.keep);
    return {
      ...{ bad, odd: odd.length, stopped: false },
      waiting: begun.waiting + taken.waiting + inStage('waiting').length,
    };
  }

  async #discardLeftovers(files: readonly ArrivedFile[]): Promise<void> {
    const { state, pickup, work } = this.ports;
    const held: string[] = [];
    for (const { name } of files)
      if ((await state.holderOf({ pickup: pickup.name, file: name })) === 'another')
        held.push(name);
    await discardWork(work, 'unpacked', held);
    await discardWork(
      work,
      'fetched',
      files.map(({ name }) => name),
    );
    this.#isFirst = false;
  }

  async #takeAll(
    files: readonly ArrivedFile[],
    isTaken: boolean,
    signal: AbortSignal,
  ): Promise<Round> {
    const counts: Record<Taken | 'held' | 'gone' | 'stuck', number> = {
      ...{ good: 0, bad: 0, stopped: 0, interrupted: 0, lost: 0, held: 0, gone: 0, stuck: 0 },
    };
    const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const file of sorted) {
      const how = signal.aborted
        ? 'interrupted'
        : await takeClaimed(this.ports, file, isTaken, signal).catch((error: unknown) => {
            if (!(error instanceof StuckFileError)) throw error;
            this.#stuck.push(error.entry);
            return 'stuck' as const;
          });
      counts[how]++;
      if (how === 'good' || how === 'bad') this.ports.figures?.putAway(file.name, how);
      if (how === 'stopped' || how === 'interrupted') break;
    }
    return {
      ...{ bad: counts.bad, odd: 0 },
      waiting: counts.held + counts.lost,
      stopped: counts.stopped + counts.interrupted > 0,
    };
  }
}

/** The first and the longest pause before something is tried again, in milliseconds. */
const FIRST_MS = 30_000;
const LONGEST_MS = 30 * 60_000;

/** How long to wait before the next attempt, after so many that failed; doubles each time. */
export const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, Math.min(failures, 20) - 1));

/**
 * Claims a file and takes it. `isTaken`: it was taken out of where it arrived before, and its import did not end.
 * @returns how it went; `held`: another watcher has it; `gone`: it is no longer there
 * @throws StuckFileError when it cannot be taken out of where it arrived
 */
async function takeClaimed(
  ports: WatcherPorts,
  file: ArrivedFile,
  isTaken: boolean,
  signal: AbortSignal,
): Promise<Taken | 'held' | 'gone'> {
  const { state, place, pickup, clock } = ports;
  const key = { pickup: pickup.name, file: file.name };
  const claim = await state.claim(key, file.version, clock.now());
  if (!claim) return 'held';
  let isOver = false;
  try {
    const isThere = isTaken || (await place.take(file));
    const fetched = isThere ? await place.fetch(file, signal) : null;
    if (!fetched) {
      isOver = true;
      return 'gone';
    }
    const taken = await new FileTaking(ports, fetched, claim, signal).take();
    isOver = taken === 'good' || taken === 'bad';
    return taken;
  } finally {
    await (isOver ? state.unclaim(key) : state.letGo(key));
  }
}

/** What the state remembers of a pickup. A place may be gone for one machine alone. */
const MARKS = { late: 'late', gone: `gone ${hostname()}`, since: 'since', odd: 'odd ' } as const;

/** Says once what concerns a place as a whole, also where several watchers see it. */
class PlaceNotices {
  #since: number | undefined;
  #last: number | null = null;
  #ledger: string | null = null;

  constructor(private readonly ports: WatcherPorts) {}

  /** Says something once: nobody else has changed its mark from `from` meanwhile. */
  async #say(
    { name, from, to }: { name: string; from: string | null; to: string | null },
    event: Omit<Event, 'pickup'>,
  ): Promise<void> {
    const { outbox, onNote, pickup } = this.ports;
    const mark = { pickup: pickup.name, name, from, to };
    if (await outbox.add([{ ...event, pickup: pickup.name }], { mark })) onNote(event.sentence);
  }

  /** Notes once that the place is gone, and once that it is back. */
  async ofPlace(reason: string | null): Promise<void> {
    const { state, place, pickup } = this.ports;
    const from = await state.mark(pickup.name, MARKS.gone);
    if ((from === null) === (reason === null)) return;
    await this.#say(
      { name: MARKS.gone, from, to: reason },
      reason === null
        ? { kind: 'recovered', sentence: `${place.words} is back.` }
        : { kind: 'stopped', sentence: reason, next: 'It is tried again by itself.' },
    );
  }

  /** Whether a file is missing that should have come by now, as far as the last look goes. */
  get isLate(): boolean {
    const { pickup, clock } = this.ports;
    if (this.#since === undefined) return false;
    return lateAt(pickup, clock.now(), this.#since, this.#last) !== null;
  }

  async ofLate(): Promise<void> {
    const { state, clock, pickup } = this.ports;
    const since = await this.#watchedSince();
    const [last] = await state.latest(pickup.name, 1);
    this.#last = last?.at ?? null;
    const late = lateAt(pickup, clock.now(), since, this.#last);
    const from = late && (await state.mark(pickup.name, MARKS.late));
    if (!late || from === String(late.due)) return;
    const mark = { name: MARKS.late, from, to: String(late.due) };
    const { sentence } = late;
    await this.#say(mark, { kind: 'late', sentence, next: 'Ask whoever sends it.' });
  }

  /** Notes once of each what lies there and is not imported; what is gone may come again. */
  async ofOdd(entries: readonly OddEntry[]): Promise<void> {
    const { state, pickup } = this.ports;
    const marks = await state.marks(pickup.name, MARKS.odd);
    const noted = new Map(marks.map(({ name, value }) => [name, value]));
    const there = new Set(entries.map(({ name }) => MARKS.odd + name));
    for (const { name: file, version, reason } of entries) {
      const name = MARKS.odd + file;
      const from = noted.get(name) ?? null;
      if (from === version) continue;
      const sentence = `${file} is not imported: ${reason}`;
      await this.#say({ name, from, to: version }, { kind: 'bad', file, sentence });
    }
    for (const [name, from] of noted)
      if (!there.has(name))
        await state.record({ notices: [], mark: { pickup: pickup.name, name, from, to: null } });
  }

  /** Notes once that the ledger is gone, in which what would be sent about it waits, and that it is back. */
  ofLedger(reason: string | null): void {
    if (reason !== null && this.#ledger === null) this.ports.onNote(reason);
    if (reason === null && this.#ledger !== null) this.ports.onNote('The ledger is back.');
    this.#ledger = reason;
  }

  /** Since when the pickup is watched, by whoever it is. */
  async #watchedSince(): Promise<number> {
    if (this.#since !== undefined) return this.#since;
    const { state, pickup, clock } = this.ports;
    const now = String(clock.now());
    const mark = { pickup: pickup.name, name: MARKS.since, from: null, to: now };
    await state.record({ notices: [], mark });
    this.#since = Number((await state.mark(pickup.name, MARKS.since)) ?? now);
    return this.#since;
  }
}
