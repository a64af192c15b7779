import { type CardlineError, LedgerInUseError } from '../../core/errors/errors.js';
import type { Fact } from '../../core/facts/facts.js';
import type { RunLedger } from '../../core/ledger.js';
import { defined } from '../../core/defined.js';
import { type OutcomeCounts, noOutcomes } from '../../core/outcome.js';
import type { Fleet } from '../../fleet/fleet.js';
import { type NumberedChunk, unpackChunks } from '../../fleet/pack-piece.js';
import { offerAgain, type TakenWork } from '../../fleet/take-next.js';
import { laterFactsOf } from '../../ledger/postgres/facts-of.js';
import { appenderOfShared } from '../../ledger/postgres/shared/append-shared.js';
import { keepPiece } from '../../ledger/postgres/shared/piece-lease.js';
import { endPiece, type OpenShared } from '../../ledger/postgres/shared/shared-runs.js';
import { changeRuleOf } from '../../pipeline/change/rule-of.js';
import { probe } from '../campaigns/probe.js';
import { connect, type Connection } from '../connect/connect.js';
import { joinSharedPace } from '../connect/join-shared-pace.js';
import type { RunOptions } from '../requests.js';
import { noLog } from '../run/run-log.js';
import { sendRows, type RowsPlan } from '../run/send-rows.js';
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
      /** Gives it back, so that others need not wait for the end of its lease. */
      readonly giveBack: () => Promise<void>;
    };

/** Sends the clients of a piece, as an import that is continued does, and puts on record how its rows ended. */
export async function workOnPiece(
  fleet: Fleet,
  run: SuitedRun,
  { lease, data, taken }: TakenWork,
  options: PieceOptions,
): Promise<WorkedPiece> {
  const { connections, times } = fleet;
  let outcomes: OutcomeCounts = noOutcomes();
  const kept = keepPiece(connections, lease, times, taken, () => outcomes);
  const facts = appenderOfShared(connections, run.run, run.place, { kind: 'piece', piece: lease });
  const giveBack = async (): Promise<void> => {
    await kept.release(true);
    await offerAgain(fleet, run.run, lease.number);
  };
  let isKept = true;
  try {
    const chunks = await unpackChunks(data);
    const ledger = await ledgerOf(fleet, run, chunks, (chunk, all) => facts.append(chunk, all));
    const end = await send(run, chunks, { run: ledger, address: connections.name }, options, {
      mayBegin: () => kept.isHeld(),
      onOutcomes: (counts) => {
        outcomes = counts;
      },
    });
    await facts.idle();
    const { stopped } = end;
    if (!stopped) {
      refuseMiscount(chunks, outcomes);
      const { requests, retries } = end;
      const { isOwn, endsRun } = await endPiece(connections, lease, {
        outcomes,
        requests,
        retries,
      });
      return isOwn ? { kind: 'ended', endsRun } : { kind: 'lost' };
    }
    const isLost = stopped instanceof LedgerInUseError || !kept.isHeld();
    if (isLost) return { kind: 'lost' };
    isKept = false;
    return { kind: 'stopped', why: stopped, giveBack };
  } finally {
    if (isKept) await kept.release(false);
  }
}

/** Every row of a piece ends in exactly one outcome. */
function refuseMiscount(chunks: readonly NumberedChunk[], outcomes: OutcomeCounts): void {
  const rows = chunks.reduce((sum, { count }) => sum + count, 0);
  const ended = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  if (ended !== rows) throw new Error(`Of ${rows} rows of a piece, ${ended} have ended.`);
}

/** The ledger as the pipeline has it, for the chunks of a piece. */
async function ledgerOf(
  { connections }: Fleet,
  { run, place, settlesAll }: OpenShared,
  chunks: readonly NumberedChunk[],
  record: RunLedger['record'],
): Promise<RunLedger> {
  const [from = 0, to = 0] = [chunks[0]?.number, chunks.at(-1)?.number];
  const later = await laterFactsOf(connections, place, from, to);
  const reads = new Map(chunks.map(({ number, read }) => [number, read]));
  return {
    ...{ run, settlesAll, record, continued: true },
    factsOf: (chunk) => {
      const read: Fact[] = [{ kind: 'read', data: reads.get(chunk) ?? '' }];
      return Promise.resolve([...read, ...(later.get(chunk) ?? [])]);
    },
    // What concerns all rows of the run is not decided here.
    rows: () => Promise.resolve([]),
    waiting: () => Promise.resolve({ rows: 0, withCard: 0 }),
    end: () => Promise.resolve(),
  };
}

async function* inOrder(
  chunks: readonly NumberedChunk[],
): AsyncGenerator<NumberedChunk, void, undefined> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

interface PieceHooks {
  /** Asked right before each request is written. */
  readonly mayBegin: () => boolean;
  readonly onOutcomes: (outcomes: OutcomeCounts) => void;
}

async function send(
  { plan, met }: SuitedRun,
  chunks: readonly NumberedChunk[],
  { run, address }: { readonly run: RunLedger; readonly address: string },
  { env, signal, onWarning }: PieceOptions,
  { mayBegin, onOutcomes }: PieceHooks,
) {
  const { installation, mode, campaign, mappedAt } = plan;
  const request: RunOptions = {
    ...defined(plan.options),
    ...{ installation: installation.name, ledger: address, signal, onWarning },
    ...(env ? { env } : {}),
  };
  const rows: RowsPlan = {
    ...plan,
    chunks: () => inOrder(chunks),
    changeRule: (changes) => changeRuleOf(mode, changes, campaign?.id ?? null),
  };
  const connection = connect(request, installation, mayBegin);
  connection.known = met.known;
  const shared = await joinSharedPace(request, installation, { run: run.run });
  connection.shared = shared;
  try {
    return await sendRows(request, rows, {
      ...{ run, shared, center: connection.center, log: noLog() },
      ...{ warn: onWarning, counted: undefined },
      mappedAt,
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
