import { UsageError } from '../../../core/errors.js';
import { chooseDelimiter, isDividedByBlanks } from './delimiter.js';
import type { Dialect } from '../../../core/table.js';
import { OUTCOME_COLUMN, PROBLEMS_COLUMN } from '../../../core/report.js';
import { findQuotes } from './quotes.js';

const SEPARATOR_LINE = /^sep=([^\r\n]{1,8})(?:\r\n|\n|\r)/i;
/** What stands between the two columns that rejects have in addition: a few rows are too little to find it by. */
const IN_REJECTS = new RegExp(`${OUTCOME_COLUMN}["']?([^\\w"'\\r\\n]{1,8})["']?${PROBLEMS_COLUMN}`);
/** Longest delimiter that can be named. */
const MAX_CHARACTERS = 8;

/**
 * The dialect of a text: its delimiter, unless one is wanted, and how its quotes are meant.
 * @param sample beginning of the text
 * @param whole whether the sample is the whole text; else its last line may be cut off and does not count
 * @throws UsageError when the wanted delimiter can be none
 */
export function findDialect(sample: string, whole: boolean, wanted: string): Dialect {
  const separator = SEPARATOR_LINE.exec(sample);
  const text = separator ? sample.slice(separator[0].length) : sample;
  const named =
    wanted === 'auto' ? (separator?.[1] ?? IN_REJECTS.exec(text)?.[1]) : checkedDelimiter(wanted);
  const usual = findQuotes(text, whole);
  const delimiter = named ?? chooseDelimiter(linesOf(usual.masked, whole)) ?? blanks(text, whole);
  const quotes = delimiter === ' ' ? findQuotes(text, whole, true) : usual;
  const lines = linesOf(quotes.masked, whole);
  const { quote, hasEscapes } = quotes;
  return {
    delimiter,
    quote,
    hasEscapes,
    hasPaddedQuotes: delimiter !== ' ' && hasPadding(quotes.masked, delimiter, quote),
    hasBlankAfter: wanted === 'auto' && hasBlankAfter(lines, delimiter),
    hasSeparatorLine: separator !== null,
  };
}

/** Lines that hold something and are no remarks; the last one, where it may be cut off, left out. */
function linesOf(masked: string, whole: boolean): string[] {
  const lines = masked.split(/\r\n|\n|\r/);
  if (!whole) lines.pop();
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function checkedDelimiter(wanted: string): string {
  if (wanted === 'tab' || wanted === '\\t') return '\t';
  if (
    wanted.length > 0 &&
    wanted.length <= MAX_CHARACTERS &&
    !/["\r\n\ufeff\ud800-\udfff]/.test(wanted)
  )
    return wanted;
  throw new UsageError(
    `the delimiter must be up to ${MAX_CHARACTERS} characters, tab, or auto, and hold no quote or line end; got ${JSON.stringify(wanted)}.`,
  );
}

/** Blanks, where they make a table; else commas, for a single column. */
function blanks(text: string, whole: boolean): string {
  const { masked, quote } = findQuotes(text, whole, true);
  return isDividedByBlanks(linesOf(masked, whole), quote) ? ' ' : ',';
}

/** Whether there are blanks between a delimiter and a quote. */
function hasPadding(masked: string, delimiter: string, quote: string): boolean {
  const border = delimiter.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`${border} +${quote}|${quote} +(?:${border}|$)`, 'm').test(masked);
}

/** Whether all delimiters have a blank behind them, in two lines at least. */
function hasBlankAfter(lines: readonly string[], delimiter: string): boolean {
  if (delimiter.endsWith(' ') || delimiter === '\t') return false;
  const cells = lines.flatMap((line) => line.split(delimiter).slice(1));
  const split = lines.filter((line) => line.includes(delimiter));
  return split.length >= 2 && cells.every((cell) => cell.startsWith(' '));
}
