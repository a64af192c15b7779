import { UsageError } from '../core/errors/errors.js';
import type { Fact } from '../core/facts/facts.js';
import type { RowStage } from '../core/facts/stage.js';
import { type RowState, awaitsCampaign } from '../core/facts/row-state.js';
import { ERASED, isErased } from '../core/facts/erase.js';
import { foldChunk, readFactOf, textOf } from '../core/facts/fold.js';
import type { RunLedger } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import type { KnownRows } from '../core/duplicates/known.js';
import type { PreparedChunk, PreparedClients } from '../core/client/prepared.js';
import { type BatchLimits, cutBatches, cutBySize } from './batch/batch.js';
import type { OpenBatch, OpenStage } from './execute-batch.js';
import { knownFacts } from './known-rows.js';
import { type RecordedScreen, type Screen, screenChunk } from './screen.js';

export interface AdmitContext extends Screen {
  readonly ledger: RunLedger;
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
  readonly onOutcome: (outcome: Outcome, count: number, earlier?: boolean) => void;
  /** Called with the clients that go on, before they are put on record. */
  readonly onPassed?: ((passed: readonly number[]) => void) | undefined;
  /** Called with clients of an earlier part of the run, with its facts. */
  readonly onContinued?:
    | ((clients: PreparedClients, members: readonly number[], facts: readonly Fact[]) => void)
    | undefined;
}

/** What is left to do for a chunk. */
export type Admitted = readonly (readonly [stage: OpenStage, batch: OpenBatch])[];

/** A chunk whose rows have been screened. */
interface ScreenedChunk {
  readonly chunk: PreparedChunk;
  readonly number: number;
  /** Indexes of the clients that go on. */
  readonly passed: readonly number[];
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
  const { ledger, onOutcome } = context;
  const recorded = ledger.continued ? await ledger.factsOf(number) : [];
  const before = recorded.length > 0 ? screenOf(recorded, ledger) : undefined;
  const { passed, duplicates } = screenChunk(context, chunk, number, before);
  const screened = { chunk, number, passed };
  context.onPassed?.(passed);
  const read = { kind: 'read', data: chunk.read } as const;
  const isEarlier = recorded.length > 0;
  onOutcome('rejected', chunk.rejected, isEarlier);
  onOutcome('skipped', chunk.skipped + duplicates.length, isEarlier);
  if (isEarlier) {
    refuseOtherRows(recorded, read);
    const since = duplicates.filter(([at]) => before?.held.has(at) !== true);
    const facts: Fact[] = since.length > 0 ? [{ kind: 'duplicates', rows: since }] : [];
    if (facts.length > 0) await ledger.record(number, facts);
    if (isUntouched(recorded) && !ledger.settlesAll)
      return cutOpen(context, screened, 'new', passed);
    return takeUp(context, screened, [...recorded, ...facts], isEarlier);
  }
  const left: Fact[] = duplicates.length > 0 ? [{ kind: 'duplicates', rows: duplicates }] : [];
  const known = knownFacts(context.known, chunk, passed);
  const facts = [read, ...left, ...known];
  await ledger.record(number, facts);
  return known.length === 0 && !ledger.settlesAll
    ? cutOpen(context, screened, 'new', passed)
    : takeUp(context, screened, facts, false);
}

/** Whether nothing has been done about any row of a chunk since it was put on record. */
const isUntouched = (recorded: readonly Fact[]): boolean =>
  recorded.every(({ kind }) => kind === 'read' || kind === 'duplicates');

/** Rows that were held back as duplicates when their chunk was put on record, and those for which nothing was sent. */
function screenOf(recorded: readonly Fact[], { settlesAll }: RunLedger): RecordedScreen {
  const held = recorded.flatMap((fact) => (fact.kind === 'duplicates' ? fact.rows : []));
  const waiting = new Set<number>();
  // Where facts were lost, nobody knows for which rows nothing was sent.
  const states = settlesAll ? [] : (foldChunk(recorded)?.states ?? []);
  for (const [at, { stage }] of states.entries()) if (stage === 'pending') waiting.add(at);
  return { held: new Map(held), waiting };
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

function refuseOtherRows(earlier: readonly Fact[], read: Extract<Fact, { kind: 'read' }>): void {
  const recorded = earlier.find((fact) => fact.kind === 'read');
  if (recorded === undefined || !hasSameRows(recorded.data, read.data))
    throw new UsageError(
      'The input, the mapping or a list of numbers gives other rows than when this run began, so it is not continued. Restore them to continue it; or take back what it did (cardline undo); or begin anew with --again, which sends all rows, also those that it has sent.',
    );
}

/** Whether these are the rows of a chunk as it was recorded, but for persons that were erased since. */
function hasSameRows(recorded: string | Uint8Array, read: string | Uint8Array): boolean {
  const [before, now] = [textOf(recorded), textOf(read)];
  if (before === now) return true;
  if (!before.includes(ERASED)) return false;
  const [known, found] = [readFactOf(before), readFactOf(now)];
  return (
    known.first === found.first &&
    known.rows.length === found.rows.length &&
    known.rows.every(
      (record, at) => isErased(record) || JSON.stringify(record) === JSON.stringify(found.rows[at]),
    )
  );
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
