import { cleanness, likeness, looksLikeHeader } from './likeness.js';

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

interface Candidate {
  readonly delimiter: string;
  /** The most usual number of cells. */
  readonly cells: number;
  /** Share of the lines that have it. */
  readonly share: number;
  readonly likeness: number;
  readonly score: number;
}

/**
 * The delimiter that splits lines into the most regular table: as many cells in each, as many as the header has, and of
 * one kind in each column; `undefined` where none does.
 * @param lines without what quotes hide
 */
export function chooseDelimiter(lines: readonly string[]): string | undefined {
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

/** Whether blanks make a table of lines. They stand in any text: only regular and distinct columns count. */
export function isDividedByBlanks(lines: readonly string[], quote: string): boolean {
  const counted = lines.slice(0, SAMPLE_LINES);
  const candidate = measure(counted, ' ');
  if (!candidate || !isTable(candidate, counted)) return false;
  const quoted = counted.filter((line) => line.startsWith(quote) || line.includes(` ${quote}`));
  return (
    quoted.length * 2 >= counted.length ||
    (candidate.cells >= BLANK.columns && candidate.likeness >= BLANK.likeness)
  );
}

function best(candidates: readonly (Candidate | undefined)[]): Candidate | undefined {
  let found: Candidate | undefined;
  for (const candidate of candidates)
    if (candidate && isBetter(candidate, found)) found = candidate;
  return found;
}

function isBetter(candidate: Candidate, other: Candidate | undefined): boolean {
  if (!other || candidate.score !== other.score) return candidate.score > (other?.score ?? 0);
  return candidate.cells > other.cells;
}

function measure(lines: readonly string[], delimiter: string): Candidate | undefined {
  const records = lines.map((line) => line.split(delimiter));
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  if (!usual || usual[0] < 2) return undefined;
  const [cells] = usual;
  const share = usual[1] / lines.length;
  const alike = likeness(records.filter(({ length }) => length === cells).slice(1));
  const regularity = SHARE_WEIGHT * share + (1 - SHARE_WEIGHT) * alike * share;
  const clean =
    1 - CLEAN_WEIGHT + CLEAN_WEIGHT * cleanness(records.filter(({ length }) => length === cells));
  const score = regularity * clean * headerFactor(records, cells);
  return { delimiter, cells, share, likeness: alike, score };
}

/** How well the first line fits, or the first one that is as wide as the rows, if it is a header below a preface. */
function headerFactor(records: readonly (readonly string[])[], cells: number): number {
  const at = records.findIndex(({ length }) => length === cells);
  if (at === 0) return 1;
  const header = records[at];
  const isBelowPreface = at > 0 && at <= PREFACE_LINES && header && looksLikeHeader(header);
  return isBelowPreface ? BELOW_PREFACE : OTHER_HEADER;
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
