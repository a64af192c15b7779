import { EXIT } from '../../core/errors/errors.js';
import { fitsPattern } from '../places/file-pattern.js';
import { type ArrivedFile, type ClaimedFile, PlaceError } from '../places/place.js';
import { type Sighting, sightings } from '../places/readiness.js';
import { lateAt } from './late.js';
import { pauseAfter } from './pauses.js';
import type { Pickup } from '../pickup/schema.js';
import type { WatchState } from '../state/state.js';
import type { WatcherPorts } from './ports.js';
import { takeFile } from './take-file.js';
import { looksWhole, mistakeByManifest, signOf } from './whole-file.js';

/** How often a place is looked at, in milliseconds. */
const POLL_MS = 2_000;
/** What the state remembers of a pickup. */
const MARKS = { late: 'late', gone: 'gone', stopped: 'stopped', since: 'since' } as const;

/** Since when the pickup is watched, by this watcher or another; it is put on record where nobody watched it. */
function watchedSince({ name }: Pick<Pickup, 'name'>, state: WatchState, now: number): number {
  const since = state.mark(name, MARKS.since);
  if (since === null) state.setMark(name, MARKS.since, String(now));
  return since === null ? now : Number(since);
}

/** Whether a file is late at this moment. */
export function isLateNow(pickup: Pickup, state: WatchState, now = Date.now()): boolean {
  const [last] = state.latest(pickup.name, 1);
  return lateAt(pickup, now, watchedSince(pickup, state, now), last?.at ?? null) !== null;
}

/** How a look at the place went. */
interface Round {
  /** Files that are not whole yet. */
  readonly waiting: number;
  readonly bad: number;
  /** An import has stopped: it goes on later, and the others wait for it. */
  readonly stopped: boolean;
}

/**
 * Watches one place and imports what arrives there, one file after the other, in the order of their names. A file is
 * taken out of the place before it is read, and put away once it is known how it ended. What was begun before is
 * finished first; the ledger knows what of it has been sent.
 */
export class Watcher {
  #seen: ReadonlyMap<string, Sighting> = new Map();
  #failures = 0;
  readonly #since: number;

  constructor(private readonly ports: WatcherPorts) {
    const { state, pickup, clock } = ports;
    this.#since = watchedSince(pickup, state, clock.now());
  }

  /** Watches until the signal is aborted. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pause = await this.#turn(signal);
      await this.ports.clock.sleep(pause, signal).catch(() => undefined);
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
    for (;;) {
      const round = await this.#round(signal);
      bad += round.bad;
      if (round.stopped || signal.aborted) return EXIT.stopped;
      if (round.waiting === 0) return bad > 0 ? EXIT.rows : EXIT.ok;
      await this.ports.clock.sleep(POLL_MS, signal).catch(() => undefined);
    }
  }

  /** One look; returns how long to wait for the next, in milliseconds. */
  async #turn(signal: AbortSignal): Promise<number> {
    try {
      const { stopped } = await this.#round(signal);
      this.#noticePlace(null);
      this.#noticeLate();
      this.#failures = stopped ? this.#failures + 1 : 0;
      return stopped ? pauseAfter(this.#failures) : POLL_MS;
    } catch (error) {
      if (!(error instanceof PlaceError)) throw error;
      this.#noticePlace(error.message);
      this.#noticeLate();
      this.#failures++;
      return pauseAfter(this.#failures);
    }
  }

  async #round(signal: AbortSignal): Promise<Round> {
    const { place, pickup, clock, elapsed } = this.ports;
    const begun = await this.#takeAll(await place.claimed(), signal);
    if (begun.stopped) return { ...begun, waiting: 0 };
    const all = await place.list();
    const names = new Set(all.map(({ name }) => name));
    const arrived = all
      .filter(({ name }) => fitsPattern(name, pickup.files))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#seen = sightings(this.#seen, arrived, elapsed());
    const whole = arrived.filter((file) =>
      looksWhole(pickup.ready, file, names, this.#seen, elapsed()),
    );
    let bad = begun.bad;
    for (const file of whole) {
      const round = await this.#claimAndTake(file, signal);
      bad += round.bad;
      if (round.stopped) return { bad, waiting: 0, stopped: true };
    }
    if (pickup.after.keep !== undefined) await place.sweep(clock.now() - pickup.after.keep);
    return { bad, waiting: arrived.length - whole.length, stopped: false };
  }

  async #claimAndTake(file: ArrivedFile, signal: AbortSignal): Promise<Omit<Round, 'waiting'>> {
    const claimed = signal.aborted ? null : await this.ports.place.claim(file);
    return claimed ? this.#takeAll([claimed], signal) : { bad: 0, stopped: signal.aborted };
  }

  async #takeAll(
    files: readonly ClaimedFile[],
    signal: AbortSignal,
  ): Promise<Omit<Round, 'waiting'>> {
    const { place, pickup, state } = this.ports;
    let bad = 0;
    for (const file of files) {
      if (signal.aborted) return { bad, stopped: true };
      const sign = signOf(pickup.ready, file.name);
      const mistake = await mistakeByManifest(pickup.ready, place, file);
      if (mistake !== null) await this.#refuse(file, mistake);
      if (sign !== null) await place.discard(sign);
      const isRetry = state.mark(pickup.name, MARKS.stopped) === file.name;
      const taken = mistake === null ? await takeFile(this.ports, file, isRetry, signal) : 'bad';
      if (taken === 'interrupted') return { bad, stopped: true };
      state.setMark(pickup.name, MARKS.stopped, taken === 'stopped' ? file.name : null);
      if (taken === 'stopped') return { bad, stopped: true };
      if (taken === 'bad') bad++;
    }
    return { bad, stopped: false };
  }

  /** Puts a file away that is not what its manifest says. */
  async #refuse(file: ClaimedFile, sentence: string): Promise<void> {
    const { place, pickup, outbox, onNote } = this.ports;
    outbox.add([
      { kind: 'bad', pickup: pickup.name, file: file.name, sentence, next: 'Send it again.' },
    ]);
    await place.putAway(file, 'bad', [{ suffix: '.error.txt', from: { text: `${sentence}\n` } }]);
    onNote(sentence);
  }

  /** Notes once that the place is gone, and once that it is back. */
  #noticePlace(reason: string | null): void {
    const {
      state,
      outbox,
      place,
      onNote,
      pickup: { name: pickup },
    } = this.ports;
    const wasGone = state.mark(pickup, MARKS.gone) !== null;
    if (wasGone === (reason !== null)) return;
    const sentence = reason ?? `${place.words} is back.`;
    const next = reason === null ? null : 'It is tried again by itself.';
    outbox.add([{ kind: reason === null ? 'recovered' : 'stopped', pickup, sentence, next }]);
    state.setMark(pickup, MARKS.gone, reason);
    onNote(sentence);
  }

  /** Notes once that a file has not come. */
  #noticeLate(): void {
    const { state, outbox, clock, onNote, pickup } = this.ports;
    const [last] = state.latest(pickup.name, 1);
    const late = lateAt(pickup, clock.now(), this.#since, last?.at ?? null);
    if (!late || state.mark(pickup.name, MARKS.late) === String(late.due)) return;
    outbox.add([
      { kind: 'late', pickup: pickup.name, sentence: late.sentence, next: 'Ask whoever sends it.' },
    ]);
    state.setMark(pickup.name, MARKS.late, String(late.due));
    onNote(late.sentence);
  }
}
