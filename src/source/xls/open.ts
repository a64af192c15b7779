import { InputError } from '../../core/errors.js';
import type { Row, Source, SourceInfo, SourceOptions } from '../../core/table.js';
import type { FoundFile } from '../file.js';
import { checkSize } from '../sheetjs/check.js';
import { brokenWorkbook } from '../sheetjs/errors.js';
import { Grid } from '../xlsx/cells/grid.js';
import { chooseSheets, sheetFacts } from '../xlsx/choose.js';
import { Allowance } from '../xlsx/zip/allowance.js';
import { cellsOfSheet, isDialog } from './cell-index.js';
import { CellTexts } from './cell-texts.js';
import { readWorkbookStream } from './container.js';
import { readGlobals, type Globals, type ListedSheet } from './globals.js';

/**
 * Opens a workbook of Excel 97 to 2003, or older (`.xls`). The newer ones are read record by record: SheetJS makes an
 * object of 400 bytes for each cell before the first row is there. It reads the older ones, which are small and many.
 * @throws InputError when it is too large, damaged, encrypted or lacks the wanted sheet
 */
export async function openXls(found: FoundFile, options: SourceOptions): Promise<Source> {
  checkSize(found, 'xls');
  const stream = await readWorkbookStream(found.file);
  if (stream === null) return (await import('../sheetjs/open.js')).openOldXls(found, options);
  const place = { file: found.file };
  try {
    const globals = readGlobals(stream, place);
    const tabs = globals.sheets.map((sheet, index) => {
      const isTable = sheet.isTable && !isDialog(stream, sheet.at);
      return { name: sheet.name, hidden: sheet.hidden, part: isTable ? String(index) : null };
    });
    const chosen = chooseSheets(tabs, options, place);
    const sheets = chosen.flatMap(({ part }) => globals.sheets[Number(part)] ?? []);
    return new XlsSource({ ...found, ...sheetFacts(tabs, chosen) }, stream, globals, sheets);
  } catch (error) {
    throw asInputError(error, found.file);
  }
}

class XlsSource implements Source {
  readonly info: SourceInfo;
  private readonly file: string;
  private at = 0;

  constructor(
    { file, ...found }: FoundFile & ReturnType<typeof sheetFacts>,
    private readonly stream: Buffer,
    private readonly globals: Globals,
    private readonly sheets: readonly ListedSheet[],
  ) {
    this.file = file;
    this.info = { ...found, bom: false };
  }

  bytesRead(): number {
    return Math.floor(this.info.bytes * Math.min(1, this.at / this.stream.length));
  }

  async verify(): Promise<void> {
    for await (const _ of this.batches());
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- the file is in memory
  async *batches(): AsyncGenerator<readonly Row[]> {
    const allowance = new Allowance(this.info.bytes);
    for (const sheet of this.sheets) yield* this.rowsOf(sheet, allowance);
    this.at = this.stream.length;
  }

  private *rowsOf({ name, at }: ListedSheet, allowance: Allowance): Generator<readonly Row[]> {
    const grid = new Grid(name, { file: this.file, sheet: name }, allowance);
    const texts = new CellTexts(this.stream, this.globals);
    const { batch } = grid;
    const hidden = new Set<number>();
    try {
      let open = -1;
      for (const cell of cellsOfSheet(this.stream, at, hidden)) {
        if (cell.row !== open) {
          if (open >= 0) grid.endRow();
          if (batch.isFull) yield batch.take();
          grid.beginRow(cell.row + 1);
          if (hidden.has(cell.row)) grid.hideRow();
          open = cell.row;
          this.at = cell.at;
        }
        grid.goTo(cell.row + 1, cell.column);
        for (const text of texts.of(cell.at)) grid.put(text);
      }
      if (open >= 0) grid.endRow();
    } catch (error) {
      // What was read before the error is given before it, as with a CSV file.
      grid.finish();
      if (!batch.isEmpty) yield batch.take();
      throw asInputError(error, this.file);
    }
    grid.finish();
    if (!batch.isEmpty) yield batch.take();
  }
}

function asInputError(error: unknown, file: string): Error {
  if (error instanceof InputError) return error;
  return error instanceof RangeError ? brokenWorkbook(file, error) : (error as Error);
}
