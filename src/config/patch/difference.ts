import { isAlias, isMap, isSeq, type Document, type Node, type Pair } from 'yaml';
import { isDeepStrictEqual } from 'node:util';
import { entryOf, keyText, pairsOf, plainOf } from './nodes.js';
import { isRecord } from './write.js';

/** A collection of the document, with those that it is in, the outermost first. */
export interface Inside {
  readonly node: Node;
  readonly above: readonly Node[];
}

/** One step from what a document says to what it is to say. */
export type Change =
  | { readonly kind: 'replaceRoot'; readonly node: Node | null; readonly value: unknown }
  | {
      readonly kind: 'replaceValue';
      readonly inside: Inside;
      readonly at: Pair | number;
      /** What stands there now. */
      readonly node: unknown;
      readonly value: unknown;
    }
  | {
      readonly kind: 'replacePair';
      readonly inside: Inside;
      readonly pair: Pair;
      readonly key: string;
      readonly value: unknown;
    }
  | {
      readonly kind: 'addPair';
      readonly inside: Inside;
      readonly key: string;
      readonly value: unknown;
    }
  | { readonly kind: 'removePair'; readonly inside: Inside; readonly pair: Pair }
  | {
      readonly kind: 'addItem';
      readonly inside: Inside;
      readonly index: number;
      readonly value: unknown;
    }
  | {
      readonly kind: 'removeItem';
      readonly inside: Inside;
      readonly index: number;
      readonly node: unknown;
    };

/** The first thing to change for the document to have this value; `null` where it has it. */
export function firstDifference(document: Document, wanted: unknown): Change | null {
  const { contents } = document;
  if (contents === null || !isNodeWith(contents, wanted))
    return isDeepStrictEqual(plainOf(document, contents), wanted)
      ? null
      : { kind: 'replaceRoot', node: contents, value: wanted };
  return differenceIn(document, { node: contents, above: [] }, wanted);
}

/** Whether a collection can be changed into the value, in place of being written anew. */
function isNodeWith(node: unknown, wanted: unknown): node is Node {
  if (isAlias(node)) return false;
  if (isMap(node))
    return isRecord(wanted) && Object.keys(wanted).length > 0 && node.items.length > 0;
  return isSeq(node) && Array.isArray(wanted) && wanted.length > 0 && node.items.length > 0;
}

function differenceIn(document: Document, inside: Inside, wanted: unknown): Change | null {
  const { node } = inside;
  if (isMap(node) && isRecord(wanted)) return differenceInMap(document, inside, wanted);
  if (isSeq(node) && Array.isArray(wanted))
    return differenceInList(document, inside, node.items, wanted);
  return null;
}

function differenceInMap(
  document: Document,
  inside: Inside,
  wanted: Readonly<Record<string, unknown>>,
): Change | null {
  const pairs = pairsOf(inside.node);
  for (const pair of pairs) {
    const key = keyText(pair.key);
    if (!Object.hasOwn(wanted, key)) continue;
    const found = differenceAt(document, inside, pair, pair.value, wanted[key]);
    if (found) return found;
  }
  const removed = pairs.find(({ key }) => !Object.hasOwn(wanted, keyText(key)));
  const known = new Set(pairs.map(({ key }) => keyText(key)));
  const added = Object.keys(wanted).find((key) => !known.has(key));
  if (added !== undefined && removed)
    return { kind: 'replacePair', inside, pair: removed, key: added, value: wanted[added] };
  if (added !== undefined) return { kind: 'addPair', inside, key: added, value: wanted[added] };
  return removed ? { kind: 'removePair', inside, pair: removed } : null;
}

function differenceInList(
  document: Document,
  inside: Inside,
  items: readonly unknown[],
  wanted: readonly unknown[],
): Change | null {
  const values = items.map((item) => plainOf(document, item));
  const isSame = (index: number, other: number): boolean =>
    isDeepStrictEqual(values[index], wanted[other]);
  let start = 0;
  while (start < values.length && start < wanted.length && isSame(start, start)) start++;
  if (start === values.length && start === wanted.length) return null;
  if (values.length === wanted.length)
    return differenceAt(document, inside, start, items[start], wanted[start]);
  if (values.length < wanted.length)
    return { kind: 'addItem', inside, index: start, value: wanted[start] };
  const gone = values.findIndex(
    (value, index) => index >= start && !wanted.some((one) => isDeepStrictEqual(one, value)),
  );
  const index = gone < 0 ? start : gone;
  return { kind: 'removeItem', inside, index, node: items[index] };
}

function differenceAt(
  document: Document,
  inside: Inside,
  at: Pair | number,
  value: unknown,
  wanted: unknown,
): Change | null {
  if (isDeepStrictEqual(plainOf(document, value), wanted)) return null;
  const node = entryOf(value);
  if (node && isNodeWith(node, wanted)) {
    const found = differenceIn(document, { node, above: [...inside.above, inside.node] }, wanted);
    if (found) return found;
  }
  return { kind: 'replaceValue', inside, at, node: value, value: wanted };
}
