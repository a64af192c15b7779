import { type Screened, type RecordedScreen, screenChunk, type Screen } from './screen.js';
import { type PreparedChunk, type PreparedClients, printAt, identifiersOf, type RowRecord, isErased } from '../core/prepared.js';
import {
  type Fact,
  foldChunk,
  type RowState,
  awaitsCampaign,
  type RowStage,
  outcomeOf,
  readFactOf,
  textOf,
  type EnqueuedResult,
} from '../core/facts.js';
import type { RunLedger } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import {
  cutBatches,
  cutBySize,
  type OpenStage,
  type OpenBatch,
  type BatchLimits,
} from './batch.js';
import type { RunMode } from '../core/mode.js';
import type { Known, KnownKind, KnownRows } from '../core/duplicates.js';
import { UsageError } from '../core/errors.js';
import type { Problem } from '../core/problem.js';
import { notSentText, suppressedSince } from './enqueue.js';

/** What is left to do for a chunk. */
type Admitted = readonly (readonly [stage: OpenStage, batch: OpenBatch])[];

/** A chunk whose rows have been screened. */
interface ScreenedChunk {
  readonly chunk: PreparedChunk;
  readonly number: number;
  /** Indexes of the clients that go on. */
  readonly passed: readonly number[];
}

/** Finds what the facts of a chunk leave open. */
async function takeUp(
  context: AdmitContext,
  screened: ScreenedChunk,
  recorded: readonly Fact[],
  isEarlier: boolean,
): Promise<Admitted> {
  const { passed } = screened;
  const { clients } = screened.chunk;
  const facts = context.ledger.settlesAll
    ? await doubtPending(context, screened, recorded)
    : recorded;
  context.onContinued?.(clients, passed, facts);
  const states = foldChunk(facts)?.states ?? [];
  const stateOf = (index: number): RowState | undefined => states[clients.at[index] ?? -1];
  countEnded(context, passed.map(stateOf), isEarlier);
  const earlier = new Map(
    passed.flatMap((index) => {
      const how = stateOf(index)?.earlier;
      return how ? [[index, how] as const] : [];
    }),
  );
  return OPEN_STAGES.flatMap((stage) => {
    const members = passed.filter((index) => openStageOf(stateOf(index), context) === stage);
    return cutOpen(context, screened, stage, members, earlier);
  });
}

/** The batches of members that are at one stage. */
function cutOpen(
  { together, limits, duplicates }: AdmitContext,
  { chunk: { clients }, number }: ScreenedChunk,
  stage: OpenStage,
  members: readonly number[],
  earlier?: OpenBatch['earlier'],
): Admitted {
  const batches = together
    ? cutBatches(clients, members, limits, duplicates.by.includes('sync'))
    : cutBySize(members, limits.clients());
  return batches.map((batch) => [stage, { chunk: number, clients, members: batch, earlier }]);
}

const LOST_FACTS = 'Facts of the run were lost, so that this may have been sent already.';

/**
 * Puts on record that rows of which nothing is on record may have been changed, in modes that look such changes up
 * before they are sent again: else a client would be looked up as if nothing had been sent.
 */
async function doubtPending(
  { ledger, settles }: AdmitContext,
  { chunk: { clients }, passed, number }: ScreenedChunk,
  facts: readonly Fact[],
): Promise<readonly Fact[]> {
  const states = foldChunk(facts)?.states ?? [];
  const pending = passed
    .map((index) => clients.at[index] ?? 0)
    .filter((at) => states[at]?.stage === 'pending' && !states[at].wasAbsent);
  if (!settles || pending.length === 0) return facts;
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
} as const satisfies Record<RowStage, OpenStage | null>;

/**
 * Where a row is taken up; `null`: it has ended. Where facts were lost, a row of which nothing is on record may have been
 * sent all the same, and is looked up first.
 */
function openStageOf(state: RowState | undefined, context: AdmitContext): OpenStage | null {
  const stage = OPEN_AT[state?.stage ?? 'pending'];
  const awaits = state !== undefined && awaitsCampaign(state, context.campaign);
  if ((stage === 'created' || stage === 'changed') && !awaits) return null;
  if (!context.ledger.settlesAll) return stage;
  // Also one that an earlier lookup did not find: it may have been sent since.
  if (stage === 'new') return context.unsure;
  return awaits ? 'enqueueing_unknown' : stage;
}

/** How a row of each stage has ended; `null`: it has not, or was counted when its chunk was screened. */
const ENDED_AS = {
  pending: null,
  creating: null,
  create_unknown: null,
  create_failed: 'failed',
  created: 'created',
  enqueuing: null,
  enqueue_unknown: null,
  enqueue_failed: 'enqueue_failed',
  enqueued: 'enqueued',
  changing: null,
  change_unknown: null,
  change_failed: 'failed',
  changed: ({ changedTo }) => changedTo,
  inspected: ({ inspection }) => inspection?.verdict ?? null,
  unchanged: 'unchanged',
  rejected: null,
  skipped: 'skipped',
} satisfies Record<RowStage, Outcome | null | ((state: RowState) => Outcome | null)>;

function outcomeAtEnd(state: RowState): Outcome | null {
  const ended = ENDED_AS[state.stage];
  return typeof ended === 'function' ? ended(state) : ended;
}

function countEnded(
  context: AdmitContext,
  states: readonly (RowState | undefined)[],
  isEarlier: boolean,
): void {
  for (const state of states) {
    if (!state || awaitsCampaign(state, context.campaign)) continue;
    const outcome = outcomeAtEnd(state);
    if (outcome) context.onOutcome(outcome, 1, isEarlier);
  }
}

/**
 * Screens a chunk and puts its rows on record. Where the ledger has facts of it already, only what they leave open is
 * to be done.
 * @throws UsageError when the rows are not those that the run recorded.
 */
export async function admitChunk(
  context: AdmitContext,
  chunk: PreparedChunk,
  number: number,
): Promise<Admitted> {
  const { ledger } = context;
  const recorded = ledger.continued ? await ledger.factsOf(number) : [];
  return recorded.length > 0
    ? admitAgain(context, chunk, number, recorded)
    : admitNew(context, chunk, number);
}

async function admitNew(
  context: AdmitContext,
  chunk: PreparedChunk,
  number: number,
): Promise<Admitted> {
  const { ledger, onOutcome } = context;
  const { passed, duplicates } = screenChunk(context, chunk, number);
  context.onPassed?.(passed);
  onOutcome('rejected', chunk.rejected);
  onOutcome('skipped', chunk.skipped + duplicates.length);
  const read = { kind: 'read', data: chunk.read } as const;
  const left: Fact[] = duplicates.length > 0 ? [{ kind: 'duplicates', rows: duplicates }] : [];
  const known = knownFacts(context.known, chunk, passed);
  const facts = [read, ...left, ...known];
  await ledger.record(number, facts);
  const screened = { chunk, number, passed };
  return known.length === 0 && !ledger.settlesAll
    ? cutOpen(context, screened, 'new', passed)
    : takeUp(context, screened, facts, false);
}

/** Admits a chunk that an earlier part of the run has put on record. */
async function admitAgain(
  context: AdmitContext,
  chunk: PreparedChunk,
  number: number,
  recorded: readonly Fact[],
): Promise<Admitted> {
  const { ledger } = context;
  const relisted = holdRelisted(context, recorded, chunk.read);
  const before = screenOf(recorded, ledger, relisted);
  const screened = screenChunk(context, chunk, number, before);
  const { passed, duplicates } = screened;
  context.onPassed?.(passed);
  const since = duplicates.filter(([at]) => !before.held.has(at));
  const sent: Fact[] = since.length > 0 ? [{ kind: 'duplicates', rows: since }] : [];
  const facts = context.isForOthers ? [] : [...sent, ...(relisted?.facts ?? [])];
  if (facts.length > 0) await ledger.record(number, facts);
  const all = [...recorded, ...facts];
  countLeftOut(context, chunk, screened, relisted ? all : null);
  if (isUntouched(recorded) && !ledger.settlesAll)
    return cutOpen(context, { chunk, number, passed }, 'new', passed);
  return takeUp(context, { chunk, number, passed }, all, true);
}

/** `facts`: of the chunk, where they alone say how rows have ended that are no clients any more. */
function countLeftOut(
  { onOutcome }: AdmitContext,
  { clients, rejected, skipped }: PreparedChunk,
  { passed, duplicates }: Screened,
  facts: readonly Fact[] | null,
): void {
  if (!facts) {
    onOutcome('rejected', rejected, true);
    onOutcome('skipped', skipped + duplicates.length, true);
    return;
  }
  const goOn = new Set(passed.map((index) => clients.at[index]));
  for (const [at, state] of (foldChunk(facts)?.states ?? []).entries())
    if (!goOn.has(at)) onOutcome(outcomeOf(state), 1, true);
}

/** Whether nothing has been done about any row of a chunk since it was put on record. */
const isUntouched = (recorded: readonly Fact[]): boolean =>
  recorded.every(({ kind }) => kind === 'read' || kind === 'duplicates');

/** Rows that were held back when their chunk was put on record, and those for which nothing was sent. */
function screenOf(
  recorded: readonly Fact[],
  { settlesAll }: RunLedger,
  relisted: HeldRows | null,
): RecordedScreen {
  const held = recorded.flatMap((fact) => (fact.kind === 'duplicates' ? fact.rows : []));
  const waiting = new Set<number>();
  // Where facts were lost, nobody knows for which rows nothing was sent.
  const states = settlesAll ? [] : (foldChunk(recorded)?.states ?? []);
  for (const [at, { stage }] of states.entries()) if (stage === 'pending') waiting.add(at);
  return { held: new Map([...held, ...(relisted?.held ?? [])]), waiting };
}

type KnownRow = readonly [at: number, Known];

/** What is put on record of rows of which earlier runs did something; nothing where there are none. */
function knownFacts(
  known: KnownRows | undefined,
  { clients, first }: PreparedChunk,
  passed: readonly number[],
): Fact[] {
  if (!known) return [];
  const rows = new Map<KnownKind, KnownRow[]>();
  for (const index of passed) {
    const at = clients.at[index] ?? 0;
    const print = clients.prints && printAt(clients.prints, index);
    const found = known.find(identifiersOf(clients, index), first + at, print);
    if (!found) continue;
    const alike = rows.get(found.kind);
    if (alike) alike.push([at, found]);
    else rows.set(found.kind, [[at, found]]);
  }
  if (rows.size === 0) return [];
  const of = (kind: KnownKind): readonly KnownRow[] => rows.get(kind) ?? [];
  const skipped = of('done').map(([at, { by }]) => [at, by] as const);
  const created = [...of('created'), ...of('enqueue_unknown')].map(
    ([at, { clientId, by }]) => [at, clientId, by] as const,
  );
  const changed = of('change_unknown').map(([at]) => [at, {}] as const);
  return [
    ...(skipped.length + created.length > 0 ? [{ kind: 'known', skipped, created } as const] : []),
    ...unchangedFacts(of('unchanged')),
    ...(changed.length > 0 ? [{ kind: 'looked_up', found: changed } as const] : []),
    ...UNKNOWN.flatMap(([kind, as]) => unknownFacts(as, of(kind))),
  ];
}

/** One fact for each earlier run that sent the rows as they are. */
function unchangedFacts(rows: readonly KnownRow[]): Fact[] {
  return [...groupedBy(rows, ({ by }) => by.run).values()].flatMap((alike) => {
    const by = alike[0]?.[1].by;
    return by ? [{ kind: 'unchanged', rows: alike.map(([at]) => at), by } as const] : [];
  });
}

/** What is put on record of rows of which an earlier run never learned what became of them. */
const UNKNOWN = [
  ['create_unknown', 'create_unknown'],
  ['enqueue_unknown', 'enqueue_unknown'],
  ['change_unknown', 'change_unknown'],
  // Nothing was looked up: that is done once no lost request can arrive any more.
  ['lost', 'change_unknown'],
] as const;

/** One fact for each earlier run: its name is a part of the reason. */
function unknownFacts(
  kind: 'create_unknown' | 'enqueue_unknown' | 'change_unknown',
  rows: readonly KnownRow[],
): Fact[] {
  return [...groupedBy(rows, ({ run }) => run)].map(([run, alike]) => ({
    kind,
    rows: alike.map(([at]) => at),
    reason: `Run ${run} did not learn what became of its request for this client.`,
  }));
}

function groupedBy(
  rows: readonly KnownRow[],
  key: (known: Known) => string,
): Map<string, KnownRow[]> {
  const groups = new Map<string, KnownRow[]>();
  for (const row of rows) {
    const name = key(row[1]);
    const others = groups.get(name);
    if (others) others.push(row);
    else groups.set(name, [row]);
  }
  return groups;
}

/** Rows of which lists of numbers that must not be called say something else since they were put on record. */
interface RelistedRows {
  /** Rows that were clients, with the lists that leave them out now, by their position in the chunk. */
  readonly listed: ReadonlyMap<number, readonly string[]>;
  /** Clients that lack a phone now, with the lists that it is on. */
  readonly partly: ReadonlyMap<number, readonly string[]>;
  /** Rows that were left out, with the reason, and would be clients now. */
  readonly freed: ReadonlyMap<number, Problem>;
}

/**
 * Compares the rows of a chunk with those that the run recorded. They may differ in persons that were erased since, and in
 * what lists of numbers say, which change from day to day.
 * @throws UsageError when other rows were recorded
 */
function relistedRows(recorded: readonly Fact[], read: string | Uint8Array): RelistedRows {
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
  return isListed && whoIs(before) === whoIs(now);
}

/** What lists say of a row, and of phones of it. */
const listedIn = ([, , , , problems, remarks]: RowRecord): Problem[] =>
  [...(problems ?? []), ...(remarks ?? [])].filter(({ lists }) => lists !== undefined);

const listsOf = (record: RowRecord): string[] => [
  ...new Set(listedIn(record).flatMap(({ lists = [] }) => lists)),
];

function hasMoreListed(before: RowRecord, now: RowRecord): boolean {
  const known = new Set(listedIn(before).map(phoneOf));
  return listedIn(now).some((problem) => !known.has(phoneOf(problem)));
}

const phoneOf = ({ column, value }: Problem): string => JSON.stringify([column, value]);

const whoIs = ([row, uuid, identifiers]: RowRecord): string =>
  JSON.stringify([row, uuid, identifiers]);

const otherRows = (): UsageError =>
  new UsageError(
    'The input or the mapping gives other rows than when this run began, so it is not continued. Restore them to continue it; or take back what it did (cardline undo); or begin anew with --again, which sends all rows, also those that it has sent.',
  );

type Unknown = 'create_unknown' | 'enqueue_unknown' | 'change_unknown';

/** What is recorded of a row at each stage that must not be called any more; `null`: nothing, since it has ended. */
const HELD_AS = {
  pending: 'skipped',
  creating: 'create_unknown',
  create_unknown: 'create_unknown',
  create_failed: null,
  created: null,
  enqueuing: 'enqueue_unknown',
  enqueue_unknown: 'enqueue_unknown',
  enqueue_failed: null,
  enqueued: null,
  changing: 'change_unknown',
  change_unknown: 'change_unknown',
  change_failed: null,
  changed: null,
  inspected: null,
  unchanged: null,
  rejected: null,
  skipped: null,
} as const satisfies Record<RowStage, Unknown | 'skipped' | null>;

/** The same where facts were lost, so that a row that waits may have been sent. */
const IN_DOUBT_AS = {
  new: 'skipped',
  created: 'skipped',
  changed: 'skipped',
  creation_unknown: 'create_unknown',
  enqueueing_unknown: 'enqueue_unknown',
  change_unknown: 'change_unknown',
} as const satisfies Record<OpenStage, Unknown | 'skipped'>;

/** What became of rows on record since lists of numbers have changed. */
interface HeldRows {
  /** What is to be put on record of them. */
  readonly facts: readonly Fact[];
  /** Clients that do not go on, by their position in the chunk, and why. */
  readonly held: ReadonlyMap<number, Problem>;
}

type Held = Pick<AdmitContext, 'campaign' | 'unsure' | 'ledger' | 'mode'>;

/**
 * What becomes of the rows of an earlier part of the run by the lists of numbers as they are now; `null`: they change
 * nothing. Rows for which nothing was sent are left out, those that wait for a campaign are not added to it, and what
 * became of a lost request stays unknown, since asking again may add them. A row that was left out stays so.
 * @throws UsageError when other rows were recorded
 */
function holdRelisted(
  context: Held,
  recorded: readonly Fact[],
  read: string | Uint8Array,
): HeldRows | null {
  const { listed, partly, freed } = relistedRows(recorded, read);
  if (listed.size + partly.size + freed.size === 0) return null;
  const states = foldChunk(recorded)?.states ?? [];
  const facts = new RelistedFacts();
  for (const [at, lists] of listed) facts.add(at, heldAs(context, states[at]), lists);
  const held = new Map(freed);
  // A card that this run made or changed is called at any of its phones.
  const isCalled = context.campaign && context.mode !== 'enqueue';
  for (const [at, lists] of isCalled ? partly : []) {
    const as = heldAs(context, states[at]);
    if (as === null || as === 'skipped') continue;
    facts.add(at, as, lists);
    held.set(at, suppressedSince(lists));
  }
  return listed.size + held.size === 0 ? null : { facts: facts.list(), held };
}

class RelistedFacts {
  readonly #leftOut: [number, Problem][] = [];
  readonly #refused: EnqueuedResult[] = [];
  readonly #unknown: Fact[] = [];

  add(at: number, as: ReturnType<typeof heldAs>, lists: readonly string[]): void {
    if (as === 'skipped') this.#leftOut.push([at, suppressedSince(lists)]);
    else if (as === 'refused') this.#refused.push([at, notSentText(lists), lists]);
    else if (as) this.#unknown.push({ kind: as, rows: [at], reason: notSentText(lists) });
  }

  list(): Fact[] {
    return [
      ...(this.#leftOut.length > 0 ? [{ kind: 'duplicates', rows: this.#leftOut } as const] : []),
      ...(this.#refused.length > 0 ? [{ kind: 'enqueued', results: this.#refused } as const] : []),
      ...this.#unknown,
    ];
  }
}

function heldAs(
  { campaign, unsure, ledger }: Held,
  state: RowState | undefined,
): Unknown | 'skipped' | 'refused' | null {
  if (!state) return null;
  if (awaitsCampaign(state, campaign)) return ledger.settlesAll ? 'enqueue_unknown' : 'refused';
  const as = HELD_AS[state.stage];
  return as === 'skipped' && ledger.settlesAll ? IN_DOUBT_AS[unsure] : as;
}

/** What admitting the rows of a run needs. */
export interface AdmitContext extends Screen {
  readonly ledger: RunLedger;
  readonly mode: RunMode;
  readonly limits: BatchLimits;
  /** Whether clients are added to a campaign. */
  readonly campaign: boolean;
  /** Whether clients travel together in a request; else each has requests of its own. */
  readonly together: boolean;
  /** The stage of a row that may have been sent, although nothing of it is on record. */
  readonly unsure: OpenStage;
  /** Whether the mode can look up what became of a change. */
  readonly settles: boolean;
  /** What earlier runs did with the rows; absent where nobody asks. */
  readonly known?: KnownRows | undefined;
  /** Whether others send what is on record already, and record what becomes of it. @default false */
  readonly isForOthers?: boolean;
  readonly onOutcome: (outcome: Outcome, count: number, earlier?: boolean) => void;
  /** Called with the clients that go on, before they are put on record. */
  readonly onPassed?: ((passed: readonly number[]) => void) | undefined;
  /** Called with clients of an earlier part of the run, with its facts. */
  readonly onContinued?:
    | ((clients: PreparedClients, members: readonly number[], facts: readonly Fact[]) => void)
    | undefined;
}
