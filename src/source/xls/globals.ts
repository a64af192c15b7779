import type { InputPlace } from '../../core/errors.js';
import { builtinFormat, cellFormat, type CellFormat } from '../xlsx/cells/format.js';
import { fail } from '../xlsx/errors.js';
import { LIMITS } from '../xlsx/limits.js';
import { RECORD } from './record-types.js';
import { Records } from './records.js';
import { TextReader } from './text-reader.js';

/** Texts that the cells of a workbook may share: in memory, each takes more than in the file. */
const MAX_TEXTS = 4_000_000;

/** A tab as the workbook lists it. */
export interface ListedSheet {
  readonly name: string;
  readonly hidden: boolean;
  /** Whether it is no chart and no macro. */
  readonly isTable: boolean;
  /** Where its records begin. */
  readonly at: number;
}

/** What all sheets of a workbook share. */
export interface Globals {
  readonly sheets: readonly ListedSheet[];
  readonly texts: readonly string[];
  /** What each cell format shows of a number. */
  readonly kinds: readonly CellFormat[];
  readonly date1904: boolean;
}

/**
 * Reads the first part of a workbook.
 * @throws InputError `encrypted`, `too_large`; RangeError where it is damaged
 */
export function readGlobals(stream: Buffer, place: InputPlace): Globals {
  const records = new Records(stream, 0);
  const sheets: ListedSheet[] = [];
  const formats = new Map<number, CellFormat>();
  const cellFormats: number[] = [];
  let texts: readonly string[] = [];
  let date1904 = false;
  while (records.next() && records.type !== RECORD.endOfPart) {
    const { type, at } = records;
    if (type === RECORD.encryption) failEncrypted(place);
    else if (type === RECORD.dateSystem) date1904 = stream.readUInt16LE(at) === 1;
    else if (type === RECORD.sheet) sheets.push(listedSheet(records));
    else if (type === RECORD.cellFormat) cellFormats.push(stream.readUInt16LE(at + 2));
    else if (type === RECORD.format) formats.set(...formatOf(records));
    else if (type === RECORD.sharedTexts) texts = sharedTexts(records, place);
    if (sheets.length + cellFormats.length + formats.size > LIMITS.entries)
      fail('too_large', 'the workbook has too many sheets or styles.', place);
  }
  const kinds = cellFormats.map((id) => formats.get(id) ?? builtinFormat(id));
  return { sheets, texts, kinds, date1904 };
}

const HIDDEN = 0x03;

function listedSheet({ stream, at, end }: Records): ListedSheet {
  const text = new TextReader([stream.subarray(at + 6, end)]);
  return {
    at: stream.readUInt32LE(at),
    hidden: (stream.readUInt8(at + 4) & HIDDEN) !== 0,
    isTable: stream.readUInt8(at + 5) === 0,
    name: text.text(text.uint8()),
  };
}

function formatOf(records: Records): [id: number, format: CellFormat] {
  const reader = new TextReader(records.pieces());
  const id = reader.uint16();
  return [id, cellFormat(reader.text(reader.uint16()))];
}

function sharedTexts(records: Records, place: InputPlace): string[] {
  const reader = new TextReader(records.pieces());
  reader.skip(4);
  const count = reader.uint32();
  const texts: string[] = [];
  while (texts.length < count && !reader.isAtEnd) {
    if (texts.length >= MAX_TEXTS) failTexts(place);
    texts.push(reader.text(reader.uint16()));
  }
  return texts;
}

function failTexts(place: InputPlace): never {
  const reason = `the workbook holds more than ${MAX_TEXTS} different texts. Save it as .xlsx or CSV.`;
  fail('too_large', reason, place);
}

function failEncrypted(place: InputPlace): never {
  fail('encrypted', 'the workbook is encrypted. Save it without a password and try again.', place);
}
