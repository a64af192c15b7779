import { EXIT, LedgerError } from '../../core/errors.js';
import { mayFitPattern } from '../places/file-pattern.js';
import { type ArrivedFile, type OddEntry, PlaceError, StuckFileError } from '../places/place.js';
import { discardFetched } from '../places/remote/fetch.js';
import { type Sighting, sightings } from '../places/readiness.js';
import { takeClaimed } from './claim-file.js';
import { pauseAfter } from './pauses.js';
import type { WatcherPorts } from './ports.js';
import type { Taken } from './take-file.js';
import { PlaceNotices } from './place-notices.js';
import { arrivals, looksWhole, mayWait, signOf } from './whole-file.js';
import { discardLeftovers } from './work-folder.js';

/** How often a place is looked at, in milliseconds. */
const POLL_MS = 2_000;

/** How a look at the place went. */
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
  #seen: ReadonlyMap<string, Sighting> = new Map();
  #failures = 0;
  #isFirst = true;
  /** Files of this round that cannot be taken out of where they arrived. */
  readonly #stuck: OddEntry[] = [];
  readonly #notices: PlaceNotices;

  constructor(private readonly ports: WatcherPorts) {
    this.#notices = new PlaceNotices(ports);
  }

  /** Whether a file is missing that should have come by now. */
  get isLate(): boolean {
    return this.#notices.isLate;
  }

  /** Watches until the signal is aborted. */
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
        const round = await this.#round(signal);
        bad += round.bad;
        await this.#notices.ofPlace(null);
        if (round.stopped || signal.aborted) return EXIT.stopped;
        if (round.waiting === 0) return bad + round.odd > 0 ? EXIT.rows : EXIT.ok;
        await this.ports.clock.sleep(POLL_MS, signal).catch(() => undefined);
      }
    } catch (error) {
      if (error instanceof PlaceError) await this.#notices.ofPlace(error.message);
      throw error;
    } finally {
      await this.#notices.ofLate();
      await this.ports.place.close();
    }
  }

  /** One look; returns how long to wait for the next, in milliseconds. */
  async #turn(signal: AbortSignal): Promise<number> {
    try {
      const stopped = await this.#look(signal);
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

  /** Whether it does not go on: an import has stopped, or the place does not answer. */
  async #look(signal: AbortSignal): Promise<boolean> {
    try {
      const { stopped } = await this.#round(signal);
      await this.#notices.ofPlace(null);
      return stopped;
    } catch (error) {
      if (!(error instanceof PlaceError)) throw error;
      if (!signal.aborted) await this.#notices.ofPlace(error.message);
      return true;
    }
  }

  async #round(signal: AbortSignal): Promise<Round> {
    const { place, pickup, clock, elapsed } = this.ports;
    const claimed = await place.claimed();
    const all = await place.list();
    if (this.#isFirst) await this.#discardLeftovers([...claimed, ...all]);
    const begun = await this.#takeAll(claimed, true, signal);
    if (begun.stopped) return begun;
    const names = new Set(all.map(({ name }) => name));
    const arrived = arrivals(all, pickup);
    this.#seen = sightings(this.#seen, arrived, elapsed());
    const isWhole = (file: ArrivedFile): boolean =>
      looksWhole(pickup.ready, file, names, this.#seen, elapsed());
    const taken = await this.#takeAll(arrived.filter(isWhole), false, signal);
    const bad = begun.bad + taken.bad;
    const odd = [
      ...(await this.#odd()),
      ...this.#unsigned(arrived, isWhole),
      ...this.#stuck.splice(0),
    ];
    await this.#notices.ofOdd(odd);
    if (taken.stopped) return { bad, odd: odd.length, waiting: 0, stopped: true };
    if (pickup.after.keep !== undefined) await place.sweep(clock.now() - pickup.after.keep);
    const waiting = arrived.filter(
      (file) => !isWhole(file) && mayWait(pickup.ready, this.#seen.get(file.name), elapsed()),
    );
    return {
      ...{ bad, odd: odd.length, stopped: false },
      waiting: begun.waiting + taken.waiting + waiting.length,
    };
  }

  async #odd(): Promise<OddEntry[]> {
    const { place, pickup } = this.ports;
    return (await place.odd()).filter(({ matched }) => mayFitPattern(matched, pickup.files));
  }

  /** Files whose sign has not come for so long that it is not waited for. */
  #unsigned(files: readonly ArrivedFile[], isWhole: (file: ArrivedFile) => boolean): OddEntry[] {
    const { pickup, elapsed } = this.ports;
    return files
      .filter(
        (file) => !isWhole(file) && !mayWait(pickup.ready, this.#seen.get(file.name), elapsed()),
      )
      .map(({ name, version }) => ({
        ...{ name, matched: name, version },
        reason: `${signOf(pickup.ready, name) ?? 'its sign'} has not come, which says that it is whole. Send that.`,
      }));
  }

  async #discardLeftovers(files: readonly ArrivedFile[]): Promise<void> {
    const { state, pickup, work } = this.ports;
    const held: string[] = [];
    for (const { name } of files)
      if ((await state.holderOf({ pickup: pickup.name, file: name })) === 'another')
        held.push(name);
    await discardLeftovers(work, held);
    await discardFetched(
      work,
      files.map(({ name }) => name),
    );
    this.#isFirst = false;
  }

  #noteStuck(error: unknown): 'stuck' {
    if (!(error instanceof StuckFileError)) throw error;
    this.#stuck.push(error.entry);
    return 'stuck';
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
        : await takeClaimed(this.ports, file, isTaken, signal).catch((error: unknown) =>
            this.#noteStuck(error),
          );
      counts[how]++;
      if (how === 'stopped' || how === 'interrupted') break;
    }
    return {
      ...{ bad: counts.bad, odd: 0 },
      waiting: counts.held + counts.lost,
      stopped: counts.stopped + counts.interrupted > 0,
    };
  }
}
