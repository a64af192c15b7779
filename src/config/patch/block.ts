import type { Node, Pair } from 'yaml';
import {
  columnOf,
  isFirstOfLine,
  lineEndOf,
  lineStart,
  lineTextEnd,
  nextLine,
  type Splice,
} from './lines.js';
import { dashOf, endOfItem, endOfPair, itemsOf, pairsOf, startOfPair } from './nodes.js';
import { inFlow, isRecord, isWide, pairLines } from './write.js';

interface NewPair {
  readonly key: string;
  readonly value: unknown;
}

/** Writes a pair below the last one of its section. */
export function addPairLines(text: string, node: Node, { key, value }: NewPair): Splice {
  const pairs = pairsOf(node);
  const [first, last] = [pairs[0], pairs.at(-1)];
  const column = first ? columnOf(text, startOfPair(first)) : 0;
  return newLines(text, last ? nextLine(text, endOfPair(last)) : 0, column, [
    ...pairLines(key, value, column),
  ]);
}

/** Writes an entry into a list, below the one before it. */
export function addItemLine(
  text: string,
  node: Node,
  { index, value }: { readonly index: number; readonly value: unknown },
): Splice {
  const first = dashOf(node, 0) ?? 0;
  const column = columnOf(text, first);
  const lines = itemLines(value, column);
  if (index > 0) return newLines(text, nextLine(text, endOfItem(node, index - 1)), column, lines);
  if (isFirstOfLine(text, first)) return newLines(text, lineStart(text, first), column, lines);
  // The dash of an outer list stands before it: the new entry takes its place, and it goes to a line of its own.
  const below = lineEndOf(text) + ' '.repeat(column);
  return { from: first, to: first, text: lines.map((line) => line + below).join('') };
}

/** An entry of a list that begins at a column. */
export function itemLines(value: unknown, column: number): string[] {
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
export function removePairLines(text: string, node: Node, pair: Pair): Splice {
  const pairs = pairsOf(node);
  const next = pairs[pairs.indexOf(pair) + 1];
  return removed(text, startOfPair(pair), endOfPair(pair), next && startOfPair(next));
}

/** Takes an entry out of a list that has others, with the comment in its last line. */
export function removeItemLines(text: string, node: Node, index: number): Splice {
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
