import type { Dialect } from '../../core/table.js';
import { ROW_BYTES } from '../limits.js';
import { findDialect } from './dialect/find.js';

/**
 * Files whose lines stand in quotes as a whole, such as `"1,""Ada"",0151 234"`: programs write them where a text with
 * commas was opened as one column and saved again. Delimiters behind the quotes are empty cells of that table.
 */
const WRAPPED = /^"([^"]*(?:""[^"]*)*)"[,;\t]*$/;
const LINE_END = /\r\n|\n|\r/;
/** Lines that show it. */
const LOOKED_AT = 50;
/** Share of them that are wrapped, and that have as many cells as the first one. */
const MIN_SHARE = 0.8;

/**
 * How the lines within the quotes are written; `undefined` where the lines of a text are not wrapped, or hold no table:
 * one column of texts in quotes is one column.
 * @param sample beginning of the text
 * @param whole whether it is the whole text
 */
export function findWrappedDialect(
  sample: string,
  whole: boolean,
  wanted: string,
): Dialect | undefined {
  const lines = sample.split(LINE_END, LOOKED_AT + 1).filter((line) => line !== '');
  if (!whole || lines.length > LOOKED_AT) lines.pop();
  const inner = lines.flatMap((line) => withinQuotes(line) ?? []);
  const [first = '', ...others] = inner;
  if (withinQuotes(lines[0] ?? '') === undefined || others.length === 0) return undefined;
  if (inner.length < MIN_SHARE * lines.length) return undefined;
  const dialect = findDialect(inner.join('\n'), true, wanted);
  const width = widthOf(first, dialect);
  const fitting = others.filter((line) => widthOf(line, dialect) === width);
  const isTable = width > 2 || (width === 2 && inner.some((line) => line.includes('"')));
  return isTable && fitting.length >= MIN_SHARE * others.length
    ? { ...dialect, wrapsLines: true }
    : undefined;
}

/** The text without the quotes around its lines; lines without any stay as they are. */
export async function* withoutWrapping(
  pieces: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    // The end of the last line may be cut in two.
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r', text.length - 2)) + 1;
    rest = text.slice(end);
    if (end > 0) yield unwrapped(text.slice(0, end));
    // Longer ones are refused where rows are read.
    if (rest.length > ROW_BYTES) {
      yield rest;
      rest = '';
    }
  }
  if (rest !== '') yield unwrapped(rest);
}

const unwrapped = (text: string): string =>
  text.replaceAll(/[^\r\n]+/g, (line) => withinQuotes(line) ?? line);

const withinQuotes = (line: string): string | undefined =>
  WRAPPED.exec(line)?.[1]?.replaceAll('""', '"');

function widthOf(line: string, { delimiter, quote }: Dialect): number {
  const outside = line.replaceAll(new RegExp(`${quote}[^${quote}]*${quote}`, 'g'), '');
  return outside.split(delimiter).length;
}
