import {
  isAlias,
  isMap,
  isSeq,
  type Document,
  type Node,
  type Pair,
  isCollection,
  isNode,
  isPair,
  isScalar,
  type CST,
} from 'yaml';
import { isDeepStrictEqual } from 'node:util';
import { flow, quoted, type YamlValue } from './yaml-text.js';

/** A collection of the document, with those that it is in, the outermost first. */
interface Inside {
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

/** Longest line before a value is written over several. */
const WIDE = 110;

/** A value in one line. */
export const inFlow = (value: unknown): string => flow(asYaml(value));

/** `key: value` in one line. */
export const pairInFlow = (key: string, value: unknown): string =>
  `${quoted(key)}: ${inFlow(value)}`;

const INDENT = 2;

/** `key: value` whose first line begins at a column: over several lines where one would be long. */
export function pairLines(key: string, value: unknown, column: number): string[] {
  const short = pairInFlow(key, value);
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length === 0 || !isWide(column + short.length)) return [short];
  const inner = entries.flatMap(([name, one]) => pairLines(name, one, column + INDENT));
  return [`${quoted(key)}:`, ...inner.map((line) => ' '.repeat(INDENT) + line)];
}

/** Whether a line of this length is too long to be read. */
export const isWide = (length: number): boolean => length > WIDE;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What YAML can hold; nothing else comes out of a document. */
function asYaml(value: unknown): YamlValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (Array.isArray(value)) return value.map(asYaml);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asYaml(one)]))
    : null;
}

/** Aliases that may be followed in all, so that a few lines cannot unfold into gigabytes. */
const MAX_ALIASES = 100;

/** The text of a key, as plain values have it. */
function keyText(key: unknown): string {
  if (isScalar(key) && key.value === null) return '';
  return String(isScalar(key) ? key.value : key);
}

/** Pairs of a map, or entries of a list. */
export const itemsOf = (node: Node): readonly unknown[] => (isCollection(node) ? node.items : []);

export const pairsOf = (node: Node): Pair[] => itemsOf(node).filter((item) => isPair(item));

const entryOf = (value: unknown): Node | null => (isNode(value) ? value : null);

/** A part of a document as plain data. @throws ReferenceError where a reference leads nowhere, or too far */
export function plainOf(document: Document, value: unknown): unknown {
  return isNode(value) ? value.toJS(document, { maxAliasCount: MAX_ALIASES }) : value;
}

/** Whether a collection is written in brackets. */
export const isFlow = (node: Node): boolean => isCollection(node) && node.flow === true;

export const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

/** Where the text of a node ends, without the comments and blank lines that follow it. */
export function endOf(node: unknown): number {
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    if (isPair(last)) return endOfPair(last);
    if (last !== undefined && isSeq(node)) return endOfItem(node, node.items.length - 1);
  }
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

export function endOfPair(pair: Pair): number {
  return Math.max(endOf(pair.key), colonEnd(pair), isEmpty(pair.value) ? 0 : endOf(pair.value));
}

export function endOfItem(list: Node, index: number): number {
  if (!isSeq(list)) return 0;
  const item: unknown = list.items[index];
  const dash = dashOf(list, index);
  return Math.max(dash === undefined ? 0 : dash + 1, isEmpty(item) ? 0 : endOf(item));
}

/** A value that is not written at all: its place says nothing. */
export function isEmpty(value: unknown): boolean {
  return value === null || (isScalar(value) && value.range?.[0] === value.range?.[1]);
}

/** What the parser made the pair of; `keepSourceTokens` keeps it. */
function tokensOf({ srcToken }: Pair): readonly CST.SourceToken[] {
  return srcToken && 'sep' in srcToken ? (srcToken.sep ?? []) : [];
}

/** The place behind the colon of a pair; 0 where it has none. */
export function colonEnd(pair: Pair): number {
  const colon = tokensOf(pair).find(({ type }) => type === 'map-value-ind');
  return colon ? colon.offset + 1 : 0;
}

/** Where a value begins, its tag included. */
export function valueStart(pair: Pair): number {
  const tag = tokensOf(pair).find(({ type }) => type === 'tag' || type === 'anchor');
  return tag ? tag.offset : startOf(pair.value);
}

/** Where a pair begins. */
export function startOfPair({ key, srcToken }: Pair): number {
  const mark = srcToken?.start.find(({ type }) => type === 'explicit-key-ind');
  return mark ? mark.offset : startOf(key);
}

/** The place of the dash of an item of a list without brackets. */
export function dashOf(list: Node, index: number): number | undefined {
  const token = list.srcToken;
  if (token?.type !== 'block-seq') return undefined;
  return token.items[index]?.start.find(({ type }) => type === 'seq-item-ind')?.offset;
}
