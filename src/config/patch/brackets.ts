import { isPair, type Node } from 'yaml';
import type { Splice } from './lines.js';
import { endOf, endOfPair, itemsOf, startOf, startOfPair } from './nodes.js';

const placeOf = (item: unknown): { readonly start: number; readonly end: number } =>
  isPair(item)
    ? { start: startOfPair(item), end: endOfPair(item) }
    : { start: startOf(item), end: endOf(item) };

/** Writes an entry into brackets that hold others, at a place among them. */
export function addToFlow(node: Node, index: number, entry: string): Splice {
  const items = itemsOf(node).map(placeOf);
  const before = items[index - 1];
  if (before) return { from: before.end, to: before.end, text: `, ${entry}` };
  const start = items[0]?.start ?? 0;
  return { from: start, to: start, text: `${entry}, ` };
}

/** Takes an entry out of brackets that hold others, with one comma; a comment beside it stays. */
export function removeFromFlow(text: string, node: Node, index: number): Splice {
  const items = itemsOf(node).map(placeOf);
  const [before, own, after] = [items[index - 1], items[index], items[index + 1]];
  if (!own) throw new RangeError(`no entry ${index}`);
  const isNoted = (from: number, to: number): boolean => text.slice(from, to).includes('#');
  if (after) {
    const comma = text.indexOf(',', own.end) + 1;
    return { from: own.start, to: isNoted(own.end, after.start) ? comma : after.start, text: '' };
  }
  if (!before || isNoted(before.end, own.start)) return { from: own.start, to: own.end, text: '' };
  return { from: before.end, to: own.end, text: '' };
}
