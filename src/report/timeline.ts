import { isServerError, meaningOf } from '../core/errors.js';

/** Slots of a timeline at most: as many points as a chart shows well. */
const MAX_SLOTS = 240;
/** Width of a slot at the start, in milliseconds. */
const FIRST_WIDTH = 100;

/** An answer of the contact center. */
interface TimedAnswer {
  /** Time of the answer, in milliseconds since the epoch. */
  readonly at: number;
  /** From the request to the end of the answer. */
  readonly milliseconds: number;
  /** HTTP status. */
  readonly status: number;
}

/** Several answers that were logged as sums: `at` is the time of the last one, `milliseconds` the sum of their times. */
interface TimedAnswers extends TimedAnswer {
  readonly answers: number;
  readonly longest: number;
  /** Milliseconds from the first answer to the last. */
  readonly within: number;
}

/** A change of the permitted number of requests in flight, and of their size. */
interface LimitChange {
  /** Seconds from the beginning. */
  readonly second: number;
  readonly concurrency: number;
  readonly batchSize: number;
  readonly reason: string;
}

/** What is known of a run over time. */
export interface RunTimeline {
  readonly points: readonly TimelinePoint[];
  /** The first changes; `left`: how many more there were. */
  readonly changes: readonly LimitChange[];
  readonly left: number;
}

/** Changes that are kept; further ones are counted. */
const MAX_CHANGES = 500;

interface Slot {
  answers: number;
  /** Answers that completed rows: not server errors, nor requests to retry later. */
  completed: number;
  /** Milliseconds of all requests in flight, added up. */
  busy: number;
  total: number;
  longest: number;
}

/** What happened in one slot. */
export interface TimelinePoint {
  /** Seconds from the beginning to the start of the slot. */
  readonly second: number;
  /** Share of all rows that were completed in the slot, per second. */
  readonly completedPerSecond: number;
  /** Requests in flight, on average. */
  readonly concurrency: number;
  /** Milliseconds; `null` when no answer came. */
  readonly meanLatency: number | null;
  readonly longestLatency: number | null;
}

/** Answers over time in a limited number of slots: the longer the run, the wider they are. */
export class Timeline {
  private slots: Slot[] = [];
  private width = FIRST_WIDTH;
  private end = 0;
  private completed = 0;
  private readonly changes: LimitChange[] = [];
  private left = 0;

  /** @param start when the run began, in milliseconds since the epoch */
  constructor(
    private readonly start: number,
    private readonly maxSlots = MAX_SLOTS,
  ) {}

  add({ at, milliseconds, status }: TimedAnswer): void {
    const end = Math.max(0, at - this.start);
    this.end = Math.max(this.end, end);
    while (end >= this.width * this.maxSlots) this.widen();
    const slot = this.slot(Math.floor(end / this.width));
    const completed = isServerError(status) || meaningOf(status) === 'busy' ? 0 : 1;
    slot.answers++;
    slot.completed += completed;
    slot.total += milliseconds;
    slot.longest = Math.max(slot.longest, milliseconds);
    this.completed += completed;
    this.addBusyTime(Math.max(0, end - milliseconds), end);
  }

  /** Adds answers of which only sums are known, spread evenly, with one of them the longest. */
  addSeveral({ at, answers, milliseconds, longest, within, status }: TimedAnswers): void {
    const others = answers > 1 ? (milliseconds - longest) / (answers - 1) : longest;
    for (let index = 0; index < answers; index++) {
      const share = answers > 1 ? index / (answers - 1) : 1;
      const time = index === answers - 1 ? longest : others;
      this.add({ at: at - within * (1 - share), milliseconds: time, status });
    }
  }

  /** Adds a change of the limits. */
  addChange({ at, ...change }: Omit<LimitChange, 'second'> & { readonly at: number }): void {
    if (this.changes.length === MAX_CHANGES) this.left++;
    else this.changes.push({ ...change, second: Math.max(0, at - this.start) / 1000 });
  }

  result(): RunTimeline {
    return { points: this.points(), changes: this.changes, left: this.left };
  }

  /** One point for each slot. */
  points(): TimelinePoint[] {
    const { width, end, completed } = this;
    const count = this.completed === 0 && this.slots.length === 0 ? 0 : Math.floor(end / width) + 1;
    return Array.from({ length: count }, (_, index) => {
      const slot = this.slot(index);
      // The last slot is rarely full; a tiny part of it would show a rate that is far off.
      const length = Math.max(width / 4, Math.min(width, end - index * width));
      return {
        second: (index * width) / 1000,
        completedPerSecond: completed === 0 ? 0 : slot.completed / completed / (length / 1000),
        concurrency: slot.busy / length,
        meanLatency: slot.answers === 0 ? null : slot.total / slot.answers,
        longestLatency: slot.answers === 0 ? null : slot.longest,
      };
    });
  }

  private slot(index: number): Slot {
    for (let next = this.slots.length; next <= index; next++)
      this.slots.push({ answers: 0, completed: 0, busy: 0, total: 0, longest: 0 });
    return this.slots[index] ?? { answers: 0, completed: 0, busy: 0, total: 0, longest: 0 };
  }

  private addBusyTime(from: number, to: number): void {
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
      to.completed += from.completed;
      to.busy += from.busy;
      to.total += from.total;
      to.longest = Math.max(to.longest, from.longest);
    }
  }
}
