import { reportRows, waitingIn } from '../core/facts.js';
import { decideRun, type Decision, rowToBegin } from './choose.js';
import { refuseRelying, runsToForget } from './other-runs.js';
import type { HeldRun, OpenedRun, RunRequest } from './port.js';
import {
  enqueues,
  factsIn,
  type Held,
  inUse,
  iterable,
  type Planned,
  renewedSettings,
  type RunView,
  settingsKeeper,
  type Store,
} from './store.js';

/** Chooses the run of an import and begins it, or goes on with it, in one step. @throws as `Ledger.openRun` does */
export async function openRun(store: Store, request: RunRequest): Promise<OpenedRun> {
  const { result, held } = await store.decide((view) => opening(view, request), {
    begun: request.begun,
    waits: request.shared === undefined ? 'alone' : 'shared',
  });
  if (result.kind !== 'begin' && result.kind !== 'continue') return result;
  if (!held) throw new Error(`Run ${result.id} was not taken.`);
  return workOn(store, result, held);
}

function opening(view: RunView, request: RunRequest): Planned<Decision> {
  const decision = decideRun(view, request);
  if (decision.kind !== 'begin' && decision.kind !== 'continue')
    return { result: decision, writes: [] };
  const { identity, renewed, settleAll, shared: plan, stays = false } = request;
  const { id } = decision;
  const settles = settleAll ? identity : undefined;
  const continues = decision.kind === 'continue';
  const before = view.runs.find((run) => run.id === id);
  return {
    result: decision,
    writes: [
      { kind: 'take', run: id, shares: { plan, stays, continues } },
      decision.kind === 'begin'
        ? { kind: 'begin', row: rowToBegin(request, decision, before), settles }
        : {
            ...{ kind: 'reopen', run: decision.run, content: identity.content, settles },
            settings: renewedSettings(decision.run, renewed),
          },
    ],
  };
}

function workOn(
  store: Store,
  decision: Extract<Decision, { readonly kind: 'begin' | 'continue' }>,
  held: Held,
): OpenedRun {
  const { row, shared } = held;
  if (!row) throw new Error(`Run ${decision.id} is not on record.`);
  const campaign = enqueues(row);
  return {
    kind: 'open',
    ledger: {
      run: row.id,
      continued: decision.kind === 'continue',
      brokeOff: decision.kind === 'continue' && decision.run.state === null,
      settlesAll: row.settles_all === 1,
      record: (chunk, facts) => held.record(chunk, facts),
      factsOf: (chunk) => store.chunk(row, chunk),
      rows: async () => {
        const chunks = await store.chunks(row);
        return iterable(() => reportRows(factsIn(chunks()), campaign));
      },
      waiting: async () => waitingIn(factsIn((await store.chunks(row))()), campaign),
      end: (end) => held.change({ kind: 'end', end }),
    },
    ...{ out: row.out, relies: decision.relies, beside: decision.beside },
    ...(shared ? { shared } : {}),
    mayBegin: held.mayBegin,
    confirm: () => held.confirm(),
    identify: (content) => held.change({ kind: 'identify', content }),
    keep: settingsKeeper(row, (settings) => held.change({ kind: 'keep', settings })),
    close: () => held.release(),
  };
}

/**
 * Keeps other processes from a run while something else is done with what is on record of it.
 * @throws LedgerInUseError when another process works on it; LostFactsError when what is on record is not all that it did
 */
export async function holdRun(store: Store, id: string): Promise<HeldRun> {
  const holding = (view: RunView): Planned<void> => {
    const run = view.runs.find((one) => one.id === id);
    if (view.isTaken(id)) throw inUse(run ?? { id, worker: null });
    if (run) {
      view.refuseShared(run);
      view.refuseLost(run);
    }
    // An import that relies on this run is on record before, or meets the one who holds it.
    refuseRelying(view, id);
    return {
      result: undefined,
      writes: [
        { kind: 'take', run: id },
        { kind: 'note', run: id },
      ],
    };
  };
  const { held } = await store.decide(holding, { waits: 'alone' });
  if (!held) throw new Error(`Run ${id} was not taken.`);
  return { mayBegin: held.mayBegin, release: () => held.release() };
}

/** Forgets the runs that are old and not needed. @throws as `Ledger.prune` does */
export async function pruneRuns(
  store: Store,
  before: number,
  leaving?: (runs: readonly string[]) => void,
): Promise<string[]> {
  const { result } = await store.decide((view) => {
    const old = runsToForget(view, before);
    leaving?.(old);
    return { result: old, writes: [{ kind: 'forget', runs: old }] };
  });
  return result;
}
