/** Slots of a timeline: as many points as a chart shows well. */
const SLOTS = 240;
/** Width of a slot to begin with, in milliseconds. */
const FIRST_WIDTH = 100;

/** An answer of the contact center. */
export interface TimedAnswer {
  /** When it was there, in milliseconds since the epoch. */
  readonly at: number;
  /** From the request to the end of the answer. */
  readonly milliseconds: number;
  /** HTTP status. */
  readonly status: number;
}

interface Slot {
  answers: number;
  /** Answers after which rows are done with: not those that asked to come again later. */
  carried: number;
  /** Milliseconds in which requests were under way, all added up. */
  busy: number;
  total: number;
  longest: number;
}

/** What happened in one slot. */
export interface TimelinePoint {
  /** Seconds from the beginning to the start of the slot. */
  readonly second: number;
  /** Share of all answers that carried rows, per second. */
  readonly carriedPerSecond: number;
  /** Requests under way, on average. */
  readonly concurrency: number;
  /** Milliseconds; `null` when no answer came. */
  readonly meanLatency: number | null;
  readonly longestLatency: number | null;
}

/** Answers over time, in so many slots at most: the longer a run, the wider they are. */
export class Timeline {
  private slots: Slot[] = [];
  private width = FIRST_WIDTH;
  private end = 0;
  private carried = 0;

  /** @param start when the run began, in milliseconds since the epoch */
  constructor(
    private readonly start: number,
    private readonly most = SLOTS,
  ) {}

  add({ at, milliseconds, status }: TimedAnswer): void {
    const end = Math.max(0, at - this.start);
    this.end = Math.max(this.end, end);
    while (end >= this.width * this.most) this.widen();
    const slot = this.slot(Math.floor(end / this.width));
    const carried = status < 500 && status !== 429 ? 1 : 0;
    slot.answers++;
    slot.carried += carried;
    slot.total += milliseconds;
    slot.longest = Math.max(slot.longest, milliseconds);
    this.carried += carried;
    this.occupy(Math.max(0, end - milliseconds), end);
  }

  /** One point for each slot. */
  points(): TimelinePoint[] {
    const { width, end, carried } = this;
    const count = this.carried === 0 && this.slots.length === 0 ? 0 : Math.floor(end / width) + 1;
    return Array.from({ length: count }, (_, index) => {
      const slot = this.slot(index);
      // The last slot is seldom a whole one; a sliver of it would say too much.
      const length = Math.max(width / 4, Math.min(width, end - index * width));
      return {
        second: (index * width) / 1000,
        carriedPerSecond: carried === 0 ? 0 : slot.carried / carried / (length / 1000),
        concurrency: slot.busy / length,
        meanLatency: slot.answers === 0 ? null : slot.total / slot.answers,
        longestLatency: slot.answers === 0 ? null : slot.longest,
      };
    });
  }

  private slot(index: number): Slot {
    for (let next = this.slots.length; next <= index; next++)
      this.slots.push({ answers: 0, carried: 0, busy: 0, total: 0, longest: 0 });
    return this.slots[index] ?? { answers: 0, carried: 0, busy: 0, total: 0, longest: 0 };
  }

  private occupy(from: number, to: number): void {
    for (let index = Math.floor(from / this.width); index * this.width < to; index++) {
      const [left, right] = [index * this.width, (index + 1) * this.width];
      this.slot(index).busy += Math.min(to, right) - Math.max(from, left);
    }
  }

  private widen(): void {
    const narrow = this.slots;
    this.slots = [];
    this.width *= 2;
    for (const [index, from] of narrow.entries()) {
      const to = this.slot(index >> 1);
      to.answers += from.answers;
      to.carried += from.carried;
      to.busy += from.busy;
      to.total += from.total;
      to.longest = Math.max(to.longest, from.longest);
    }
  }
}
