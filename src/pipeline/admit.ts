import { type Screened, type RecordedScreen, screenChunk } from './screen.js';
import { type AdmitContext, knownFacts, type HeldRows, holdRelisted } from './known-rows.js';
import type { PreparedChunk } from '../core/prepared.js';
import {
  type Fact,
  foldChunk,
  type RowState,
  awaitsCampaign,
  type RowStage,
  outcomeOf,
} from '../core/facts.js';
import type { RunLedger } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import { cutBatches, cutBySize, type OpenStage, type OpenBatch } from './batch.js';

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
