import { KEY_WORDS, type PreparedChunk } from '../core/client/prepared.js';
import type { DuplicateRule } from '../core/duplicates/duplicate-rule.js';
import type { Problem } from '../core/problem.js';
import { DUPLICATE } from '../core/duplicates/repeated.js';
import type { SeenAt, SeenKeys } from '../core/duplicates/seen.js';

/** What the screen lets pass, and what it holds back. */
export interface Screened {
  /** Indexes of the clients that go on. */
  readonly passed: readonly number[];
  /** Rows that repeat an earlier one: their position in the chunk, and why. */
  readonly duplicates: readonly (readonly [at: number, why: Problem])[];
}

/**
 * The first client with a key passes, later ones are held back. A client that is held back leaves no keys: its other
 * phones are not in the contact center.
 */
export function screenChunk(
  chunk: PreparedChunk,
  rule: DuplicateRule,
  inputs: readonly string[],
  seen: SeenKeys,
): Screened {
  const { clients, input } = chunk;
  if (rule === 'none') return { passed: [...clients.at.keys()], duplicates: [] };
  const passed: number[] = [];
  const duplicates: [number, Problem][] = [];
  let to = 0;
  for (let index = 0; index < clients.at.length; index++) {
    const at = clients.at[index] ?? 0;
    const from = to;
    to = clients.keyEnds[index] ?? 0;
    const first = firstSeen(clients.keys, from, to, seen);
    if (first) duplicates.push([at, duplicateOf(first, input, rule, inputs)]);
    else {
      for (let key = from; key < to; key++)
        // Of several keys, two may be the same.
        if (key === from || !seen.find(clients.keys, key * KEY_WORDS))
          seen.add(clients.keys, key * KEY_WORDS, input, clients.rows[index] ?? 0);
      passed.push(index);
    }
  }
  return { passed, duplicates };
}

function firstSeen(keys: Uint32Array, from: number, to: number, seen: SeenKeys): SeenAt | null {
  for (let key = from; key < to; key++) {
    const found = seen.find(keys, key * KEY_WORDS);
    if (found) return found;
  }
  return null;
}

function duplicateOf(
  first: SeenAt,
  input: number,
  rule: DuplicateRule,
  inputs: readonly string[],
): Problem {
  const what = rule === 'phone' ? 'a phone' : 'the synchronization identifiers';
  const where = first.input === input ? '' : ` of ${inputs[first.input] ?? 'an earlier file'}`;
  return {
    column: null,
    code: rule === 'phone' ? 'duplicate_phone' : DUPLICATE,
    message: `The row has ${what} of row ${first.row}${where}, which goes in its place.`,
    value: null,
  };
}
