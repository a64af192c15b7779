import type { Dialect } from '../../../core/table.js';

/** How quotes are used in a text, and the text without what they hide. */
export interface QuotedText extends Pick<Dialect, 'quote' | 'hasEscapes'> {
  /** The text, with delimiters and line ends within quotes replaced by another character. */
  readonly masked: string;
  /** How many cells are quoted. */
  readonly cells: number;
  /** Quotes that do not fit: text behind a closing one, and one that is never closed. */
  readonly misfits: number;
}

/** What a cell may begin behind, or end before, whatever the delimiter is. */
const BORDERS = new Set([
  '',
  ',',
  ';',
  '\t',
  '|',
  '#',
  ':',
  '~',
  '^',
  '\u0001',
  '\u001f',
  '\n',
  '\r',
]);
const HIDDEN = /[,;\t|#:~^\p{Cc} ]/gu;
const MASK = 'x';
/** Cells in apostrophes that a file of that quote has at least. */
const MIN_APOSTROPHES = 2;

/**
 * How the quotes of a text make the most sense.
 * @param whole whether the sample is the whole text: else a cell at its end may be cut off
 * @param isBlankBorder whether cells may be divided by blanks
 */
export function findQuotes(sample: string, whole: boolean, isBlankBorder = false): QuotedText {
  const masked = (quote: '"' | "'"): QuotedText => {
    const usual = mask(sample, { quote, hasEscapes: false, isBlankBorder, whole });
    if (usual.misfits === 0 || !sample.includes(`\\${quote}`)) return usual;
    const escaped = mask(sample, { quote, hasEscapes: true, isBlankBorder, whole });
    return escaped.misfits < usual.misfits ? escaped : usual;
  };
  const usual = masked('"');
  if (usual.cells > 0 || !sample.includes("'")) return usual;
  const single = masked("'");
  return single.cells >= MIN_APOSTROPHES && single.misfits === 0 ? single : usual;
}

interface Quoting extends Pick<Dialect, 'quote' | 'hasEscapes'> {
  readonly isBlankBorder: boolean;
  readonly whole: boolean;
}

function mask(sample: string, quoting: Quoting): QuotedText {
  const { quote, hasEscapes } = quoting;
  let masked = '';
  let from = 0;
  let cells = 0;
  let misfits = 0;
  for (let at = sample.indexOf(quote); at >= 0; at = sample.indexOf(quote, at + 1)) {
    if (!isBorder(sample, at - 1, -1, quoting)) continue;
    const close = closingQuote(sample, at, quote, hasEscapes);
    if (close < 0) {
      if (quoting.whole) misfits++;
      break;
    }
    cells++;
    if (!isBorder(sample, close + 1, 1, quoting)) misfits++;
    masked += sample.slice(from, at) + sample.slice(at, close).replaceAll(HIDDEN, MASK);
    from = close;
    at = close;
  }
  return { quote, hasEscapes, masked: masked + sample.slice(from), cells, misfits };
}

/** Whether a cell may begin or end at a place, blanks passed over. */
function isBorder(sample: string, from: number, step: 1 | -1, { isBlankBorder }: Quoting): boolean {
  let at = from;
  if (isBlankBorder && sample.charAt(at) === ' ') return true;
  while (sample.charAt(at) === ' ') at += step;
  return BORDERS.has(sample.charAt(at));
}

/** Where the cell that is opened at `open` is closed; -1 when it is not before `limit`. Two quotes stand for one. */
export function closingQuote(
  text: string,
  open: number,
  quote: string,
  hasEscapes: boolean,
  limit = Infinity,
): number {
  let at = open + 1;
  for (;;) {
    const found = text.indexOf(quote, at);
    if (found < 0 || found >= limit) return -1;
    if (hasEscapes && isEscaped(text, found, open)) at = found + 1;
    else if (text.charAt(found + 1) === quote) at = found + 2;
    else return found;
  }
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(text: string, at: number, open: number): boolean {
  let before = at - 1;
  while (before > open && text.charAt(before) === '\\') before--;
  return (at - 1 - before) % 2 === 1;
}
