import { randomFrom } from '../kit/random.js';
import { type Timeline, createTimeline } from './timeline.js';

/** What every simulation has: its time, its luck, and what was seen of it. */
export interface Common {
  readonly timeline: Timeline;
  readonly random: () => number;
  /** What must not have been. */
  readonly violations: string[];
  readonly violated: (what: string) => void;
  readonly counts: Counts;
}

/** How often what happened. */
export class Counts extends Map<string, number> {
  /** `expected`: what is to happen in some story at least. */
  constructor(expected: readonly string[] = []) {
    super(expected.map((what) => [what, 0]));
  }
  add(what: string, times = 1): void {
    this.set(what, this.of(what) + times);
  }
  of(what: string): number {
    return this.get(what) ?? 0;
  }
  addAll(counts: ReadonlyMap<string, number>): void {
    for (const [what, times] of counts) this.add(what, times);
  }
}

/** What a story came to. */
export interface Tale {
  readonly counts: Counts;
}

export function createCommon(seed: number, expected: readonly string[] = []): Common {
  const violations: string[] = [];
  return {
    ...{ timeline: createTimeline(), random: randomFrom(seed), counts: new Counts(expected) },
    ...{ violations, violated: (what) => void violations.push(what) },
  };
}

/** @throws Error that names what must not have been */
export function throwIfWrong({ violations }: Common): void {
  if (violations.length > 0) throw new Error(violations.slice(0, 5).join('\n'));
}

/** Midnight of some day: virtual time begins here. */
const EPOCH = Date.UTC(2026, 10, 20);

/** What asks for the date meanwhile is told the virtual one. */
export async function onVirtualDates<T>({ timeline }: Common, live: () => Promise<T>): Promise<T> {
  const realNow = Date.now;
  Date.now = () => EPOCH + Math.floor(timeline.now());
  try {
    return await live();
  } finally {
    Date.now = realNow;
  }
}
