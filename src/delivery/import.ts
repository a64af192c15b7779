import type { Earlier } from '../core/client.js';
import {
  type DuplicateKind,
  type DuplicateRule,
  type Known,
  type KnownKind,
  type KnownRows,
  type LaterRow,
  type SeenAt,
  duplicateOfRow,
  duplicateOfRun,
  kindOfKey,
} from '../core/duplicates.js';
import { CardlineError, interruption, UsageError } from '../core/errors.js';
import {
  type Fact,
  type RowState,
  STAGES,
  awaitsCampaign,
  foldChunk,
  outcomeOf,
  readFactOf,
  textOf,
} from '../core/facts.js';
import type { RunMode, Outcome, Problem } from '../core/outcome.js';
import {
  isErased,
  KEY_WORDS,
  type PreparedChunk,
  type PreparedClients,
  type RowRecord,
  identifiersOf,
  printAt,
} from '../core/prepared.js';
import { type ResultOf, create, enqueue, notSentText, suppressedSince } from './attempt.js';
import { type Batch, type BatchLimits, cutBatches, cutBySize } from './batch.js';
import { changeInTurn, goOnChanged, holdEverLost, inspectClients } from './change.js';
import { Canary, canaryBefore, canaryStop } from './failures.js';
import { type ImportJob, type ImportEnd, type Sending, openSending } from './sending.js';

/*
 * An import from its first chunk to its end. Chunks are screened and put on record, what each leaves to do is cut into
 * batches, and each batch goes from the stage at which the facts leave it to its end. The canary goes first, and is
 * decided on before anybody else is sent.
 */

/**
 * Screens, records and sends every chunk. A continued run goes the same way: what its facts say is done is left alone.
 * Internal errors are thrown; how the import ended otherwise is the result.
 */
export async function runImport(job: ImportJob): Promise<ImportEnd> {
  const s = openSending(job);
  s.onOpen?.(s.state);
  try {
    await sendChunks(s);
  } catch (error) {
    s.queue.fail(error);
  }
  const failure = await s.queue.end();
  s.onProgress?.(s.state);
  const { counts } = s.sender;
  if (failure instanceof CardlineError) return { stopped: failure, ...counts };
  if (failure !== undefined)
    throw failure instanceof Error ? failure : new Error('A batch failed.', { cause: failure });
  return { ...(s.signal.aborted && { stopped: interruption(s.signal) }), ...counts };
}

/** Reads chunk after chunk, and adds what each leaves to do to the queue; the canary goes first. */
async function sendChunks(s: Sending): Promise<void> {
  const { signal, queue, state, canary: first = 0 } = s;
  const canary = new Canary(first, await canaryBefore(s.ledger, first), s.canaryShare);
  const ofCanary: Sending = {
    ...s,
    ended: (outcome, count, earlier) => {
      canary.note(outcome, count);
      s.ended(outcome, count, earlier);
    },
  };
  const admitting: Admitting = { ...s, onContinued: (...clients) => holdEverLost(s, ...clients) };
  if (canary.takeDue()) await decideOn(s, canary);
  let number = 0;
  for await (const chunk of s.chunks) {
    if (signal.aborted) break;
    state.rows += chunk.count;
    state.share = chunk.progress;
    const { open } = await admitChunk(admitting, chunk, chunk.number ?? number++);
    s.onProgress?.(state);
    for (const [stage, batch] of open)
      for (const { part, isCanary } of canary.parts(batch)) {
        await probeOnce(s);
        await queue.add(() => execute(isCanary ? ofCanary : s, part, stage));
        if (!canary.takeDue()) continue;
        const hasEnded = await queue.hold(canary.ended(drained(s)));
        if (hasEnded) await decideOn(s, canary);
      }
  }
}

async function decideOn({ maxFailures }: Sending, canary: Canary): Promise<void> {
  if (!(await canary.hasPassed(maxFailures))) throw canaryStop();
}

/** Asks whether a contact center is there: not while the run is paused, since that is a request too. */
async function probeOnce({ pause, probe, signal, met }: Sending): Promise<void> {
  if (met.isKnown !== undefined) return;
  if (pause?.isPaused) {
    await pause.untilContinued(signal);
    if (signal.aborted) return;
  }
  met.isKnown = (await probe?.()) ?? false;
}

/**
 * Resolves when nothing is in flight of a run that was stopped: the last answers to a canary may come then, and whoever
 * stopped it is told of them, since the next process does not hold the others back any more.
 */
async function drained({ signal, queue }: Sending): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await queue.end();
}

async function execute(s: Sending, batch: Batch, stage: OpenStage): Promise<void> {
  await (s.inspect ? inspectClients(s, batch, s.inspect) : executeFrom(s, batch, stage));
  s.onProgress?.(s.state);
}

async function executeFrom(s: Sending, batch: Batch, stage: OpenStage): Promise<void> {
  switch (stage) {
    case 'new':
      if (s.change) return changeInTurn(s, batch, stage);
      return s.mode === 'enqueue' ? enqueue(s, batch) : create(s, batch);
    case 'creation_unknown':
      return create(s, batch, s.lostBefore);
    case 'created':
      return enqueue(s, batch);
    case 'enqueueing_unknown':
      return enqueue(s, batch, s.lostBefore);
    case 'change_unknown':
      return changeInTurn(s, batch, stage);
    case 'changed':
      return goOnChanged(s, batch);
  }
}

/*
 * How the rows of a chunk come into a run: they are compared with those before them (the screen), put on record, and what
 * they ask for is cut into batches. Of a chunk that is on record already, its facts say what is left to do; it may differ
 * only in what lists of numbers say by now.
 */

type Screen = Pick<ImportJob, 'duplicates' | 'inputs' | 'seen' | 'earlier' | 'later'>;

/** What admitting the rows of a run needs: an import under way has it, and so has who admits rows that others send. */
export interface Admitting
  extends Screen, Pick<ImportJob, 'ledger' | 'change' | 'inspect' | 'known' | 'campaign'> {
  readonly mode: RunMode;
  readonly limits: BatchLimits;
  /** Whether others send what is on record already, and record what becomes of it. @default false */
  readonly isForOthers?: boolean;
  readonly ended: (outcome: Outcome, count: number, earlier?: boolean) => void;
  /** Called with clients of an earlier part of the run, with its facts. */
  readonly onContinued?: (
    clients: PreparedClients,
    members: readonly number[],
    facts: readonly Fact[],
  ) => void;
}

/** The stage at which a batch is taken up: a continued run begins where the earlier one ended. */
type OpenStage =
  'new' | 'creation_unknown' | 'created' | 'change_unknown' | 'changed' | 'enqueueing_unknown';

/** `passed`: indexes of the clients that go on; `open`: what is left to do for them. */
interface Admitted {
  readonly passed: readonly number[];
  readonly open: readonly (readonly [stage: OpenStage, batch: Batch])[];
}

/**
 * Screens a chunk and puts its rows on record. Where the ledger has facts of it already, only what they leave open is
 * to be done.
 * @throws UsageError when the rows are not those that the run recorded.
 */
export async function admitChunk(
  s: Admitting,
  chunk: PreparedChunk,
  number: number,
): Promise<Admitted> {
  const recorded = s.ledger.continued ? await s.ledger.factsOf(number) : [];
  if (recorded.length > 0) return admitAgain(s, chunk, number, recorded);
  const { passed, duplicates } = screenChunk(s, chunk, number);
  s.ended('rejected', chunk.rejected);
  s.ended('skipped', chunk.skipped + duplicates.length);
  const known = knownFacts(s.known, chunk, passed);
  const facts: Fact[] = [{ kind: 'read', data: chunk.read }];
  if (duplicates.length > 0) facts.push({ kind: 'duplicates', rows: duplicates });
  facts.push(...known);
  await s.ledger.record(number, facts);
  return known.length === 0 && !s.ledger.settlesAll
    ? { passed, open: cutOpen(s, chunk.clients, number, 'new', passed) }
    : takeUp(s, chunk.clients, number, passed, facts, false);
}

async function admitAgain(
  s: Admitting,
  chunk: PreparedChunk,
  number: number,
  recorded: readonly Fact[],
): Promise<Admitted> {
  const { ledger } = s;
  const { clients } = chunk;
  const relisted = holdRelisted(s, recorded, chunk.read);
  const before = recorded.flatMap((fact) => (fact.kind === 'duplicates' ? fact.rows : []));
  const held = new Map([...before, ...(relisted?.held ?? [])]);
  const waiting = new Set<number>();
  // Where facts were lost, nobody knows for which rows nothing was sent.
  const states = ledger.settlesAll ? [] : (foldChunk(recorded)?.states ?? []);
  for (const [at, { stage }] of states.entries()) if (stage === 'pending') waiting.add(at);
  const { passed, duplicates } = screenChunk(s, chunk, number, { held, waiting });
  const since = duplicates.filter(([at]) => !held.has(at));
  const sent: Fact[] = since.length > 0 ? [{ kind: 'duplicates', rows: since }] : [];
  const facts = s.isForOthers ? [] : [...sent, ...(relisted?.facts ?? [])];
  if (facts.length > 0) await ledger.record(number, facts);
  const all = [...recorded, ...facts];
  if (relisted) {
    // Then facts alone say how rows have ended that are no clients any more.
    const goOn = new Set(passed.map((index) => clients.at[index]));
    for (const [at, state] of (foldChunk(all)?.states ?? []).entries())
      if (!goOn.has(at)) s.ended(outcomeOf(state), 1, true);
  } else {
    s.ended('rejected', chunk.rejected, true);
    s.ended('skipped', chunk.skipped + duplicates.length, true);
  }
  // Nothing has been done about any row since the chunk was put on record.
  const isUntouched = recorded.every(({ kind }) => kind === 'read' || kind === 'duplicates');
  if (isUntouched && !ledger.settlesAll)
    return { passed, open: cutOpen(s, clients, number, 'new', passed) };
  return takeUp(s, clients, number, passed, all, true);
}

async function takeUp(
  s: Admitting,
  clients: PreparedClients,
  number: number,
  passed: readonly number[],
  recorded: readonly Fact[],
  isEarlier: boolean,
): Promise<Admitted> {
  const rows = passed.map((index) => clients.at[index] ?? 0);
  const facts = s.ledger.settlesAll ? await doubtPending(s, number, rows, recorded) : recorded;
  s.onContinued?.(clients, passed, facts);
  const states = foldChunk(facts)?.states ?? [];
  const earlier = new Map<number, Earlier>();
  const at: Partial<Record<OpenStage, number[]>> = {};
  for (const [place, index] of passed.entries()) {
    const state = states[rows[place] ?? -1];
    const hasEnded = state && !STAGES[state.stage].isOpen;
    // Rejected rows were counted when their chunk was screened.
    if (hasEnded && state.stage !== 'rejected' && !awaitsCampaign(state, s.campaign !== null))
      s.ended(outcomeOf(state), 1, isEarlier);
    if (state?.earlier) earlier.set(index, state.earlier);
    const stage = openStageOf(state, s);
    if (stage) (at[stage] ??= []).push(index);
  }
  const open = OPEN_STAGES.flatMap((stage) =>
    cutOpen(s, clients, number, stage, at[stage] ?? [], earlier),
  );
  return { passed, open };
}

function cutOpen(
  { mode, change, inspect, limits, duplicates }: Admitting,
  clients: PreparedClients,
  chunk: number,
  stage: OpenStage,
  members: readonly number[],
  earlier?: Batch['earlier'],
): Admitted['open'] {
  // Else each client has requests of its own.
  const areTogether = !inspect && (!change || mode === 'upsert');
  const batches = areTogether
    ? cutBatches(clients, members, limits, duplicates.by.includes('sync'))
    : cutBySize(members, limits.clients());
  return batches.map((batch) => [stage, { chunk, clients, members: batch, earlier }]);
}

const LOST_FACTS = 'Facts of the run were lost, so that this may have been sent already.';

/**
 * Puts on record that rows of which nothing is on record may have been changed, in modes that look such changes up
 * before they are sent again: else a client would be looked up as if nothing had been sent.
 */
async function doubtPending(
  { ledger, change }: Admitting,
  number: number,
  rows: readonly number[],
  facts: readonly Fact[],
): Promise<readonly Fact[]> {
  const states = foldChunk(facts)?.states ?? [];
  const pending = rows.filter((at) => states[at]?.stage === 'pending' && !states[at].wasAbsent);
  if (!change?.settle || pending.length === 0) return facts;
  const doubts: Fact[] = [
    { kind: 'looked_up', found: pending.map((at) => [at, {}] as const) },
    { kind: 'change_unknown', rows: pending, reason: LOST_FACTS },
  ];
  await ledger.record(number, doubts);
  return [...facts, ...doubts];
}

/** In this order what is open is taken up: what is nearest to its end comes first. */
const OPEN_STAGES: readonly OpenStage[] = [
  'enqueueing_unknown',
  'created',
  'changed',
  'change_unknown',
  'creation_unknown',
  'new',
];

/**
 * Where a row of each stage is taken up; `null`: it has ended. What was on the way when the run ended may have arrived.
 * Rows that are created or changed are open only while they wait for a campaign.
 */
const OPEN_AT = {
  pending: 'new',
  creating: 'creation_unknown',
  create_unknown: 'creation_unknown',
  create_failed: null,
  created: 'created',
  enqueuing: 'enqueueing_unknown',
  enqueue_unknown: 'enqueueing_unknown',
  enqueue_failed: null,
  enqueued: null,
  changing: 'change_unknown',
  change_unknown: 'change_unknown',
  change_failed: null,
  changed: 'changed',
  inspected: null,
  unchanged: null,
  rejected: null,
  skipped: null,
} as const satisfies Record<RowState['stage'], OpenStage | null>;

/**
 * Where a row is taken up; `null`: it has ended. Where facts were lost, a row of which nothing is on record may have been
 * sent all the same, and is looked up first.
 */
function openStageOf(state: RowState | undefined, s: Admitting): OpenStage | null {
  const stage = OPEN_AT[state?.stage ?? 'pending'];
  const awaits = state !== undefined && awaitsCampaign(state, s.campaign !== null);
  if ((stage === 'created' || stage === 'changed') && !awaits) return null;
  if (!s.ledger.settlesAll) return stage;
  // Also one that an earlier lookup did not find: it may have been sent since.
  if (stage === 'new') return unsureStage(s);
  return awaits ? 'enqueueing_unknown' : stage;
}

/** The stage of rows that may have been sent, although nothing of it is on record: each mode looks up what it would do. */
function unsureStage({ change, inspect, mode }: Admitting): 'new' | Doubt {
  if (inspect) return 'new';
  if (change) return 'change_unknown';
  return mode === 'enqueue' ? 'enqueueing_unknown' : 'creation_unknown';
}

/** What the screen lets pass, and what it holds back. */
export interface Screened {
  readonly passed: readonly number[];
  /** Rows that repeat another one: their position in the chunk, and why. */
  readonly duplicates: readonly (readonly [at: number, why: Problem])[];
}

interface RecordedScreen {
  readonly held: ReadonlyMap<number, Problem>;
  /** Positions of rows for which nothing was sent yet: another run may have sent them since. */
  readonly waiting: ReadonlySet<number>;
}

/**
 * Of the clients with a key one passes, the first or the last; the others are held back. A client that is held back
 * leaves no keys: its other phones are not in the contact center.
 * @param recorded what was decided when the chunk was put on record: it holds, but for rows that wait and that another run
 * has sent since
 */
export function screenChunk(
  screen: Screen,
  chunk: PreparedChunk,
  number: number,
  recorded?: RecordedScreen,
): Screened {
  const { clients } = chunk;
  const { rows } = clients;
  if (screen.duplicates.by.length === 0 && !recorded)
    return { passed: [...clients.at.keys()], duplicates: [] };
  const later = screen.later?.ofChunk(number);
  const passed: number[] = [];
  const duplicates: [number, Problem][] = [];
  let to = 0;
  for (let index = 0; index < clients.at.length; index++) {
    const at = clients.at[index] ?? 0;
    const from = to;
    to = clients.keyEnds[index] ?? 0;
    const why = recorded
      ? (recorded.held.get(at) ?? sentSince(screen, recorded, clients, at, from, to))
      : reasonOf(screen, chunk, from, to, later?.get(at));
    if (why) duplicates.push([at, why]);
    else {
      // Which rows go is known before, where later ones win.
      if (!screen.later) addKeys(screen, chunk, from, to, rows[index] ?? 0, recorded !== undefined);
      passed.push(index);
    }
  }
  return { passed, duplicates };
}

/** Why a client that waits is held back now; `undefined` where nobody else has sent it since. */
function sentSince(
  { earlier, duplicates }: Screen,
  { waiting }: RecordedScreen,
  { keys }: PreparedClients,
  at: number,
  from: number,
  to: number,
): Problem | undefined {
  const found = waiting.has(at) ? earlier?.find(keys, from, to) : null;
  return found ? duplicateOfRun(found, duplicates.days) : undefined;
}

function reasonOf(
  screen: Screen,
  { clients: { keys }, input }: PreparedChunk,
  from: number,
  to: number,
  later: LaterRow | undefined,
): Problem | undefined {
  const { duplicates, inputs } = screen;
  const before = screen.earlier?.find(keys, from, to);
  if (before) return duplicateOfRun(before, duplicates.days);
  const other = screen.later ? later : firstSeen(screen, keys, from, to);
  if (!other) return undefined;
  const file = other.input === input ? null : (inputs[other.input] ?? 'another file');
  return duplicateOfRow(other.kind, other.row, file);
}

/** The only kind of keys by which rows are compared; `null` where all kinds count. */
const onlyKind = ({ by }: DuplicateRule): DuplicateKind | null =>
  by.length === 1 ? (by[0] ?? null) : null;

function firstSeen(
  { duplicates, seen }: Screen,
  keys: Uint32Array,
  from: number,
  to: number,
): (SeenAt & { readonly kind: DuplicateKind }) | null {
  const only = onlyKind(duplicates);
  for (let key = from; key < to; key++) {
    const offset = key * KEY_WORDS;
    if (only !== null && kindOfKey(keys, offset) !== only) continue;
    const found = seen.find(keys, offset);
    if (found) return { kind: kindOfKey(keys, offset), ...found };
  }
  return null;
}

/** `mayBeThere`: whether the first key may have been added before, too. */
function addKeys(
  { duplicates, seen }: Screen,
  { clients: { keys }, input }: PreparedChunk,
  from: number,
  to: number,
  row: number,
  mayBeThere: boolean,
): void {
  const only = onlyKind(duplicates);
  for (let key = from; key < to; key++) {
    const offset = key * KEY_WORDS;
    if (only !== null && kindOfKey(keys, offset) !== only) continue;
    // Of several keys, two may be the same.
    if ((key === from && !mayBeThere) || !seen.find(keys, offset))
      seen.add(keys, offset, input, row);
  }
}

type KnownRow = readonly [at: number, Known];

/** The rows among those that go on of which earlier runs did something. */
export function knownRows(
  known: KnownRows,
  { clients, first }: PreparedChunk,
  passed: readonly number[],
): KnownRow[] {
  const rows: KnownRow[] = [];
  for (const index of passed) {
    const at = clients.at[index] ?? 0;
    const print = clients.prints && printAt(clients.prints, index);
    const found = known.find(identifiersOf(clients, index), first + at, print);
    if (found) rows.push([at, found]);
  }
  return rows;
}

function knownFacts(
  known: KnownRows | undefined,
  chunk: PreparedChunk,
  passed: readonly number[],
): Fact[] {
  const rows = known ? knownRows(known, chunk, passed) : [];
  if (rows.length === 0) return [];
  const byKind = groupedBy(rows, ({ kind }) => kind);
  const of = (kind: KnownKind): readonly KnownRow[] => byKind.get(kind) ?? [];
  const skipped = of('done').map(([at, { by }]) => [at, by] as const);
  const created = [...of('created'), ...of('enqueue_unknown')].map(
    ([at, { clientId, by }]) => [at, clientId, by] as const,
  );
  const changed = of('change_unknown').map(([at]) => [at, {}] as const);
  const facts: Fact[] = [];
  if (skipped.length + created.length > 0) facts.push({ kind: 'known', skipped, created });
  // One fact for each earlier run that sent the rows as they are.
  for (const alike of groupedBy(of('unchanged'), ({ by }) => by.run).values()) {
    const by = alike[0]?.[1].by;
    if (by) facts.push({ kind: 'unchanged', rows: alike.map(([at]) => at), by });
  }
  if (changed.length > 0) facts.push({ kind: 'looked_up', found: changed });
  // And for each that never learned what became of them: its name is a part of the reason.
  for (const [kind, as] of UNKNOWN)
    for (const [run, alike] of groupedBy(of(kind), (found) => found.run)) {
      const reason = `Run ${run} did not learn what became of its request for this client.`;
      facts.push({ kind: as, rows: alike.map(([at]) => at), reason });
    }
  return facts;
}

/** What is put on record of rows of which an earlier run never learned what became of them. */
const UNKNOWN = [
  ['create_unknown', 'create_unknown'],
  ['enqueue_unknown', 'enqueue_unknown'],
  ['maybe_enqueued', 'enqueue_unknown'],
  ['change_unknown', 'change_unknown'],
  // Nothing was looked up: that is done once no lost request can arrive any more.
  ['lost', 'change_unknown'],
] as const;

function groupedBy<K>(rows: readonly KnownRow[], key: (known: Known) => K): Map<K, KnownRow[]> {
  const groups = new Map<K, KnownRow[]>();
  for (const row of rows) {
    const name = key(row[1]);
    const others = groups.get(name);
    if (others) others.push(row);
    else groups.set(name, [row]);
  }
  return groups;
}

/**
 * Compares the rows of a chunk with those that the run recorded. They may differ in persons that were erased since, and in
 * what lists of numbers say, which change from day to day. By their position in the chunk: rows that were clients, with the
 * lists that leave them out now (`listed`), clients that lack a phone now, with the lists that it is on (`partly`), and rows
 * that were left out, with the reason, and would be clients now (`freed`).
 * @throws UsageError when other rows were recorded
 */
function relistedRows(recorded: readonly Fact[], read: string | Uint8Array) {
  const listed = new Map<number, readonly string[]>();
  const partly = new Map<number, readonly string[]>();
  const freed = new Map<number, Problem>();
  const fact = recorded.find(({ kind }) => kind === 'read');
  if (fact?.kind !== 'read') throw otherRows();
  const [before, now] = [textOf(fact.data), textOf(read)];
  if (before === now) return { listed, partly, freed };
  const [known, found] = [readFactOf(before), readFactOf(now)];
  if (known.first !== found.first || known.rows.length !== found.rows.length) throw otherRows();
  for (const [at, record] of known.rows.entries()) {
    const other = found.rows[at];
    if (!other || !isSameRow(record, other)) throw otherRows();
    const [, , , , [why] = []] = record;
    if (isClient(record) && !isClient(other)) listed.set(at, listsOf(other));
    else if (isClient(record) && hasMoreListed(record, other)) partly.set(at, listsOf(other));
    else if (!isClient(record) && isClient(other) && !isErased(record) && why) freed.set(at, why);
  }
  return { listed, partly, freed };
}

const isClient = ([, , , status]: RowRecord): boolean => status === 0;

function isSameRow(before: RowRecord, now: RowRecord): boolean {
  if (isErased(before) || JSON.stringify(before) === JSON.stringify(now)) return true;
  const isListed = listsOf(before).length + listsOf(now).length > 0;
  const whoIs = (row: RowRecord): string => JSON.stringify(row.slice(0, 3));
  return isListed && whoIs(before) === whoIs(now);
}

const listedIn = ([, , , , problems, remarks]: RowRecord): Problem[] =>
  [...(problems ?? []), ...(remarks ?? [])].filter(({ lists }) => lists !== undefined);

const listsOf = (record: RowRecord): string[] => [
  ...new Set(listedIn(record).flatMap(({ lists = [] }) => lists)),
];

function hasMoreListed(before: RowRecord, now: RowRecord): boolean {
  const phoneOf = ({ column, value }: Problem): string => JSON.stringify([column, value]);
  const known = new Set(listedIn(before).map(phoneOf));
  return listedIn(now).some((problem) => !known.has(phoneOf(problem)));
}

const otherRows = (): UsageError =>
  new UsageError(
    'The input or the mapping gives other rows than when this run began, so it is not continued. Restore them to continue it; or take back what it did (cardline undo); or begin anew with --again, which sends all rows, also those that it has sent.',
  );

type Doubt = 'creation_unknown' | 'enqueueing_unknown' | 'change_unknown';

/** What is recorded of a row that must not be called any more, by where it would be taken up. */
const HELD_AS = {
  new: 'skipped',
  creation_unknown: 'create_unknown',
  enqueueing_unknown: 'enqueue_unknown',
  change_unknown: 'change_unknown',
} as const satisfies Record<'new' | Doubt, string>;

interface HeldRows {
  readonly facts: readonly Fact[];
  /** Clients that do not go on, by their position in the chunk, and why. */
  readonly held: ReadonlyMap<number, Problem>;
}

/**
 * What becomes of the rows of an earlier part of the run by the lists of numbers as they are now; `null`: they change
 * nothing. Rows for which nothing was sent are left out, those that wait for a campaign are not added to it, and what
 * became of a lost request stays unknown, since asking again may add them. A row that was left out stays so.
 * @throws UsageError when other rows were recorded
 */
function holdRelisted(
  s: Admitting,
  recorded: readonly Fact[],
  read: string | Uint8Array,
): HeldRows | null {
  const { listed, partly, freed } = relistedRows(recorded, read);
  if (listed.size + partly.size + freed.size === 0) return null;
  const states = foldChunk(recorded)?.states ?? [];
  const leftOut: [number, Problem][] = [];
  const refused: ResultOf<'enqueued'>[] = [];
  const unknown: Fact[] = [];
  const hold = (at: number, as: ReturnType<typeof heldAs>, lists: readonly string[]): void => {
    if (as === 'skipped') leftOut.push([at, suppressedSince(lists)]);
    else if (as === 'refused') refused.push([at, notSentText(lists), lists]);
    else if (as) unknown.push({ kind: as, rows: [at], reason: notSentText(lists) });
  };
  for (const [at, lists] of listed) hold(at, heldAs(s, states[at]), lists);
  const held = new Map(freed);
  // A card that this run made or changed is called at any of its phones.
  for (const [at, lists] of s.campaign && s.mode !== 'enqueue' ? partly : []) {
    const as = heldAs(s, states[at]);
    if (as === null || as === 'skipped') continue;
    hold(at, as, lists);
    held.set(at, suppressedSince(lists));
  }
  if (listed.size + held.size === 0) return null;
  const facts = [...unknown];
  if (refused.length > 0) facts.unshift({ kind: 'enqueued', results: refused });
  if (leftOut.length > 0) facts.unshift({ kind: 'duplicates', rows: leftOut });
  return { facts, held };
}

/** `null`: the row has ended. Where facts were lost, one that waits may have been sent. */
function heldAs(s: Admitting, state: RowState | undefined) {
  if (!state) return null;
  const { settlesAll } = s.ledger;
  if (awaitsCampaign(state, s.campaign !== null)) return settlesAll ? 'enqueue_unknown' : 'refused';
  const stage = OPEN_AT[state.stage];
  if (stage === null || stage === 'created' || stage === 'changed') return null;
  return HELD_AS[stage === 'new' && settlesAll ? unsureStage(s) : stage];
}

/* What other rooms need of this one: nobody imports past this file. */
export type { BodyExtras, CampaignSettings } from './batch.js';
export {
  Canary,
  type CanaryShare,
  type FailureLimit,
  type ReadSoFar,
  type RowTotal,
  allowedOf,
  canaryBefore,
  canaryStop,
  exceeds,
  limitText,
  tooManyFailures,
  totalOf,
  totalText,
} from './failures.js';
export {
  type ChangeRule,
  type Inspect,
  changeRuleOf,
  keysOf,
  removeMissingRule,
  undoRule,
} from './rules.js';
export {
  type PaceLimits,
  type PausePort,
  type Permits,
  Sender,
  createPace,
  createPermits,
} from './sender.js';
export type { ImportJob, ImportEnd, ImportState } from './sending.js';
