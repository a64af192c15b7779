import type { EncodingDoubt } from '../../../core/table/source.js';
import { SINGLE_BYTE, type SingleByte } from './candidates.js';
import { scoreMultiByte } from './multi-byte.js';
import { cellsOutsideAscii } from './sample.js';
import { charactersOf, scoreAs } from './single-byte.js';
import { tableDecoder } from './table-decoder.js';

export interface ChosenEncoding {
  readonly label: string;
  readonly doubt: EncodingDoubt | undefined;
}

interface Scored {
  readonly label: string;
  readonly score: number;
  readonly cells: readonly string[];
}

/** An encoding that leads by less is not sure. */
const MARGIN = 5;
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
  const scored = scoreMultiByte(cells);
  const bonus = latinBonus(sample);
  for (const candidate of SINGLE_BYTE) {
    const single = await scoreSingleByte(candidate, cells);
    scored.push(isLatin(candidate) ? { ...single, score: single.score + bonus } : single);
  }
  scored.sort((a, b) => b.score - a.score);
  const [best] = scored;
  if (!best) return { label: 'windows-1252', doubt: undefined };
  const second = scored.find((other) => differs(best, other));
  const isSure =
    second === undefined ||
    (best.score - second.score >= MARGIN && best.score >= MIN_AVERAGE * highBytes(cells));
  return { label: best.label, doubt: isSure ? undefined : doubtOf(best, second) };
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

async function scoreSingleByte(
  { label, languages, prior }: SingleByte,
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
  return { label, score: prior + Math.max(single, mixed), cells: texts };
}

function differs({ cells }: Scored, other: Scored): boolean {
  return cells.some((cell, at) => cell !== other.cells[at]);
}

function highBytes(cells: readonly Buffer[]): number {
  let count = 0;
  for (const cell of cells) for (const byte of cell) if (byte > 0x7f) count++;
  return count;
}

/** The first word that the two read differently. */
function doubtOf(best: Scored, second: Scored): EncodingDoubt {
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
