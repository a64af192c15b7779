import type { Cell } from '../../core/table.js';
import { AtomicFile, orDiscard } from '../files/atomic-file.js';
import type { SheetLimits } from './sheet-limits.js';
import { sheetName } from './sheet-name.js';
import { lettersOf, sheetRow } from './sheet-row.js';
import { bookParts, type SheetEntry, sheetEnd, sheetPart, sheetStart } from './workbook-parts.js';
import { ZipFile } from './zip-file.js';

/** Characters that are collected before they are compressed. */
const CHUNK = 256 * 1024;

/** How a sheet is shown. */
export interface SheetLook {
  /** Its number among the sheets of the same name. @default its number among all sheets */
  readonly number?: number;
  /** Show it before the others. @default false */
  readonly first?: boolean;
  /** The first row is a header that stays visible and has filters. @default false */
  readonly table?: boolean;
  /** Width of the columns in characters. @default the spreadsheet program's own */
  readonly width?: number;
}

/** A workbook of texts and numbers, written sheet by sheet and row by row. After a failure there is no file. */
export class WorkbookFile {
  private readonly zip: ZipFile;
  private readonly sheets: SheetEntry[] = [];
  private look: SheetLook = {};
  private columns = 0;
  private chunk = '';
  private rows = 0;
  /** Length of the current sheet as it is stored, uncompressed. */
  private characters = 0;

  private constructor(private readonly target: AtomicFile) {
    this.zip = new ZipFile(target);
  }

  static async open(file: string): Promise<WorkbookFile> {
    return new WorkbookFile(await AtomicFile.open(file));
  }

  /** Whether the current sheet has no room for another row. */
  isFull(limits: SheetLimits): boolean {
    return this.rows >= limits.rows || this.characters >= limits.characters;
  }

  /** Ends the current sheet and begins another one of this many columns. The second one is called `<name> (2)`. */
  async addSheet(name: string, columns: number, look: SheetLook = {}): Promise<void> {
    await orDiscard(this.target, async () => {
      await this.endSheet();
      const part = this.sheets.length + 1;
      const entry = { name: sheetName(name, look.number ?? part), part };
      if (look.first) this.sheets.unshift(entry);
      else this.sheets.push(entry);
      await this.zip.begin(sheetPart(part));
    });
    [this.look, this.columns] = [look, columns];
    this.chunk = sheetStart(columns, look.width, look.table);
    this.rows = 0;
    this.characters = 0;
  }

  /** Adds a row; an empty one counts too. A returned promise must be awaited before the next call. */
  addRow(cells: readonly (Cell | number)[]): void | Promise<void> {
    this.rows += 1;
    const row = sheetRow(cells, this.rows);
    this.characters += row.length;
    this.chunk += row;
    if (this.chunk.length >= CHUNK) return orDiscard(this.target, () => this.flush());
  }

  async commit(): Promise<void> {
    await orDiscard(this.target, async () => {
      await this.endSheet();
      for (const [name, text] of bookParts(this.sheets)) await this.zip.add(name, text);
      await this.zip.finish();
      await this.target.commit();
    });
  }

  discard(): Promise<void> {
    return this.target.discard();
  }

  private async endSheet(): Promise<void> {
    if (this.sheets.length === 0) return;
    const { rows, columns, look } = this;
    this.chunk += sheetEnd(look.table ? `A1:${lettersOf(columns - 1)}${rows}` : undefined);
    await this.flush();
    await this.zip.end();
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.from(this.chunk);
    this.chunk = '';
    await this.zip.write(bytes);
  }
}
