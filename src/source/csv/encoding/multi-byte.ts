import { COMMON_CHARACTERS } from './common-characters.js';

/** An encoding of one to four bytes a character. */
interface MultiByte {
  readonly label: string;
  readonly common: keyof typeof COMMON_CHARACTERS;
  /** Where the encoding, or one of the same characters, has those of everyday use: first and last lead byte, and trail bytes. */
  readonly everyday: {
    readonly label: string;
    readonly leads: readonly [number, number];
    readonly trails: readonly [number, number];
  };
  readonly hasKana: boolean;
}

const JIS = { label: 'euc-jp', leads: [0xb0, 0xcf], trails: [0xa1, 0xfe] } as const;

const MULTI_BYTE: readonly MultiByte[] = [
  { label: 'shift_jis', common: 'ja', everyday: JIS, hasKana: true },
  { label: 'euc-jp', common: 'ja', everyday: JIS, hasKana: true },
  {
    label: 'gb18030',
    common: 'zh-Hans',
    everyday: { label: 'gb18030', leads: [0xb0, 0xd7], trails: [0xa1, 0xfe] },
    hasKana: false,
  },
  {
    label: 'big5',
    common: 'zh-Hant',
    everyday: { label: 'big5', leads: [0xa4, 0xc6], trails: [0x40, 0xfe] },
    hasKana: false,
  },
  {
    label: 'euc-kr',
    common: 'ko',
    everyday: { label: 'euc-kr', leads: [0xb0, 0xc8], trails: [0xa1, 0xfe] },
    hasKana: false,
  },
];

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

/** An encoding that the cells are valid text in, and how likely that text is. */
export interface MultiByteScore {
  readonly label: string;
  readonly score: number;
  /** The cells as text. */
  readonly cells: readonly string[];
}

/** The encodings with several bytes for some characters that all of the cells are valid in. */
export function scoreMultiByte(cells: readonly Buffer[]): MultiByteScore[] {
  const bytes = Buffer.concat(cells.flatMap((cell) => [cell, Buffer.of(0x0a)]));
  return MULTI_BYTE.flatMap((encoding) => {
    const text = decodeStrictly(bytes, encoding.label);
    if (text === undefined) return [];
    const decoded = text.split('\n').slice(0, -1);
    return [{ label: encoding.label, score: scoreText(text, encoding), cells: decoded }];
  });
}

function decodeStrictly(bytes: Buffer, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    // No text of this encoding, which is the question.
    return undefined;
  }
}

function scoreText(text: string, { common, everyday, hasKana }: MultiByte): number {
  const usual = new Set<string>(COMMON_CHARACTERS[common]);
  const known = everydayCharacters(everyday);
  const scoreOf = (char: string): number => {
    if (usual.has(char)) return COMMON;
    if (hasKana && KANAS.test(char)) return KANA;
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

const everydaySets = new Map<string, ReadonlySet<string>>();

function everydayCharacters({ label, leads, trails }: MultiByte['everyday']): ReadonlySet<string> {
  const known = everydaySets.get(label);
  if (known) return known;
  const bytes: number[] = [];
  for (let lead = leads[0]; lead <= leads[1]; lead++)
    for (let trail = trails[0]; trail <= trails[1]; trail++)
      if (trail < 0x7f || trail > 0xa0) bytes.push(lead, trail);
  const characters = new Set(
    new TextDecoder(label).decode(Uint8Array.from(bytes)).replaceAll('\ufffd', ''),
  );
  everydaySets.set(label, characters);
  return characters;
}
