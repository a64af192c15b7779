import { type Cell, guardedText, withOwnControls } from '../../core/table.js';
import { AtomicFile, orDiscard } from '../files.js';
import { csvField, quoted } from '../csv/csv-file.js';
import { PROBLEMS_COLUMN } from '../../core/report.js';
import type { RejectsLayout, RejectsFile, RejectsWriter } from './rejects-layout.js';
import { UsageError } from '../../core/errors.js';

/** Characters that are collected before they are encoded. */
const CHUNK = 16 * 1024;

/** Rejects as CSV, in the encoding and with the delimiter of the input, lines ended by `\r\n` as spreadsheet programs do. */
export async function csvRejects(
  { file, encoding = 'utf-8', delimiter = ',', bom = false }: RejectsFile,
  layout: RejectsLayout,
  /** Rows above the data, the header included. */
  above: readonly (readonly Cell[])[],
): Promise<RejectsWriter> {
  const encode = await encoderFor(encoding);
  const line = lineWith(delimiter);
  // Problems are always quoted: a program that detects the delimiter must not count their commas.
  const problemsColumn = layout.headers.indexOf(PROBLEMS_COLUMN);
  let target: AtomicFile | undefined;
  let count = 0;
  let chunk = bom || isUtf16(encoding) ? '\uFEFF' : '';
  chunk += above.map((cells) => line(cells)).join('');

  const flush = async (): Promise<AtomicFile> => {
    const text = chunk;
    chunk = '';
    const opened = (target ??= await AtomicFile.open(file));
    await orDiscard(opened, () => opened.write(encode(text)));
    return opened;
  };
  return {
    write(cells, outcome, problems) {
      count += 1;
      chunk += line(layout.row(cells, outcome, problems), problemsColumn);
      return chunk.length < CHUNK ? undefined : flush().then(() => undefined);
    },
    async close() {
      if (count > 0) await (await flush()).commit();
      return count;
    },
    async discard() {
      await target?.discard();
    },
  };
}

/** Makes a line of cells, each in a form that no program takes for a formula; `quotedColumn` is quoted in any case. */
function lineWith(delimiter: string): (cells: readonly Cell[], quotedColumn?: number) => string {
  const field = csvField(delimiter);
  return (cells, quotedColumn) => {
    let line = '';
    // Delimiters are written when a cell follows, all at once: a row may have thousands of empty cells.
    let written = 0;
    for (let column = 0; column < cells.length; column++) {
      const cell = cells[column] ?? '';
      if (cell === '' && column !== quotedColumn) continue;
      line +=
        delimiter.repeat(column - written) +
        (column === quotedColumn ? quoted : field)(guardedText(cell));
      written = column;
    }
    return `${line}${delimiter.repeat(Math.max(0, cells.length - 1 - written))}\r\n`;
  };
}

/** Turns text into bytes of one encoding. A character may be held back until its other half comes. */
type Encode = (text: string) => Uint8Array;

/** Encodings that Node and iconv-lite call by different names. */
const ICONV_NAMES: Readonly<Record<string, string>> = { 'x-mac-cyrillic': 'maccyrillic' };

const QUESTION_MARK = 0x3f;

/**
 * The encoder for an encoding label such as `windows-1251`. A character that the encoding lacks becomes `?`. iconv-lite
 * and its tables are loaded for encodings other than UTF-8 only.
 * @throws UsageError when the encoding cannot be written
 */
async function encoderFor(label: string): Promise<Encode> {
  const name = canonical(label);
  if (name === 'utf-8') return (text) => Buffer.from(text);
  const { default: iconv } = await import('iconv-lite');
  const iconvName = ICONV_NAMES[name] ?? name;
  if (!iconv.encodingExists(iconvName))
    throw new UsageError(`${name} cannot be written. Convert the file to UTF-8.`);
  const encoder = iconv.getEncoder(iconvName);
  if (name === 'windows-1258') return (text) => encoder.write(withTonesApart(text));
  const exceptions = exceptionsOf(name, (text) => encoder.write(text));
  if (exceptions.size === 0) return (text) => encoder.write(text);
  const exceptional = new RegExp(`[${[...exceptions.keys()].join('')}]`, 'g');
  return (text) => {
    const bytes = encoder.write(text);
    for (const { 0: character, index } of text.matchAll(exceptional))
      bytes[index] = exceptions.get(character) ?? QUESTION_MARK;
    return bytes;
  };
}

/** Vietnamese tones, which windows-1258 writes behind the vowel; it has some letters with them in one byte. */
const TONED =
  /[\u00c3\u00d2\u00d5\u00e3\u00f2\u00f5\u00cc\u00ec\u00dd\u00fd]|[^\p{ASCII}\u0080-\u00ff\u0102\u0103\u0110\u0111\u0152\u0153\u0178\u01a0\u01a1\u01af\u01b0]/gu;
const TONE = /[\u0300\u0301\u0303\u0309\u0323]/;

function withTonesApart(text: string): string {
  return text.replace(TONED, (letter) => {
    const parts = letter.normalize('NFD');
    const tone = TONE.exec(parts)?.[0] ?? '';
    return tone === '' ? letter : parts.replace(tone, '').normalize('NFC') + tone;
  });
}

/** Whether the encoding has two bytes for a character, so that it is recognised by its byte order mark only. */
function isUtf16(label: string): boolean {
  return canonical(label).startsWith('utf-16');
}

function canonical(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // iconv-lite knows a few more encodings than Node.
    return label.toLowerCase();
  }
}

/**
 * Characters of a single-byte encoding that iconv-lite writes otherwise than Node reads them, such as the control
 * characters that stand for undefined bytes: a cell that is not changed keeps its bytes.
 */
function exceptionsOf(name: string, encode: Encode): ReadonlyMap<string, number> {
  const exceptions = new Map<string, number>();
  if (!isKnownToNode(name)) return exceptions;
  for (let byte = 0; byte < 256; byte++) {
    // Without `stream` Node 20 decodes windows-1252 as Latin-1; with it, half a character gives no text.
    const read = new TextDecoder(name).decode(Uint8Array.of(byte), { stream: true });
    const character = withOwnControls(name, read);
    if (character.length !== 1) return new Map();
    if (character !== '\uFFFD' && encode(character)[0] !== byte) exceptions.set(character, byte);
  }
  return exceptions.set('\uFFFD', QUESTION_MARK);
}

function isKnownToNode(name: string): boolean {
  try {
    return new TextDecoder(name).encoding === name;
  } catch {
    return false;
  }
}
