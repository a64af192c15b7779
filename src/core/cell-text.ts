/* eslint no-misleading-character-class: off -- single signs are looked for, and no letters that are made of several */
import type { Cell, Cleaned } from './table.js';

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

/** Small letters; those of İ, as Turkish begins Istanbul, have no dot above the dot. */
export function lowerCase(text: string): string {
  const small = text.toLowerCase();
  // The engine looks for a sign in a short text slower than this.
  for (let at = 0; at < small.length; at++)
    if (small.charCodeAt(at) === DOT_ABOVE) return small.replaceAll('i\u0307', 'i');
  return small;
}
const DOT_ABOVE = 0x307;

/** Capital letters, in NFC. */
export const upperCase = (text: string): string => {
  const capitals = text.toUpperCase();
  return isSuspicious(capitals) ? seenText(capitals) : capitals;
};

/** A word of a mapping, a list or a table as cells are compared with it. */
export const comparedWord = (word: unknown): string => seenText(String(word)).trim();

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

/** Whether the first character of a text is one that marks of text begin with. */
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

/** The text of a cell as it is meant. */
export function meantText(text: string): string {
  return unmarkedText(isSuspicious(text) ? seenText(text) : text);
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

/** Whether `cleanCells` surely changes none of these. */
export function areClean(cells: readonly Cell[]): boolean {
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column];
    if (cell && (mayBeMarked(cell.charCodeAt(0)) || isSuspicious(cell))) return false;
  }
  return true;
}

/**
 * Cells as they are meant; `cells` is changed in place, and what was taken off is told, in the order of the columns.
 * @param isPlain whether no cell has anything that `seenText` changes
 */
export function cleanCells(cells: Cell[], isPlain: boolean): Cleaned[] | undefined {
  let cleaned: Cleaned[] | undefined;
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column];
    if (cell === null || cell === undefined) continue;
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
