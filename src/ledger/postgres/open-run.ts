import { reportRows, waitingIn } from '../../core/facts.js';
import type { RunLedger } from '../../core/ledger.js';
import { type Moment, momentNow } from '../../core/time.js';
import { iterable } from '../iterable.js';
import { type RunToBegin, type RunToContinue, decideRun } from '../runs/decide-run.js';
import { inUse } from '../runs/in-use.js';
import type { OpenedRun, RunRequest } from '../runs/run-request.js';
import {
  enqueues,
  partsText,
  renewedSettings,
  settingsKeeper,
  workerText,
} from '../runs/run-table.js';
import { appenderOfRun } from './append-facts.js';
import type { Connections, Queries } from './connection/connection.js';
import { factsOf } from './facts-of.js';
import { type Lease, type LeaseTimes, type LookAgain, keepLease, takeLease } from './lease.js';
import { type LoadedView, loadView } from './load-view.js';
import { lockTables } from './prepare-tables.js';
import {
  type PlacedRun,
  endRun,
  identifyRun,
  keepSettings,
  lastNumber,
  reopenRun,
  replaceRun,
} from './run-statements.js';
import { appenderOfShared } from './shared/append-shared.js';
import { noteStopped } from './shared/note-stopped.js';
import { refuseOtherVersion, refuseShared } from './shared/refuse-shared.js';
import { type SharedWork, beginShared, lockShared } from './shared/shared-runs.js';
import type { Spool } from './spool.js';

/** A ledger in PostgreSQL. */
export interface PostgresParts {
  readonly connections: Connections;
  readonly spool: Spool;
  readonly times: LeaseTimes;
}

/** A run that was chosen and is leased to this process. */
interface Taken {
  readonly kind: 'taken';
  readonly decision: RunToBegin | RunToContinue;
  readonly row: PlacedRun;
  readonly lease: Lease;
  /** When the statement that took it was sent. */
  readonly sent: Moment;
  readonly last: number;
  readonly shared: SharedWork | undefined;
}

/** Chooses the run of an import and begins it, or goes on with it, in one transaction. */
export async function openRun(
  parts: PostgresParts,
  request: RunRequest,
  lookAgain: LookAgain,
): Promise<OpenedRun> {
  const { connections } = parts;
  const opened = await connections.transaction(async (queries) => {
    await lockTables(queries);
    await lookAgain(queries);
    const view = await loadView(queries, connections.name, { begun: request.begun });
    const decision = decideRun(view, request);
    if (decision.kind !== 'begin' && decision.kind !== 'continue') return decision;
    return take(parts, queries, request, view, decision);
  });
  return opened.kind === 'taken' ? workOn(parts, opened) : opened;
}

async function take(
  { connections, times }: PostgresParts,
  queries: Queries,
  request: RunRequest,
  view: LoadedView,
  decision: Taken['decision'],
): Promise<Taken> {
  const { id } = decision;
  const before = view.runs.find((run) => run.id === id);
  const sent = momentNow();
  const lease = await takeLease(queries, id, times);
  if (!lease) throw inUse(before ?? { id, worker: null });
  const isShared = await sharedAnew(queries, connections.name, request, decision, before);
  const row =
    decision.kind === 'continue' && before
      ? await reopenRun(queries, before, {
          content: request.identity.content,
          settings: renewedSettings(before, request.renewed),
          worker: workerText(),
          settles_all: request.settleAll ? 1 : 0,
          cluster: view.cluster,
          now: Date.now(),
        })
      : await replaceRun(queries, rowOf(request, decision as RunToBegin, view.cluster, before));
  const last = await lastNumber(queries, row.place);
  const { place } = row;
  const { shared: plan, stays = false } = request;
  const begun = isShared && plan !== undefined ? { plan, stays } : undefined;
  const shared =
    begun !== undefined
      ? {
          ...(await beginShared(queries, place, lease, begun)),
          ...{
            place,
            lease,
            stays,
            tally: { rejected: 0, allowed: null, onStop: () => undefined },
          },
        }
      : undefined;
  return { kind: 'taken', decision, row, lease, sent, last, shared };
}

/** Whether the run is to be shared (further). One whose pieces have all ended is continued by one process. */
async function sharedAnew(
  queries: Queries,
  ledger: string,
  { shared }: RunRequest,
  decision: Taken['decision'],
  before: PlacedRun | undefined,
): Promise<boolean> {
  const state = before && decision.kind === 'continue' && (await lockShared(queries, before.place));
  if (!state) return shared !== undefined;
  if (!state.isOpen) return false;
  if (shared === undefined) refuseShared(before, state, ledger);
  if (state.left > 0) await refuseOtherVersion(queries, before, shared, ledger);
  return true;
}

function rowOf(
  { identity, settings, settleAll = false }: RunRequest,
  { id, out, relies }: RunToBegin,
  cluster: string,
  before: PlacedRun | undefined,
): Omit<PlacedRun, 'place'> {
  const now = Date.now();
  return {
    ...{ id, out, cluster },
    inputs: JSON.stringify(identity.inputs),
    content: identity.content,
    mapping: identity.mapping,
    installation: identity.installation,
    campaign: identity.campaignId,
    settings: JSON.stringify(settings),
    created_at: now,
    // Each opening is distinguished from the one before.
    opened_at: Math.max(now, (before?.opened_at ?? 0) + 1),
    ...{ state: null, ended_at: null, rows: null, outcomes: null },
    fingerprint: identity.fingerprint?.sample ?? null,
    parts: partsText(identity),
    worker: workerText(),
    relies: JSON.stringify(relies.map(({ run }) => run)),
    settles_all: settleAll ? 1 : 0,
  };
}

function workOn(
  { connections, spool, times }: PostgresParts,
  { decision, row, lease, sent, last, shared }: Taken,
): OpenedRun {
  const { place } = row;
  const kept = keepLease(connections, lease, times, sent);
  const facts = shared
    ? appenderOfShared(connections, row.id, place, { kind: 'run', lease, tally: shared.tally })
    : appenderOfRun(connections, { lease, place, last });
  const campaign = enqueues(row);
  const ledger: RunLedger = {
    run: row.id,
    continued: decision.kind === 'continue',
    brokeOff: decision.kind === 'continue' && decision.run.state === null,
    settlesAll: row.settles_all === 1,
    record: (chunk, recorded) => facts.append(chunk, recorded),
    factsOf: (chunk) => factsOf(connections, place, chunk),
    rows: async () => {
      await spool.fetch(place);
      return iterable(() => reportRows(spool.chunksOf(place), campaign));
    },
    waiting: async () => {
      await spool.fetch(place);
      return waitingIn(spool.chunksOf(place), campaign);
    },
    // Whoever ends the last piece of a shared run ends the run, where nothing else is to be done; one that has stopped is at
    // no end.
    end: (end) =>
      shared && !shared.stays
        ? connections.transaction((queries) => noteStopped(queries, place))
        : endRun(connections, { place, lease }, end),
  };
  return {
    kind: 'open',
    ...{ ledger, out: row.out, relies: decision.relies, beside: decision.beside },
    ...(shared ? { shared } : {}),
    mayBegin: kept.mayBegin,
    confirm: () => kept.confirm(),
    identify: (content) => identifyRun(connections, { place, lease }, content),
    keep: settingsKeeper(row, (more) => keepSettings(connections, { place, lease }, more)),
    close: async () => {
      await facts.idle();
      await kept.release();
    },
  };
}
