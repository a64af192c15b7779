import { isUtf8 } from 'node:buffer';
import type { EncodingDoubt } from '../../../core/table.js';
import { SINGLE_BYTE, type SingleByte } from './candidates.js';
import { requiredMargin, type Scored } from './evidence.js';
import { scoreMultiByte } from './multi-byte.js';
import { cellsOutsideAscii } from './sample.js';
import { charactersOf, scoreAs } from './single-byte.js';
import { tableDecoder } from './table-decoder.js';
import { canFindUtf8In, utf8InsideAt } from './utf8-inside.js';

export interface ChosenEncoding {
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
  const others = scored.filter((other) => differs(best, other));
  const isWeak = best.score < MIN_AVERAGE * highBytes(cells);
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
  const scored: Scored[] = scoreMultiByte(cells).map((one) => ({ ...one, isLatin: false }));
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

/**
 * Of a text in which words are UTF-8, and others are not: most of them decide. As UTF-8, it is refused at the first line
 * that is none.
 */
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

function isLatin({ languages }: SingleByte): boolean {
  return LATIN_LANGUAGES.has(languages[0] ?? '');
}

async function scoreSingleByte(candidate: SingleByte, cells: readonly Buffer[]): Promise<Scored> {
  const { label, languages, prior } = candidate;
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
  return { label, score, cells: texts, isLatin: isLatin(candidate) };
}

function differs({ cells }: Scored, other: Scored): boolean {
  return cells.some((cell, at) => cell !== other.cells[at]);
}

function highBytes(cells: readonly Buffer[]): number {
  let count = 0;
  for (const cell of cells) for (const byte of cell) if (byte > 0x7f) count++;
  return count;
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
    word: (isAligned ? words[index] : words.join(' ')) ?? '',
    otherWord: (isAligned ? others[index] : others.join(' ')) ?? '',
  };
}
