import {
  ERASED_PROBLEM,
  isErased,
  type RowRecord,
  NO_PRINT,
  PRINT_WORDS,
  printsIn,
  printsText,
} from '../core/prepared.js';
import { pushPhoneKey, keysText } from '../core/duplicates.js';
import { rm } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { foldChunk, readFactOf, type Fact, awaitsCampaign, STAGES } from '../core/facts.js';
import type { RunRecord } from '../core/ledger.js';
import { UsageError } from '../core/errors.js';
import { MODE_TRAITS, OUTCOMES, type Problem } from '../core/outcome.js';
import { defined } from '../core/text.js';
import type { Ledger } from '../ledger/port.js';
import { formatOfFile } from '../report/formats.js';
import { DEFAULT_LEDGER } from '../options/places.js';
import { namesOf, writeReportFile } from './report.js';
import { isInRejects } from '../run/recorded.js';
import { runBehind } from '../run/settings.js';
import { withLedger, type KeptFile, keptFiles, kindOf } from './runs.js';
import { OUTCOME_COLUMN } from '../core/report.js';
import type { Cell, Source } from '../core/table.js';
import { openWithLayout } from '../report/rejects.js';
import { openSource } from '../source/source.js';
import { parsePhone } from '../mapping/transforms/phone/plans.js';
import { ALREADY_IN_CAMPAIGN } from '../core/client.js';

/** A row of an input, as a spreadsheet program numbers it. */
interface ErasedRow {
  readonly file: string;
  readonly sheet: string | null;
  readonly row: number;
}

/** Where a person was. */
export interface ErasedIn {
  readonly run: string;
  /** The first of its rows. */
  readonly rows: readonly ErasedRow[];
  readonly count: number;
  /** How many of them the run, which is not at its end, has not done with. */
  readonly waiting: number;
  /** Whether the run goes on with them, as its inputs have them: else nobody knows any more who they were. */
  readonly goesOn: boolean;
  /** Files that were written anew or removed. */
  readonly files: readonly string[];
}

export interface Erased {
  readonly runs: readonly ErasedIn[];
  /** Files that cannot be read any more, and may hold the person. */
  readonly unreadable: readonly string[];
}

const MAX_ROWS = 100;

/**
 * Removes a person from the ledger, and from reports and rejects of all of its runs. How rows ended stays, and so do all
 * counts. Done twice, it does no more than once.
 * @throws UsageError where nobody is named, or no run has identifiers of these names; LedgerInUseError while a run with the
 * person is worked on; OutputError
 */
export async function erasePerson(
  request: PersonRequest,
  ledgerFile = DEFAULT_LEDGER,
): Promise<Erased> {
  const person = personOf(request);
  const erased = await withLedger(ledgerFile, async (ledger) => {
    const unreadable: string[] = [];
    const found: Found[] = [];
    for (const run of await ledger.runs()) found.push(await find(ledger, run, person, unreadable));
    const known = new Set(found.flatMap(({ names }) => names));
    // That nothing is found by names that no run has would say nothing.
    if (known.size > 0 && !person.names.every((name) => known.has(name)))
      throw new UsageError(
        `Runs of this ledger identify clients by ${[...known].join(', ')}: give these with --id, as in --id offerId=7.`,
      );
    await learn(ledger, found, person);
    const runs: ErasedIn[] = [];
    for (const one of found) {
      const erased = await eraseIn(ledger, one, person);
      if (erased.count > 0 || erased.files.length > 0) runs.push(erased);
    }
    // Also where nothing is found: what an earlier call has rewritten may be left in old pages.
    await ledger.scrub();
    return { runs, unreadable };
  });
  for (const { run, files } of erased.runs)
    for (const file of files) {
      if (kindOf(basename(file)) !== 'report') continue;
      // The name has the outcomes to which a report is limited; none, where it has all rows.
      const [, words] = /^report-(.*)\.\w+$/.exec(basename(file)) ?? [];
      const outcomes =
        words === undefined ? undefined : OUTCOMES.filter((one) => words.split('-').includes(one));
      const format = formatOfFile(file);
      // Anew, from what the ledger has of the run now.
      await writeReportFile({ run, ledger: ledgerFile, file, force: true, format, outcomes });
    }
  return erased;
}

type Found = Awaited<ReturnType<typeof find>>;

async function find(ledger: Ledger, run: RunRecord, person: Person, unreadable: string[]) {
  const names = await namesOf(ledger, run);
  const kept: Awaited<ReturnType<typeof findIn>>[] = [];
  /** Rows that stand in rejects with cells which name the person. */
  const ordinals = new Set<number>();
  for (const file of keptFiles(run)) {
    if (file.kind !== 'rows') continue;
    try {
      const rejected = await rejectedRows(ledger, run, file, names, person);
      const found = await findIn(rejected, file, person);
      kept.push(found);
      for (const at of found.at) {
        const ordinal = found.ordinals?.[at];
        if (ordinal !== undefined) ordinals.add(ordinal);
      }
    } catch {
      unreadable.push(file.path);
    }
  }
  return { run, names, ordinals, kept };
}

/**
 * Which rows of a file name the person (`at`), with the ordinals of the run's rows in it, in its order; `null`: somebody has
 * changed the file since, so that its cells alone count.
 */
async function findIn(
  { ordinals, others }: Awaited<ReturnType<typeof rejectedRows>>,
  file: KeptFile,
  person: Person,
) {
  const rows = await openKeptRows(file.path);
  const [at, byCells] = [new Set<number>(), new Set<number>()];
  let count = 0;
  for await (const cells of rows.rows()) {
    if (person.isInCells(cells, false)) byCells.add(count);
    if (person.isInCells(cells, others.has(count))) at.add(count);
    count++;
  }
  return ordinals.length === count
    ? { file, rows, at, ordinals }
    : { file, rows, at: byCells, ordinals: null };
}

/**
 * Rows of a run that its rejects have, in their order, and those among them that are on record as somebody else's. Rejects
 * have the rows of one input that did not end well, but for those that were erased since.
 */
async function rejectedRows(
  ledger: Ledger,
  { run }: RunRecord,
  { name }: KeptFile,
  names: readonly string[],
  person: Person,
) {
  const ordinals: number[] = [];
  const others = new Set<number>();
  const number = /^rejects(?:-(\d+))?\./.exec(name);
  if (!number) return { ordinals, others };
  const input = Number(number[1] ?? 1) - 1;
  for (const row of await ledger.rowsOf(run)) {
    if (row.input !== input || !isInRejects(row)) continue;
    if (person.isOther(names, row.identifiers)) others.add(ordinals.length);
    ordinals.push(row.ordinal);
  }
  return { ordinals, others };
}

/** Learns by which identifiers the person is known: rows that a phone has led to lead to others. */
async function learn(ledger: Ledger, found: readonly Found[], person: Person): Promise<void> {
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const one of found) {
      const own = personIn(one, person);
      for (const [, facts] of await ledger.factsOf(one.run.run)) {
        const { first, rows } = readIn(facts);
        for (const [at, record] of rows.entries())
          if (own.isOf(record, first + at) && person.add(record[2])) isNew = true;
      }
    }
  }
}

function readIn(facts: readonly Fact[]): ReturnType<typeof readFactOf> {
  const read = facts.find((fact) => fact.kind === 'read');
  return read ? readFactOf(read.data) : { input: 0, sheet: null, first: 0, rows: [] };
}

function personIn({ names, ordinals }: Found, person: Person): ErasedPerson {
  const own = person.in(names);
  return {
    isOf: (record, ordinal) => ordinals.has(ordinal) || own.isOf(record, ordinal),
    mentions: own.mentions,
  };
}

/** Takes the person out of the ledger's facts, and notes where it was. */
async function eraseIn(ledger: Ledger, found: Found, person: Person): Promise<ErasedIn> {
  const { run } = found;
  const own = personIn(found, person);
  const rows: ErasedRow[] = [];
  const ordinals = new Set(found.ordinals);
  const reports: KeptFile[] = [];
  const goesOn = runBehind(await ledger.settingsOf(run.run)) === null;
  const endsWaiting = !goesOn && run.state !== 'finished';
  let [count, waiting] = [0, 0];
  let held: Awaited<ReturnType<Ledger['holdRun']>> | undefined;
  try {
    for (const [chunk, facts] of await ledger.factsOf(run.run)) {
      const erased = eraseFacts(facts, own, endsWaiting);
      if (!erased) continue;
      if (!held) {
        held = await ledger.holdRun(run.run);
        // Before the ledger: whatever comes between, no report is left that shows more than the ledger has.
        reports.push(...keptFiles(run).filter(({ kind }) => kind === 'report'));
        for (const { path } of reports) await rm(path);
      }
      const { first, input, sheet, rows: before } = readIn(facts);
      await ledger.rewriteFacts(run.run, chunk, erased.facts);
      count += erased.rows.length;
      waiting += waitingAmong(run, facts, erased.rows);
      const file = run.inputs[input] ?? '';
      for (const at of erased.rows) {
        ordinals.add(first + at);
        if (rows.length < MAX_ROWS) rows.push({ file, sheet, row: before[at]?.[0] ?? 0 });
      }
    }
    const rewritten = await eraseRows(found, ordinals);
    const files = [...rewritten, ...reports.map(({ path }) => path)];
    return { run: run.run, rows, count, waiting, goesOn, files };
  } finally {
    await held?.release();
  }
}

/** Of how many rows a run that is not at its end has something left to send, or to find out. */
function waitingAmong(
  { state, mode, campaignId }: RunRecord,
  facts: readonly Fact[],
  rows: readonly number[],
): number {
  if (state === 'finished' || rows.length === 0) return 0;
  const states = foldChunk(facts)?.states ?? [];
  const enqueues = campaignId !== null && MODE_TRAITS[mode].enqueues;
  return rows.filter((at) => {
    const row = states[at];
    return row && (STAGES[row.stage].isOpen || awaitsCampaign(row, enqueues));
  }).length;
}

/** Writes rejects anew without the rows of the person; returns their paths. */
async function eraseRows({ kept }: Found, ordinals: ReadonlySet<number>): Promise<string[]> {
  const files: string[] = [];
  for (const { file, rows, at, ordinals: places } of kept) {
    const leftOut = new Set(at);
    for (const [place, ordinal] of (places ?? []).entries())
      if (ordinals.has(ordinal)) leftOut.add(place);
    if (leftOut.size === 0) continue;
    await rows.without((place) => leftOut.has(place));
    files.push(file.path);
  }
  return files;
}

/**
 * A file of rejects, or of rows to mend, in the folder of a report, by the cells of its data rows. It can be written anew
 * without some of them; without any row left, it is removed.
 * @throws InputError when it cannot be read any more
 */
async function openKeptRows(path: string) {
  const source = await openSource(path);
  // Number of the row that names the columns which rejects have beside those of their input; 0: there is none.
  let header = 0;
  for await (const { cells, row } of eachRow(source)) {
    if (!cells.some((cell) => cell?.trim() === OUTCOME_COLUMN)) continue;
    header = row;
    break;
  }
  return {
    rows: async function* () {
      for await (const { cells, row } of eachRow(source)) if (row > header) yield cells;
    },
    without: (isLeftOut: (at: number) => boolean) => rewrite(path, source, header, isLeftOut),
  };
}

async function* eachRow(source: Source) {
  for await (const batch of source.batches()) yield* batch;
}

async function rewrite(
  path: string,
  source: Source,
  header: number,
  isLeftOut: (at: number) => boolean,
): Promise<void> {
  const { encoding, delimiter, bom, sheets } = source.info;
  const format = extname(path) === '.xlsx' ? 'xlsx' : 'csv';
  const above: (readonly Cell[])[] = [];
  for await (const { cells, row } of eachRow(source)) {
    if (row > header) break;
    // The mapping may name the header by its number.
    while (above.length < row - 1) above.push([]);
    above.push(cells);
  }
  const writer = await openWithLayout(
    { file: path, format, encoding, delimiter, bom, headers: [], sheet: sheets[0] },
    // The rows have all of their columns already.
    { headers: above.at(-1) ?? [], row: (cells) => [...cells] },
    above,
  );
  try {
    let at = 0;
    for await (const { cells, row } of eachRow(source)) {
      if (row <= header || isLeftOut(at++)) continue;
      await writer.write(cells, 'rejected', '');
    }
    if ((await writer.close()) === 0) await rm(path);
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** Who is to be erased. */
export interface PersonRequest {
  /** In international form, such as +79161234567. */
  readonly phone?: string | undefined;
  /** Values of synchronization identifiers, by their names. */
  readonly id?: Readonly<Record<string, string>> | undefined;
}

const NUMBERS = /\+?\d[\d\s().\-/]{5,}\d/g;

type Person = ReturnType<typeof personOf>;

/** A person as records name it. @throws UsageError where nobody is named, or the number is none */
function personOf({ phone, id = {} }: PersonRequest) {
  const given = Object.entries(id);
  if (phone === undefined && given.length === 0)
    throw new UsageError('Say who is to be erased: --phone +79161234567, or --id offerId=7.');
  const { numbers, key: phoneKey } =
    phone === undefined ? { numbers: new Set<string>(), key: null } : numberOf(phone);
  /** Identifiers of rows that have the phone, as texts. */
  const known = new Set<string>();
  const texts = new Set(given.map(([, value]) => value));

  const hasNumber = (text: string): boolean =>
    numbers.size > 0 && [...text.matchAll(NUMBERS)].some(([found]) => isAmong(numbers, found));
  const named = (names: readonly string[], values: RowRecord[2]): boolean =>
    given.length > 0 &&
    given.every(([name, value]) => String(values[names.indexOf(name)] ?? '') === value);

  return {
    /** What belongs to it in a run with these identifiers. */
    in: (names: readonly string[]): ErasedPerson => ({
      isOf: ([, , values, , problems = [], remarks, , phones = '']) =>
        (phoneKey !== null && hasKey(phones, phoneKey)) ||
        known.has(keyOf(values)) ||
        named(names, values) ||
        values.some((value) => value !== null && hasNumber(String(value))) ||
        [...problems, ...(remarks ?? [])].some(({ value }) => value !== null && hasNumber(value)),
      mentions: hasNumber,
    }),
    /**
     * Whether the cells of a row that was kept name it. `isOther`: the row is on record with other identifiers: a cell of the
     * same text is something else then.
     */
    isInCells: (cells: readonly Cell[], isOther: boolean): boolean =>
      cells.some((cell) => cell !== null && hasNumber(cell)) ||
      (!isOther &&
        texts.size > 0 &&
        [...texts].every((text) => cells.some((cell) => cell?.trim() === text))),
    /** Whether the identifiers of a row are on record, and others than those of the person. */
    isOther: (names: readonly string[], values: RowRecord[2]): boolean =>
      given.some(([name, value]) => {
        const known = values[names.indexOf(name)] ?? null;
        return known !== null && String(known) !== value;
      }),
    names: given.map(([name]) => name),
    /** Adds identifiers by which the person turned out to be known. */
    add: (values: RowRecord[2]): boolean => {
      if (values.includes(null)) return false;
      const key = keyOf(values);
      const isNew = !known.has(key);
      known.add(key);
      return isNew;
    },
  };
}

const keyOf = (values: RowRecord[2]): string => JSON.stringify(values.map(String));

/** What separates numbers surely, and what a number is made of. */
const [PARTS, GROUPS] = [/[/\n]/, /\d+/g];

/** Whether digits are the number, or several numbers with it among them. */
function isAmong(numbers: ReadonlySet<string>, found: string): boolean {
  const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');
  if ([found, ...found.split(PARTS)].some((text) => numbers.has(digitsOf(text)))) return true;
  const lengths = [...numbers].map(({ length }) => length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  const groups = found.match(GROUPS) ?? [];
  for (const first of groups.keys()) {
    let joined = '';
    for (let at = first; at < groups.length && joined.length < longest; at++) {
      joined += groups[at] ?? '';
      // Without the code or the prefix before it, it may be the end of a number of another country.
      if (joined.length > shortest && numbers.has(joined)) return true;
    }
  }
  return false;
}

/**
 * How a number may be written, as digits alone, and its key in the records of rows, which is that of all spellings.
 * @throws UsageError where it is no number
 */
function numberOf(phone: string): { readonly numbers: ReadonlySet<string>; readonly key: string } {
  const parsed = parsePhone(phone, undefined);
  if (!parsed)
    throw new UsageError(
      '--phone needs a number in international form, such as +79161234567: others may be of somebody else.',
    );
  const { countryCallingCode: code, nationalNumber: digits } = parsed;
  const whole = `${code}${digits}`;
  const words: number[] = [];
  pushPhoneKey(words, Number(whole));
  return {
    numbers: new Set([whole, `00${whole}`, digits, `0${digits}`, `8${digits}`]),
    key: keysText(Uint32Array.from(words), [0]),
  };
}

/** Whether a key, as `keysText` writes one, is among those of a text of the ledger. */
function hasKey(text: string, key: string): boolean {
  for (let at = 0; at < text.length; at += key.length) if (text.startsWith(key, at)) return true;
  return false;
}

/**
 * The facts of a chunk without what they hold of a person, and the positions of the rows that were erased: how its rows
 * ended stays, and so do all counts. `null`: they hold nothing of it. `endsWaiting`: the rows are known from the ledger
 * alone, so that nobody can go on with one whose person was erased: where nothing was sent for it yet, it ends as left out.
 */
function eraseFacts(facts: readonly Fact[], person: ErasedPerson, endsWaiting: boolean) {
  const { first, rows: records } = readIn(facts);
  const rows = records.flatMap((record, at) =>
    !isErased(record) && person.isOf(record, first + at) ? [at] : [],
  );
  const isIn = new Set(rows);
  const erased = facts.map((fact) => withoutPerson(fact, isIn, person));
  const states = endsWaiting && rows.length > 0 ? (foldChunk(facts)?.states ?? []) : [];
  const waiting = new Set(rows.filter((at) => states[at]?.stage === 'pending'));
  const after = waiting.size === 0 ? erased : erased.map((fact) => withoutWaiting(fact, waiting));
  const isOther = rows.length > 0 || after.some((fact, at) => fact !== facts[at]);
  return isOther ? { facts: after, rows } : null;
}

type Rows = ReadonlySet<number>;

type Erasers = {
  readonly [K in Fact['kind']]?: (
    fact: Extract<Fact, { readonly kind: K }>,
    rows: Rows,
  ) => Extract<Fact, { readonly kind: K }>;
};

function withoutPerson(fact: Fact, rows: Rows, { mentions }: ErasedPerson): Fact {
  // One reason is that of several rows: it stays, unless it names the person.
  if ('reason' in fact)
    return mentions(fact.reason) ? { ...fact, reason: ERASED_PROBLEM.message } : fact;
  if (rows.size === 0) return fact;
  // The table has the function of each kind: that this is the one of this fact, the compiler cannot follow.
  const erase = ERASERS[fact.kind] as ((fact: Fact, rows: Rows) => Fact) | undefined;
  return erase ? erase(fact, rows) : fact;
}

/** Rows that wait are left out, and so is that a request for them was begun and surely never left. */
function withoutWaiting(fact: Fact, waiting: Rows): Fact {
  if (fact.kind === 'changing' || fact.kind === 'not_changed')
    return { ...fact, rows: fact.rows.filter((at) => !waiting.has(at)) };
  if (fact.kind !== 'read') return fact;
  const read = readFactOf(fact.data);
  const rows = read.rows.map((record, at): RowRecord => {
    const [row, uuid, identifiers, , ...more] = record;
    return waiting.has(at) ? [row, uuid, identifiers, 2, ...more] : record;
  });
  return { kind: 'read', data: JSON.stringify({ ...read, rows }) };
}

/** The entries of a fact, those of the rows changed. */
const inRows = <E extends readonly [at: number, ...unknown[]]>(
  entries: readonly E[],
  rows: Rows,
  erased: (entry: E) => E,
): E[] => entries.map((entry) => (rows.has(entry[0]) ? erased(entry) : entry));

const { message: ERASED } = ERASED_PROBLEM;

const ERASERS: Erasers = {
  read: ({ kind, data }, rows) => {
    const read = readFactOf(data);
    const records = read.rows.map((record, at) => (rows.has(at) ? erasedRecord(record) : record));
    const erased = { ...read, rows: records };
    if (read.prints === undefined) return { kind, data: JSON.stringify(erased) };
    const prints = printsIn(read.prints);
    for (const at of rows) prints.set(NO_PRINT, at * PRINT_WORDS);
    return { kind, data: JSON.stringify({ ...erased, prints: printsText(prints) }) };
  },
  duplicates: (fact, rows) => ({
    ...fact,
    rows: inRows(fact.rows, rows, ([at, why]) => [at, erasedProblem(why)]),
  }),
  known: (fact, rows) => ({
    ...fact,
    skipped: inRows(fact.skipped, rows, (row) =>
      'code' in row[1] ? [row[0], erasedProblem(row[1])] : row,
    ),
    created: inRows(fact.created, rows, ([at, , by]) => [at, null, by]),
  }),
  created: (fact, rows) => ({
    ...fact,
    results: inRows(fact.results, rows, ([at, , refusal]) =>
      refusal === undefined ? [at, null] : [at, null, ERASED],
    ),
  }),
  create_settled: (fact, rows) => ({
    ...fact,
    found: inRows(fact.found, rows, ([at]) => [at, null]),
  }),
  enqueued: (fact, rows) => ({
    ...fact,
    results: inRows(fact.results, rows, (result) => {
      const [at, refusal, ...lists] = result;
      // By this one it is known that the client is in the campaign.
      const isKept = refusal === undefined || refusal === ALREADY_IN_CAMPAIGN;
      return isKept ? result : [at, ERASED, ...lists];
    }),
  }),
  looked_up: (fact, rows) => ({
    ...fact,
    found: inRows(fact.found, rows, ([at, { isOwn, inCampaign, hasRecall }]) => [
      at,
      defined({ isOwn, inCampaign, hasRecall }),
    ]),
  }),
  changed: (fact, rows) => ({
    ...fact,
    results: inRows(fact.results, rows, (result) => {
      const [at, refusal, ...added] = result;
      return refusal == null ? result : [at, ERASED, ...added];
    }),
  }),
  inspected: (fact, rows) => ({
    ...fact,
    results: inRows(fact.results, rows, ([at, { verdict }]) => [
      at,
      { verdict, clientId: null, differences: [], application: null },
    ]),
  }),
};

function erasedRecord([row, , identifiers, status, problems, remarks, zone]: RowRecord): RowRecord {
  const none = identifiers.map(() => null);
  const left = [ERASED_PROBLEM, ...(problems ?? []).map(erasedProblem)];
  const noted = remarks?.map(erasedProblem) ?? null;
  return zone == null
    ? [row, null, none, status, left, noted]
    : [row, null, none, status, left, noted, zone];
}

/** Codes are counted; the words and the value may name the person. */
const erasedProblem = ({ column, code }: Problem): Problem => ({
  ...{ column, code, message: ERASED_PROBLEM.message, value: null },
});

/** Whose rows are erased, and texts that name them. */
interface ErasedPerson {
  /** `ordinal`: number of the row over all inputs of its run. */
  readonly isOf: (record: RowRecord, ordinal: number) => boolean;
  readonly mentions: (text: string) => boolean;
}
