/** Cells as text in one encoding, and how likely that text is. */
export interface Scored {
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

const BETWEEN_WORDS = /[^\u0040-\u{10ffff}]+/u;
const LETTER = /\p{L}/u;
const ASCII_LETTER = /[A-Za-z]/;

/**
 * By how much an encoding has to lead another one to be sure: by more, the fewer letters they read differently. Short
 * words make sense in several encodings.
 */
export function requiredMargin(best: Scored, other: Scored): number {
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
