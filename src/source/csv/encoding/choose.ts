import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { EncodingDoubt } from '../../../core/table.js';
import { shortened } from '../../../core/text.js';
import { kept } from '../../rows.js';
import { tableDecoder } from './table-decoder.js';

/** Two letters or more of an alphabet in UTF-8, which make no word in any encoding of one byte a character. */
const WORDS = [
  '(?:\\xd0[\\x81-\\xbf]|\\xd1[\\x80-\\x9f]|\\xd2[\\x90\\x91]){2,}',
  '(?:\\xce[\\x86-\\xbf]|\\xcf[\\x80-\\x8e]){2,}',
  '(?:\\xd7[\\x90-\\xaa]){2,}',
  '(?:[\\xd8-\\xda][\\x80-\\xbf]|\\xdb[\\x80-\\x95]){2,}',
  '(?:\\xe0[\\xb8\\xb9][\\x80-\\xbf]){2,}',
  '(?:[\\xe3-\\xed][\\x80-\\xbf]{2}){2,}',
];

/** An accented letter in UTF-8 within a Latin word. As anything else, it would be a capital behind a small letter. */
const ACCENTED = '[\\xc3-\\xc5][\\x80-\\xbf]';
const [NOT_BEHIND, NOT_BEFORE] = ['(?<![\\x80-\\xff])', '(?![\\x80-\\xff])'];

/** With the byte order mark of a file that was put below another one. */
const UTF8_INSIDE = new RegExp(
  [
    '\\xef\\xbb\\xbf',
    ...WORDS.map((letters) => `${NOT_BEHIND}${letters}${NOT_BEFORE}`),
    `(?<=[a-z])${ACCENTED}${NOT_BEFORE}`,
    `${NOT_BEHIND}${ACCENTED}(?=[A-Za-z])`,
  ].join('|'),
);

/** The encodings of one byte a character that are told apart; between equals, the first one wins. */
const SINGLE_BYTE = [...readRows('single-byte')].map(([label, [prior, languages = '']]) => ({
  /** Label of the WHATWG standard, or a name that iconv-lite knows. */
  label,
  /** Languages that are written in it, as `data/letter-pairs.tsv` names them. */
  languages: languages.split(' '),
  /** How usual it is: what it starts with, in the unit of the scores. */
  prior: Number(prior),
}));

const LABELS: ReadonlySet<string> = new Set(SINGLE_BYTE.map(({ label }) => label));

/** Whether words in UTF-8 can be found within text of this encoding: it has one byte a character. */
export function canFindUtf8In(label: string): boolean {
  return LABELS.has(label);
}

/** Where the first word in UTF-8 stands in a text of one byte a character; -1 where there is none. */
export function utf8InsideAt(bytes: Buffer): number {
  return bytes.toString('latin1').search(UTF8_INSIDE);
}

interface ChosenEncoding {
  readonly label: string;
  readonly doubt: EncodingDoubt | undefined;
}

/** What a byte beyond ASCII adds at least, on average, to a text of which the encoding is sure. */
const MIN_AVERAGE = 0.15;
/** What it costs a cell to be in another language than the others. */
const OTHER_LANGUAGE = 1;

const MAX_BONUS = 4;
/** First languages of the encodings that are for Latin letters. */
const LATIN_LANGUAGES: ReadonlySet<string> = new Set(['de', 'pl', 'lt', 'tr', 'vi']);

/** Which of the encodings that are none of Unicode's a text is in. */
export async function chooseEncoding(sample: Buffer): Promise<ChosenEncoding> {
  const cells = cellsOutsideAscii(sample);
  const scored = await scoreAll(cells, latinBonus(sample));
  const [best] = scored;
  if (!best) return { label: 'windows-1252', doubt: undefined };
  const mixed = mixedWithUtf8(cells, best);
  if (mixed) return mixed;
  const others = scored.filter((other) => best.cells.some((cell, at) => cell !== other.cells[at]));
  const highBytes = cells.reduce((sum, cell) => sum + cell.filter((byte) => byte > 0x7f).length, 0);
  const isWeak = best.score < MIN_AVERAGE * highBytes;
  const rival = others.find(
    (other) => isWeak || best.score - other.score < requiredMargin(best, other),
  );
  return { label: best.label, doubt: rival && doubtOf(best, rival) };
}

/** By how much another encoding has to be likelier than UTF-8, in which hardly any other text is valid. */
const UTF8_LEAD = 4;

/** What makes a text unsure that is valid UTF-8 by a few characters alone. */
export async function doubtOfUtf8(sample: Buffer): Promise<EncodingDoubt | undefined> {
  const cells = cellsOutsideAscii(sample);
  if (cells.every((cell) => utf8InsideAt(cell) >= 0)) return undefined;
  const utf8 = scoreUtf8(cells);
  const [best] = await scoreAll(cells, 0);
  return best && best.score > utf8.score + UTF8_LEAD ? doubtOf(utf8, best) : undefined;
}

async function scoreAll(cells: readonly Buffer[], bonus: number): Promise<Scored[]> {
  const scored = scoreMultiByte(cells);
  for (const candidate of SINGLE_BYTE) {
    const single = await scoreSingleByte(candidate, cells);
    scored.push(single.isLatin ? { ...single, score: single.score + bonus } : single);
  }
  return scored.sort((a, b) => b.score - a.score);
}

function scoreUtf8(cells: readonly Buffer[]): Scored {
  const texts = cells.map((cell) => cell.toString());
  const characters = texts.map(charactersOf);
  const scores = LANGUAGES.map((language) =>
    scoreAs(language, characters).reduce((a, b) => a + b, 0),
  );
  const ideographs = texts.join('').match(IDEOGRAPHS)?.length ?? 0;
  const score = Math.max(...scores) + IDEOGRAPH * ideographs;
  return { label: 'utf-8', score, cells: texts, isLatin: false };
}

const IDEOGRAPHS = /[\u4e00-\u9fff]/g;
const IDEOGRAPH = 4;

const LANGUAGES = [...new Set(SINGLE_BYTE.flatMap(({ languages }) => languages))];

/** Of a text in which words are UTF-8, and others are not: most of them decide. */
function mixedWithUtf8(cells: readonly Buffer[], best: Scored): ChosenEncoding | undefined {
  const inside = cells.map((cell) => isUtf8(cell) && utf8InsideAt(cell) >= 0);
  const count = inside.filter(Boolean).length;
  if (count * 2 > cells.length) return { label: 'utf-8', doubt: undefined };
  if (count === 0 || !canFindUtf8In(best.label)) return undefined;
  const utf8 = cells.map((cell, at) => (inside[at] ? cell.toString() : (best.cells[at] ?? '')));
  return { label: best.label, doubt: doubtOf(best, { label: 'utf-8', cells: utf8 }) };
}

/** How much the plain letters around speak for an alphabet that is Latin: little, unless there are many more of them. */
function latinBonus(sample: Buffer): number {
  const text = sample.toString('latin1');
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  const high = text.match(/[\x80-\xff]/g)?.length ?? 0;
  return Math.min(MAX_BONUS, Math.max(0, Math.log(letters / (2 * high + 1))));
}

async function scoreSingleByte(
  { label, languages, prior }: (typeof SINGLE_BYTE)[number],
  cells: readonly Buffer[],
): Promise<Scored> {
  const decoder = await tableDecoder(label);
  const texts = cells.map((cell) => decoder.decode(cell));
  const characters = texts.map(charactersOf);
  const byLanguage = languages.map((language) => scoreAs(language, characters));
  const single = Math.max(...byLanguage.map((scores) => scores.reduce((a, b) => a + b, 0)));
  let mixed = 0;
  cells.forEach((_, at) => {
    mixed += Math.max(...byLanguage.map((scores) => scores[at] ?? 0)) - OTHER_LANGUAGE;
  });
  const score = prior + Math.max(single, mixed);
  return { label, score, cells: texts, isLatin: LATIN_LANGUAGES.has(languages[0] ?? '') };
}

type Texts = Pick<Scored, 'label' | 'cells'>;

/** The first word that the two read differently. */
function doubtOf(best: Texts, second: Texts): EncodingDoubt {
  const at = best.cells.findIndex((cell, index) => cell !== second.cells[index]);
  const words = (best.cells[at] ?? '').split(' ');
  const others = (second.cells[at] ?? '').split(' ');
  const index = words.findIndex((word, place) => word !== others[place]);
  const isAligned = words.length === others.length && index >= 0;
  return {
    runnerUp: second.label,
    word: shortened((isAligned ? words[index] : words.join(' ')) ?? ''),
    otherWord: shortened((isAligned ? others[index] : others.join(' ')) ?? ''),
  };
}

/** Bytes that neither stand for a letter nor are a part of a character in any encoding with more than a byte for some. */
const BETWEEN = /[\t\n\r,;"]+/;
const OUTSIDE_ASCII = /[\x80-\xff]/;

/** What is looked at: more does not change the answer, and takes time for each encoding and language. */
const MAX_CELLS = 800;
const MAX_BYTES = 24 * 1024;
/** Of one cell. */
const MAX_CELL_BYTES = 4 * 1024;

/**
 * What stands between words. No higher byte: those may be the second half of a character. Digits and signs show
 * nothing of an encoding, so that one word with many numbers is the evidence of one word.
 */
const BETWEEN_WORDS = /[^\u0040-\u{10ffff}]+/u;

/** Cells, or parts of cells, with a word beyond ASCII that none before has, taken evenly from all of the sample. */
function cellsOutsideAscii(sample: Buffer): Buffer[] {
  const cells = cellsWithNewWords(sample);
  const step = Math.max(1, cells.length / MAX_CELLS);
  const taken: Buffer[] = [];
  let bytes = 0;
  for (let at = 0; at < cells.length && bytes < MAX_BYTES; at += step) {
    const cell = shortCell(cells[Math.floor(at)] ?? '');
    taken.push(cell);
    bytes += cell.length;
  }
  return taken;
}

/** Of a long cell the first words beyond ASCII, with no half of a character of UTF-8 at their end. */
function shortCell(text: string): Buffer {
  if (text.length <= MAX_CELL_BYTES) return Buffer.from(text, 'latin1');
  const words = text.split(' ').filter((word) => OUTSIDE_ASCII.test(word));
  const cell = Buffer.from(words.join(' '), 'latin1');
  let end = Math.min(cell.length, MAX_CELL_BYTES);
  while (end > MAX_CELL_BYTES - 3 && ((cell[end] ?? 0) & 0xc0) === 0x80) end--;
  return cell.subarray(0, end);
}

/** Whether the end of a cell may be left out. */
const isCut = (cell: Buffer): boolean => cell.length >= MAX_CELL_BYTES - 3;

function cellsWithNewWords(sample: Buffer): string[] {
  const words = new Set<string>();
  const cells = sample.toString('latin1').split(BETWEEN);
  const isNew = (cell: string): boolean => {
    const before = words.size;
    if (OUTSIDE_ASCII.test(cell))
      for (const word of cell.split(BETWEEN_WORDS)) if (OUTSIDE_ASCII.test(word)) words.add(word);
    return words.size > before;
  };
  // In latin1, bytes of letters look like blanks as well.
  return cells.filter(isNew).map((cell) => cell.replace(/^ +| +$/g, ''));
}

/** Cells as text in one encoding, and how likely that text is. */
interface Scored {
  readonly label: string;
  readonly score: number;
  readonly cells: readonly string[];
  /** Whether the encoding is for Latin letters, most of which are ASCII. */
  readonly isLatin: boolean;
}

/** An encoding that leads by less is not sure. */
const MIN_MARGIN = 5;
/** What a lead has to be where a single letter shows the difference, and how much less with each more. */
const FIRST_LETTER = 21;
const EACH_LETTER = 1;
/** The same in words of which both read most letters alike, or that ASCII letters belong to. */
const FIRST_OF_KNOWN_WORD = 10;
/** The usual encoding of Latin letters is hardly doubted for a single accent. */
const FIRST_OF_USUAL = 7;
const EACH_OF_KNOWN_WORD = 1;

const LETTER = /\p{L}/u;
const ASCII_LETTER = /[A-Za-z]/;

/** By how much an encoding has to lead another one to be sure: by more, the fewer letters they read differently. */
function requiredMargin(best: Scored, other: Scored): number {
  const { letters, areKnown } = differences(best, other);
  if (!areKnown) return Math.max(MIN_MARGIN, FIRST_LETTER - EACH_LETTER * (letters - 1));
  if (letters === 0) return MIN_MARGIN;
  const first = best.label === 'windows-1252' ? FIRST_OF_USUAL : FIRST_OF_KNOWN_WORD;
  return Math.max(MIN_MARGIN, first - EACH_OF_KNOWN_WORD * (letters - 1));
}

/** How many letters of distinct words differ, and whether most of each of these words is known. */
function differences(best: Scored, other: Scored): { letters: number; areKnown: boolean } {
  const seen = new Set<string>();
  let letters = 0;
  let areKnown = true;
  best.cells.forEach((cell, at) => {
    const others = (other.cells[at] ?? '').split(BETWEEN_WORDS);
    for (const [place, word] of cell.split(BETWEEN_WORDS).entries()) {
      const otherWord = others[place] ?? '';
      if (word === otherWord || seen.has(word)) continue;
      seen.add(word);
      const isSign = !LETTER.test(word);
      const count = charactersThatDiffer(word, otherWord);
      if (!isSign || !best.isLatin) letters += count;
      areKnown &&= count * 2 < word.length || (best.isLatin && (isSign || ASCII_LETTER.test(word)));
    }
  });
  return { letters, areKnown };
}

function charactersThatDiffer(word: string, other: string): number {
  const others = Array.from(other);
  const characters = Array.from(word);
  let count = Math.max(0, others.length - characters.length);
  for (const [at, character] of characters.entries()) if (character !== others[at]) count++;
  return count;
}

type MultiByte = (typeof MULTI_BYTE)[number];

/** The encodings of one to four bytes a character. */
const MULTI_BYTE = [...readRows('multi-byte')].map(
  ([label, [common = '', every = '', leads = '', trails = '', kana]]) => ({
    label,
    /** Language whose characters are the commonest in it, as `data/common-characters.tsv` names them. */
    common,
    /** Where the encoding, or one of the same characters, has those of everyday use: first and last lead byte, and trail bytes. */
    everyday: { label: every, leads: range(leads), trails: range(trails) },
    hasKana: kana === 'kana',
  }),
);

function range(bytes: string): readonly [number, number] {
  const [first = 0, last = 0] = bytes.split('-').map((byte) => Number.parseInt(byte, 16));
  return [first, last];
}

const COMMON = 4;
const KANA = 3;
const EVERYDAY = 0.8;
const SIGN = 0.5;
/** Half the width: one byte each in Shift_JIS, so that anything reads as some. */
const NARROW_KANA = -0.3;
const RARE = -4;
/** A small Latin letter beside a character of East Asia. */
const LATIN_BESIDE = -5;

const SIGNS = /[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/;
const KANAS = /[\u3041-\u30ff]/;
const NARROW_KANAS = /[\uff61-\uff9f]/;
const SMALL_LATIN = /[a-z]/;

/** The encodings with several bytes for some characters that all of the cells are valid in. */
function scoreMultiByte(cells: readonly Buffer[]): Scored[] {
  return MULTI_BYTE.flatMap((encoding) => {
    const decoded = decodeStrictly(cells, encoding.label);
    if (!decoded) return [];
    const score = scoreText(`${decoded.join('\n')}\n`, encoding);
    return [{ label: encoding.label, score, cells: decoded, isLatin: false }];
  });
}

/** A cell of which only the beginning is looked at may end in half a character. */
function decodeStrictly(cells: readonly Buffer[], label: string): string[] | undefined {
  const decoder = () => new TextDecoder(label, { fatal: true });
  try {
    if (cells.some(isCut))
      return cells.map((cell) => decoder().decode(cell, { stream: isCut(cell) }));
    const bytes = Buffer.concat(cells.flatMap((cell) => [cell, Buffer.of(0x0a)]));
    return decoder().decode(bytes).split('\n').slice(0, -1);
  } catch {
    // No text of this encoding, which is the question.
    return undefined;
  }
}

const COMMON_CHARACTERS = readRows('common-characters');
const charactersIn = kept(({ common, everyday }: MultiByte) => ({
  usual: new Set(COMMON_CHARACTERS.get(common)?.[0]),
  known: everydayCharacters(everyday),
}));

function scoreText(text: string, encoding: MultiByte): number {
  const { usual, known } = charactersIn(encoding);
  const scoreOf = (char: string): number => {
    if (usual.has(char)) return COMMON;
    if (encoding.hasKana && KANAS.test(char)) return KANA;
    if (known.has(char)) return EVERYDAY;
    if (SIGNS.test(char)) return SIGN;
    return NARROW_KANAS.test(char) ? NARROW_KANA : RARE;
  };
  let score = 0;
  let before = '';
  for (const char of text) {
    if (char > '\x7f') score += scoreOf(char) + (SMALL_LATIN.test(before) ? LATIN_BESIDE : 0);
    else if (before > '\x7f' && SMALL_LATIN.test(char)) score += LATIN_BESIDE;
    before = char;
  }
  return score;
}

function everydayCharacters({ label, leads, trails }: MultiByte['everyday']): ReadonlySet<string> {
  const bytes: number[] = [];
  for (let lead = leads[0]; lead <= leads[1]; lead++)
    for (let trail = trails[0]; trail <= trails[1]; trail++)
      if (trail < 0x7f || trail > 0xa0) bytes.push(lead, trail);
  return new Set(new TextDecoder(label).decode(Uint8Array.from(bytes)).replaceAll('\ufffd', ''));
}

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

const LETTERS = /[\p{L}\p{M}]/u;
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

const PAIRS = readRows('letter-pairs');
const modelOf = kept(makeModel);

function scoreAs(language: string, cells: readonly (readonly Character[])[]): number[] {
  const model = modelOf(language);
  return cells.map((cell) => scoreCell(cell, model));
}

/** A character of a cell, and what of it does not depend on a language. */
interface Character {
  /** In lower case; a blank for what is no letter. */
  readonly letter: string;
  readonly isHigh: boolean;
  readonly isLatin: boolean;
  readonly score: number;
}

/** The characters of a decoded cell, with a border at either end. */
function charactersOf(text: string): Character[] {
  const chars = Array.from(text);
  const border = { letter: ' ', isHigh: false, isLatin: false, score: 0 };
  return [border, ...chars.map((_, at) => characterAt(chars, at)), border];
}

function characterAt(chars: readonly string[], at: number): Character {
  const char = chars[at] ?? '';
  const isHigh = char > '\x7f';
  if (!LETTERS.test(char))
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
  const isBehind = LETTERS.test(chars[at - 1] ?? '');
  const isBefore = LETTERS.test(chars[at + 1] ?? '');
  if (isBehind && isBefore && APOSTROPHES.has(char))
    return ELISION.test(chars.slice(Math.max(0, at - 2), at + 4).join('')) ? ELIDED : 0;
  if (isBehind && isBefore) return SIGN_INSIDE;
  const isUsual = USUAL_SIGNS.has(char);
  if ((isBehind && !MAY_FOLLOW.has(char)) || (isBefore && !mayPrecede(chars, at)))
    return isUsual ? SIGN_BESIDE : SIGN_INSIDE;
  return isUsual ? USUAL_SIGN : RARE_SIGN;
}

/** Characters behind a quotation mark among which it is closed. */
const LONGEST_QUOTE = 200;

/** Whether a sign may stand before a word: some may, and quotation marks that are closed. */
function mayPrecede(chars: readonly string[], at: number): boolean {
  const char = chars[at] ?? '';
  const closers = CLOSERS[char];
  return closers === undefined
    ? MAY_PRECEDE.has(char)
    : chars.slice(at + 1, at + LONGEST_QUOTE).some((later) => closers.includes(later));
}

/** Of a capital behind a small letter, where one of the two is beyond ASCII. */
function caseScore(chars: readonly string[], at: number): number {
  const [char = '', before = '', second = ''] = [chars[at], chars[at - 1], chars[at - 2]];
  if (char <= '\x7f' && before <= '\x7f' && second <= '\x7f') return 0;
  if (UPPER.test(char) && LOWER.test(before)) return CAPITAL_INSIDE;
  if (!LOWER.test(char) || !UPPER.test(before) || !UPPER.test(second)) return 0;
  return LETTERS.test(chars[at + 1] ?? '') ? CAPITAL_INSIDE : SMALL_AT_END;
}

function scoreCell(
  cell: readonly Character[],
  { pairs, letters }: ReturnType<typeof makeModel>,
): number {
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

const isHighLetter = ({ isHigh, letter }: Character): boolean => isHigh && letter !== ' ';

const isForeign = (character: Character, letters: ReadonlySet<string>): boolean =>
  isHighLetter(character) && !letters.has(character.letter);

function makeModel(language: string) {
  const pairs = new Map<string, number>();
  const letters = new Set<string>();
  const groups = PAIRS.get(language);
  if (!groups) throw new Error(`No letter pairs of ${language} are known.`);
  groups.forEach((group, rank) => {
    const score = SEEN[rank] ?? 0;
    for (let at = 0; at + 1 < group.length; at += 2) {
      pairs.set(group.slice(at, at + 2), score);
      letters.add(group.charAt(at)).add(group.charAt(at + 1));
    }
  });
  return { pairs, letters };
}

/** The rows of a table of data by their first column, a language or an encoding. */
function readRows(
  name: 'letter-pairs' | 'common-characters' | 'single-byte' | 'multi-byte',
): Map<string, readonly string[]> {
  const text = readFileSync(new URL(`./data/${name}.tsv`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const rows = lines.map((line) => line.split('\t'));
  return new Map(rows.map(([first = '', ...groups]) => [first, groups]));
}
