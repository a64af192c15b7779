import { isFoundByPhone } from '../mapping/schema.js';
import { type LoadedMapping, loadMapping } from '../mapping/mapping.js';
import {
  type RowPart,
  type Row,
  PartFilter,
  type SourceOptions,
  type Passing,
  headerName,
  EvidenceTally,
} from '../core/table.js';
import { ConfigurationError, InputError, asOneError } from '../core/errors.js';
import { MODE_TRAITS, ProblemCounts, type Problem, SuppressedTally } from '../core/outcome.js';
import { systemClock, CALL_TIMES, noCalls } from '../core/time.js';
import type {
  PreparedChunk,
  ListCounts,
  KeptRow,
  RowRecord,
  ShownClient,
} from '../core/prepared.js';
import { loadInstallation } from '../installation/installation.js';
import { traitsOf } from '../source/source.js';
import { timesNow, ofInput } from './inputs/seen.js';
import { lookupTable, openNumberPlan } from './lookup-table.js';
import { type DataInput, openInput, tryInput, remarksOn } from './inputs/input.js';
import type { OpenLists } from './open-lists.js';
import {
  CHUNK_ROWS,
  CHUNK_TEXT,
  DEFAULT_REQUEST_BYTES,
  type Preparation,
  type PreparePlan,
} from './plan.js';
import {
  addHit,
  noHits,
  addQuality,
  isTaken,
  noQuality,
  type QualityCounts,
} from '../core/quality.js';
import {
  type CompiledMapping,
  type MappedRow,
  type InputColumns,
  mapRow,
} from '../mapping/compile.js';
import { isClient } from '../core/client.js';
import { shortened } from '../core/text.js';
import {
  type ChunkPlace,
  type ColumnSettings,
  createClientColumns,
  createRecords,
  named,
} from './client-columns.js';
import { PhoneWriter } from './shared-phones.js';

/**
 * Opens all inputs, reads their headers and compiles the mapping for each: whatever is wrong with them is reported before
 * the first row.
 * @throws InputError, ConfigurationError
 */
export async function openPreparation(plan: PreparePlan): Promise<Preparation> {
  const { installation, mapping, inputs, lists, asOf } = await openAll(plan);
  const { duplicates } = mapping;
  const settings = {
    ...plan,
    show: plan.show ?? 0,
    duplicates,
    derivedUuid: mapping.uuid === undefined,
    requestBytes: installation?.limits.requestBytes ?? DEFAULT_REQUEST_BYTES,
    prints: 'delta' in mapping.sections && mapping.sections.delta !== undefined,
  };
  const { mode, source, recovery, campaign, sections, digests } = mapping;
  const { file, value } = mapping.document;
  return {
    installation,
    mapping: { mode, source, recovery, campaign, sections, digests, document: { file, value } },
    inputs: inputs.map((input) => input.opened),
    identifierNames: inputs[0]?.mapping.identifierNames ?? [],
    duplicates,
    asOf,
    warnings: [
      ...inputs.flatMap(({ notices }) => notices),
      ...[...(lists?.warnings ?? []), ...holidayWarnings(mapping, asOf)].map((message) => ({
        message,
      })),
    ],
    chunks: () => chunksOf(inputs, settings, plan),
    close: async () => {
      lists?.close();
      await closeAll(inputs);
    },
  };
}

/** Opens what a plan names. A file that is wrong does not keep the others from being looked at. */
async function openAll(plan: PreparePlan) {
  const mistakes: (ConfigurationError | InputError)[] = [];
  const orMistake = async <T>(opening: Promise<T>): Promise<T | undefined> => {
    try {
      return await opening;
    } catch (error) {
      if (!(error instanceof ConfigurationError) && !(error instanceof InputError)) throw error;
      mistakes.push(error);
      return undefined;
    }
  };
  const { installation: file, verify = false, share } = plan;
  const installation = file === undefined ? undefined : await orMistake(loadInstallation(file));
  const mapping = await orMistake(
    loadMapping(plan.mapping, { readTable: lookupTable, mode: plan.mode }),
  );
  // Modes that call nobody need no list, and run with an old one as well.
  const suppress = mapping && MODE_TRAITS[mapping.mode].calls ? installation?.suppress : undefined;
  const openLists = async (): Promise<OpenLists | undefined> =>
    suppress && (await import('./open-lists.js')).openLists(suppress, share.of, systemClock.now());
  const lists = await orMistake(openLists());
  // The plan of numbers is read only where the mapping finds time zones by phones.
  const client = mapping?.sections.client;
  const isFound = client && 'timeZone' in client && isFoundByPhone(client.timeZone);
  const numbers = isFound ? installation?.numberPlan : undefined;
  const numberPlan = numbers && (await orMistake(openNumberPlan(numbers)));
  const options: SourceOptions = { ...mapping?.source, ...plan.source };
  const { asOf: moment = systemClock.now() } = plan;
  const asOf = mapping?.callable || mapping?.fresh ? moment : null;
  const inputs: DataInput[] = [];
  try {
    for (const [index, input] of plan.inputs.entries()) {
      const context = {
        ...{ options, wanted: plan.source },
        verify: verify && share.index === 0,
        notices: share.index === 0,
        compiling: {
          card: installation?.card,
          clientRoles: installation?.clientRoles,
          suppression: lists?.suppression,
          keepsNumbers: plan.purpose === 'send' && mapping && MODE_TRAITS[mapping.mode].enqueues,
          ...{ numberPlan, asOf },
        },
        corrections: ofInput(plan.corrections, index),
      };
      const opened = await orMistake(
        mapping ? openInput(input, { ...context, mapping }) : tryInput(input, context),
      );
      if (opened) inputs.push(opened);
    }
    if (!mapping || mistakes.length > 0) throw asOneError(mistakes);
    return { installation, mapping, inputs, lists, asOf };
  } catch (error) {
    lists?.close();
    await closeAll(inputs);
    throw error;
  }
}

const DAY = 86_400_000;

/** A calendar of last year holds no holiday of this one. */
function holidayWarnings({ callable, holidays }: LoadedMapping, asOf: number | null): string[] {
  const last = holidays?.last ?? null;
  if (last === null || asOf === null || last * DAY > asOf) return [];
  const day = new Date(last * DAY).toISOString().slice(0, 10);
  return [`The last day in ${callable?.holidays ?? 'the calendar'} is ${day}: is it up to date?`];
}

async function closeAll(inputs: readonly DataInput[]): Promise<void> {
  for (const input of inputs) await input.close();
}

/**
 * The chunks of a share: the own ones are mapped, and of the others the rows are counted, to know where each begins.
 * Where a chunk ends depends on the rows alone, so all shares agree. Each row is mapped as it is read: what outlives the
 * next few rows is copied by every collection of garbage.
 */
async function* chunksOf(
  inputs: readonly DataInput[],
  settings: ChunkSettings,
  { inputs: files, share, part = {} }: Pick<PreparePlan, 'inputs' | 'share' | 'part'>,
): AsyncGenerator<PreparedChunk, void, undefined> {
  const filter = new PartFilter(part);
  let number = 0;
  let first = 0;
  for (const [index, input] of inputs.entries()) {
    if (filter.isFull) return;
    const { opened, mapping } = input;
    const { storesEmptyCells } = traitsOf(opened.info.format);
    const width = storesEmptyCells ? opened.headers.length : undefined;
    const { delimiter } = opened.info;
    const upper = opened.foundHeader.length > 1 ? opened.preamble.at(-1) : undefined;
    const headerRows = upper
      ? [upper.cells, opened.headerCells].map((row) => row.map((name) => headerName(name ?? '')))
      : [];
    const columns = { headers: opened.headers, headerRows, width, delimiter };
    const builder = createChunkBuilder(columns, mapping, settings);
    const begin = (sheet: string | null): OpenChunk => {
      const own = number++ % share.of === share.index;
      if (own) builder.begin({ input: index, sheet, first });
      return new OpenChunk(sheet, own ? builder : null);
    };
    const taken = (): PreparedChunk => {
      const total = inputs.reduce((sum, { opened: { info } }) => sum + info.bytes, 0);
      const read = inputs.reduce((sum, one) => sum + one.bytesRead(), 0);
      const share = Math.max(read / total, filter.share(inputs.length));
      const progress = total === 0 ? 1 : Math.min(1, share);
      return { ...builder.take(progress), inputTimes: timesNow(files[index]?.path ?? '') };
    };
    let open: OpenChunk | undefined;
    let thrown: unknown;
    try {
      for await (const rows of input.rows()) {
        const batch = isPart(part) ? rows.filter(({ row }) => filter.takes(row)) : rows;
        for (const row of batch) {
          if (open && (open.isFull || row.sheet !== open.sheet)) {
            first += open.count;
            if (open.builder) yield taken();
            open = undefined;
          }
          open ??= begin(row.sheet);
          open.add(row);
        }
        if (input.passing && !isPart(part)) open?.passIn(input.passing);
        // Not even read: a trial of a large file is over at once.
        if (isPart(part) && filter.isOver(rows.at(-1)?.row ?? 0)) break;
      }
    } catch (error) {
      thrown = error;
    }
    first += open?.count ?? 0;
    if (open?.builder) yield taken();
    // Rows before a mistake have been read and are accounted for.
    if (thrown !== undefined) throw thrown as Error;
  }
}

/** What a cell costs beside its text, empty or not, in characters: a row may have many. */
const CELL_TEXT = 16;

/** A chunk that is being read: rows of one sheet. `builder`: what maps them, where the chunk is an own one. */
class OpenChunk {
  count = 0;
  #text = 0;

  constructor(
    readonly sheet: string | null,
    readonly builder: ChunkBuilder | null,
  ) {}

  /** Whether the next row belongs into another chunk. */
  get isFull(): boolean {
    return this.count >= CHUNK_ROWS || this.#text >= CHUNK_TEXT;
  }

  /** Of the rows to come, those of a chunk that nobody maps need only be counted. */
  passIn(passing: Passing): void {
    passing.rows = this.builder ? 0 : CHUNK_ROWS - this.count;
    passing.text = CHUNK_TEXT - this.#text;
    passing.cellText = CELL_TEXT;
  }

  add(row: Row): void {
    const { cells, passed } = row;
    if (passed) {
      this.count += passed.rows;
      this.#text += passed.text + CELL_TEXT * passed.cells;
      return;
    }
    this.count++;
    let text = CELL_TEXT * cells.length;
    for (const cell of cells) if (cell !== null) text += cell.length;
    this.#text += text;
    this.builder?.add(row);
  }
}

const isPart = ({ rows, limit }: RowPart): boolean => rows !== undefined || limit !== undefined;

const NONE = [] as const;

type ChunkSettings = ColumnSettings & Required<Pick<PreparePlan, 'purpose' | 'show'>>;
type ChunkBuilder = ReturnType<typeof createChunkBuilder>;

/** Maps rows and collects what becomes of them: what is made anew for each chunk would be compiled anew, too. */
function createChunkBuilder(
  columns: InputColumns,
  mapping: CompiledMapping,
  settings: ChunkSettings,
) {
  const checking = settings.purpose === 'check';
  const records = checking ? null : createRecords();
  const clients = createClientColumns(mapping, settings, records);
  const [tally, list] = [new ChunkTally(), createListTally(mapping, checking)];
  // Where phones are compared, rows that share one are left out already.
  const phones = settings.duplicates.by.includes('phone') ? null : new PhoneWriter();
  let cleaned = new EvidenceTally();
  // What was taken off the cells in the columns that the mapping uses.
  const addCleaned = (taken: NonNullable<Row['cleaned']>): void => {
    for (const { column: at, what } of taken) {
      const column = columns.headers[at];
      if (column !== undefined && mapping.columns.includes(column))
        cleaned.add([{ column, kind: 'cells', values: 1, looks: { [what]: 1 } }]);
    }
  };
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
  const accept = ({ row }: Row, { identifiers, payload, remarks }: ClientRow): void => {
    if (phones) {
      if (isClient(payload)) for (const { phoneNumber } of payload.phones) phones.push(phoneNumber);
      phones.end();
    }
    tally.accept(row, remarks);
    if (checking && shown.length < settings.show) {
      // A client says itself who it is.
      const whole = isClient(payload)
        ? payload
        : { identifiers: named(mapping.identifierNames, identifiers), ...payload };
      shown.push({ index: accepted, json: JSON.stringify(whole) });
    }
    accepted++;
  };

  return {
    /** To be called before the first row of a chunk, and when the one before has been taken. */
    begin: (at: ChunkPlace): void => {
      place = at;
      records?.begin(at);
      [kept, shown, cleaned] = [[], [], new EvidenceTally()];
      [count, accepted] = [0, 0];
    },
    add: (row: Row): void => {
      const mapped = withShortRemarks(mapRow(row, columns, mapping), row, columns);
      const refused = mapped.status === 'client' ? clients.add(mapped, count, row.row) : mapped;
      count++;
      if (row.cleaned) addCleaned(row.cleaned);
      list?.add(row, refused ?? mapped, place);
      if (refused) refuse(row, refused);
      else if (mapped.status === 'client') accept(row, mapped);
    },
    /** The chunk; `progress` is the share of the input that has been read. Another one can be begun then. */
    take: (progress: number): PreparedChunk => {
      const chunk = {
        ...{ ...place, count, ...clients.take(count) },
        ...tally.take(),
        evidence: [...mapping.takeEvidence(), ...cleaned.list()],
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

/** Counts what the rows of a chunk show of the list as a whole; `null` where nobody asks. */
function createListTally({ checks }: Pick<CompiledMapping, 'checks'>, checking: boolean) {
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
    add: (row: Row, mapped: MappedRow, place: ChunkPlace): void => {
      const isOfList =
        mapped.status === 'client' ||
        isTaken({ outcome: mapped.status, problems: mapped.problems });
      if (isOfList) {
        counts.taken++;
        if (checks.length > 0) test(row, mapped, place);
      }
      if (!checking) return;
      const { callTime, status } = mapped;
      if (callTime !== undefined) {
        counts.hasCalls = true;
        if (status === 'client') counts.clients.push(CALL_TIMES.indexOf(callTime));
        else counts.leftOut[callTime]++;
      }
      countQuality(counts.quality, mapped);
    },
    take: (): ListCounts => {
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

const begin = (checks: number) => ({
  ...{ taken: 0, hasCalls: false, clients: new Array<number>(), leftOut: noCalls() },
  checked: Array.from({ length: checks }, noHits),
  quality: noQuality(),
});

function countQuality(counts: QualityCounts, mapped: MappedRow): void {
  if (mapped.status !== 'client') {
    addQuality(counts, { outcome: mapped.status, problems: mapped.problems });
    return;
  }
  const { remarks, zoneFrom } = mapped;
  if (remarks === undefined && zoneFrom !== 'ambiguous' && zoneFrom !== 'default') counts.rows++;
  else addQuality(counts, { outcome: 'sent', problems: NONE, remarks, zoneFrom });
}
