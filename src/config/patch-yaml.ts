import { isDeepStrictEqual } from 'node:util';
import {
  parseDocument,
  type Document,
  isCollection,
  isNode,
  isScalar,
  visit,
  type Node,
  isPair,
  type Pair,
  isAlias,
  isMap,
  isSeq,
  type CST,
} from 'yaml';
import { isRecord } from '../core/text.js';
import { quoted, flow, keyText, MAX_ALIASES, type YamlValue } from './document.js';

/** Changes that are made one after the other; an edit of a mapping needs a few. */
const MAX_CHANGES = 2000;

/**
 * Changes a YAML text so that it has another value. Whatever is the same in both stays as it is written: comments,
 * order, quotes, indentation, line ends. References to what changes are written out.
 * @param text YAML without mistakes
 * @returns the text; `null` where a place is written in a way that cannot be changed without writing all of it anew
 */
export function patchYaml(text: string, wanted: unknown): string | null {
  let patched = text;
  for (let turn = 0; turn < MAX_CHANGES; turn++) {
    const document = parseDocument(patched, { keepSourceTokens: true, prettyErrors: false });
    if (document.errors.length > 0) return null;
    const change = firstChange(patched, document, wanted);
    if (change === null) {
      const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
      return isDeepStrictEqual(value, wanted) ? patched : null;
    }
    const { from, to, text: by } = referenceTo(document, change) ?? change;
    const next = patched.slice(0, from) + by + patched.slice(to);
    if (next === patched) return null;
    patched = next;
  }
  return null;
}

/**
 * A reference (`*name`) to something that a change concerns, written out: the change is meant for one place, and the
 * other keeps what it had. `null` where there is none.
 */
function referenceTo(document: Document, { inside, gone }: Change): Splice | null {
  // The nodes with an anchor whose text the change touches.
  const anchored = new Set<Node>();
  const add = (node: unknown): void => {
    if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) anchored.add(node);
  };
  inside.forEach(add);
  for (const node of gone) if (isNode(node)) visit(node, { Node: (_key, one) => add(one) });
  if (anchored.size === 0) return null;
  let found: Splice | null = null;
  visit(document, {
    Alias(_key, alias) {
      const source = alias.resolve(document);
      if (!source || !anchored.has(source)) return undefined;
      found = { from: startOf(alias), to: endOf(alias), text: inFlow(plainOf(document, alias)) };
      return visit.BREAK;
    },
  });
  return found;
}

const placeOf = (item: unknown): { readonly start: number; readonly end: number } =>
  isPair(item)
    ? { start: startOfPair(item), end: endOfPair(item) }
    : { start: startOf(item), end: endOf(item) };

/** Writes an entry into brackets that hold others, at a place among them. */
function addToFlow(node: Node, index: number, entry: string): Splice {
  const items = itemsOf(node).map(placeOf);
  const before = items[index - 1];
  if (before) return { from: before.end, to: before.end, text: `, ${entry}` };
  const start = items[0]?.start ?? 0;
  return { from: start, to: start, text: `${entry}, ` };
}

/** Takes an entry out of brackets that hold others, with one comma; a comment beside it stays. */
function removeFromFlow(text: string, node: Node, index: number): Splice {
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

/** Writes the value of a pair anew. The comment in its line stays, and so do those on lines of their own. */
function replacedValue(text: string, node: Node, pair: Pair, value: unknown): Splice {
  const lines = isFlow(node) ? [] : valueLines(text, pair, value);
  const written = lines.length === 0 ? inFlow(value) : lines.join(lineEndOf(text));
  const colon = colonEnd(pair);
  if (colon === 0) {
    const end = endOf(pair.key);
    return { from: end, to: end, text: `: ${written}` };
  }
  const isBlock = isCollection(pair.value) && pair.value.flow !== true;
  if (isBlock || isEmpty(pair.value) || lines.length > 0)
    return afterMark(text, colon, pair.value, written, lines.length > 0);
  return { from: valueStart(pair), to: textEnd(text, pair.value), text: written };
}

/** The lines of a value that is too long for the line of its key; none where it is not. */
function valueLines(text: string, pair: Pair, value: unknown): string[] {
  const column = columnOf(text, startOfPair(pair));
  const [, ...lines] = pairLines(' '.repeat(endOf(pair.key) - startOf(pair.key)), value, column);
  return lines.map((line) => ' '.repeat(column) + line);
}

/** Writes a value behind the colon of its key or the dash of its entry, where it may begin on the next line. */
function afterMark(
  text: string,
  mark: number,
  old: unknown,
  written: string,
  isBelow: boolean,
): Splice {
  const to = isEmpty(old) ? mark : textEnd(text, old);
  const rest = text.slice(mark, to);
  const end = lineEndOf(text);
  const isBlock = isCollection(old) && old.flow !== true;
  const [beside = '', ...below] = isBlock ? rest.split(/\r?\n/) : [];
  // What begins beside the mark is a value, in which the sign may stand for itself.
  const isBelowMark = startOf(old) > mark + beside.length;
  const comment = isBelowMark && beside.includes('#') ? ` ${beside.trim()}` : '';
  const comments = below.filter((line) => line.trim().startsWith('#')).map((line) => end + line);
  return {
    ...{ from: mark, to },
    text: (isBelow ? comment + end + written : ` ${written}${comment}`) + comments.join(''),
  };
}

/** Where the text of a value ends; that of a text of several lines before its last line end. */
function textEnd(text: string, value: unknown): number {
  const end = endOf(value);
  return text[end - 1] === '\n' ? lineTextEnd(text, end - 1) : end;
}

function replacedPair(text: string, node: Node, pair: Pair, key: string, value: unknown): Splice {
  const { from, to, text: written } = replacedValue(text, node, pair, value);
  const between = text.slice(endOf(pair.key), from);
  return { from: startOf(pair.key), to, text: quoted(key) + between + written };
}

function replacedItem(text: string, node: Node, index: number, value: unknown): Splice {
  const item = itemsOf(node)[index];
  const dash = dashOf(node, index);
  if (dash === undefined) return { from: startOf(item), to: endOf(item), text: inFlow(value) };
  const isBlock = isCollection(item) && item.flow !== true;
  const column = columnOf(text, dash);
  const lines = itemLines(value, column).map((line) => line.slice(2));
  const written = lines.join(`${lineEndOf(text)}${' '.repeat(column + 2)}`);
  if (isBlock || isEmpty(item)) return afterMark(text, dash + 1, item, written, false);
  return { from: startOf(item), to: textEnd(text, item), text: written };
}

/** Writes all of a file that has nothing in it yet, or something else than sections. */
function replacedRoot(text: string, node: Node | null, value: unknown): Splice {
  const end = lineEndOf(text);
  const lines = isRecord(value)
    ? Object.entries(value).flatMap(([key, one]) => pairLines(key, one, 0))
    : [];
  const written = (lines.length === 0 ? [inFlow(value)] : lines).join(end);
  if (node && !isEmpty(node)) return { from: startOf(node), to: endOf(node), text: written };
  const open = text === '' || text.endsWith('\n') ? '' : end;
  return { from: text.length, to: text.length, text: `${open}${written}${end}` };
}

function addPairLines(text: string, node: Node, key: string, value: unknown): Splice {
  const pairs = pairsOf(node);
  const [first, last] = [pairs[0], pairs.at(-1)];
  const column = first ? columnOf(text, startOfPair(first)) : 0;
  const at = last ? nextLine(text, endOfPair(last)) : 0;
  return newLines(text, at, column, pairLines(key, value, column));
}

function addItemLine(text: string, node: Node, index: number, value: unknown): Splice {
  const first = dashOf(node, 0) ?? 0;
  const column = columnOf(text, first);
  const lines = itemLines(value, column);
  if (index > 0) return newLines(text, nextLine(text, endOfItem(node, index - 1)), column, lines);
  if (isFirstOfLine(text, first)) return newLines(text, lineStart(text, first), column, lines);
  // The dash of an outer list stands before it: the new entry takes its place, and it goes to a line of its own.
  const below = lineEndOf(text) + ' '.repeat(column);
  return { from: first, to: first, text: lines.map((line) => line + below).join('') };
}

function itemLines(value: unknown, column: number): string[] {
  const short = inFlow(value);
  if (!isRecord(value) || !isWide(column + DASH + short.length)) return [`- ${short}`];
  return Object.entries(value)
    .flatMap(([key, one]) => pairLines(key, one, column + DASH))
    .map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
}

const DASH = 2;

function newLines(text: string, at: number, column: number, lines: readonly string[]): Splice {
  const end = lineEndOf(text);
  const isOpen = at > 0 && text[at - 1] !== '\n';
  const block = lines.map((line) => ' '.repeat(column) + line + end).join('');
  return { from: at, to: at, text: isOpen ? end + block : block };
}

/** Takes a pair out of a section that has others, with the comment in its line. */
function removePairLines(text: string, node: Node, pair: Pair): Splice {
  const pairs = pairsOf(node);
  const next = pairs[pairs.indexOf(pair) + 1];
  return removed(text, startOfPair(pair), endOfPair(pair), next && startOfPair(next));
}

/** Takes an entry out of a list that has others, with the comment in its last line. */
function removeItemLines(text: string, node: Node, index: number): Splice {
  const next = index + 1 < itemsOf(node).length ? dashOf(node, index + 1) : undefined;
  return removed(text, dashOf(node, index) ?? 0, endOfItem(node, index), next);
}

function removed(text: string, start: number, end: number, next: number | undefined): Splice {
  if (isFirstOfLine(text, start))
    return { from: lineStart(text, start), to: nextLine(text, end), text: '' };
  // The dash of a list stands before it: what follows takes its place, unless a comment is between them.
  const after = nextLine(text, end);
  const isNear = next !== undefined && text.slice(after, next).trim() === '';
  const to = text[end - 1] === '\n' ? end - lineEndOf(text).length : lineTextEnd(text, end);
  return { from: start, to: isNear ? next : to, text: '' };
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const lineEndOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n');

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** The place behind the line end of the line, or the end of the text. */
function nextLine(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n' && at <= text.length) return at;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** Where the text of the line ends, without its line end. */
function lineTextEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  const last = end < 0 ? text.length : end;
  return text[last - 1] === '\r' && last > at ? last - 1 : last;
}

const columnOf = (text: string, at: number): number => at - lineStart(text, at);

/** Whether nothing but white space is before a place in its line. */
const isFirstOfLine = (text: string, at: number): boolean =>
  text.slice(lineStart(text, at), at).trim() === '';

/** One step from what a document says to what it is to say. */
interface Change extends Splice {
  /** The collections that it is in, the outermost first. */
  readonly inside: readonly Node[];
  /** Nodes that go with it. */
  readonly gone: readonly unknown[];
}

/** The first thing to change for the document to have this value; `null` where it has it. */
function firstChange(text: string, document: Document, wanted: unknown): Change | null {
  const { contents } = document;
  if (contents !== null && isNodeWith(contents, wanted))
    return changeIn(text, document, [contents], contents, wanted);
  if (isDeepStrictEqual(plainOf(document, contents), wanted)) return null;
  return { ...replacedRoot(text, contents, wanted), inside: [], gone: [contents] };
}

/** Whether a collection can be changed into the value, in place of being written anew. */
function isNodeWith(node: unknown, wanted: unknown): node is Node {
  if (isAlias(node)) return false;
  if (isMap(node))
    return isRecord(wanted) && Object.keys(wanted).length > 0 && node.items.length > 0;
  return isSeq(node) && Array.isArray(wanted) && wanted.length > 0 && node.items.length > 0;
}

/** @param inside the collection, behind those that it is in */
function changeIn(
  text: string,
  document: Document,
  inside: readonly Node[],
  node: Node,
  wanted: unknown,
): Change | null {
  // What stands at one place of the collection, and what is wanted there.
  const changeAt = (
    value: unknown,
    one: unknown,
    written: (value: unknown) => Splice,
  ): Change | null => {
    if (isDeepStrictEqual(plainOf(document, value), one)) return null;
    const inner = isNodeWith(value, one)
      ? changeIn(text, document, [...inside, value], value, one)
      : null;
    return inner ?? { ...written(one), inside, gone: [value] };
  };
  if (isMap(node) && isRecord(wanted)) {
    const pairs = pairsOf(node);
    for (const pair of pairs) {
      const key = keyText(pair.key);
      if (!Object.hasOwn(wanted, key)) continue;
      const found = changeAt(pair.value, wanted[key], (one) =>
        replacedValue(text, node, pair, one),
      );
      if (found) return found;
    }
    const removed = pairs.find(({ key }) => !Object.hasOwn(wanted, keyText(key)));
    const known = new Set(pairs.map(({ key }) => keyText(key)));
    const added = Object.keys(wanted).find((key) => !known.has(key));
    const gone = removed ? [removed.key, removed.value] : [];
    const splice = changedPairs(text, node, removed, added, wanted);
    return splice && { ...splice, inside, gone };
  }
  if (!isSeq(node) || !Array.isArray(wanted)) return null;
  const values = node.items.map((item) => plainOf(document, item));
  const min = Math.min(values.length, wanted.length);
  let start = 0;
  while (start < min && isDeepStrictEqual(values[start], wanted[start])) start++;
  if (values.length === wanted.length)
    return start === values.length
      ? null
      : changeAt(node.items[start], wanted[start], (one) => replacedItem(text, node, start, one));
  if (values.length < wanted.length) {
    const splice = isFlow(node)
      ? addToFlow(node, start, inFlow(wanted[start]))
      : addItemLine(text, node, start, wanted[start]);
    return { ...splice, inside, gone: [] };
  }
  const other = values.findIndex(
    (value, index) => index >= start && !wanted.some((one) => isDeepStrictEqual(one, value)),
  );
  const index = other < 0 ? start : other;
  const splice = isFlow(node)
    ? removeFromFlow(text, node, index)
    : removeItemLines(text, node, index);
  return { ...splice, inside, gone: [node.items[index]] };
}

/** A key that takes the place of another one, comes anew or goes. */
function changedPairs(
  text: string,
  node: Node,
  removed: Pair | undefined,
  added: string | undefined,
  wanted: Readonly<Record<string, unknown>>,
): Splice | null {
  if (added === undefined) {
    if (!removed) return null;
    return isFlow(node)
      ? removeFromFlow(text, node, itemsOf(node).indexOf(removed))
      : removePairLines(text, node, removed);
  }
  const value = wanted[added];
  if (removed) return replacedPair(text, node, removed, added, value);
  return isFlow(node)
    ? addToFlow(node, itemsOf(node).length, pairInFlow(added, value))
    : addPairLines(text, node, added, value);
}

/** Longest line before a value is written over several. */
const WIDE = 110;

const inFlow = (value: unknown): string => flow(asYaml(value));

const pairInFlow = (key: string, value: unknown): string => `${quoted(key)}: ${inFlow(value)}`;

const INDENT = 2;

/** `key: value` whose first line begins at a column: over several lines where one would be long. */
function pairLines(key: string, value: unknown, column: number): string[] {
  const short = pairInFlow(key, value);
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length === 0 || !isWide(column + short.length)) return [short];
  const inner = entries.flatMap(([name, one]) => pairLines(name, one, column + INDENT));
  return [`${quoted(key)}:`, ...inner.map((line) => ' '.repeat(INDENT) + line)];
}

const isWide = (length: number): boolean => length > WIDE;

/** What YAML can hold; nothing else comes out of a document. */
function asYaml(value: unknown): YamlValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (Array.isArray(value)) return value.map(asYaml);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asYaml(one)]))
    : null;
}

const itemsOf = (node: Node): readonly unknown[] => (isCollection(node) ? node.items : []);

const pairsOf = (node: Node): Pair[] => itemsOf(node).filter((item) => isPair(item));

/** A part of a document as plain data. @throws ReferenceError where a reference leads nowhere, or too far */
function plainOf(document: Document, value: unknown): unknown {
  return isNode(value) ? value.toJS(document, { maxAliasCount: MAX_ALIASES }) : value;
}

const isFlow = (node: Node): boolean => isCollection(node) && node.flow === true;

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

/** Where the text of a node ends, without the comments and blank lines that follow it. */
function endOf(node: unknown): number {
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    if (isPair(last)) return endOfPair(last);
    if (last !== undefined && isSeq(node)) return endOfItem(node, node.items.length - 1);
  }
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

function endOfPair(pair: Pair): number {
  return Math.max(endOf(pair.key), colonEnd(pair), isEmpty(pair.value) ? 0 : endOf(pair.value));
}

function endOfItem(list: Node, index: number): number {
  if (!isSeq(list)) return 0;
  const item: unknown = list.items[index];
  const dash = dashOf(list, index);
  return Math.max(dash === undefined ? 0 : dash + 1, isEmpty(item) ? 0 : endOf(item));
}

/** A value that is not written at all: its place says nothing. */
function isEmpty(value: unknown): boolean {
  return value === null || (isScalar(value) && value.range?.[0] === value.range?.[1]);
}

/** What the parser made the pair of; `keepSourceTokens` keeps it. */
function tokensOf({ srcToken }: Pair): readonly CST.SourceToken[] {
  return srcToken && 'sep' in srcToken ? (srcToken.sep ?? []) : [];
}

/** The place behind the colon of a pair; 0 where it has none. */
function colonEnd(pair: Pair): number {
  const colon = tokensOf(pair).find(({ type }) => type === 'map-value-ind');
  return colon ? colon.offset + 1 : 0;
}

/** Where a value begins, its tag included. */
function valueStart(pair: Pair): number {
  const tag = tokensOf(pair).find(({ type }) => type === 'tag' || type === 'anchor');
  return tag ? tag.offset : startOf(pair.value);
}

function startOfPair({ key, srcToken }: Pair): number {
  const mark = srcToken?.start.find(({ type }) => type === 'explicit-key-ind');
  return mark ? mark.offset : startOf(key);
}

/** The place of the dash of an item of a list without brackets. */
function dashOf(list: Node, index: number): number | undefined {
  const token = list.srcToken;
  if (token?.type !== 'block-seq') return undefined;
  return token.items[index]?.start.find(({ type }) => type === 'seq-item-ind')?.offset;
}
