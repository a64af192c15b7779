import * as SheetJs from '@e965/xlsx';

/** Makes `.xls` files record by record, as writers do that are not SheetJS. */
export function record(type: number, ...body: (Buffer | readonly number[])[]): Buffer {
  const content = Buffer.concat(body.map((part) => Buffer.from(part)));
  const header = Buffer.alloc(4);
  header.writeUInt16LE(type, 0);
  header.writeUInt16LE(content.length, 2);
  return Buffer.concat([header, content]);
}

export const u16 = (value: number): number[] => [value & 0xff, value >> 8];
export const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];

/** A cell without a format, at a row and column from 0. */
export const cell = (
  type: number,
  row: number,
  column: number,
  ...value: (Buffer | readonly number[])[]
): Buffer => record(type, u16(row), u16(column), u16(0), ...value);

export const number = (row: number, column: number, value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return cell(0x0203, row, column, bytes);
};

/** A text of Latin letters as it stands in a record. */
export const latin = (text: string): number[] => [
  ...u16(text.length),
  0,
  ...Buffer.from(text, 'latin1'),
];

const begin = (part: number): Buffer =>
  record(0x0809, u16(0x0600), u16(part), Buffer.alloc(4), u32(0), u32(0));
export const END = record(0x000a);
/** A chart within a sheet, with the cells that it shows. */
export const chart = (...cells: readonly Buffer[]): Buffer =>
  Buffer.concat([begin(0x20), ...cells, END]);

/** A workbook of one sheet. @param globals records before the list of sheets */
export function workbook(
  cells: readonly Buffer[],
  { globals = [], end = END }: { globals?: readonly Buffer[]; end?: Buffer } = {},
): Uint8Array {
  const name = Buffer.from('Leads');
  const before = [begin(0x05), record(0x00e0, Buffer.alloc(20)), ...globals];
  const sheet = (at: number): Buffer => record(0x0085, u32(at), [0, 0, name.length, 0], name);
  const start = Buffer.concat([...before, sheet(0), END]).length;
  const stream = Buffer.concat([...before, sheet(start), END, begin(0x10), ...cells, end]);
  return container('/Workbook', stream);
}

/** A workbook of Excel 95 with as many rows full of numbers. */
export function oldWorkbook(rows: number): Uint8Array {
  const begin = (part: number): Buffer => record(0x0809, u16(0x0500), u16(part), Buffer.alloc(4));
  const sheet = (at: number): Buffer => record(0x0085, u32(at), [0, 0, 1], Buffer.from('S'));
  const start = Buffer.concat([begin(0x05), sheet(0), END]).length;
  const full = (row: number): Buffer =>
    record(0x00bd, u16(row), u16(0), Buffer.alloc(256 * 6, 2), u16(255));
  const filled = Array.from({ length: rows }, (_, row) => full(row));
  const stream = Buffer.concat([begin(0x05), sheet(start), END, begin(0x10), ...filled, END]);
  return container('/Book', stream);
}

/** A compound file of one stream. */
function container(path: string, stream: Buffer): Uint8Array {
  const library = SheetJs.CFB as {
    utils: {
      cfb_new: () => unknown;
      cfb_add: (container: unknown, path: string, content: Buffer) => void;
    };
    write: (container: unknown, options: { type: 'buffer' }) => Buffer;
  };
  const made = library.utils.cfb_new();
  library.utils.cfb_add(made, path, stream);
  return new Uint8Array(library.write(made, { type: 'buffer' }));
}
