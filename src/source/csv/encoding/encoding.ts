import { isAscii, isUtf8 } from 'node:buffer';
import { InputError } from '../../../core/errors.js';
import type { EncodingDoubt } from '../../../core/table.js';
import { readAt, type FoundFile } from '../../file.js';
import { unpackedChunks } from '../../unpacked.js';
import { canonicalLabel } from './table-decoder.js';

/** How the bytes of a text file become text. */
export interface Encoding {
  /** Label of the WHATWG encoding standard. */
  readonly label: string;
  /** Length of the byte order mark at the beginning; 0 when there is none. */
  readonly bomBytes: number;
  /** Whether it was found in the sample; else the person named it. */
  readonly guessed: boolean;
  /** Set when another one would be nearly as likely. */
  readonly doubt?: EncodingDoubt | undefined;
}

const BOMS: readonly (readonly [label: string, bytes: Buffer])[] = [
  ['utf-8', Buffer.of(0xef, 0xbb, 0xbf)],
  ['utf-16le', Buffer.of(0xff, 0xfe)],
  ['utf-16be', Buffer.of(0xfe, 0xff)],
];

/** What lies behind the beginning of a text file. */
interface Rest {
  readonly csv: FoundFile;
  /** Bytes of the beginning. */
  readonly from: number;
}

/**
 * The encoding of a text: byte order mark, then UTF-8, UTF-16 and ISO-2022-JP by their structure, then whichever makes
 * the likeliest text. `undefined` when it is no text.
 * @param head first bytes of the file
 * @param wanted a label, or `auto`; a byte order mark is skipped when it fits the label
 * @param rest where more of the file can be looked at. @default nowhere: the head is all of it
 * @throws UsageError when the label is unknown
 */
export async function findEncoding(
  head: Buffer,
  wanted: string,
  rest?: Rest,
): Promise<Encoding | undefined> {
  const bom = BOMS.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes));
  if (wanted !== 'auto') {
    // No text begins like that in another encoding; rejects that another encoding cannot hold are written so.
    const isMarked = bom !== undefined && (bom[0] === 'utf-8' || /^utf-?16$/i.test(wanted));
    const label = isMarked ? bom[0] : canonicalLabel(wanted);
    return { label, bomBytes: bom?.[0] === label ? bom[1].length : 0, guessed: false };
  }
  if (bom) return { label: bom[0], bomBytes: bom[1].length, guessed: true };
  const found = await guess(head, rest);
  return found && { ...found, bomBytes: 0, guessed: true };
}

type Guess = Pick<Encoding, 'label' | 'doubt'>;

async function guess(head: Buffer, rest: Rest | undefined): Promise<Guess | undefined> {
  if (head.includes(0)) {
    const label = guessUtf16(head);
    if (label !== undefined) return { label };
    if (hasManyZeros(head)) return undefined;
  }
  if (hasManyControls(head)) return undefined;
  if (isAscii(head) && ISO_2022_JP.some((escape) => head.includes(escape)))
    return { label: 'iso-2022-jp' };
  const sample = isAscii(head) ? rest && (await firstHigh(unpackedChunks(rest.csv))) : head;
  if (!sample) return { label: 'utf-8' };
  if (isUtf8(sample.subarray(0, utf8Border(sample)))) return guessUtf8(sample);
  // Most files need none of it.
  const { chooseEncoding } = await import('./choose.js');
  return chooseEncoding(Buffer.concat([sample, ...(rest ? await spread(rest) : [])]));
}

const LF = 0x0a;
/** Bytes around the first one that is not ASCII. */
const AROUND = 64 * 1024;
/** Places of a large file that are looked at, and bytes of each. */
const PLACES = 8;
const PLACE_BYTES = 32 * 1024;

/**
 * The text around the first byte beyond ASCII; `undefined` when there is none. To see that all bytes are ASCII takes a
 * twentieth of the time of reading rows.
 */
async function firstHigh(chunks: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const found: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      if (found.length === 0 && isAscii(chunk)) continue;
      const from = found.length === 0 ? lineStart(chunk, firstHighAt(chunk)) : 0;
      found.push(Buffer.from(chunk.subarray(from)));
      length += chunk.length - from;
      if (length >= AROUND) break;
    }
  } catch (error) {
    // A damaged file is refused when its rows are read, after those before the damage.
    if (!(error instanceof InputError)) throw error;
  }
  if (found.length === 0) return undefined;
  return wholeLines(Buffer.concat(found), length);
}

function firstHighAt(chunk: Buffer): number {
  return chunk.findIndex((byte) => byte > 0x7f);
}

function lineStart(chunk: Buffer, at: number): number {
  return chunk.lastIndexOf(LF, at) + 1;
}

/** Without a last line that is cut off, where there is one before it. */
function wholeLines(bytes: Buffer, length: number): Buffer {
  const end = length >= AROUND ? bytes.lastIndexOf(LF) + 1 : bytes.length;
  return end > 0 ? bytes.subarray(0, end) : bytes;
}

/** Whole lines from all over the rest of the file. */
async function spread({ csv, from }: Rest): Promise<Buffer[]> {
  const { file, bytes, gzip } = csv;
  if (gzip || bytes <= from) return [];
  // The last place is the end, where rows of other programs are appended.
  const step = Math.max(0, bytes - from - PLACE_BYTES) / (PLACES - 1);
  const places = Array.from({ length: PLACES }, (_, index) => Math.floor(from + index * step));
  const read = await readAt(file, places, PLACE_BYTES);
  return read.map((piece) => piece.subarray(piece.indexOf(LF) + 1, piece.lastIndexOf(LF) + 1));
}

/** More distinct characters than these are not valid UTF-8 by accident. */
const ACCIDENTAL_CHARACTERS = 3;
const OUTSIDE_ASCII = /[\u0080-\u{10ffff}]/gu;
/** Usual characters of three bytes and more, those that are words by themselves aside: signs, alphabets, pictures, marks. */
const LONG =
  /[\u0900-\u0e7f\u1e00-\u22ff\u3000-\u30ff\uac00-\ud7af\ufeff-\uffef\u{10000}-\u{1ffff}]/u;

async function guessUtf8(sample: Buffer): Promise<Guess> {
  if (hasManyCharacters(sample)) return { label: 'utf-8' };
  const { doubtOfUtf8 } = await import('./choose.js');
  return { label: 'utf-8', doubt: await doubtOfUtf8(sample) };
}

function hasManyCharacters(sample: Buffer): boolean {
  const distinct = new Set<string>();
  for (const [character] of sample.toString().matchAll(OUTSIDE_ASCII))
    if (distinct.add(character).size > ACCIDENTAL_CHARACTERS || LONG.test(character)) return true;
  return false;
}

/** What opens a text of two bytes a character in ISO-2022-JP. */
const ISO_2022_JP = ['\x1b$B', '\x1b$@'];

/** Zero bytes that a text may hold by accident: fewer than one in this many. */
const ACCIDENTAL = 20;

function hasManyZeros(head: Buffer): boolean {
  let zeros = 0;
  for (const byte of head) if (byte === 0) zeros++;
  return zeros * ACCIDENTAL > head.length;
}

/** Control characters that a text may hold by accident: a few, or fewer than one in this many. */
const [FEW_CONTROLS, RARE_CONTROLS] = [8, 50];
/** Tabs, line ends and the escapes of ISO-2022-JP belong to texts; zero bytes are counted by themselves. */
const TEXT_CONTROLS = new Set([0, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

function hasManyControls(head: Buffer): boolean {
  let controls = 0;
  // By its index: an iterator takes ten times as long before the engine has compiled it, in each thread.
  for (let at = 0; at < head.length; at++) {
    const byte = head[at] ?? 0;
    if (byte < 0x20 && !TEXT_CONTROLS.has(byte)) controls++;
  }
  return controls > FEW_CONTROLS && controls * RARE_CONTROLS > head.length;
}

/** Where the last whole UTF-8 character ends: at most 3 bytes before the end. */
export function utf8Border(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.length - back : bytes.length;
    }
    if (byte < 0x80) break;
  }
  return bytes.length;
}

/** What no text file holds: control characters, unassigned and private ones, halves of pairs. */
const NO_TEXT = /[\p{Cc}\p{Cn}\p{Co}\p{Surrogate}]/u;
const ALLOWED_CONTROLS = /[\t\n\v\f\r]/g;
/** Alphabets and signs of the files that people bring; ASCII read in the wrong byte order is far above. */
const USUAL = /[\t-\u07ff\u2000-\u2bff]/g;
/** Minimum share of usual characters, or of those together with the ones of East Asia. */
const MAJORITY = 0.8;
const EAST_ASIAN = /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9f]/g;
/** Line ends and delimiters: a table has some, and read in the wrong byte order there are hardly any. */
const STRUCTURE = /[\t\n,;|]/g;

/**
 * UTF-16 without a byte order mark, recognised by its sample, which holds zero bytes.
 * @returns `undefined` when it reads as text in neither byte order
 */
function guessUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const even = head.subarray(0, head.length - (head.length % 2));
  const little = plausibility(even.toString('utf16le'));
  const big = plausibility(Buffer.from(even).swap16().toString('utf16le'));
  if (Math.max(little, big) < MAJORITY) return undefined;
  return little >= big ? 'utf-16le' : 'utf-16be';
}

function plausibility(text: string): number {
  // The sample may end in the middle of a pair.
  const whole = text.replace(/[\ud800-\udbff]$/, '');
  if (NO_TEXT.test(whole.replace(ALLOWED_CONTROLS, ' '))) return 0;
  const usual = count(whole, USUAL) / whole.length;
  if (usual >= MAJORITY || count(whole, STRUCTURE) * RARE_STRUCTURE < whole.length) return usual;
  return usual + count(whole, EAST_ASIAN) / whole.length;
}

/** A table has a line end or a delimiter at least once in so many characters. */
const RARE_STRUCTURE = 50;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
