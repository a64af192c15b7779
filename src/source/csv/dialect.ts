import { UsageError } from '../../core/errors.js';
import type { Dialect } from '../../core/table.js';
import { OUTCOME_COLUMN, PROBLEMS_COLUMN } from '../../core/report.js';

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
  const border = delimiter.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return {
    delimiter,
    quote,
    hasEscapes,
    hasPaddedQuotes:
      delimiter !== ' ' &&
      new RegExp(`${border} +${quote}|${quote} +(?:${border}|$)`, 'm').test(quotes.masked),
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

/** Blanks, where they make a table; else commas, for a single column. Only regular and distinct columns make one. */
function blanks(text: string, whole: boolean): string {
  const { masked, quote } = findQuotes(text, whole, true);
  const counted = linesOf(masked, whole).slice(0, SAMPLE_LINES);
  const candidate = measure(counted, ' ');
  if (!candidate || !isTable(candidate, counted)) return ',';
  const quoted = counted.filter((line) => line.startsWith(quote) || line.includes(` ${quote}`));
  const isDistinct = candidate.cells >= BLANK.columns && candidate.likeness >= BLANK.likeness;
  return quoted.length * 2 >= counted.length || isDistinct ? ' ' : ',';
}

/** Whether all delimiters have a blank behind them, in two lines at least. */
function hasBlankAfter(lines: readonly string[], delimiter: string): boolean {
  if (delimiter.endsWith(' ') || delimiter === '\t') return false;
  const cells = lines.flatMap((line) => line.split(delimiter).slice(1));
  const split = lines.filter((line) => line.includes(delimiter));
  return split.length >= 2 && cells.every((cell) => cell.startsWith(' '));
}

/** Delimiters that most files have; between equals, the first one wins. */
const USUAL = [',', ';', '\t', '|'];
/** Those that are looked for where none of the usual ones makes a table. */
const RARE = ['||', ';;', '::', '#', '~', '^', '\u0001', '\u001f'];
/** Lines that are counted. */
const SAMPLE_LINES = 200;

/** Share of the lines that a usual delimiter splits alike, from which on no rare one is looked for. */
const REGULAR = 0.6;
/** The same share for a rare one. */
const RARE_REGULAR = 0.9;
/** What the share counts beside the likeness of the columns. */
const SHARE_WEIGHT = 0.7;
/** A header that is not as wide as the rows below it. */
const OTHER_HEADER = 0.7;
/** Lines above a header that is. */
const BELOW_PREFACE = 0.97;
/** Lines that may stand above a header. */
const PREFACE_LINES = 50;
/** What cells that look like none take from the score at most. */
const CLEAN_WEIGHT = 0.5;
/** Blanks stand in any text: without quotes, columns this much alike and at least three of them make them delimiters. */
const BLANK = { columns: 3, likeness: 0.85 } as const;

type Candidate = NonNullable<ReturnType<typeof measure>>;

/** The delimiter that splits lines into the most regular table; `undefined` where none does. */
function chooseDelimiter(lines: readonly string[]): string | undefined {
  const counted = lines.slice(0, SAMPLE_LINES);
  const usual = best(USUAL.map((delimiter) => measure(counted, delimiter)));
  if (usual && usual.share >= REGULAR) return doubled(counted, usual.delimiter);
  const rare = best(
    RARE.map((delimiter) => measure(counted, delimiter)).filter((candidate) =>
      isTable(candidate, counted),
    ),
  );
  return rare && rare.share > (usual?.share ?? 0) ? rare.delimiter : usual?.delimiter;
}

function best(candidates: readonly (Candidate | undefined)[]): Candidate | undefined {
  const scored = candidates.flatMap((one) => (one && one.score > 0 ? [one] : []));
  return scored.sort((a, b) => b.score - a.score || b.cells - a.cells)[0];
}

/** How regular a table a delimiter makes: the usual number of cells, and how much those of a column are alike. */
function measure(lines: readonly string[], delimiter: string) {
  const records = lines.map((line) => line.split(delimiter));
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  if (!usual || usual[0] < 2) return undefined;
  const [cells] = usual;
  const share = usual[1] / lines.length;
  const regular = records.filter(({ length }) => length === cells);
  const alike = likeness(regular.slice(1));
  const regularity = SHARE_WEIGHT * share + (1 - SHARE_WEIGHT) * alike * share;
  const clean = 1 - CLEAN_WEIGHT + CLEAN_WEIGHT * cleanness(regular);
  const score = regularity * clean * headerFactor(records, cells);
  return { delimiter, cells, share, likeness: alike, score };
}

/** How well the first line fits, or the first one that is as wide as the rows, if it is a header below a preface. */
function headerFactor(records: readonly (readonly string[])[], cells: number): number {
  const at = records.findIndex(({ length }) => length === cells);
  if (at === 0) return 1;
  const names = (records[at] ?? []).map((cell) => cell.trim()).filter((cell) => cell !== '');
  const isData = (text: string): boolean => KINDS.slice(0, 5).some((kind) => kind.test(text));
  const isHeader = names.length >= 2 && new Set(names).size === names.length && !names.some(isData);
  return at <= PREFACE_LINES && isHeader ? BELOW_PREFACE : OTHER_HEADER;
}

/** Whether a rare delimiter makes a table, and not just stands in the text. */
function isTable(candidate: Candidate | undefined, lines: readonly string[]): boolean {
  if (!candidate || candidate.share < RARE_REGULAR || lines.length < 2) return false;
  return lines[0]?.split(candidate.delimiter).length === candidate.cells;
}

/** Two of the delimiter, where every other cell is empty in nearly all lines. */
function doubled(lines: readonly string[], delimiter: string): string {
  const isDoubled = (line: string): boolean => {
    const cells = line.split(delimiter);
    return (
      cells.length >= 3 &&
      cells.length % 2 === 1 &&
      cells.every((cell, at) => at % 2 === 0 || cell === '')
    );
  };
  const split = lines.filter((line) => line.includes(delimiter));
  const alike = split.filter(isDoubled).length;
  return isDoubled(split[0] ?? '') && alike >= RARE_REGULAR * split.length
    ? delimiter.repeat(2)
    : delimiter;
}

/** Kinds of cells that a column consists of, the first that fits. */
const KINDS: readonly RegExp[] = [
  /^["']?[+-]?\d+["']?$/,
  /^["']?[+-]?[\d.,]*\d%?["']?$/,
  /^["']?\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[ Tx]\d{1,2}:.*)?["']?$/,
  /^["']?[\d\s()+.x-]{6,}["']?$/,
  /^["']?[^\s@]+@[^\s@]+["']?$/,
  /^["']?[\p{L}\p{M}' .x-]+["']?$/u,
];

/** How much the cells of each column are of one kind, from 0 to 1; empty ones do not count. */
function likeness(records: readonly (readonly string[])[]): number {
  const width = records[0]?.length ?? 0;
  if (width === 0) return 0;
  let sum = 0;
  for (let column = 0; column < width; column++) {
    const kinds = new Map<number, number>();
    let filled = 0;
    for (const cells of records) {
      const text = cells[column]?.trim() ?? '';
      if (text === '') continue;
      filled++;
      const kind = KINDS.findIndex((pattern) => pattern.test(text));
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    if (filled > 0) sum += Math.max(...kinds.values()) / filled;
  }
  return sum / width;
}

/**
 * Cells that another delimiter seems to divide, in which none of its signs has a blank beside it as in a sentence, or
 * stands between the digits of a number; and cells that begin or end with a blank.
 */
const UNCLEAN = /^ | $|[^\s;];(?=[^\s;])|\t|\S\|(?=\S)|[^\s\d],(?=\S)|,(?=[^\s\d])/;

/** Share of the filled cells that look like a cell, and not like several, from 0 to 1. */
function cleanness(records: readonly (readonly string[])[]): number {
  let filled = 0;
  let clean = 0;
  // Where each cell but the first begins with a blank, it belongs to the delimiter.
  const isPadded = records.every((cells) => cells.slice(1).every((cell) => /^(?: |$)/.test(cell)));
  for (const cells of records)
    for (const cell of cells) {
      const text = isPadded ? cell.trim() : cell;
      if (text.trim() === '') continue;
      filled++;
      if (text.startsWith('"') || text.startsWith("'") || !UNCLEAN.test(text)) clean++;
    }
  return filled === 0 ? 1 : clean / filled;
}

/** What a cell may begin behind, or end before, whatever the delimiter is. */
const BORDERS = new Set(['', ...Array.from(',;\t|#:~^\u0001\u001f\n\r')]);
const HIDDEN = /[,;\t|#:~^\p{Cc} ]/gu;
const MASK = 'x';
/** Cells in apostrophes that a file of that quote has at least. */
const MIN_APOSTROPHES = 2;

/**
 * How the quotes of a text make the most sense.
 * @param whole whether the sample is the whole text: else a cell at its end may be cut off
 * @param isBlankBorder whether cells may be divided by blanks
 */
export function findQuotes(sample: string, whole: boolean, isBlankBorder = false) {
  const masked = (quote: Dialect['quote']) => {
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

/**
 * The text, with delimiters and line ends within quotes replaced by another character; how many cells are quoted, and the
 * quotes that do not fit: text behind a closing one, and one that is never closed.
 */
function mask(sample: string, quoting: Quoting) {
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

function isEscaped(text: string, at: number, open: number): boolean {
  let before = at - 1;
  while (before > open && text.charAt(before) === '\\') before--;
  return (at - 1 - before) % 2 === 1;
}

/** Whether a cell ends here, behind its closing quote. */
export function isCellEnd(
  text: string,
  at: number,
  { delimiter, hasPaddedQuotes }: Dialect,
): boolean {
  let end = at;
  if (hasPaddedQuotes) while (text.charAt(end) === ' ') end++;
  const char = text.charAt(end);
  return char === '' || char === '\n' || char === '\r' || text.startsWith(delimiter, end);
}
