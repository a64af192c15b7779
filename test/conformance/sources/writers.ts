import ExcelJS from 'exceljs';
import { parquetWriteBuffer } from 'hyparquet-writer';
import * as SheetJs from '@e965/xlsx';
import type { InputFormat } from '../../../src/source/source.js';

/** A table as a person has it: names of columns, and texts. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** A table as a file of each format, made by a writer that is not ours where there is one. */
export const WRITERS: Readonly<Record<InputFormat, (table: Table) => Promise<Uint8Array>>> = {
  csv: ({ header, rows }) => {
    const field = (text: string | null) => (text === null ? '' : `"${text.replaceAll('"', '""')}"`);
    const lines = [header, ...rows].map((cells) => cells.map(field).join(','));
    return Promise.resolve(Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
  },
  xlsx: async ({ header, rows }) => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Leads');
    for (const cells of [header, ...rows]) sheet.addRow([...cells]);
    return new Uint8Array(await workbook.xlsx.writeBuffer());
  },
  xls: (table) => bySheetJs(table, 'biff8'),
  xlsb: (table) => bySheetJs(table, 'xlsb'),
  ods: (table) => bySheetJs(table, 'ods'),
  jsonl: ({ header, rows }) => {
    const records = rows.map((cells) =>
      Object.fromEntries(header.map((name, at) => [name, cells[at] ?? null])),
    );
    return Promise.resolve(Buffer.from(records.map((r) => `${JSON.stringify(r)}\n`).join('')));
  },
  json: ({ header, rows }) => {
    const records = rows.map((cells) =>
      Object.fromEntries(header.map((name, at) => [name, cells[at] ?? null])),
    );
    return Promise.resolve(Buffer.from(JSON.stringify(records, null, 2)));
  },
  parquet: ({ header, rows }) => {
    const columnData = header.map((name, at) => ({
      name,
      data: rows.map((cells) => cells[at] ?? null),
      type: 'STRING' as const,
    }));
    return Promise.resolve(new Uint8Array(parquetWriteBuffer({ columnData })));
  },
};

function bySheetJs({ header, rows }: Table, bookType: 'biff8' | 'xlsb' | 'ods') {
  const workbook = SheetJs.utils.book_new();
  const sheet = SheetJs.utils.aoa_to_sheet([[...header], ...rows.map((cells) => [...cells])]);
  SheetJs.utils.book_append_sheet(workbook, sheet, 'Leads');
  const bytes = SheetJs.write(workbook, { type: 'buffer', bookType, compression: true }) as Buffer;
  return Promise.resolve(new Uint8Array(bytes));
}
