import { EXCEL_97, RECORD } from './record-types.js';
import { Records } from './records.js';

/** Row, column and place of a record in one number: 16 and 8 bits, and as many as a file of the largest size takes. */
const PLACES = 2 ** 28;
const COLUMNS = 256;
/** Records that hold cells; all begin with row and column. */
const CELLS: ReadonlySet<number> = new Set([
  RECORD.formula,
  RECORD.numbers,
  RECORD.richText,
  RECORD.sharedText,
  RECORD.number,
  RECORD.text,
  RECORD.booleanOrError,
  RECORD.shortNumber,
]);
const DIALOG = 0x10;
/** Where the record of a row has its flags, and the one of a row that is not shown ([MS-XLS] 2.4.221). */
const [ROW_FLAGS, HIDDEN] = [12, 0x20];

/** The record of a cell, or of several beside each other. */
export interface CellRecord {
  readonly row: number;
  readonly column: number;
  /** Where it begins. */
  readonly at: number;
}

/** Whether the sheet that begins there is a dialog, which holds no rows. Its options stand before its cells. */
export function isDialog(stream: Buffer, from: number): boolean {
  const records = new Records(stream, from);
  while (records.next() && records.type !== RECORD.endOfPart) {
    if (records.type === RECORD.sheetOptions)
      return (stream.readUInt16LE(records.at) & DIALOG) !== 0;
    if (records.type === RECORD.dimensions || records.type === RECORD.row) return false;
  }
  return false;
}

/**
 * Finds all cells of the sheet that begins there, in the order of rows and columns: some programs write them in the order
 * in which they were filled in. Of cells in one place the last counts.
 * @param hidden gets the rows that are not shown, before the first cell is given
 * @throws RangeError where the sheet does not begin there, or breaks off
 */
export function* cellsOfSheet(
  stream: Buffer,
  from: number,
  hidden: Set<number>,
): Generator<CellRecord> {
  const keys = sortedKeys(stream, from, hidden);
  for (const [index, key] of keys.entries()) {
    const place = Math.floor(key / PLACES);
    if (Math.floor((keys[index + 1] ?? -1) / PLACES) === place) continue;
    const column = place % COLUMNS;
    yield { row: Math.floor(place / COLUMNS), column, at: key % PLACES };
  }
}

function sortedKeys(stream: Buffer, from: number, hidden: Set<number>): Float64Array {
  const records = new Records(stream, from);
  if (!records.next() || !isPart(records)) throw new RangeError('no sheet begins there');
  let keys = new Float64Array(1024);
  let count = 0;
  let isSorted = true;
  // Charts within a sheet are parts of their own, with cells that are not the sheet's.
  for (let depth = 1; depth > 0;) {
    if (!records.next()) throw new RangeError('the sheet breaks off');
    if (records.type === RECORD.beginOfPart) depth++;
    else if (records.type === RECORD.endOfPart) depth--;
    else if (depth === 1 && records.type === RECORD.row) {
      const { at } = records;
      if (stream.readUInt16LE(at + ROW_FLAGS) & HIDDEN) hidden.add(stream.readUInt16LE(at));
    } else if (depth === 1 && CELLS.has(records.type)) {
      const key = keyOf(records);
      isSorted &&= count === 0 || key > (keys[count - 1] ?? 0);
      if (count === keys.length) keys = enlarged(keys);
      keys[count++] = key;
    }
  }
  const found = keys.subarray(0, count);
  return isSorted ? found : found.sort();
}

function isPart({ type, stream, at }: Records): boolean {
  return type === RECORD.beginOfPart && stream.readUInt16LE(at) === EXCEL_97;
}

function keyOf({ stream, at, start }: Records): number {
  const column = stream.readUInt16LE(at + 2);
  if (column >= COLUMNS) throw new RangeError('a cell lies beyond the last column');
  return (stream.readUInt16LE(at) * COLUMNS + column) * PLACES + start;
}

function enlarged(keys: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(keys.length * 2);
  larger.set(keys);
  return larger;
}
