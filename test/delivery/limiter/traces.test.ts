import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { afterOtherSize, decide, initialConcurrency } from '../../../src/delivery/limiter.js';
import type { Epoch } from '../../../src/delivery/limiter.js';

/** An epoch of a real import, with what was decided; or that requests had another size from then on. */
type Recorded = (Epoch & { readonly decided: number }) | { readonly otherSize: true };

const trace = (name: string): Recorded[] =>
  JSON.parse(readFileSync(new URL(`./traces/${name}.json`, import.meta.url), 'utf8')) as Recorded[];

/** What the decisions come to over a recorded trace, as long as they agree with it. */
function replay(recorded: readonly Recorded[]): { decided: number[]; recorded: number[] } {
  let state = initialConcurrency(32);
  const decided: number[] = [];
  for (const one of recorded) {
    if ('otherSize' in one) state = afterOtherSize(state);
    else {
      state = decide(state, one).state;
      decided.push(state.concurrency);
    }
  }
  return { decided, recorded: recorded.flatMap((one) => ('decided' in one ? [one.decided] : [])) };
}

/** Imports of 200,000 rows into the bench's server with limits: a queue, overload, refusals by chance. */
it.each(['queue', 'overload', 'refusals'])(
  'the trace of an import (%s) leads to the same decisions, which end near 8 in flight',
  (name) => {
    const { decided, recorded } = replay(trace(name));
    expect(decided).toEqual(recorded);
    expect(decided.length).toBeGreaterThan(15);
    const late = decided.slice(-10);
    const mean = late.reduce((sum, one) => sum + one, 0) / late.length;
    expect(mean).toBeGreaterThan(6.5);
    expect(mean).toBeLessThan(11);
  },
);
