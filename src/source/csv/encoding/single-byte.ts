import { LETTER_PAIRS, type Language } from './letter-pairs.js';

/** What a pair of letters adds, by how usual it is in the language. In all scores, 1 is about the factor e. */
const SEEN = [2.2, 1.2, 0.2] as const;
/** Both letters belong to the language, but hardly ever stand side by side. */
const UNUSUAL = -1.3;
const FOREIGN_LETTER = -4;
/** Either side of a letter that stands alone. */
const ALONE = -0.5;
/** A Latin letter beside one of another alphabet. */
const MIXED = -4;
/** A capital letter inside a word that began with small ones. */
const CAPITAL_INSIDE = -7;
/** A small letter at the end of capitals: some abbreviations are written so. */
const SMALL_AT_END = -3;

const USUAL_SIGN = 0.8;
const RARE_SIGN = -1.5;
const ELIDED = 5;
/** A sign between letters, apostrophes aside, or a rare one beside them. */
const SIGN_INSIDE = -4;
/** A usual sign right before or behind a word, where it does not belong. */
const SIGN_BESIDE = -2.5;
const CONTROL = -6;
const UNASSIGNED = -8;

const LETTER = /[\p{L}\p{M}]/u;
const LATIN = /\p{Script=Latin}/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
/** Controls, and what frames were drawn of. */
const CONTROLS = /[\x80-\x9f\u2500-\u259f]/;
const INHERITED = /\p{Script=Inherited}/u;
const USUAL_SIGNS = new Set('\u00a0«»–—“”„‘’‚…€£°№•·©®™§ºª¡¿');
const APOSTROPHES = new Set('‘’');
/** What stands around an apostrophe: English endings, French and Italian articles, Irish names. */
const ELISION = /[‘’](?:s|t|re|ll|ve|m|d)\b|\b[ldjcnsmtoLDJCNSMTO][‘’]/;
const MAY_FOLLOW = new Set('\u00a0»”“’–—…©®™·°ºª');
const MAY_PRECEDE = new Set('\u00a0№§–—…¿¡·•€£°º');
/** What closes a quotation that a sign opens. */
const CLOSERS: Readonly<Record<string, string>> = {
  '«': '»',
  '»': '«',
  '“': '”',
  '„': '“”',
  '‘': '’',
  '‚': '‘',
};

interface Model {
  readonly pairs: ReadonlyMap<string, number>;
  readonly letters: ReadonlySet<string>;
}

const models = new Map<Language, Model>();

/** How much a text, the cells of which were decoded, is like a language. */
export function scoreAs(language: Language, cells: readonly (readonly Character[])[]): number[] {
  const model = modelOf(language);
  return cells.map((cell) => scoreCell(cell, model));
}

/** A character of a cell, and what of it does not depend on a language. */
export interface Character {
  /** In lower case; a blank for what is no letter. */
  readonly letter: string;
  readonly isHigh: boolean;
  readonly isLatin: boolean;
  /** What it adds in any language. */
  readonly score: number;
}

/** The characters of a decoded cell, with a border at either end. */
export function charactersOf(text: string): Character[] {
  const chars = Array.from(text);
  const border = { letter: ' ', isHigh: false, isLatin: false, score: 0 };
  return [border, ...chars.map((_, at) => characterAt(chars, at)), border];
}

function characterAt(chars: readonly string[], at: number): Character {
  const char = chars[at] ?? '';
  const isHigh = char > '\x7f';
  if (!LETTER.test(char))
    return { letter: ' ', isHigh, isLatin: false, score: isHigh ? signScore(chars, at) : 0 };
  const letter = char.toLowerCase().charAt(0);
  // An accent that stands for itself belongs to the letter before.
  const isLatin = LATIN.test(INHERITED.test(char) ? (chars[at - 1] ?? '') : char);
  return { letter, isHigh, isLatin, score: caseScore(chars, at) };
}

function signScore(chars: readonly string[], at: number): number {
  const char = chars[at] ?? '';
  if (char === '\ufffd') return UNASSIGNED;
  if (CONTROLS.test(char)) return CONTROL;
  const isBehind = LETTER.test(chars[at - 1] ?? '');
  const isBefore = LETTER.test(chars[at + 1] ?? '');
  if (isBehind && isBefore && APOSTROPHES.has(char))
    return ELISION.test(chars.slice(Math.max(0, at - 2), at + 4).join('')) ? ELIDED : 0;
  if (isBehind && isBefore) return SIGN_INSIDE;
  const isUsual = USUAL_SIGNS.has(char);
  if ((isBehind && !MAY_FOLLOW.has(char)) || (isBefore && !mayPrecede(chars, at)))
    return isUsual ? SIGN_BESIDE : SIGN_INSIDE;
  return isUsual ? USUAL_SIGN : RARE_SIGN;
}

/** Whether a sign may stand before a word: some may, and quotation marks that are closed. */
function mayPrecede(chars: readonly string[], at: number): boolean {
  const char = chars[at] ?? '';
  const closers = CLOSERS[char];
  return closers === undefined
    ? MAY_PRECEDE.has(char)
    : chars.slice(at + 1).some((later) => closers.includes(later));
}

/** Of a capital behind a small letter, where one of the two is beyond ASCII. */
function caseScore(chars: readonly string[], at: number): number {
  const [char = '', before = '', second = ''] = [chars[at], chars[at - 1], chars[at - 2]];
  if (char <= '\x7f' && before <= '\x7f' && second <= '\x7f') return 0;
  if (UPPER.test(char) && LOWER.test(before)) return CAPITAL_INSIDE;
  if (!LOWER.test(char) || !UPPER.test(before) || !UPPER.test(second)) return 0;
  return LETTER.test(chars[at + 1] ?? '') ? CAPITAL_INSIDE : SMALL_AT_END;
}

function scoreCell(cell: readonly Character[], { pairs, letters }: Model): number {
  let score = 0;
  for (let at = 1; at < cell.length; at++) {
    const [before, now] = [cell[at - 1], cell[at]];
    if (!before || !now) continue;
    score += now.score;
    const highLetters = Number(isHighLetter(before)) + Number(isHighLetter(now));
    if (highLetters === 0) continue;
    if (before.letter !== ' ' && now.letter !== ' ' && before.isLatin !== now.isLatin) {
      score += MIXED;
      continue;
    }
    const seen = pairs.get(before.letter + now.letter);
    if (isAlone(cell, at)) score += ALONE;
    else if (seen !== undefined) score += seen;
    else
      score += isForeign(before, letters) || isForeign(now, letters) ? FOREIGN_LETTER / 2 : UNUSUAL;
  }
  return score;
}

/** Whether a pair is one side of a single letter, which any byte may be. */
function isAlone(cell: readonly Character[], at: number): boolean {
  const single = cell[at]?.letter === ' ' ? at - 1 : at;
  return cell[single - 1]?.letter === ' ' && cell[single + 1]?.letter === ' ';
}

function isHighLetter({ isHigh, letter }: Character): boolean {
  return isHigh && letter !== ' ';
}

function isForeign(character: Character, letters: ReadonlySet<string>): boolean {
  return isHighLetter(character) && !letters.has(character.letter);
}

function modelOf(language: Language): Model {
  const known = models.get(language);
  if (known) return known;
  const pairs = new Map<string, number>();
  const letters = new Set<string>();
  LETTER_PAIRS[language].forEach((group, rank) => {
    const score = SEEN[rank] ?? 0;
    for (let at = 0; at + 1 < group.length; at += 2) {
      pairs.set(group.slice(at, at + 2), score);
      letters.add(group.charAt(at)).add(group.charAt(at + 1));
    }
  });
  const model = { pairs, letters };
  models.set(language, model);
  return model;
}
