import { SINGLE_BYTE } from './candidates.js';

/** Two letters or more of an alphabet in UTF-8, which make no word in any encoding of one byte a character. */
const WORDS = [
  ['Cyrillic', '(?:\\xd0[\\x81-\\xbf]|\\xd1[\\x80-\\x9f]|\\xd2[\\x90\\x91]){2,}'],
  ['Greek', '(?:\\xce[\\x86-\\xbf]|\\xcf[\\x80-\\x8e]){2,}'],
  ['Hebrew', '(?:\\xd7[\\x90-\\xaa]){2,}'],
  ['Arabic', '(?:[\\xd8-\\xda][\\x80-\\xbf]|\\xdb[\\x80-\\x95]){2,}'],
  ['Thai', '(?:\\xe0[\\xb8\\xb9][\\x80-\\xbf]){2,}'],
  ['East Asian', '(?:[\\xe3-\\xed][\\x80-\\xbf]{2}){2,}'],
] as const;

/** An accented letter in UTF-8 within a Latin word. As anything else, it would be a capital behind a small letter. */
const ACCENTED = '[\\xc3-\\xc5][\\x80-\\xbf]';
const [NOT_BEHIND, NOT_BEFORE] = ['(?<![\\x80-\\xff])', '(?![\\x80-\\xff])'];

const UTF8_INSIDE = new RegExp(
  [
    ...WORDS.map(([, letters]) => `${NOT_BEHIND}${letters}${NOT_BEFORE}`),
    `(?<=[a-z])${ACCENTED}${NOT_BEFORE}`,
    `${NOT_BEHIND}${ACCENTED}(?=[A-Za-z])`,
  ].join('|'),
);

const LABELS: ReadonlySet<string> = new Set(SINGLE_BYTE.map(({ label }) => label));

/** Whether words in UTF-8 can be found within text of this encoding: it has one byte a character. */
export function canFindUtf8In(label: string): boolean {
  return LABELS.has(label);
}

/** Where the first word in UTF-8 stands in a text of one byte a character; -1 where there is none. */
export function utf8InsideAt(bytes: Buffer): number {
  return bytes.toString('latin1').search(UTF8_INSIDE);
}
