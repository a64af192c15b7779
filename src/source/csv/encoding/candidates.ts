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

const CYRILLIC = ['ru', 'uk', 'be', 'bg', 'sr', 'mk'] as const;

const CENTRAL = ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'de', 'sq'] as const;

const WESTERN = ['de', 'fr', 'es', 'pt', 'it', 'nl', 'sv', 'da', 'nb', 'fi', 'is', 'sq'] as const;

/** The encodings of one byte a character that are told apart; between equals, the first one wins. */
export const SINGLE_BYTE: readonly SingleByte[] = [
  { label: 'windows-1252', languages: WESTERN, prior: 4 },
  { label: 'windows-1251', languages: CYRILLIC, prior: 2 },
  { label: 'windows-1250', languages: CENTRAL, prior: 2 },
  { label: 'windows-1254', languages: ['tr', 'de', 'fr'], prior: 1 },
  { label: 'windows-1253', languages: ['el'], prior: 1 },
  { label: 'windows-1255', languages: ['he'], prior: 1 },
  { label: 'windows-1256', languages: ['ar', 'fa'], prior: 1 },
  { label: 'windows-1257', languages: ['lt', 'lv', 'et'], prior: 1 },
  { label: 'windows-1258', languages: ['vi'], prior: 0 },
  { label: 'windows-874', languages: ['th'], prior: 1 },
  { label: 'iso-8859-2', languages: CENTRAL, prior: 0 },
  { label: 'iso-8859-5', languages: CYRILLIC, prior: 0 },
  { label: 'iso-8859-6', languages: ['ar'], prior: 0 },
  { label: 'iso-8859-7', languages: ['el'], prior: 0 },
  { label: 'iso-8859-8', languages: ['he'], prior: 0 },
  { label: 'koi8-r', languages: ['ru', 'bg'], prior: 0.5 },
  { label: 'koi8-u', languages: ['uk', 'ru', 'be'], prior: 0 },
  { label: 'ibm866', languages: ['ru', 'uk', 'be', 'bg'], prior: 0.5 },
  { label: 'macintosh', languages: WESTERN, prior: 0 },
  { label: 'x-mac-cyrillic', languages: CYRILLIC, prior: -1 },
  { label: 'ibm855', languages: CYRILLIC, prior: -2 },
  { label: 'ibm850', languages: WESTERN, prior: -1 },
  { label: 'ibm852', languages: CENTRAL, prior: -1 },
];

const LABELS: ReadonlySet<string> = new Set(SINGLE_BYTE.map(({ label }) => label));

/** Whether words in UTF-8 can be found within text of this encoding: it has one byte a character. */
export function canFindUtf8In(label: string): boolean {
  return LABELS.has(label);
}

/** Where the first word in UTF-8 stands in a text of one byte a character; -1 where there is none. */
export function utf8InsideAt(bytes: Buffer): number {
  return bytes.toString('latin1').search(UTF8_INSIDE);
}

/** An encoding of one byte a character. */
export interface SingleByte {
  /** Label of the WHATWG standard, or a name that iconv-lite knows. */
  readonly label: string;
  /** Languages that are written in it, as `data/letter-pairs.tsv` names them. */
  readonly languages: readonly string[];
  /** How usual it is: what it starts with, in the unit of the scores. */
  readonly prior: number;
}
