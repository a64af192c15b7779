import { InputError } from '../../core/errors.js';
import type { Row, ReopenOptions, Source, SourceInfo, Dialect } from '../../core/table.js';
import { emptyFile, readHead, readWhole, type FoundFile } from '../file.js';
import { lineBreaks } from '../lines.js';
import { unpackedChunks } from '../unpacked.js';
import { checkUtf8, decodeChunks, UndecodableError, withoutPadding } from './decode.js';
import { findDialect } from './dialect/find.js';
import { findEncoding, type Encoding } from './encoding/encoding.js';
import { farSample } from './far-sample.js';
import { untilFailure } from './pieces.js';
import { readRows } from './rows.js';
import { StrayQuotes } from './stray-quotes.js';
import { readWindow } from './window.js';
import { findWrappedDialect, withoutWrapping } from './wrapped-lines.js';

/** Bytes of the beginning that encoding and delimiter are found by. */
const HEAD = 512 * 1024;
/** Characters of it that delimiters are counted in. */
const DELIMITER_SAMPLE = 128 * 1024;

/** Opens a CSV or TSV file, finding its encoding and delimiter. Errors: as `openSource`. */
export async function openCsv(csv: FoundFile, options: ReopenOptions): Promise<Source> {
  const head = await readHead(unpackedChunks(csv), HEAD);
  const content = withoutPadding(head);
  if (content.length === 0) throw onlyZeros(csv.file);
  const far = farSample(
    csv,
    () => unpackedChunks(csv),
    head.length < HEAD ? Infinity : head.length,
  );
  const encoding = await findEncoding(withoutCutLine(content), options.encoding ?? 'auto', far);
  if (!encoding) throw notText(csv.file);
  const { sample, whole } = await decodeHead(content, encoding, csv.file);
  const [isWhole, wanted] = [whole && head.length < HEAD, options.delimiter ?? 'auto'];
  const dialect =
    options.dialect ??
    findWrappedDialect(sample, isWhole, wanted) ??
    findDialect(sample, isWhole, wanted);
  const strays = new StrayQuotes(sample, isWhole, dialect);
  return new CsvSource(csv, encoding, dialect, strays);
}

/** The sample without a last line that is cut off, in which a character may be cut in two. */
function withoutCutLine(head: Buffer): Buffer {
  const end = head.length < HEAD ? head.length : head.lastIndexOf('\n') + 1;
  return end > 0 ? head.subarray(0, end) : head;
}

/** Share of the rows of a window that have the width of the table, for its beginning to be right. */
const FITTING = 0.8;

class CsvSource implements Source {
  readonly info: SourceInfo;
  readonly rowsNear: Source['rowsNear'];
  readonly #csv: FoundFile;
  readonly #encoding: Encoding;
  readonly #dialect: Dialect;
  #bytesRead = 0;

  constructor(
    csv: FoundFile,
    encoding: Encoding,
    dialect: Dialect,
    private readonly strays: StrayQuotes,
  ) {
    this.#csv = csv;
    this.#encoding = encoding;
    this.#dialect = dialect;
    this.info = {
      format: csv.format,
      formatName: csv.formatName,
      encoding: encoding.label,
      ...(encoding.guessed && !encoding.label.startsWith('utf-') ? { encodingGuessed: true } : {}),
      ...(encoding.doubt ? { encodingDoubt: encoding.doubt } : {}),
      delimiter: dialect.delimiter,
      dialect,
      gzip: csv.gzip,
      ...(csv.part === undefined ? {} : { part: csv.part }),
      bom: encoding.bomBytes > 0,
      sheets: [],
      bytes: csv.bytes,
    };
    this.rowsNear = csv.gzip ? undefined : (share, width) => this.#rowsNear(share, width);
  }

  async *batches(): AsyncGenerator<readonly Row[], void, undefined> {
    const { file, gzip } = this.#csv;
    this.#bytesRead = 0;
    const count = (bytes: number): void => {
      this.#bytesRead += bytes;
    };
    // Of plain text, only what has been made into rows counts: the file itself is read far ahead of them.
    const [onRead, onPiece] = gzip ? [count, undefined] : [undefined, count];
    const chunks = unpackedChunks(this.#csv, onRead);
    try {
      const text = this.#textOf(decodeChunks(chunks, this.#encoding, onPiece));
      const csvText = { file, delimiter: this.#dialect.delimiter };
      yield* readRows(text, csvText, this.#dialect, this.strays);
    } catch (error) {
      throw error instanceof UndecodableError ? await this.#undecodable(error) : error;
    }
  }

  #textOf(pieces: AsyncIterable<string>): ReturnType<typeof untilFailure> {
    return untilFailure(this.#dialect.wrapsLines ? withoutWrapping(pieces) : pieces);
  }

  async verify(): Promise<void> {
    try {
      const { label, guessed } = this.#encoding;
      if (label === 'utf-8') await checkUtf8(unpackedChunks(this.#csv));
      else if (guessed) await decodeAll(decodeChunks(unpackedChunks(this.#csv), this.#encoding));
      else if (this.#csv.gzip) await readWhole(unpackedChunks(this.#csv));
    } catch (error) {
      throw error instanceof UndecodableError ? await this.#undecodable(error) : error;
    }
  }

  bytesRead(): number {
    return this.#bytesRead;
  }

  /** The best of the line starts: one inside a quoted cell gives rows that are too wide or too narrow. */
  async #rowsNear(share: number, width: number): Promise<readonly Row[]> {
    const isWide = this.#encoding.label.startsWith('utf-16');
    const { bytes, starts } = await readWindow(this.#csv.file, share, isWide ? 2 : 1);
    let best: readonly Row[] = [];
    for (const start of starts) {
      const rows = await this.#wholeRows(bytes.subarray(start), share < 1);
      const fitting = rows.filter(({ cells }) => cells.length === width);
      if (fitting.length > best.length) best = fitting;
      if (fitting.length > rows.length * FITTING) break;
    }
    return best;
  }

  async #wholeRows(bytes: Buffer, isCut: boolean): Promise<readonly Row[]> {
    const rows: Row[] = [];
    try {
      const text = this.#textOf(decodeChunks(once(bytes), { ...this.#encoding, bomBytes: 0 }));
      const place = { file: this.#csv.file, delimiter: this.#dialect.delimiter };
      for await (const batch of readRows(text, place, this.#dialect, this.strays))
        rows.push(...batch);
    } catch (error) {
      // The last record, and the last character, may be cut in two: the rows before are whole.
      if (!(error instanceof InputError) && !(error instanceof UndecodableError)) throw error;
    }
    // The first one may begin inside a quoted cell, and be as wide as the others all the same.
    return rows.slice(1, isCut ? -1 : undefined);
  }

  /** Finds the line by reading once more up to there, so that lines need not be counted otherwise. */
  async #undecodable({ isUtf8 }: UndecodableError): Promise<InputError> {
    const { label, guessed } = this.#encoding;
    const line = await linesUntilFailure(decodeChunks(unpackedChunks(this.#csv), this.#encoding));
    const advice = guessed
      ? 'Save the file as UTF-8, or name its encoding: --encoding, or "source: { encoding: … }" in the mapping.'
      : 'Is this the right encoding?';
    const reason = isUtf8
      ? `this is UTF-8, and other rows are ${label}. Save all rows as UTF-8.`
      : `this is no valid ${label} text. ${advice}`;
    return new InputError('invalid_text', reason, { file: this.#csv.file, line });
  }
}

async function decodeHead(
  head: Buffer,
  encoding: Encoding,
  file: string,
): Promise<{ sample: string; whole: boolean }> {
  let text = '';
  try {
    for await (const piece of decodeChunks(once(head), encoding)) text += piece;
  } catch (error) {
    // Rows before it are read all the same, and the error is thrown behind them.
    if (!(error instanceof UndecodableError)) throw error;
  }
  if (text === '' && head.length === encoding.bomBytes) throw emptyFile(file);
  if (!readsAsText(text)) throw notText(file);
  return { sample: text.slice(0, DELIMITER_SAMPLE), whole: text.length <= DELIMITER_SAMPLE };
}

/** Hardly any control characters. */
function readsAsText(text: string): boolean {
  const controls = text.match(/[^\P{Cc}\t\n\v\f\r]/gu)?.length ?? 0;
  return controls <= 8 || controls < text.length / 50;
}

async function decodeAll(text: AsyncIterable<string>): Promise<void> {
  const pieces = text[Symbol.asyncIterator]();
  while (!(await pieces.next()).done);
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

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}

function onlyZeros(file: string): InputError {
  const reason =
    'the file holds zero bytes in place of text. It was not saved or copied whole: get it again.';
  return new InputError('empty_file', reason, { file });
}

function notText(file: string): InputError {
  const reason =
    'this is neither a workbook nor a text file. Save it as .xlsx or CSV in a spreadsheet program.';
  return new InputError('not_a_spreadsheet', reason, { file });
}
