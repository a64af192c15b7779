import type { Language } from './letter-pairs.js';

/** An encoding of one byte a character. */
export interface SingleByte {
  /** Label of the WHATWG standard, or a name that iconv-lite knows. */
  readonly label: string;
  /** Languages that are written in it. */
  readonly languages: readonly Language[];
  /** How usual it is: what it starts with, in the unit of the scores. */
  readonly prior: number;
}

const WESTERN = ['de', 'fr', 'es', 'pt', 'it', 'nl', 'sv', 'da', 'nb', 'fi', 'is', 'sq'] as const;
const CENTRAL = ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'de', 'sq'] as const;
const CYRILLIC = ['ru', 'uk', 'be', 'bg', 'sr', 'mk'] as const;

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
