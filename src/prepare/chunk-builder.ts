import { isClient } from '../core/client.js';
import type { KeptRow, PreparedChunk, RowRecord, ShownClient } from '../core/prepared.js';
import type { Problem } from '../core/problem.js';
import type { Row } from '../core/table.js';
import { shortened } from '../core/text.js';
import type { CompiledMapping, MappedRow } from '../mapping/compile.js';
import { type InputColumns, mapRow } from '../mapping/map-row.js';
import { ByteWriter } from './byte-writer.js';
import { ChunkTally, CleanedTally } from './chunk-tally.js';
import {
  type ColumnSettings,
  type ColumnWriters,
  createClientColumns,
  createColumnWriters,
  named,
} from './client-columns.js';
import { type ChunkPlace, createRecords } from './records.js';
import { createListTally } from './list-tally.js';
import { remarksOn } from './inputs/row-remarks.js';
import { type ChunkPhones, CountedPhones, HandedOnPhones } from './shared-phones.js';

export interface ChunkSettings extends ColumnSettings {
  /** How many clients of each chunk a check wants to see. */
  readonly show: number;
}

/**
 * Maps rows and collects what becomes of them, one chunk after the other: what is made anew for each would be compiled
 * anew, too.
 */
export interface ChunkBuilder {
  /** To be called before the first row of a chunk, and when the one before has been taken. */
  begin(place: ChunkPlace): void;
  add(row: Row): void;
  /** The chunk; `progress` is the share of the input that has been read. Another one can be begun then. */
  take(progress: number): PreparedChunk;
}

/** Where texts are gathered: one chunk is built after the other with them. */
export interface ChunkWriters extends ColumnWriters {
  readonly records: ByteWriter;
  readonly phones: ChunkPhones;
}

/** `all`: whether all chunks of the list are built with them, and not those of a share. */
export function createChunkWriters(all: boolean): ChunkWriters {
  const phones = all ? new CountedPhones() : new HandedOnPhones();
  return { ...createColumnWriters(), records: new ByteWriter(), phones };
}

export function createChunkBuilder(
  columns: InputColumns,
  mapping: CompiledMapping,
  settings: ChunkSettings,
  writers: ChunkWriters,
): ChunkBuilder {
  const checking = settings.purpose === 'check';
  const records = checking ? null : createRecords(writers.records);
  const clients = createClientColumns(mapping, settings, writers, records);
  const [tally, list] = [new ChunkTally(), createListTally(mapping, checking)];
  // Where phones are compared, rows that share one are left out already.
  const phones = settings.duplicates.by.includes('phone') ? null : writers.phones;
  const cleaned = new CleanedTally(columns.headers, mapping.columns);
  let place: ChunkPlace = { input: 0, sheet: null, first: 0 };
  let [kept, shown]: [KeptRow[], ShownClient[]] = [[], []];
  let [count, accepted] = [0, 0];
  const refuse = (row: Row, mapped: Exclude<MappedRow, { status: 'client' }>): void => {
    const isRejected = mapped.status === 'rejected';
    const found = mapped.problems.map(withShortValue);
    const remarks = remarksOn(row, columns.headers);
    tally.leaveOut(row.row, isRejected, found, remarks);
    if (records) records.add(recordJson(row.row, mapped, found, remarks));
    else if (isRejected) kept.push({ row: row.row, cells: row.cells, problems: found });
  };
  const accept = ({ row }: Row, mapped: ClientRow): void => {
    if (phones) pushPhones(phones, mapped);
    tally.accept(row, mapped.remarks);
    if (checking && shown.length < settings.show)
      shown.push({ index: accepted, json: shownJson(mapped, mapping.identifierNames) });
    accepted++;
  };

  return {
    begin: (at) => {
      place = at;
      records?.begin(at);
      [kept, shown] = [[], []];
      [count, accepted] = [0, 0];
    },
    add: (row) => {
      const mapped = withShortRemarks(mapRow(row, columns, mapping), row, columns);
      const refused = mapped.status === 'client' ? clients.add(mapped, count, row.row) : mapped;
      count++;
      cleaned.add(row);
      list?.add(row, refused ?? mapped, place);
      if (refused) refuse(row, refused);
      else if (mapped.status === 'client') accept(row, mapped);
    },
    take: (progress) => {
      let read: Uint8Array = new Uint8Array();
      const taken = clients.take(count, (prints) => (read = records?.take(prints) ?? read));
      const chunk = {
        ...{ ...place, count, read, clients: taken },
        ...tally.take(),
        evidence: [...mapping.takeEvidence(), ...cleaned.take()],
        progress,
        kept,
        shown,
        ...(list ? { list: list.take() } : {}),
      };
      return phones ? phones.finish(chunk) : chunk;
    },
  };
}

type ClientRow = Extract<MappedRow, { status: 'client' }>;

function pushPhones(phones: ChunkPhones, { payload }: ClientRow): void {
  if (isClient(payload))
    for (const { phoneNumber } of payload.phones) phones.push(digitsOf(phoneNumber));
  phones.end();
}

/** A phone by its digits, with whatever signs it is sent. */
function digitsOf(phone: string): number {
  const number = Number(phone);
  return Number.isSafeInteger(number) ? number : Number(phone.replace(/\D/g, ''));
}

/** JSON of the `ShownPayload`. A client says itself who it is. */
function shownJson({ identifiers, payload }: ClientRow, names: readonly string[]): string {
  return JSON.stringify(
    isClient(payload) ? payload : { identifiers: named(names, identifiers), ...payload },
  );
}

/** The row holds its cells whole; the ledger and the reports need not repeat a megabyte. */
function withShortValue(problem: Problem): Problem {
  return problem.value === null ? problem : { ...problem, value: shortened(problem.value) };
}

const isShort = ({ value }: Problem): boolean => value === null || shortened(value) === value;

function withShortRemarks(mapped: MappedRow, row: Row, { headers }: InputColumns): MappedRow {
  if (mapped.status !== 'client') return mapped;
  // As nearly all are, where every row has one: no copies are made of them.
  const isAsRead = !row.corrected && !row.isHidden && !row.remarks;
  if (isAsRead && (mapped.remarks === undefined || mapped.remarks.every(isShort))) return mapped;
  const remarks = mapped.remarks?.map(withShortValue) ?? [];
  return { ...mapped, remarks: [...remarks, ...(remarksOn(row, headers) ?? [])] };
}

function recordJson(
  row: number,
  { status, uuid, identifiers }: Exclude<MappedRow, { status: 'client' }>,
  problems: readonly Problem[],
  remarks: readonly Problem[] | undefined,
): string {
  const kind = status === 'rejected' ? 1 : 2;
  const record: RowRecord = remarks
    ? [row, uuid, identifiers, kind, problems, remarks]
    : [row, uuid, identifiers, kind, problems];
  return JSON.stringify(record);
}
