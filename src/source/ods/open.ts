import type { Row, Source, SourceInfo, SourceOptions } from '../../core/table.js';
import { readWhole, type FoundFile } from '../file.js';
import { Grid } from '../xlsx/cells/grid.js';
import { chooseSheets, sheetFacts } from '../xlsx/choose.js';
import { fail } from '../xlsx/errors.js';
import { feed } from '../xlsx/xml/document.js';
import { Allowance } from '../xlsx/zip/allowance.js';
import { Archive } from '../xlsx/zip/archive.js';
import { RowsReader } from './rows.js';
import type { Formats } from './cell.js';
import { CONTENT, readSpreadsheet } from './sheets.js';

const MANIFEST = 'META-INF/manifest.xml';

/**
 * Opens an OpenDocument spreadsheet (`.ods`). It is read with the parts of the `.xlsx` reader, piece by piece: SheetJS
 * drops numbers whose cells have no paragraph, and formulas without a value, and has no limits.
 * @throws InputError when the file is damaged, encrypted or lacks the wanted sheet
 */
export async function openOds(found: FoundFile, options: SourceOptions): Promise<Source> {
  const archive = await Archive.open(found.file);
  try {
    await refuseEncrypted(archive);
    const { sheets, formats } = await readSpreadsheet(archive);
    return new OdsSource(
      found,
      sheetFacts(sheets, chooseSheets(sheets, options, archive.place)),
      formats,
    );
  } finally {
    await archive.close();
  }
}

async function refuseEncrypted(archive: Archive): Promise<void> {
  if (!archive.has(MANIFEST)) return;
  const pieces: Buffer[] = [];
  for await (const piece of archive.read(MANIFEST, 'structure')) pieces.push(piece);
  if (Buffer.concat(pieces).includes('encryption-data'))
    fail(
      'encrypted',
      'the workbook is encrypted. Save it without a password and try again.',
      archive.place,
    );
}

class OdsSource implements Source {
  readonly info: SourceInfo;
  private readonly file: string;
  private read = 0;

  constructor(
    { file, ...found }: FoundFile,
    sheets: ReturnType<typeof sheetFacts>,
    private readonly formats: Formats,
  ) {
    this.file = file;
    this.info = { ...found, bom: false, ...sheets };
  }

  bytesRead(): number {
    return this.read;
  }

  async verify(): Promise<void> {
    const archive = await Archive.open(this.file);
    try {
      await readWhole(archive.read(CONTENT, 'sheet'));
    } finally {
      await archive.close();
    }
  }

  async *batches(): AsyncGenerator<readonly Row[]> {
    this.read = 0;
    const archive = await Archive.open(this.file);
    try {
      const reader = this.reader(archive);
      const { place } = archive;
      const onRead = this.progress(archive);
      const document = { archive, name: CONTENT, kind: 'sheet', place, onRead } as const;
      try {
        for await (const _ of feed(document, reader)) yield* reader.ready.splice(0);
      } catch (error) {
        // What was read before the error is given before it, as with a CSV file.
        reader.finish();
        yield* reader.ready;
        throw error;
      }
      this.read = this.info.bytes;
    } finally {
      await archive.close();
    }
  }

  private reader(archive: Archive): RowsReader {
    const allowance = new Allowance(archive.compressedBytes(CONTENT));
    const wanted = new Set(this.info.sheets);
    const gridOf = (sheet: string): Grid | undefined =>
      wanted.has(sheet) ? new Grid(sheet, { ...archive.place, sheet }, allowance) : undefined;
    return new RowsReader(gridOf, this.formats, archive.place);
  }

  private progress(archive: Archive): (bytes: number) => void {
    const total = Math.max(archive.compressedBytes(CONTENT), 1);
    return (bytes) => {
      this.read = Math.floor((this.info.bytes * bytes) / total);
    };
  }
}
