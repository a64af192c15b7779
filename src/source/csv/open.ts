import { InputError } from '../../core/errors.js';
import type { Dialect, EncodingDoubt, ReopenOptions, Row, Source } from '../../core/table.js';
import { emptyFile, readHead, readWhole, type FoundFile, readAt } from '../file.js';
import { lineBreaks, ROW_BYTES } from '../rows.js';
import { unpackedChunks } from '../unpacked.js';
import { findDialect } from './dialect.js';
import { PassingLines } from './collector.js';
import { isPlain, readRows } from './rows.js';
import { StrayQuotes } from './stray-quotes.js';
import { isAscii, isUtf8, transcode } from 'node:buffer';
import { canonicalLabel, tableDecoder } from './encoding/table-decoder.js';

/** Bytes of the beginning that encoding and delimiter are found by. */
const HEAD = 512 * 1024;
/** Characters of it that delimiters are counted in. */
const DELIMITER_SAMPLE = 128 * 1024;

/** Opens a CSV or TSV file, finding its encoding and delimiter. Errors: as `openSource`. */
export async function openCsv(csv: FoundFile, options: ReopenOptions): Promise<Source> {
  const head = await readHead(unpackedChunks(csv), HEAD);
  const content = withoutPadding(head);
  const zeros =
    'the file holds zero bytes in place of text. It was not saved or copied whole: get it again.';
  if (content.length === 0) throw new InputError('empty_file', zeros, { file: csv.file });
  const wantedEncoding = options.encoding ?? 'auto';
  const rest = head.length < HEAD ? undefined : { csv, from: head.length };
  // In a last line that is cut off, a character may be cut in two.
  const end = content.length < HEAD ? content.length : content.lastIndexOf('\n') + 1;
  const whole = end > 0 ? content.subarray(0, end) : content;
  const encoding = await findEncoding(whole, wantedEncoding, rest);
  if (!encoding) throw notText(csv.file);
  const text = await decodeHead(content, encoding, csv.file);
  const sample = text.slice(0, DELIMITER_SAMPLE);
  const isWhole = text.length <= DELIMITER_SAMPLE && head.length < HEAD;
  const wanted = options.delimiter ?? 'auto';
  const dialect =
    options.dialect ??
    findWrappedDialect(sample, isWhole, wanted) ??
    findDialect(sample, isWhole, wanted);
  const strays = new StrayQuotes(sample, isWhole, dialect);
  return textSource(csv, encoding, dialect, strays);
}

/** Share of the rows of a window that have the width of the table, for its beginning to be right. */
const FITTING = 0.8;

function textSource(
  csv: FoundFile,
  encoding: Encoding,
  dialect: Dialect,
  strays: StrayQuotes,
): Source {
  const { file, bytes, format, formatName, gzip, part } = csv;
  const { label, guessed, doubt } = encoding;
  let bytesRead = 0;
  const rowsOf = (pieces: AsyncIterable<string>, lines?: PassingLines) => {
    const text = dialect.wrapsLines ? withoutWrapping(pieces) : pieces;
    return readRows(text, file, dialect, strays, lines);
  };
  /** An error for bytes that are no text. Finds the line by reading once more up to there, so that lines need not be counted otherwise. */
  const explained = async (error: unknown): Promise<unknown> => {
    if (!(error instanceof UndecodableError)) return error;
    const line = await linesUntilFailure(decodeChunks(unpackedChunks(csv), encoding));
    const advice = guessed
      ? 'Save the file as UTF-8, or name its encoding: --encoding, or "source: { encoding: … }" in the mapping.'
      : 'Is this the right encoding?';
    const reason = error.isUtf8
      ? `this is UTF-8, and other rows are ${label}. Save all rows as UTF-8.`
      : `this is no valid ${label} text. ${advice}`;
    return new InputError('invalid_text', reason, { file, line });
  };
  const wholeRows = async (window: Buffer, isCut: boolean): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    try {
      const text = decodeChunks([window], { ...encoding, bomBytes: 0 });
      for await (const batch of rowsOf(text)) rows.push(...batch);
    } catch (error) {
      // The last record, and the last character, may be cut in two: the rows before are whole.
      if (!(error instanceof InputError) && !(error instanceof UndecodableError)) throw error;
    }
    // The first one may begin inside a quoted cell, and be as wide as the others all the same.
    return rows.slice(1, isCut ? -1 : undefined);
  };
  /** The best of the line starts: one inside a quoted cell gives rows that are too wide or too narrow. */
  const rowsNear = async (share: number, width: number): Promise<readonly Row[]> => {
    const unit = label.startsWith('utf-16') ? 2 : 1;
    // Bytes around that share of the file, up to its end at most.
    const place = Math.floor((Math.max(0, bytes - WINDOW) * share) / unit) * unit;
    const [window = Buffer.alloc(0)] = await readAt(file, [place], WINDOW);
    let best: readonly Row[] = [];
    for (const start of lineStarts(window, unit)) {
      const rows = await wholeRows(window.subarray(start), share < 1);
      const fitting = rows.filter(({ cells }) => cells.length === width);
      if (fitting.length > best.length) best = fitting;
      if (fitting.length > rows.length * FITTING) break;
    }
    return best;
  };
  return {
    info: {
      ...{ format, formatName, encoding: label },
      ...(guessed && !label.startsWith('utf-') ? { encodingGuessed: true } : {}),
      ...(doubt ? { encodingDoubt: doubt } : {}),
      ...{ delimiter: dialect.delimiter, dialect, gzip },
      ...(part === undefined ? {} : { part }),
      ...{ bom: encoding.bomBytes > 0, sheets: [], bytes },
    },
    async *batches(passing) {
      bytesRead = 0;
      const count = (more: number): void => void (bytesRead += more);
      // Of plain text, only what has been made into rows counts: the file itself is read far ahead of them.
      const [onRead, onPiece] = gzip ? [count, undefined] : [undefined, count];
      const canPass = label === 'utf-8' && isPlain(dialect) && !dialect.wrapsLines;
      const lines = passing && canPass ? new PassingLines(passing, dialect) : undefined;
      try {
        const chunks = unpackedChunks(csv, onRead);
        yield* rowsOf(decodeChunks(chunks, encoding, onPiece, lines), lines);
      } catch (error) {
        throw await explained(error);
      }
    },
    verify: async () => {
      try {
        if (label === 'utf-8') await checkUtf8(unpackedChunks(csv));
        else if (guessed) await readWhole(decodeChunks(unpackedChunks(csv), encoding));
        else if (gzip) await readWhole(unpackedChunks(csv));
      } catch (error) {
        throw await explained(error);
      }
    },
    bytesRead: () => bytesRead,
    rowsNear: gzip ? undefined : rowsNear,
  };
}

async function decodeHead(head: Buffer, encoding: Encoding, file: string): Promise<string> {
  let text = '';
  try {
    for await (const piece of decodeChunks([head], encoding)) text += piece;
  } catch (error) {
    // Rows before it are read all the same, and the error is thrown behind them.
    if (!(error instanceof UndecodableError)) throw error;
  }
  if (text === '' && head.length === encoding.bomBytes) throw emptyFile(file);
  const controls = text.match(/[^\P{Cc}\t\n\v\f\r]/gu)?.length ?? 0;
  if (controls > FEW_CONTROLS && controls * RARE_CONTROLS >= text.length) throw notText(file);
  return text;
}

async function linesUntilFailure(text: AsyncIterable<string>): Promise<number> {
  let line = 1;
  let last = '';
  try {
    for await (const piece of text) {
      // A line end may be cut in two by the border of pieces.
      if (last === '\r' && piece.startsWith('\n')) line--;
      line += lineBreaks(piece);
      last = piece.slice(-1);
    }
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
  }
  return line;
}

function notText(file: string): InputError {
  const reason =
    'this is neither a workbook nor a text file. Save it as .xlsx or CSV in a spreadsheet program.';
  return new InputError('not_a_spreadsheet', reason, { file });
}

/** Bytes of a window: enough for a hundred rows of a wide table. */
const WINDOW = 96 * 1024;
const LF = 0x0a;
const CR = 0x0d;

/** Line starts that are tried: a quoted cell of more lines than this is passed over. */
const STARTS = 8;

/** Places at which a line begins. A line that begins inside a quoted cell is one of them. @param unit bytes of a character */
function lineStarts(bytes: Buffer, unit: 1 | 2): number[] {
  const starts: number[] = [];
  for (let at = 0; at + unit < bytes.length && starts.length < STARTS; at += unit) {
    const isBreak = isLineBreak(bytes, at, unit);
    if (isBreak && !isLineBreak(bytes, at + unit, unit)) starts.push(at + unit);
  }
  return starts;
}

function isLineBreak(bytes: Buffer, at: number, unit: 1 | 2): boolean {
  const [one, other] = [bytes[at], unit === 2 ? bytes[at + 1] : 0];
  const [low, high] = one === 0 ? [other, one] : [one, other];
  return (low === LF || low === CR) && high === 0;
}

/**
 * Files whose lines stand in quotes as a whole, such as `"1,""Ada"",0151 234"`: programs write them where a text with
 * commas was opened as one column and saved again. Delimiters behind the quotes are empty cells of that table.
 */
const WRAPPED = /^"([^"]*(?:""[^"]*)*)"[,;\t]*$/;
const LINE_END = /\r\n|\n|\r/;
/** Lines that show it. */
const LOOKED_AT = 50;
/** Share of them that are wrapped, and that have as many cells as the first one. */
const MIN_SHARE = 0.8;

/**
 * How the lines within the quotes are written; `undefined` where the lines of a text are not wrapped, or hold no table:
 * one column of texts in quotes is one column.
 * @param sample beginning of the text
 * @param whole whether it is the whole text
 */
function findWrappedDialect(sample: string, whole: boolean, wanted: string): Dialect | undefined {
  const lines = sample.split(LINE_END, LOOKED_AT + 1).filter((line) => line !== '');
  if (!whole || lines.length > LOOKED_AT) lines.pop();
  const inner = lines.flatMap((line) => withinQuotes(line) ?? []);
  const [first = '', ...others] = inner;
  if (withinQuotes(lines[0] ?? '') === undefined || others.length === 0) return undefined;
  if (inner.length < MIN_SHARE * lines.length) return undefined;
  const dialect = findDialect(inner.join('\n'), true, wanted);
  const width = widthOf(first, dialect);
  const fitting = others.filter((line) => widthOf(line, dialect) === width);
  // A comma may stand within the texts of one column: `"Lee, Ada"`.
  const isSure = dialect.delimiter !== ',' || inner.some((line) => line.includes('"'));
  const isTable = width > 2 || (width === 2 && isSure);
  return isTable && fitting.length >= MIN_SHARE * others.length
    ? { ...dialect, wrapsLines: true }
    : undefined;
}

/** The text without the quotes around its lines; lines without any stay as they are. */
async function* withoutWrapping(
  pieces: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    // The end of the last line may be cut in two.
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r', text.length - 2)) + 1;
    rest = text.slice(end);
    if (end > 0) yield unwrapped(text.slice(0, end));
    // Longer ones are refused where rows are read.
    if (rest.length > ROW_BYTES) {
      yield rest;
      rest = '';
    }
  }
  if (rest !== '') yield unwrapped(rest);
}

const unwrapped = (text: string): string =>
  text.replaceAll(/[^\r\n]+/g, (line) => withinQuotes(line) ?? line);

const withinQuotes = (line: string): string | undefined =>
  WRAPPED.exec(line)?.[1]?.replaceAll('""', '"');

function widthOf(line: string, { delimiter, quote }: Dialect): number {
  const outside = line.replaceAll(new RegExp(`${quote}[^${quote}]*${quote}`, 'g'), '');
  return outside.split(delimiter).length;
}

/** Bytes that are no text in the file's encoding. All text before them has been given. */
class UndecodableError extends Error {
  /** @param isUtf8 whether they are text in UTF-8, where another encoding was found */
  constructor(readonly isUtf8 = false) {
    super('bytes that are no text in this encoding');
  }
}

/**
 * Bytes that are decoded at a time. Every step of the way holds on to the text that it has given last: with four times
 * as much, the collector of garbage copies twice as much, and what it takes for long-lived makes the heap grow.
 */
const PIECE = 16 * 1024;
const CTRL_Z = 0x1a;

/**
 * The text of a file, piece by piece, without its byte order mark. A piece never ends inside a character. `onPiece` is
 * called with the bytes of each piece before it is given. Lines that need only be counted are no part of it: behind them
 * there is an empty piece.
 * @throws UndecodableError at the first bytes that are not valid
 */
async function* decodeChunks(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  encoding: Encoding,
  onPiece?: (bytes: number) => void,
  lines?: PassingLines,
): AsyncGenerator<string, void, undefined> {
  const decode = await decoderOf(encoding);
  const end = new EndOfText();
  let skip = encoding.bomBytes;
  let isLineStart = false;
  for await (const chunk of chunks) {
    const bytes = chunk.subarray(skip);
    const skipped = chunk.length - bytes.length;
    skip -= skipped;
    onPiece?.(skipped);
    for (let at = 0; at < bytes.length;) {
      let next = at + PIECE;
      if (lines?.isWanted && isLineStart && end.isEmpty && lines.isBetween) {
        const passed = lines.pass(bytes.subarray(at));
        if (passed > 0) {
          onPiece?.(passed);
          at += passed;
          yield '';
          continue;
        }
        // What comes next is to be counted from the next line on.
      } else if (lines?.isWanted) next = Math.min(next, bytes.indexOf(LF, at) + 1 || next);
      const piece = bytes.subarray(at, next);
      onPiece?.(piece.length);
      at += piece.length;
      isLineStart = piece.at(-1) === LF;
      yield* end.before(given(decode(piece, false), piece.includes(0)));
    }
  }
  yield* end.before(given(decode(Buffer.alloc(0), true), true));
}

/** Ctrl-Z, which programs of DOS end a text with, and what else they fill up its last block with. */
const END_OF_TEXT = '\x1a';
/** More of it is no end of a text. */
const LONGEST_END = 64 * 1024;

/** Keeps back what may be the mark at the end of a text until more text follows it. */
class EndOfText {
  private held = '';

  get isEmpty(): boolean {
    return this.held === '';
  }

  *before(pieces: Iterable<string>): Generator<string, void, undefined> {
    for (const piece of pieces) {
      const text = this.held + piece;
      this.held = text.includes(END_OF_TEXT) ? endOf(text) : '';
      if (this.held.length > LONGEST_END) this.held = '';
      if (text.length > this.held.length) yield text.slice(0, text.length - this.held.length);
    }
  }
}

/** The first Ctrl-Z behind which there is nothing but others and white space, and those; empty where there is none. */
function endOf(text: string): string {
  let at = text.length;
  while (at > 0 && (text[at - 1] === END_OF_TEXT || (text[at - 1] ?? '').trim() === '')) at--;
  const first = text.indexOf(END_OF_TEXT, at);
  return first < 0 ? '' : text.slice(first);
}

/** Looks at the bytes of a UTF-8 file without decoding them, which takes a tenth of the time. */
async function checkUtf8(chunks: AsyncIterable<Buffer>): Promise<void> {
  let carried: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
    const end = utf8Border(bytes);
    if (!isUtf8(bytes.subarray(0, end))) throw new UndecodableError();
    carried = bytes.subarray(end);
  }
  if (carried.length > 0) throw new UndecodableError();
}

/** Bytes without the zeros and Ctrl-Z at their end; never half a character of two bytes. */
function withoutPadding(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0 || bytes[end - 1] === CTRL_Z)) end--;
  return bytes.subarray(0, Math.min(bytes.length, end + (end % 2)));
}

/**
 * Zero characters stand for nothing: some programs fill up their cells with them.
 * @param mayHoldZeros whether there is a zero among the bytes, where it is looked for four times as fast
 */
function* given(
  { text, isBroken, isUtf8 }: Decoded,
  mayHoldZeros: boolean,
): Generator<string, void, undefined> {
  if (text !== '') yield mayHoldZeros ? text.replaceAll('\0', '') : text;
  if (isBroken) throw new UndecodableError(isUtf8);
}

interface Decoded {
  /** Text up to the end of the bytes, or up to the first bytes that are none. */
  readonly text: string;
  readonly isBroken: boolean;
  /** Whether what is no text in the encoding is UTF-8. */
  readonly isUtf8?: boolean;
}

/** Decodes the next bytes; `last` says that no more will come. */
type Decode = (bytes: Buffer, last: boolean) => Decoded;

async function decoderOf({ label, guessed }: Encoding): Promise<Decode> {
  switch (label) {
    case 'utf-8':
      return carrying(utf8Border, decodeUtf8);
    case 'utf-16le':
      return carrying((bytes) => utf16Border(bytes, 1), decodeUtf16);
    case 'utf-16be':
      return carrying(
        (bytes) => utf16Border(bytes, 0),
        (bytes) => decodeUtf16(Buffer.from(bytes).swap16()),
      );
  }
  const decoder = await tableDecoder(label);
  // Not `fatal`, since that would not show where the text is broken.
  const decode: Decode = (bytes, last) => {
    const text = last ? decoder.end() : decoder.decode(bytes);
    const broken = text.indexOf('\ufffd');
    return broken < 0 ? { text, isBroken: false } : { text: text.slice(0, broken), isBroken: true };
  };
  if (!guessed) return decode;
  const { canFindUtf8In, utf8InsideAt } = await import('./encoding/choose.js');
  if (!canFindUtf8In(label)) return decode;
  // Words in UTF-8 are taken for broken text: where nobody has named the encoding, they are not garbled.
  return (bytes, last) => {
    const at = isAscii(bytes) ? -1 : utf8InsideAt(bytes);
    return at < 0
      ? decode(bytes, last)
      : { text: decode(bytes.subarray(0, at), false).text, isBroken: true, isUtf8: true };
  };
}

/** Keeps the part after the last whole character for the next bytes. */
function carrying(border: (bytes: Buffer) => number, decode: (bytes: Buffer) => Decoded): Decode {
  let carried: Buffer = Buffer.alloc(0);
  return (bytes, last) => {
    const all = carried.length === 0 ? bytes : Buffer.concat([carried, bytes]);
    const end = border(all);
    carried = all.subarray(end);
    const decoded = decode(all.subarray(0, end));
    // Half a character of zeros or Ctrl-Z is what the last block was filled up with.
    const isBroken = last && carried.some((byte) => byte !== 0 && byte !== CTRL_Z);
    return isBroken ? { ...decoded, isBroken } : decoded;
  };
}

function decodeUtf8(bytes: Buffer): Decoded {
  const end = isUtf8(bytes) ? bytes.length : validUtf8(bytes);
  const valid = bytes.subarray(0, end);
  // By way of UTF-16, which is more than twice as fast as `toString('utf8')` outside of ASCII.
  const text = isAscii(valid)
    ? valid.toString('latin1')
    : transcode(valid, 'utf8', 'utf16le').toString('utf16le');
  return { text, isBroken: end < bytes.length };
}

/** Where valid UTF-8 ends, found by halving. */
function validUtf8(bytes: Buffer): number {
  const border = (length: number): number => utf8Border(bytes.subarray(0, length));
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (isUtf8(bytes.subarray(0, border(middle)))) good = middle;
    else bad = middle;
  }
  return border(good);
}

function utf16Border(bytes: Buffer, highByte: 0 | 1): number {
  const even = bytes.length - (bytes.length % 2);
  const high = bytes[even - 2 + highByte];
  const opensPair = high !== undefined && high >= 0xd8 && high < 0xdc;
  return opensPair ? even - 2 : even;
}

function decodeUtf16(bytes: Buffer): Decoded {
  const text = bytes.toString('utf16le');
  const broken = text.search(/\p{Surrogate}/u);
  return broken < 0 ? { text, isBroken: false } : { text: text.slice(0, broken), isBroken: true };
}

interface Encoding {
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

async function guess(
  head: Buffer,
  rest: Rest | undefined,
): Promise<Pick<Encoding, 'label' | 'doubt'> | undefined> {
  if (head.includes(0)) {
    const label = guessUtf16(head);
    if (label !== undefined) return { label };
    const zeros = head.reduce((sum, byte) => sum + Number(byte === 0), 0);
    if (zeros * ACCIDENTAL > head.length) return undefined;
  }
  if (hasManyControls(head)) return undefined;
  if (isAscii(head) && ISO_2022_JP.some((escape) => head.includes(escape)))
    return { label: 'iso-2022-jp' };
  const sample = isAscii(head) ? rest && (await firstHigh(unpackedChunks(rest.csv))) : head;
  if (!sample) return { label: 'utf-8' };
  const isValid = isUtf8(sample.subarray(0, utf8Border(sample)));
  if (isValid && hasManyCharacters(sample)) return { label: 'utf-8' };
  // Most files need none of it.
  const { chooseEncoding, doubtOfUtf8 } = await import('./encoding/choose.js');
  if (isValid) return { label: 'utf-8', doubt: await doubtOfUtf8(sample) };
  return chooseEncoding(Buffer.concat([sample, ...(rest ? await spread(rest) : [])]));
}

/** Bytes around the first one that is not ASCII. */
const AROUND = 64 * 1024;
/** Places of a large file that are looked at, and bytes of each. */
const PLACES = 8;
const PLACE_BYTES = 32 * 1024;

/** The text around the first byte beyond ASCII; `undefined` when there is none. */
async function firstHigh(chunks: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const found: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      if (found.length === 0 && isAscii(chunk)) continue;
      const high = chunk.findIndex((byte) => byte > 0x7f);
      const from = found.length === 0 ? chunk.lastIndexOf(LF, high) + 1 : 0;
      found.push(Buffer.from(chunk.subarray(from)));
      length += chunk.length - from;
      if (length >= AROUND) break;
    }
  } catch (error) {
    // A damaged file is refused when its rows are read, after those before the damage.
    if (!(error instanceof InputError)) throw error;
  }
  if (found.length === 0) return undefined;
  const bytes = Buffer.concat(found);
  // Without a last line that is cut off, where there is one before it.
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
function utf8Border(bytes: Buffer): number {
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

/** UTF-16 without a byte order mark, by a sample with zero bytes; `undefined` when it reads as text in neither order. */
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
