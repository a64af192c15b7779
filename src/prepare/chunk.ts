import type { ColumnEvidence, Row } from '../core/table.js';
import type {
  PreparedChunk,
  ListCounts,
  KeptRow,
  RowRecord,
  ShownClient,
} from '../core/prepared.js';
import { ProblemCounts, type Problem, SuppressedTally } from '../core/problem.js';
import { CALL_TIMES, type CallCounts, noCalls } from '../core/hours.js';
import {
  addHit,
  type HitCount,
  noHits,
  addGood,
  addQuality,
  isTaken,
  noQuality,
  type QualityCounts,
} from '../core/quality.js';
import type { CompiledMapping, MappedRow } from '../mapping/compile.js';
import { type ChunkPlace, createRecords, ByteWriter } from './client-json.js';
import { isClient } from '../core/client.js';
import { shortened } from '../core/text.js';
import { type InputColumns, mapRow } from '../mapping/map-row.js';
import {
  type ColumnSettings,
  type ColumnWriters,
  createClientColumns,
  createColumnWriters,
  named,
} from './client-columns.js';
import { remarksOn } from './inputs/input.js';
import { PhoneWriter } from './shared-phones.js';

const NONE = [] as const;

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
interface ChunkWriters extends ColumnWriters {
  readonly records: ByteWriter;
  readonly phones: PhoneWriter;
}

export function createChunkWriters(): ChunkWriters {
  return { ...createColumnWriters(), records: new ByteWriter(), phones: new PhoneWriter() };
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
      return phones ? { ...chunk, phones: phones.take() } : chunk;
    },
  };
}

type ClientRow = Extract<MappedRow, { status: 'client' }>;

function pushPhones(phones: PhoneWriter, { payload }: ClientRow): void {
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

/** Counts the rows of a chunk that are not sent, what is wrong with them, and what is left out of the others. */
class ChunkTally {
  readonly #problems = new ProblemCounts();
  readonly #remarks = new ProblemCounts();
  readonly #suppressed = new SuppressedTally();
  #rejected = 0;
  #skipped = 0;

  /** Counts a row that is rejected or skipped. */
  leaveOut(
    row: number,
    isRejected: boolean,
    problems: readonly Problem[],
    remarks?: readonly Problem[],
  ): void {
    if (isRejected) {
      this.#rejected++;
      for (const problem of problems) this.#problems.add(problem, row);
    } else {
      this.#skipped++;
      for (const problem of problems) if (problem.lists) this.#suppressed.add(problem, 'rows');
    }
    this.remark(row, remarks);
  }

  accept(row: number, remarks: readonly Problem[] = []): void {
    this.remark(row, remarks);
    for (const remark of remarks) if (remark.lists) this.#suppressed.add(remark, 'phones');
  }

  remark(row: number, remarks: readonly Problem[] = []): void {
    for (const remark of remarks) this.#remarks.add(remark, row);
  }

  /** The counts of the chunk; what is counted then is of the next one. */
  take(): Pick<PreparedChunk, 'rejected' | 'skipped' | 'problems' | 'remarks' | 'suppressed'> {
    const [rejected, skipped] = [this.#rejected, this.#skipped];
    [this.#rejected, this.#skipped] = [0, 0];
    return {
      ...{ rejected, skipped },
      problems: this.#problems.take(),
      remarks: this.#remarks.take(),
      suppressed: this.#suppressed.take(),
    };
  }
}

/** Counts what was taken off the cells of a chunk, in the columns that the mapping uses. */
class CleanedTally {
  readonly #looks = new Map<number, Record<string, number>>();

  constructor(
    private readonly headers: readonly string[],
    private readonly used: readonly string[],
  ) {}

  add({ cleaned }: Row): void {
    if (cleaned === undefined) return;
    for (const { column, what } of cleaned) {
      const looks = this.#looks.get(column) ?? {};
      looks[what] = (looks[what] ?? 0) + 1;
      this.#looks.set(column, looks);
    }
  }

  /** The counts of the chunk; what is counted then is of the next one. */
  take(): ColumnEvidence[] {
    const taken: ColumnEvidence[] = [];
    for (const [at, looks] of this.#looks) {
      const column = this.headers[at];
      if (column === undefined || !this.used.includes(column)) continue;
      const values = Object.values(looks).reduce((sum, count) => sum + count, 0);
      taken.push({ column, kind: 'cells', values, looks });
    }
    this.#looks.clear();
    return taken;
  }
}

/** Counts what the rows of a chunk show of the list as a whole. */
interface ListTally {
  /** `mapped`: what became of the row. */
  add(row: Row, mapped: MappedRow, place: ChunkPlace): void;
  /** The counts of the chunk; what is counted then is of the next one. */
  take(): ListCounts;
}

/** `null` where nobody asks: an import without checks takes the same from its report. */
function createListTally(
  { checks }: Pick<CompiledMapping, 'checks'>,
  checking: boolean,
): ListTally | null {
  if (!checking && checks.length === 0) return null;
  let counts = begin(checks.length);
  const test = (row: Row, mapped: MappedRow, { input, sheet }: ChunkPlace): void => {
    for (let at = 0; at < checks.length; at++) {
      const its = counts.checked[at];
      if (its && checks[at]?.(row.cells, mapped)) addHit(its, { input, sheet, row: row.row });
    }
  };
  return {
    // Most rows are good ones: for these nothing is made.
    add: (row, mapped, place) => {
      const isOfList =
        mapped.status === 'client' || isTaken({ kind: mapped.status, problems: mapped.problems });
      if (isOfList) {
        counts.taken++;
        if (checks.length > 0) test(row, mapped, place);
      }
      if (!checking) return;
      if (mapped.callTime !== undefined)
        addCall(counts, mapped.status === 'client', mapped.callTime);
      countQuality(counts.quality, mapped);
    },
    take: () => {
      const { taken, checked, quality, clients, leftOut, hasCalls } = counts;
      counts = begin(checks.length);
      return {
        ...{ taken, checked },
        ...(checking ? { quality } : {}),
        ...(hasCalls ? { calls: { clients: Uint8Array.from(clients), leftOut } } : {}),
      };
    },
  };
}

interface Counts {
  taken: number;
  readonly checked: readonly HitCount[];
  readonly quality: QualityCounts;
  readonly clients: number[];
  readonly leftOut: CallCounts;
  hasCalls: boolean;
}

const begin = (checks: number): Counts => ({
  ...{ taken: 0, hasCalls: false, clients: [], leftOut: noCalls() },
  checked: Array.from({ length: checks }, noHits),
  quality: noQuality(),
});

function addCall(counts: Counts, isSent: boolean, time: keyof CallCounts): void {
  counts.hasCalls = true;
  if (isSent) counts.clients.push(CALL_TIMES.indexOf(time));
  else counts.leftOut[time]++;
}

function countQuality(counts: QualityCounts, mapped: MappedRow): void {
  if (mapped.status !== 'client') {
    addQuality(counts, { kind: mapped.status, problems: mapped.problems });
    return;
  }
  const { remarks, zoneFrom } = mapped;
  if (remarks === undefined && zoneFrom !== 'ambiguous' && zoneFrom !== 'default') addGood(counts);
  else addQuality(counts, { kind: 'sent', problems: NONE, remarks, zoneFrom });
}
