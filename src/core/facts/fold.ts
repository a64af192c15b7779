import { applyFact } from './apply-fact.js';
import type { Fact, ReadFact } from './facts.js';
import { type RowState, initialState } from './row-state.js';

/** What a chunk's facts, in the order of recording, say of each of its rows. */
export function foldChunk(facts: readonly Fact[]): { read: ReadFact; states: RowState[] } | null {
  let read: ReadFact | null = null;
  let states: RowState[] = [];
  for (const fact of facts) {
    if (fact.kind === 'read') {
      read = readFactOf(fact.data);
      states = read.rows.map(initialState);
    } else {
      applyFact(states, fact);
    }
  }
  return read && { read, states };
}

/** Parses the text of a `read` fact. It was written by us: its shape is not checked again. */
export function readFactOf(data: string | Uint8Array): ReadFact {
  return JSON.parse(textOf(data)) as ReadFact;
}

/** The text of a `read` fact. */
export function textOf(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString();
}
