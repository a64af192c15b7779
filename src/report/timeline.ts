import { isServerError, meaningOf } from '../core/http-status.js';

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

/** Answers that came together. */
export interface TimedAnswers {
  /** When the last of them was there, in milliseconds since the epoch. */
  readonly at: number;
  readonly answers: number;
  /** Of all together. */
  readonly milliseconds: number;
  readonly longest: number;
  /** Milliseconds from the first to the last. */
  readonly within: number;
  /** HTTP status. */
  readonly status: number;
}

/** A change of how many requests may be under way, and of their size. */
export interface LimitChange {
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

/** Changes that are told one by one. */
const CHANGES = 500;

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
  private readonly changes: LimitChange[] = [];
  private left = 0;

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
    const carried = isServerError(status) || meaningOf(status) === 'busy' ? 0 : 1;
    slot.answers++;
    slot.carried += carried;
    slot.total += milliseconds;
    slot.longest = Math.max(slot.longest, milliseconds);
    this.carried += carried;
    this.occupy(Math.max(0, end - milliseconds), end);
  }

  /** Adds answers of which only the sums are known: as if they had come evenly, one of them the longest. */
  addSeveral({ at, answers, milliseconds, longest, within, status }: TimedAnswers): void {
    const others = answers > 1 ? (milliseconds - longest) / (answers - 1) : longest;
    for (let index = 0; index < answers; index++) {
      const share = answers > 1 ? index / (answers - 1) : 1;
      const time = index === answers - 1 ? longest : others;
      this.add({ at: at - within * (1 - share), milliseconds: time, status });
    }
  }

  /** Notes a change of the limits in force. */
  permit({ at, ...change }: Omit<LimitChange, 'second'> & { readonly at: number }): void {
    if (this.changes.length === CHANGES) this.left++;
    else this.changes.push({ ...change, second: Math.max(0, at - this.start) / 1000 });
  }

  told(): RunTimeline {
    return { points: this.points(), changes: this.changes, left: this.left };
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
