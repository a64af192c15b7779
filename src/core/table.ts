/* eslint no-misleading-character-class: off -- single signs are looked for, and no letters that are made of several */

/*
 * What stands in a cell and is no part of its value: signs that nobody sees, and the marks by which spreadsheet programs,
 * and guards against formulas, say that a cell is text. Texts are given in the Unicode form NFC.
 */

/** Signs without width, of direction, of places to break a line, and byte order marks. Joiners are looked at closer. */
const INVISIBLE =
  /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0001}-\u{e007f}]/gu;

/**
 * What a text must have for `seenText` to change it. Latin, Greek, Cyrillic, Chinese, Japanese and Korean texts hardly ever
 * have any of it, so that one search through many cells at once is enough.
 */
const SUSPICIOUS =
  /[\u00ad\u0300-\u036f\u0374\u037e\u0387\u0483-\u0487\u0591-\u200f\u202a-\u202e\u205f-\u206f\u20d0-\u20ff\u2126\u212a\u212b\u2329\u232a\u2adc\u302a-\u302f\u3099\u309a\ud800-\udbff\uf900-\ufeff\ufff9-\ufffb]/;

/** Texts of these few ranges alone, which are searched twice as fast, are not looked at closer. */
const MAYBE = /[^\0-\u00ac\u00ae-\u02ff\u0400-\u0481\u0490-\u0590]/;

/** Whether there may be something in the text that `seenText` changes. */
export const isSuspicious = (text: string): boolean => MAYBE.test(text) && SUSPICIOUS.test(text);

/**
 * What bytes from 80 to BF are in windows-1252: signs that no word has, and those that may well stand behind one. Without
 * the no-break space and the apostrophe: they stand behind capitals in clean texts more often than in garbled ones.
 */
const [FOLLOWING, CLOSING] = [
  '\\x80-\\x84\\x86-\\x90\\x98-\\x9f\\xa1-\\xaa\\xac\\xae-\\xba\\xbc-\\xbf€‚ƒ„†‡ˆ‰Š‹ŒŽ˜šœžŸ',
  '\\x85\\x91\\x93-\\x97\\xab\\xbb…‘“”•–—™›',
];
/** What they are in windows-1251: signs that no word has, and all but the no-break space. */
const SIGNS = '‚„†‡€‰‹•\\x98¤¦§©¬®°±µ¶·';
const CYRILLIC = `${SIGNS}ЂЃѓ…ЉЊЌЋЏђ‘’“”–—™љ›њќћџЎўЈҐЁЄ«\\xadЇІіґё№є»јЅѕї`;

/**
 * UTF-8 that was taken for windows-1252 (`MÃ¼ller`) or windows-1251 (`РњР°СЂРёСЏ`): letters that the first bytes of its
 * characters are, each before one that a further byte is. What words in capitals, their quotes and dashes, and measures
 * have side by side is left out, so that some garbled words are not found; a list has others.
 */
const GARBLED = new RegExp(
  [
    `(?:[ÂÃÄ]|(?<=\\p{L})Å|Å(?![±¹²³·]))[${FOLLOWING}]|[ÂÃÄÅ][${CLOSING}](?=\\p{Ll})|Ã\\xad`,
    `(?:(?:[ÎÏÐÑØÙ]|×(?![¼½¾²³]))[${FOLLOWING}${CLOSING}]){2}`,
    `â[${FOLLOWING}][${FOLLOWING}${CLOSING}]|(?:[ã-é][${FOLLOWING}${CLOSING}]{2}){2}`,
    `[РС][${SIGNS}][РС][${CYRILLIC}]|[РС][${CYRILLIC}][РС][${SIGNS}]`,
  ].join('|'),
  'uy',
);

/**
 * How each of these begins. Looked for alone, through many cells at once, it takes a sixtieth of the time. No second sign
 * of a pair can be a first one, so that no pair is passed over.
 */
const MAY_BE_GARBLED = new RegExp(
  `[Â-ÅÎ-ÑØÙ×â-é][${FOLLOWING}${CLOSING}\\xad]|[РС][${CYRILLIC}]`,
  'g',
);

/** Whether a text was written in UTF-8, and read by a program as if it were in another encoding, before it was saved. */
function isGarbled(text: string): boolean {
  for (const { index } of text.matchAll(MAY_BE_GARBLED)) {
    GARBLED.lastIndex = index;
    if (GARBLED.test(text)) return true;
  }
  return false;
}

const HIDDEN =
  /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\udb40]/;
/** Marks that may have to be joined with their letter, and signs that stand for another one. */
const MAY_COMPOSE =
  /[\p{M}\u0374\u037e\u0387\u0958-\u095f\u09dc-\u09df\u0a33\u0a36\u0a59-\u0a5e\u0b5c\u0b5d\u0f43-\u0f69\u1100-\u11ff\u1f71-\u1fff\u2000\u2001\u2126\u212a\u212b\u2329\u232a\u2adc\uf900-\ufaff\ufb1d-\ufb4e]|[\u{10000}-\u{1ffff}\u{2f800}-\u{2fa1d}]/u;

/** Scripts in which a joiner between two letters makes another word, or another letter. */
const JOINING =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mandaic}\p{sc=Nko}\p{sc=Mongolian}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Tibetan}\p{sc=Myanmar}\p{sc=Khmer}\p{sc=Javanese}\p{sc=Balinese}]/u;
const ZWNJ = '\u200c';
const ZWJ = '\u200d';
const FLAG = '\u{1f3f4}';
const BEFORE_EMOJI_JOINER = /[\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}]$/u;
const EMOJI = /^\p{Extended_Pictographic}/u;

/** The text without invisible signs, in NFC. Joiners within emoji, and between letters that they shape, are meant. */
export function seenText(text: string): string {
  const seen = HIDDEN.test(text)
    ? text.replace(INVISIBLE, (sign, at: number) => (isMeant(sign, text, at) ? sign : ''))
    : text;
  return MAY_COMPOSE.test(seen) ? seen.normalize('NFC') : seen;
}

function isMeant(sign: string, text: string, at: number): boolean {
  // The flags of England, Scotland and Wales are made of a black flag and tags.
  if (sign.length > 1) return text.includes(FLAG);
  if (sign !== ZWNJ && sign !== ZWJ) return false;
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + 1, at + 3)];
  if (sign === ZWJ && BEFORE_EMOJI_JOINER.test(before) && EMOJI.test(after)) return true;
  return JOINING.test(before.slice(-1)) && JOINING.test(after.slice(0, 1));
}

/**
 * What a spreadsheet program may take for a formula: a text whose first visible character is one of these, their
 * full-width variants, which some programs fold into the plain ones, or a text that begins with a control character.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－﹢﹣＠﹦﹫−])/u;

/** A signed number, such as -5 or +79161234567, is harmless, and an apostrophe would spoil it. */
const SIGNED_NUMBER = /^[+-]\d+(?:[.,]\d+)?$/;

/** `="00123"`, by which programs write text that looks like a number. */
const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/;

const APOSTROPHE = 0x27;
const EQUALS = 0x3d;
const SPACE = 0x20;

const mayBeMarked = (first: number): boolean =>
  first === APOSTROPHE || first === EQUALS || first === SPACE;

/** The text without the mark that says that it is text: a leading apostrophe, or `="…"`. */
export function unmarkedText(text: string): string {
  if (isMarked(text)) return text.slice(1);
  const inner = TEXT_FORMULA.exec(text)?.[1];
  return inner === undefined ? text : inner.replaceAll('""', '"');
}

/** Years and decades without their century are words: `'90s Bar`, `'68er`, `'47 Brand`. */
const SHORT_YEAR = /^\d\d(?:(?:s|ers?|ern)(?![\p{L}\p{N}])|\s+\p{L})/iu;
const NUMBER_WITH_MARK = /^\p{Nd}(?:.*[^'])?$/su;

/**
 * Whether a leading apostrophe is a mark and no part of a name (`'s-Hertogenbosch`, `'Ndrangheta`): before a digit, before
 * what a program might take for a formula, and before a text that would lose an apostrophe of its own.
 */
function isMarked(text: string): boolean {
  let apostrophes = 0;
  while (text.charCodeAt(apostrophes) === APOSTROPHE) apostrophes++;
  if (apostrophes === 0) return false;
  const rest = text.slice(apostrophes);
  return (NUMBER_WITH_MARK.test(rest) && !SHORT_YEAR.test(rest)) || FORMULA.test(rest);
}

/**
 * The text as it is written into a CSV file that a person may open: with a leading apostrophe where a spreadsheet program
 * might take it for a formula. A reader of cells gives the very text back. Signed numbers and all that is harmless stay.
 */
export function guardedText(text: string): string {
  return FORMULA.test(text) && !SIGNED_NUMBER.test(text) ? `'${text}` : escapedText(text);
}

/** The text as it is written where no program takes it for a formula: marked where reading would change it. */
export function escapedText(text: string): string {
  return mayBeMarked(text.charCodeAt(0)) && unmarkedText(text) !== text ? `'${text}` : text;
}

/** Whether `cleanCells` surely has nothing to change, or to tell, of these. */
export function areClean(cells: readonly Cell[]): boolean {
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column];
    if (cell && (mayBeMarked(cell.charCodeAt(0)) || isSuspicious(cell) || isGarbled(cell)))
      return false;
  }
  return true;
}

/** A text without any of these, as most are, is neither suspicious nor garbled: one quick search shows it. */
const ODD = /[\x80-\xbf\u0150-\u03ff\u0482-\uffff]/;

/**
 * What may be in the cells of a text: one search through many cells at once is faster than one in each. `isPlain`: nothing
 * that `seenText` changes; `mayBeGarbled`: text that is reported, and not changed.
 */
export function looksOf(text: string) {
  const isOdd = ODD.test(text);
  return {
    isClean: !isOdd && !text.includes("'") && !text.includes('='),
    isPlain: !isOdd || !isSuspicious(text),
    mayBeGarbled: isOdd && isGarbled(text),
  };
}

const ANY_LOOKS = { isClean: false, isPlain: false, mayBeGarbled: true };

/** Cells as they are meant; `cells` is changed in place, and what was taken off is returned, in the order of the columns. */
export function cleanCells(
  cells: Cell[],
  { isClean, isPlain, mayBeGarbled } = ANY_LOOKS,
): Cleaned[] | undefined {
  if (isClean) return undefined;
  let cleaned: Cleaned[] | undefined;
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column];
    if (cell === null || cell === undefined) continue;
    if (mayBeGarbled && isGarbled(cell)) (cleaned ??= []).push({ column, what: 'garbled' });
    const isSeen = isPlain || !isSuspicious(cell);
    if (isSeen && !mayBeMarked(cell.charCodeAt(0))) continue;
    const seen = isSeen ? cell : seenText(cell);
    const text = mayBeMarked(seen.charCodeAt(0)) ? unmarkedText(seen) : seen;
    if (text === cell) continue;
    cells[column] = text === '' ? null : text;
    if (seen !== cell && HIDDEN.test(cell)) (cleaned ??= []).push({ column, what: 'invisible' });
    if (text !== seen) (cleaned ??= []).push({ column, what: 'mark' });
  }
  return cleaned;
}

/** Names that nearly all columns have: nothing is to be done. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/;

/** White space of every kind, line breaks and those that do not break included. */
const BLANKS = /[\s\u0085]+/g;

/** What no program shows: zero-width signs, soft hyphens, byte order marks, directions, controls, fillers. */
const UNSHOWN = /\u034f|[\p{Cf}\p{Cc}\u115f\u1160\u3164\uffa0]|\u17b4|\u17b5|[\ufe00-\ufe0f]/gu;

const LETTERS = 26;
const BEFORE_A = 0x40;

/** Letters of a column from 0, as a spreadsheet program shows them: `A`, `Z`, `AA`, …, `XFD`. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / LETTERS))
    letters = String.fromCharCode(BEFORE_A + 1 + ((rest - 1) % LETTERS)) + letters;
  return letters;
}

/**
 * The name of a column as it is compared and shown: composed (NFC), without invisible signs, with one blank for any white
 * space, and none at its ends. Files and mappings that come from different programs differ in these alone.
 */
export function headerName(text: string): string {
  if (PLAIN_NAME.test(text)) return text;
  // A byte order mark is white space to the engine, and no blank to anybody who reads.
  const visible = text.replaceAll('\ufeff', '').replaceAll(BLANKS, ' ').replaceAll(UNSHOWN, '');
  return visible.replaceAll(/ {2,}/g, ' ').trim().normalize('NFC');
}

/** Encodings of DOS in which Node takes three control characters, Ctrl-Z among them, for each other. */
const EXCHANGED: ReadonlySet<string> = new Set(['ibm866', 'shift_jis']);
const MENDED: Readonly<Record<string, string>> = { '\x1a': '\x7f', '\x1c': '\x1a', '\x7f': '\x1c' };

/** A text that Node has decoded from this encoding, with the control characters that its bytes stand for. */
export function withOwnControls(label: string, text: string): string {
  if (!EXCHANGED.has(label) || !Object.keys(MENDED).some((control) => text.includes(control)))
    return text;
  return text.replaceAll(/\p{Cc}/gu, (control) => MENDED[control] ?? control);
}

/** A cell as text, as the person sees it; `null` when it is empty. Dates, times and booleans are text too. */
export type Cell = string | null;

/** One row of a spreadsheet, in the one shape that every source gives. */
export interface Row {
  /** Name of the sheet; `null` for CSV. */
  readonly sheet: string | null;
  /** Row number as the person sees it in a spreadsheet program: the header is usually row 1. */
  readonly row: number;
  /** The cells in column order. Trailing empty cells of a workbook are left out; a CSV keeps every field. */
  readonly cells: readonly Cell[];
  /** Set where the file itself leaves something out; a row that needs it is rejected. */
  readonly defects?: readonly RowDefect[];
  /**
   * Numbers, in plain digits, of cells whose format shows them as another text, which is what `cells` hold: zeros in
   * front, or words beside them; and those with decimals. Fields of numbers take these. Absent where there are none.
   */
  readonly numbers?: readonly (readonly [column: number, number: string])[];
  /** What cells hold that are merged with one above them, which alone stores it; absent where there are none. */
  readonly merged?: readonly MergedCell[];
  /** Set where the file is read otherwise than it is written, as at a stray quote: they are remarks on the row. */
  readonly remarks?: readonly RowDefect[];
  /** Set where the row is no data, such as a total below the table: why it is skipped. */
  readonly leftOut?: RowDefect;
  /** Set where the program does not show the row: hidden by hand or by a filter. It is data all the same. */
  readonly isHidden?: boolean;
  /** Indexes of the columns whose cells a person has corrected; absent where none was. */
  readonly corrected?: readonly number[];
  /** What was taken off its cells since it is no part of their values; absent where nothing was. */
  readonly cleaned?: readonly Cleaned[];
  /**
   * Set where it stands for rows that were only counted, up to this one: it has no cells then. `text`: length of all their
   * cells in UTF-16 units, and `cells` the number of those.
   */
  readonly passed?: { readonly rows: number; readonly cells: number; readonly text: number };
}

/** Whether the rows that come next need only be counted: whoever reads sets it before it takes a batch. */
export interface Passing {
  /** At most so many of them; 0: all are wanted. */
  rows: number;
  /** Not beyond the row by which the text of their cells, each counted with `cellText` more, becomes this long. */
  text: number;
  cellText: number;
}

/** What was taken off a cell: the mark by which programs say that it is text, or invisible signs; or that it is garbled. */
interface Cleaned {
  /** Index of the column. */
  readonly column: number;
  readonly what: 'mark' | 'invisible' | 'garbled';
}

/** A cell that is merged with one above it. */
interface MergedCell {
  /** Index of the column. */
  readonly column: number;
  /** Row of the cell that holds the value. */
  readonly from: number;
  readonly text: string;
  /** As in `numbers` of a row. */
  readonly number?: string | undefined;
}

/** What a row lacks in its file, such as the value of a formula. */
export interface RowDefect {
  /** Index of the column; `null` when the whole row is meant. */
  readonly column: number | null;
  /** Names of values that have no column: where the mapping cannot use them, the row is sent with a remark. */
  readonly names?: readonly string[];
  /** Code and message of the problem that it becomes. */
  readonly code: string;
  readonly message: string;
}

/** Code of the remark on a row with a quote that opens or closes no cell. */
export const STRAY_QUOTE = 'stray_quote';

/** Code of the defect of a record with a name that is no column. */
export const UNKNOWN_NAME = 'unknown_name';

/** Code of the defect of a cell that holds the error of a formula. */
export const ERROR_VALUE = 'error_value';

/** The defect of a cell whose formula ended in an error. */
export function errorInCell(column: number): RowDefect {
  const message =
    'The cell holds the error of a formula, such as #N/A or #REF!, and no value. Mend the formula in a spreadsheet program, or clear the cell.';
  return { column, code: ERROR_VALUE, message };
}

/** One cell that a person has mended, in place of what the file holds. */
export interface Correction {
  /** Index of the input file in the run. */
  readonly input: number;
  /** Name of the sheet; `null` for CSV, and where an input has one sheet alone. */
  readonly sheet: string | null;
  /** Row number as the person sees it. */
  readonly row: number;
  /** Header of the column. */
  readonly column: string;
  /** What the file holds: a file that holds something else has changed since. Personal data. */
  readonly was: Cell;
  /** What counts in its place. Personal data. */
  readonly becomes: Cell;
  /** Line of the file of corrections, from 1. */
  readonly line: number;
}

/** All corrections of a run. Plain data: they are passed to the reading threads. */
export interface Corrections {
  /** Path of the file that they stand in, for messages. */
  readonly file: string;
  readonly cells: readonly Correction[];
}

/** Code of the remark on a row that a person has corrected. */
export const CORRECTED = 'corrected';

/** How the text of a CSV file is written. */
export interface Dialect {
  /** What stands between the cells: one character or several. */
  readonly delimiter: string;
  readonly quote: '"' | "'";
  /** Whether a backslash takes the meaning from a quote within quotes. */
  readonly hasEscapes: boolean;
  /** Whether blanks may stand between a quote and the delimiter beside it. */
  readonly hasPaddedQuotes: boolean;
  /** Whether a blank follows every delimiter, and belongs to it. */
  readonly hasBlankAfter: boolean;
  /** Whether the first line is `sep=;`, which names the delimiter to spreadsheet programs and is no row to them. */
  readonly hasSeparatorLine: boolean;
  /** Whether each line stands in quotes as a whole; all else is about what is within them. @default false */
  readonly wrapsLines?: boolean;
}

/** What the values of a column look like where the mapping expects numbers, dates or text, and what was taken off its cells. */
export interface ColumnEvidence {
  /** Header of the column, or of several with commas. */
  readonly column: string | null;
  readonly kind: 'number' | 'date' | 'text' | 'cells';
  /** Values that were looked at. */
  readonly values: number;
  /** How many of them have a certain look; which looks there are depends on the kind. */
  readonly looks: Readonly<Record<string, number>>;
}

/** Adds up what was seen of columns, chunk by chunk. */
export class EvidenceTally {
  readonly #columns = new Map<string, ColumnEvidence>();

  add(evidence: readonly ColumnEvidence[]): void {
    for (const seen of evidence) {
      const key = JSON.stringify([seen.kind, seen.column]);
      const earlier = this.#columns.get(key);
      this.#columns.set(key, earlier ? sumOf(earlier, seen) : seen);
    }
  }

  list(): ColumnEvidence[] {
    return [...this.#columns.values()];
  }
}

function sumOf(one: ColumnEvidence, other: ColumnEvidence): ColumnEvidence {
  const looks = { ...one.looks };
  for (const [look, count] of Object.entries(other.looks)) looks[look] = (looks[look] ?? 0) + count;
  return { ...one, values: one.values + other.values, looks };
}

/** A part of the data rows, for a trial. */
export interface RowPart {
  /** Numbers of the first and the last row, as a spreadsheet program shows them, in each input. @default all rows */
  readonly rows?: RowRange | undefined;
  /** Data rows that are read at most, over all inputs. @default all */
  readonly limit?: number | undefined;
}

export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Says of row after row whether it belongs to the part. */
export class PartFilter {
  taken = 0;

  constructor(private readonly part: RowPart) {}

  /** Counts the row when it belongs to the part. */
  takes(row: number): boolean {
    const { rows } = this.part;
    if (this.isFull || (rows && (row < rows.first || row > rows.last))) return false;
    this.taken++;
    return true;
  }

  /** Whether no row of any input is left for the part. */
  get isFull(): boolean {
    return this.part.limit !== undefined && this.taken >= this.part.limit;
  }

  /** How much of the part has been taken, 0 to 1; 0 where the part does not say how large it is. */
  share(inputs: number): number {
    const { rows, limit } = this.part;
    const inRange = rows ? (rows.last - rows.first + 1) * inputs : Infinity;
    return Math.min(1, this.taken / Math.min(limit ?? Infinity, inRange));
  }

  /** Whether no row of this input after this one belongs to the part. */
  isOver(row: number): boolean {
    return this.isFull || (this.part.rows !== undefined && row >= this.part.rows.last);
  }
}

/** The formats that rejected rows can be written in. */
export const REJECTS_FORMATS = ['csv', 'xlsx'] as const;
export type RejectsFormat = (typeof REJECTS_FORMATS)[number];

/** What is wanted of a file: the mapping's `source:` section. Every field is optional. */
export interface SourceOptions {
  /**
   * Sheet by name, or by number from 1; a name wins over a number. Where no sheet has the name: several of them with commas
   * or semicolons between, and `all` for every visible one. Default: the first visible sheet that is not empty.
   */
  readonly sheet?: string | number | undefined;
  /** Every sheet, hidden ones included, in the workbook's order. Default false. */
  readonly allSheets?: boolean | undefined;
  /** Encoding label (`utf-8`, `windows-1251`, …) or `auto`. @default 'auto' */
  readonly encoding?: string | undefined;
  /** Up to eight characters, `tab`, or `auto`. @default 'auto' */
  readonly delimiter?: string | undefined;
}

/** What is known of a file when it is opened once more. */
export interface ReopenOptions extends SourceOptions {
  /** The dialect of a text as it was found: it wins over `delimiter`. @default found */
  readonly dialect?: Dialect | undefined;
}

/** An encoding that would be nearly as likely as the chosen one, and a word that shows the difference. */
export interface EncodingDoubt {
  /** Label of the runner-up. */
  readonly runnerUp: string;
  /** A word of the file in the chosen encoding. Personal data: for the terminal alone. */
  readonly word: string;
  /** The same word in the other one. */
  readonly otherWord: string;
}

/** What was found out about a file; shown to the person. */
export interface SourceInfo {
  /** Name of the format, such as `csv`. The formats stand in `source/source.ts`. */
  readonly format: string;
  /** What a person calls a file of this format. */
  readonly formatName: string;
  /** Set for text alone. */
  readonly encoding?: string;
  /** Whether an encoding that is none of Unicode's was guessed from the text, and not named. */
  readonly encodingGuessed?: boolean;
  /** Set when the encoding was found and is not sure. */
  readonly encodingDoubt?: EncodingDoubt;
  /** Set for text alone: the delimiter itself. */
  readonly delimiter?: string;
  /** Set for text alone: how it is read. */
  readonly dialect?: Dialect;
  /** Whether the file was compressed: with gzip, or as a part of a zip file. */
  readonly gzip: boolean;
  /** Name of the list in a zip file; absent where it was not in one. */
  readonly part?: string;
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean;
  /** Names of the sheets that are read; empty where a format has none. */
  readonly sheets: readonly string[];
  /** Names of the other sheets with rows; absent where a format has none. */
  readonly otherSheets?: readonly string[];
  /** Those of them that are hidden; absent where none is. */
  readonly hiddenSheets?: readonly string[];
  /** Names of all its tabs, charts included, in their order; absent where all are read. */
  readonly tabs?: readonly string[];
  /** Size of the file in bytes as it lies on the disk. */
  readonly bytes: number;
}

/** An opened spreadsheet file. It gives the same rows in the same order each time `batches` is called. */
export interface Source {
  readonly info: SourceInfo;
  /**
   * The rows in batches, header included, in the order of the file. Rows without any cell (blank lines) are left out
   * but counted in the row numbers. Each call reads the file anew.
   * @param passing which rows need only be counted: a reader may do so. @default none
   * @throws InputError when the file is broken; the rows before that place have been given by then.
   */
  batches(passing?: Passing): AsyncIterable<readonly Row[]>;
  /**
   * Reads all that `batches` reads, to its end and without making rows of it, for damage that shows without: what is
   * packed is unpacked, UTF-8 is looked at for bytes that are none, and text whose encoding was found for rows in another.
   * @throws InputError when it is damaged, cut off, a bomb, or no text
   */
  verify(): Promise<void>;
  /**
   * Rows of some place of the file, from 0 for its beginning to 1 for its end, without reading what is before it. Their
   * numbers mean nothing, and rows may be left out. Absent where a file can only be read from its beginning.
   * @param width cells that rows have: by them the beginning of a row is told from a line break in a cell
   */
  readonly rowsNear?: ((share: number, width: number) => Promise<readonly Row[]>) | undefined;
  /** Bytes of the file that have been read so far, for progress. */
  bytesRead(): number;
}
