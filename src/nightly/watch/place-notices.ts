import { hostname } from 'node:os';
import type { OddEntry } from '../places/place.js';
import { lateAt } from './late.js';
import type { WatcherPorts } from './ports.js';

/** What the state remembers of a pickup. A place may be gone for one machine alone. */
const MARKS = { late: 'late', gone: `gone ${hostname()}`, since: 'since', odd: 'odd ' } as const;

/** Says once what concerns a place as a whole, also where several watchers see it. */
export class PlaceNotices {
  #since: number | undefined;
  #last: number | null = null;
  #ledger: string | null = null;

  constructor(private readonly ports: WatcherPorts) {}

  /** Notes once that the place is gone, and once that it is back. */
  async ofPlace(reason: string | null): Promise<void> {
    const { state, outbox, place, onNote, pickup } = this.ports;
    const from = await state.mark(pickup.name, MARKS.gone);
    if ((from === null) === (reason === null)) return;
    const sentence = reason ?? `${place.words} is back.`;
    const next = reason === null ? null : 'It is tried again by itself.';
    const kind = reason === null ? 'recovered' : 'stopped';
    const mark = { pickup: pickup.name, name: MARKS.gone, from, to: reason };
    if (await outbox.add([{ kind, pickup: pickup.name, sentence, next }], { mark }))
      onNote(sentence);
  }

  /** Whether a file is missing that should have come by now, as far as the last look goes. */
  get isLate(): boolean {
    const { pickup, clock } = this.ports;
    if (this.#since === undefined) return false;
    return lateAt(pickup, clock.now(), this.#since, this.#last) !== null;
  }

  /** Notes once that a file has not come. */
  async ofLate(): Promise<void> {
    const { state, outbox, clock, onNote, pickup } = this.ports;
    const since = await this.#watchedSince();
    const [last] = await state.latest(pickup.name, 1);
    this.#last = last?.at ?? null;
    const late = lateAt(pickup, clock.now(), since, this.#last);
    const from = late && (await state.mark(pickup.name, MARKS.late));
    if (!late || from === String(late.due)) return;
    const { sentence } = late;
    const mark = { pickup: pickup.name, name: MARKS.late, from, to: String(late.due) };
    const event = { kind: 'late', pickup: pickup.name, sentence } as const;
    if (await outbox.add([{ ...event, next: 'Ask whoever sends it.' }], { mark })) onNote(sentence);
  }

  /** Notes once of each what lies there and is not imported; what is gone may come again. */
  async ofOdd(entries: readonly OddEntry[]): Promise<void> {
    const { state, outbox, onNote, pickup } = this.ports;
    const marks = await state.marks(pickup.name, MARKS.odd);
    const noted = new Map(marks.map(({ name, value }) => [name, value]));
    const there = new Set(entries.map(({ name }) => MARKS.odd + name));
    for (const { name: file, version, reason } of entries) {
      const name = MARKS.odd + file;
      const from = noted.get(name) ?? null;
      if (from === version) continue;
      const sentence = `${file} is not imported: ${reason}`;
      const event = { kind: 'bad', pickup: pickup.name, file, sentence } as const;
      const mark = { pickup: pickup.name, name, from, to: version };
      if (await outbox.add([event], { mark })) onNote(sentence);
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
