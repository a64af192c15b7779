import { analyse } from 'chardet';

/** The encodings of one byte a character that are distinguished. */
const CANDIDATES = ['windows-1251', 'windows-1252', 'koi8-r'] as const;
type Candidate = (typeof CANDIDATES)[number];

const CHARDET_NAMES: Readonly<Record<string, Candidate>> = {
  'windows-1251': 'windows-1251',
  'windows-1252': 'windows-1252',
  'ISO-8859-1': 'windows-1252',
  'KOI8-R': 'koi8-r',
};

const WORDS = /[A-Za-z\x80-\xff]+/g;
const NOT_ASCII = /[\x80-\xff]/;
/** Words that are looked at; more do not change the answer. */
const SAMPLE_WORDS = 20_000;
/** Scores that lie closer together than this leave the decision to chardet. */
const CLOSE = 2.5;

/** Letters of Russian, the most frequent first. */
const BY_FREQUENCY = 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё';
const NATURAL_CASE = /^(?:\p{Lu}?\p{Ll}*|\p{Lu}+)$/u;
const USUAL_SIGNS = '«»–—“”„‘’№€£§°…•™©®\u00a0';
const ODD_SIGNS = /[\x80-\x9f\u2500-\u25ff]/;

/**
 * Which of windows-1251, windows-1252 and koi8-r a text is in.
 * chardet alone errs where Latin words prevail, as they do in a file with English headers and e-mail addresses; so
 * the words that hold other letters are scored: by natural case, by frequency of Russian letters, and by whether
 * accented letters stand among plain ones.
 */
export function guessSingleByte(head: Buffer): Candidate {
  // The words in ASCII say nothing of the encoding, and mislead statistics of letters.
  const words = (head.toString('latin1').match(WORDS) ?? [])
    .filter((word) => NOT_ASCII.test(word))
    .slice(0, SAMPLE_WORDS);
  const bytes = Buffer.from(words.join(' '), 'latin1');
  const [best, second] = CANDIDATES.map((label) => ({ label, score: score(bytes, label) })).sort(
    (a, b) => b.score - a.score,
  );
  if (!best || !second) return 'windows-1252';
  if (best.score - second.score >= CLOSE) return best.label;
  return chardetChoice(bytes, [best.label, second.label]) ?? best.label;
}

function chardetChoice(bytes: Buffer, among: readonly Candidate[]): Candidate | undefined {
  return analyse(bytes)
    .map(({ name }) => CHARDET_NAMES[name])
    .find((label) => label !== undefined && among.includes(label));
}

function score(bytes: Buffer, label: Candidate): number {
  // With `stream`, since the one-shot form of Node 20 gets the euro sign of windows-1252 wrong.
  const text = new TextDecoder(label).decode(bytes, { stream: true });
  const scoreWord = label === 'windows-1252' ? scoreLatin : scoreCyrillic;
  let sum = 0;
  for (const [word] of text.matchAll(/\p{L}+/gu))
    if (!/^[A-Za-z]+$/.test(word)) sum += scoreWord(word);
  for (const [sign] of text.matchAll(/[^\p{L}\0-\x7f]/gu)) sum += scoreSign(sign);
  return sum;
}

function scoreCyrillic(word: string): number {
  if (!/^[\u0400-\u04ff]+$/.test(word)) return -word.length;
  let sum = NATURAL_CASE.test(word) ? 0 : -word.length;
  for (const letter of word.toLowerCase()) {
    const rank = BY_FREQUENCY.indexOf(letter);
    sum += rank < 0 ? -0.5 : 1.5 - rank / 12;
  }
  return sum;
}

function scoreLatin(word: string): number {
  let sum = NATURAL_CASE.test(word) ? 0 : -word.length;
  for (const [run] of word.matchAll(/[^A-Za-z]+/g)) {
    if (run.length === 1) sum += word.length > 1 ? 1.2 : 0.2;
    else if (run.length > 2) sum -= run.length;
  }
  return sum;
}

function scoreSign(sign: string): number {
  if (USUAL_SIGNS.includes(sign)) return 0.5;
  return ODD_SIGNS.test(sign) ? -2 : -0.3;
}
