import { isCollection, type Node, type Pair } from 'yaml';
import { quoted } from '../yaml-text.js';
import { itemLines } from './block.js';
import type { Change } from './difference.js';
import { columnOf, lineEndOf, lineTextEnd, type Splice } from './lines.js';
import {
  colonEnd,
  dashOf,
  endOf,
  isEmpty,
  isFlow,
  itemsOf,
  startOf,
  startOfPair,
  valueStart,
} from './nodes.js';
import { inFlow, isRecord, pairLines } from './write.js';

/** Writes the value of a pair anew. The comment in its line stays, and so do those on lines of their own. */
export function replacedValue(text: string, node: Node, pair: Pair, value: unknown): Splice {
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

/** Writes a key and its value anew, in the place of another key. */
export function replacedPair(
  text: string,
  node: Node,
  pair: Pair,
  { key, value }: { readonly key: string; readonly value: unknown },
): Splice {
  const { from, to, text: written } = replacedValue(text, node, pair, value);
  const between = text.slice(endOf(pair.key), from);
  return { from: startOf(pair.key), to, text: quoted(key) + between + written };
}

/** Writes an entry of a list anew. */
export function replacedItem(text: string, node: Node, index: number, value: unknown): Splice {
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
export function replacedRoot(
  text: string,
  { value, node }: Extract<Change, { kind: 'replaceRoot' }>,
): Splice {
  const end = lineEndOf(text);
  const lines = isRecord(value)
    ? Object.entries(value).flatMap(([key, one]) => pairLines(key, one, 0))
    : [];
  const written = (lines.length === 0 ? [inFlow(value)] : lines).join(end);
  if (node && !isEmpty(node)) return { from: startOf(node), to: endOf(node), text: written };
  const open = text === '' || text.endsWith('\n') ? '' : end;
  return { from: text.length, to: text.length, text: `${open}${written}${end}` };
}
