import { EXIT, LedgerError } from '../../core/errors.js';
import {
  discardWork,
  fitsPattern,
  mayFitPattern,
  type ArrivedFile,
  type OddEntry,
  PlaceError,
  StuckFileError,
  type Sighting,
  sightings,
} from '../places/place.js';
import { arrivals, lateAt, looksWhole, mayWait, signOf } from './due.js';
import { FileTaking, type Taken, type WatcherPorts } from './take-file.js';
import { hostname } from 'node:os';
import type { Event } from '../notices/notice.js';

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
      if (error instanceof PlaceError) await this.#placeFailed(error);
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
      if (!signal.aborted) await this.#placeFailed(error);
      return true;
    }
  }

  async #placeFailed({ message }: PlaceError): Promise<void> {
    this.ports.figures?.failed();
    await this.#notices.ofPlace(message);
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
    const arrived = arrivals(all, pickup);
    this.#seen = sightings(this.#seen, arrived, elapsed());
    const isWhole = (file: ArrivedFile): boolean =>
      looksWhole(pickup.ready, file, names, this.#seen, elapsed());
    const taken = await this.#takeAll(arrived.filter(isWhole), false, signal);
    const bad = begun.bad + taken.bad;
    const odd = [
      ...others.filter(({ matched }) => mayFitPattern(matched, pickup.files)),
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
    await discardWork(work, 'unpacked', held);
    await discardWork(
      work,
      'fetched',
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
    const mark = { name: MARKS.gone, from, to: reason };
    if (reason === null)
      await this.#say(mark, { kind: 'recovered', sentence: `${place.words} is back.` });
    else {
      const next = 'It is tried again by itself.';
      await this.#say(mark, { kind: 'stopped', sentence: reason, next });
    }
  }

  /** Whether a file is missing that should have come by now, as far as the last look goes. */
  get isLate(): boolean {
    const { pickup, clock } = this.ports;
    if (this.#since === undefined) return false;
    return lateAt(pickup, clock.now(), this.#since, this.#last) !== null;
  }

  /** Notes once that a file has not come. */
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
