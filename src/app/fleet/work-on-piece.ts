import { defined } from '../../core/defined.js';
import { CanaryStop, type CardlineError, LedgerInUseError } from '../../core/errors.js';
import { type Fact, type FactKind, reportRows } from '../../core/facts.js';
import type { MayBegin, RunLedger } from '../../core/ledger.js';
import { MODE_TRAITS } from '../../core/mode.js';
import { failuresIn, noOutcomes, type OutcomeCounts } from '../../core/outcome.js';
import { endCanaryOf, endWork } from '../../fleet/end-work.js';
import type { Fleet } from '../../fleet/fleet.js';
import { type NumberedChunk, unpackChunks } from '../../fleet/pack-piece.js';
import { offerAgain, type TakenWork } from '../../fleet/take-next.js';
import type { SharedStop } from '../../ledger/ledger.js';
import {
  appenderOfShared,
  type CanaryLeft,
  isFirstTaking,
  keepPiece,
  mayBeginFor,
  type PieceEnd,
  type PieceLease,
  type WorkerTally,
} from '../../ledger/pieces.js';
import { laterFactsOf } from '../../ledger/postgres-tables.js';
import { noteStopped, type OpenShared } from '../../ledger/shared.js';

import type { CanaryShare } from '../../pipeline/canary.js';
import { changeRuleOf } from '../../pipeline/change-rules.js';
import { probe } from '../campaigns/probe.js';
import { connect, type Connection } from '../connect/connect.js';
import { joinSharedPace } from '../connect/join-shared-pace.js';
import type { RunOptions } from '../requests.js';
import { noLog } from '../run/run-log.js';
import { type RowsPlan, sendRows, serverDeadlineOf } from '../run/send-rows.js';
import type { SharedPlan } from './shared-plan.js';

/** A run whose pieces this process takes. */
export interface SuitedRun extends OpenShared {
  readonly plan: SharedPlan;
  /** What a first request has shown of the contact center. */
  readonly met: Pick<Connection, 'known'>;
}

/** How a process works on pieces. */
export interface PieceOptions {
  readonly env: RunOptions['env'];
  /** Aborted to give pieces back gently. */
  readonly signal: AbortSignal;
  /** Called with what does not stop the work, in words for a person. */
  readonly onWarning: (message: string) => void;
}

/** What became of a piece that was taken. */
export type WorkedPiece =
  /** `endsRun`: it was the last one. */
  | { readonly kind: 'ended'; readonly endsRun: boolean }
  /** Somebody else has it by now. */
  | { readonly kind: 'lost' }
  /** It is to be given back, since the person wants to stop or nothing can be sent. */
  | {
      readonly kind: 'stopped';
      readonly why: CardlineError;
      /** Why nobody is to send anything more for its run; absent: somebody may. */
      readonly stop?: SharedStop | undefined;
      /** Gives it back, so that others need not wait for the end of its lease. */
      readonly giveBack: () => Promise<void>;
    };

/** Sends the clients of a piece, as an import that is continued does, and puts on record how its rows ended. */
export async function workOnPiece(
  fleet: Fleet,
  run: SuitedRun,
  { lease, data, taken, canary }: TakenWork,
  options: PieceOptions,
): Promise<WorkedPiece> {
  const { connections, times } = fleet;
  let outcomes: OutcomeCounts = noOutcomes();
  const kept = keepPiece(connections, lease, times, taken, () => outcomes);
  const over = new RunStop();
  const tally: WorkerTally = {
    mode: run.plan.mode,
    unknown: () => outcomes.unknown,
    onStop: (stop) => over.stop(stop),
  };
  const fence = { kind: 'piece', piece: lease, tally } as const;
  const facts = appenderOfShared(connections, run.run, run.place, fence);
  const giveBack = async (): Promise<void> => {
    await kept.release(true);
    await offerAgain(fleet, run.run, lease.number);
    if (over.why) await connections.transaction((queries) => noteStopped(queries, run.place));
  };
  let isKept = true;
  try {
    const chunks = await unpackChunks(data);
    const before = await laterFactsOf(connections, run.place, ...rangeOf(chunks));
    // Whoever had the piece before, or the run before it was shared, may have lost answers.
    let isUnsettled = !isFirstTaking(lease) || [...before.values()].some(hasSent);
    const ledger = ledgerOf(run, chunks, before, (chunk, all) => {
      isUnsettled ||= all.some(({ kind }) => LOST.has(kind));
      return facts.append(chunk, all);
    });
    const end = await send(
      run,
      chunks,
      { run: ledger, address: connections.name },
      {
        ...options,
        signal: AbortSignal.any([options.signal, over.signal]),
        mayBegin: mayBeginFor(run.run, kept),
        onOutcomes: (counts) => {
          outcomes = counts;
        },
        canary: canary && canaryOf(run, canary, () => endCanaryOf(fleet, run.run, lease, true)),
      },
    );
    await facts.idle();
    const { stopped, ...sent } = end;
    const piece = { chunks, before, outcomes, isUnsettled };
    if (!stopped) return await endOf(fleet, run, lease, { ...piece, ...sent });
    if (stopped instanceof LedgerInUseError || !kept.isHeld()) return { kind: 'lost' };
    if (stopped instanceof CanaryStop) {
      await endCanaryOf(fleet, run.run, lease, false);
      over.stop({ by: 'canary', bad: failuresIn(outcomes) });
    }
    isKept = false;
    return { kind: 'stopped', why: stopped, stop: over.why, giveBack };
  } finally {
    if (isKept) await kept.release(false);
  }
}

/** Ends the work on a piece when the run stops. */
class RunStop {
  readonly #over = new AbortController();
  readonly signal = this.#over.signal;
  why: SharedStop | undefined;

  stop(why: SharedStop): void {
    this.why ??= why;
    this.#over.abort();
  }
}

/** The canary of a run, as far as it is left to a piece. */
interface CanaryOfPiece {
  readonly clients: number;
  readonly share: CanaryShare;
}

function canaryOf(
  { plan }: SuitedRun,
  { clients, failed }: CanaryLeft,
  passed: () => Promise<void>,
): CanaryOfPiece {
  return { clients, share: { clients: plan.canary, failed, limit: plan.maxFailures, passed } };
}

/** Facts of requests whose answers were lost. */
const LOST: ReadonlySet<FactKind> = new Set([
  'create_unknown',
  'enqueue_unknown',
  'change_unknown',
]);

/** Facts of requests that were about to be sent. */
const INTENDED: ReadonlySet<FactKind> = new Set(['creating', 'enqueuing', 'changing']);

/** Whether an earlier part of the run, or an earlier run, may have sent something for rows of a chunk. */
const hasSent = (facts: readonly Fact[]): boolean =>
  facts.some(({ kind }) => INTENDED.has(kind) || LOST.has(kind));

/** A piece that was sent as a whole. */
interface SentPiece extends Omit<PieceEnd, 'asBefore' | 'unsettledMs'> {
  readonly chunks: readonly NumberedChunk[];
  /** What was on record of them when it was taken. */
  readonly before: ReadonlyMap<number, readonly Fact[]>;
  /** Whether some of its requests may not have been carried out yet. */
  readonly isUnsettled: boolean;
}

async function endOf(
  fleet: Fleet,
  { run, plan }: SuitedRun,
  lease: PieceLease,
  { chunks, before, isUnsettled, ...counts }: SentPiece,
): Promise<WorkedPiece> {
  refuseMiscount(chunks, counts.outcomes);
  const unsettledMs = isUnsettled ? serverDeadlineOf(plan.installation.transport) : 0;
  const { isOwn, endsRun } = await endWork(fleet, run, lease, {
    ...{ ...counts, unsettledMs },
    asBefore: asBeforeIn(before.values()),
  });
  return isOwn ? { kind: 'ended', endsRun } : { kind: 'lost' };
}

/** Every row of a piece ends in exactly one outcome. */
function refuseMiscount(chunks: readonly NumberedChunk[], outcomes: OutcomeCounts): void {
  const rows = chunks.reduce((sum, { count }) => sum + count, 0);
  const ended = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  if (ended !== rows) throw new Error(`Of ${rows} rows of a piece, ${ended} have ended.`);
}

/** How many rows are as an earlier run sent them. */
function asBeforeIn(chunks: Iterable<readonly Fact[]>): number {
  let sum = 0;
  for (const facts of chunks)
    for (const fact of facts) if (fact.kind === 'unchanged') sum += fact.rows.length;
  return sum;
}

/** The numbers of the first chunk of a piece and the last. */
const rangeOf = (chunks: readonly NumberedChunk[]): [from: number, to: number] => [
  chunks[0]?.number ?? 0,
  chunks.at(-1)?.number ?? 0,
];

/** The ledger as the pipeline has it, for the chunks of a piece. `later`: what is on record of them beside the rows. */
function ledgerOf(
  { run, settlesAll, plan }: SuitedRun,
  chunks: readonly NumberedChunk[],
  later: ReadonlyMap<number, readonly Fact[]>,
  record: RunLedger['record'],
): RunLedger {
  const facts = new Map(
    chunks.map(({ number, read }): [number, readonly Fact[]] => [
      number,
      [{ kind: 'read', data: read }, ...(later.get(number) ?? [])],
    ]),
  );
  const enqueues = MODE_TRAITS[plan.mode].enqueues && plan.campaign !== null;
  return {
    ...{ run, settlesAll, record, continued: true },
    factsOf: (chunk) => Promise.resolve(facts.get(chunk) ?? []),
    // Those of the piece as it was taken, of which a canary may have been sent.
    rows: () => Promise.resolve(reportRows(facts.values(), enqueues)),
    waiting: () => Promise.resolve({ rows: 0, withCard: 0 }),
    end: () => Promise.resolve(),
  };
}

async function* inOrder(
  chunks: readonly NumberedChunk[],
): AsyncGenerator<NumberedChunk, void, undefined> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

interface PieceHooks extends PieceOptions {
  /** Asked right before each request is written. */
  readonly mayBegin: MayBegin;
  readonly onOutcomes: (outcomes: OutcomeCounts) => void;
  readonly canary: CanaryOfPiece | null;
}

async function send(
  { plan, met }: SuitedRun,
  chunks: readonly NumberedChunk[],
  { run, address }: { readonly run: RunLedger; readonly address: string },
  { env, signal, onWarning, mayBegin, onOutcomes, canary }: PieceHooks,
) {
  const { installation, mode, campaign, mappedAt } = plan;
  const request: RunOptions = {
    ...defined(plan.options),
    ...{ installation: installation.name, ledger: address, signal, onWarning },
    ...defined({ env, canary: canary?.clients }),
  };
  const rows: RowsPlan = {
    ...plan,
    chunks: () => inOrder(chunks),
    changeRule: (changes) => changeRuleOf(mode, changes, campaign?.id ?? null),
  };
  const connection = connect(request, installation);
  connection.gates.add(mayBegin);
  connection.known = met.known;
  const shared = await joinSharedPace(request, installation, { run: run.run });
  connection.shared = shared;
  try {
    return await sendRows(request, rows, {
      ...{ run, shared, center: connection.center, log: noLog() },
      ...{ warn: onWarning, counted: undefined },
      ...{ mappedAt, canaryShare: canary?.share },
      probe: async () => {
        await probe(request, plan, connection);
        met.known = connection.known;
        return connection.known === 'surely';
      },
      onRead: ({ outcomes }) => onOutcomes(outcomes),
    });
  } finally {
    await shared?.close();
    await connection.center.close();
  }
}
