import {
  isCollection,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type CST,
  type Document,
  type Node,
  type Pair,
} from 'yaml';

/** Aliases that may be followed in all, so that a few lines cannot unfold into gigabytes. */
const MAX_ALIASES = 100;

/** The text of a key, as plain values have it. */
export function keyText(key: unknown): string {
  if (isScalar(key) && key.value === null) return '';
  return String(isScalar(key) ? key.value : key);
}

/** Pairs of a map, or entries of a list. */
export const itemsOf = (node: Node): readonly unknown[] => (isCollection(node) ? node.items : []);

export const pairsOf = (node: Node): Pair[] => itemsOf(node).filter((item) => isPair(item));

export const entryOf = (value: unknown): Node | null => (isNode(value) ? value : null);

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
