/**
 * Rejects: the rows of an input that did not end well, as it has them, so that they are corrected and imported again by the
 * same mapping. Two columns say how each ended and why. A file appears with its first row, complete or not at all.
 */
import {
  type Cell,
  escapedText,
  guardedText,
  headerName,
  type RejectsFormat,
  type Row,
  withOwnControls,
} from '../core/table.js';
import type { Outcome } from '../core/outcome.js';
import { UsageError } from '../core/errors.js';
import { OUTCOME_COLUMN, PROBLEMS_COLUMN } from '../core/report.js';
import { AtomicFile, orDiscard } from './files.js';
import { csvField, quoted } from './lines.js';
import type { SheetLimits, WorkbookFile } from './xlsx.js';

/** What a rejects file has in common with its input, so that the same mapping reads it. */
export interface RejectsFile {
  /** Path of the rejects file; it is created with the first row. */
  readonly file: string;
  readonly format: RejectsFormat;
  /** CSV only. @default 'utf-8' */
  readonly encoding?: string | undefined;
  /** CSV only: one character. @default ',' */
  readonly delimiter?: string | undefined;
  /** CSV only: begin with a byte order mark; UTF-16 always does. @default false */
  readonly bom?: boolean | undefined;
  /** Header row of the input. */
  readonly headers: readonly Cell[];
  /** Whether the input has a header; without, none is written. @default true */
  readonly hasHeader?: boolean | undefined;
  /** Row number of the header. @default 1 */
  readonly headerRow?: number | undefined;
  /** Rows above the header, with their numbers. Rows that are not given are left empty. @default [] */
  readonly preamble?: readonly Row[] | undefined;
  /** Excel only: name of the sheet. @default 'Rejects' */
  readonly sheet?: string | undefined;
}

/** Writes the rows that did not end well, ready to be corrected and imported again. */
export interface RejectsWriter {
  /**
   * Adds a row: its original cells, how it ended, and the text of its problems. A returned promise must be awaited
   * before the next call.
   * @throws OutputError when the file cannot be written.
   */
  write(cells: readonly Cell[], outcome: Outcome, problems: string): void | Promise<void>;
  /** Puts the file in its place and resolves with its number of rows. Without a row there is no file. */
  close(): Promise<number>;
  /** Removes what was written; an older file stays. */
  discard(): Promise<void>;
}

/**
 * Opens a rejects file in the format of its input.
 * @param limits when a sheet of a workbook is full. @default what Excel opens
 * @throws UsageError when the encoding cannot be written, or the added columns do not fit into a workbook.
 */
export async function openRejectsWriter(
  options: RejectsFile,
  limits?: SheetLimits,
): Promise<RejectsWriter> {
  const { format, headers, headerRow = 1, hasHeader = true, preamble = [] } = options;
  const layout = rejectsLayout(headers, format);
  const cells = new Map(preamble.map((row) => [row.row, row.cells]));
  const above = Array.from({ length: headerRow - 1 }, (_, index) => cells.get(index + 1) ?? []);
  return openWithLayout(options, layout, hasHeader ? [...above, layout.headers] : [], limits);
}

/**
 * The same for rows that are laid out otherwise.
 * @param above the rows above the data, the header last, one for each row number
 */
export function openWithLayout(
  options: RejectsFile,
  layout: RejectsLayout,
  above: readonly (readonly Cell[])[],
  limits?: SheetLimits,
): Promise<RejectsWriter> {
  return options.format === 'xlsx'
    ? xlsxRejects(options, layout, above, limits)
    : csvRejects(options, layout, above);
}

/** Columns that fit into a file. */
const MAX_COLUMNS: Readonly<Record<RejectsFormat, number>> = { csv: Infinity, xlsx: 16_384 };

/** Cells right of the last header that are kept where their number does not matter, such as a note beside the table. */
const MAX_CELLS_BESIDE = 256;

const ADDED: readonly string[] = [OUTCOME_COLUMN, PROBLEMS_COLUMN];

/** How the rows of one input become rows of its rejects file. */
interface RejectsLayout {
  readonly headers: readonly Cell[];
  /** Original cells as they are, then the two added ones. Whoever writes them sees to it that no cell is a formula. */
  row(cells: readonly Cell[], outcome: Outcome, problems: string): Cell[];
}

/**
 * Puts the two added columns after the last header. In a rejects file that is imported again they are replaced. Cells
 * right of the last header follow the added ones, and short rows are filled up.
 *
 * Where the number of cells matters, a row that cannot be trusted for it keeps a wrong number: with the right one it
 * would pass when it is imported again. Elsewhere stray cells far to the right, which might not fit any more, are left out.
 * @throws UsageError when the added columns do not fit into the file
 */
function rejectsLayout(given: readonly Cell[], format: RejectsFormat): RejectsLayout {
  // Whether a row with too few or too many cells is rejected when the file is imported.
  const cellCountMatters = format === 'csv';
  const maxColumns = MAX_COLUMNS[format];
  const last = given.findLastIndex((cell) => cell !== null && cell.trim() !== '');
  const headers = cellCountMatters ? given : given.slice(0, last + 1);
  const own = new Set(
    headers.flatMap((header, at) => (ADDED.includes(headerName(header ?? '')) ? [at] : [])),
  );
  const withoutOwn = (cells: readonly Cell[]): readonly Cell[] =>
    own.size === 0 ? cells : cells.filter((_, column) => !own.has(column));
  const original = withoutOwn(headers);
  const columns = [...original, ...ADDED];
  if (columns.length > maxColumns)
    throw new UsageError(
      `The header fills the sheet, so that ${OUTCOME_COLUMN} and ${PROBLEMS_COLUMN} have no place beside it in the ` +
        `rejects. Remove columns that are not needed.`,
    );
  const beside = cellCountMatters
    ? Infinity
    : Math.min(MAX_CELLS_BESIDE, maxColumns - columns.length);
  return {
    headers: columns,
    row(cells, outcome, problems) {
      const isWide = cells.length > headers.length + beside;
      const kept = withoutOwn(isWide ? cells.slice(0, headers.length + beside) : cells);
      const added: Cell[] = [outcome, problems];
      // `concat` copies whole arrays at once: a row may have thousands of cells.
      if (kept.length > original.length)
        return kept.slice(0, original.length).concat(added, kept.slice(original.length));
      const missing = Array<Cell>(original.length - kept.length).fill(null);
      const isShort = cellCountMatters && cells.length < headers.length && isUntrusted(cells);
      return kept.concat(missing, added, isShort ? [SURPLUS] : []);
    },
  };
}

/** What a row that is too short has behind its last column, so that it is rejected again until it is mended. */
const SURPLUS = 'cardline:cells-missing';

/** A single cell is no row, and with a quote in it the cells of a short one may stand in other columns. */
function isUntrusted(cells: readonly Cell[]): boolean {
  return cells.length === 1 || cells.some((cell) => cell?.includes('"') === true);
}

/** Characters that are collected before they are encoded. */
const CHUNK = 16 * 1024;

/** Rejects as CSV, in the encoding and with the delimiter of the input, lines ended by `\r\n` as spreadsheet programs do. */
async function csvRejects(
  { file, encoding = 'utf-8', delimiter = ',', bom = false }: RejectsFile,
  layout: RejectsLayout,
  above: readonly (readonly Cell[])[],
): Promise<RejectsWriter> {
  const encode = await encoderFor(encoding);
  const line = lineWith(delimiter);
  // Problems are always quoted: a program that detects the delimiter must not count their commas.
  const problemsColumn = layout.headers.indexOf(PROBLEMS_COLUMN);
  let target: AtomicFile | undefined;
  let count = 0;
  // An encoding that has two bytes for a character is recognised by its byte order mark only.
  let chunk = bom || canonical(encoding).startsWith('utf-16') ? '\uFEFF' : '';
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

/** Rejects as a workbook of texts. Rows that do not fit on one sheet continue on the next. */
async function xlsxRejects(
  { file, sheet = 'Rejects' }: RejectsFile,
  layout: RejectsLayout,
  above: readonly (readonly Cell[])[],
  given?: SheetLimits,
): Promise<RejectsWriter> {
  // Loaded where there are such rejects.
  const { EXCEL_LIMITS, WorkbookFile } = await import('./xlsx.js');
  const limits = given ?? EXCEL_LIMITS;
  let workbook: WorkbookFile | undefined;
  let count = 0;
  const problemsColumn = layout.headers.indexOf(PROBLEMS_COLUMN);
  // Cells of a workbook are texts to every program: of those of the file, only what reading would take for a mark gets one.
  const escaped = (cells: readonly Cell[]): Cell[] =>
    cells.map((cell, column) => {
      if (cell === null) return null;
      return column === problemsColumn ? guardedText(cell) : escapedText(cell);
    });

  const onNewSheet = async (row: readonly Cell[]): Promise<void> => {
    workbook ??= await WorkbookFile.open(file);
    await workbook.addSheet(sheet, layout.headers.length);
    for (const cells of [...above, row]) await workbook.addRow(escaped(cells));
  };
  return {
    write(cells, outcome, problems) {
      const row = layout.row(cells, outcome, problems);
      count += 1;
      return workbook === undefined || workbook.isFull(limits)
        ? onNewSheet(row)
        : workbook.addRow(escaped(row));
    },
    async close() {
      await workbook?.commit();
      return count;
    },
    async discard() {
      await workbook?.discard();
    },
  };
}
