import type { Fleet } from '../../fleet/fleet.js';
import { openShared, planOf } from '../../ledger/shared.js';
import type { RunOptions } from '../requests.js';
import { readSharedPlan } from './shared-plan.js';
import { suits } from './suits.js';
import type { SuitedRun } from './work-on-piece.js';

/** After so long a run that did not suit is looked at again, in milliseconds: what it lacks may be there by now. */
const AGAIN_MS = 60_000;

/** A run as it was looked at. */
interface Looked {
  readonly epoch: number;
  readonly at: number;
  readonly run: SuitedRun | null;
}

export interface SuitedRunsOptions {
  readonly env: RunOptions['env'];
  /** Names of the installations whose runs are taken. @default all */
  readonly installations?: readonly string[] | undefined;
  /** The one run whose pieces are taken. @default any */
  readonly only?: string | undefined;
  readonly onWarning: (message: string) => void;
}

/** The runs whose pieces this process can take. Why it takes none of the others is said once. */
export class SuitedRuns {
  readonly #looked = new Map<number, Looked>();

  constructor(
    private readonly fleet: Fleet,
    private readonly options: SuitedRunsOptions,
  ) {}

  /** Those that are open now, in turn: each time another one is the first. */
  async list(): Promise<SuitedRun[]> {
    const { only } = this.options;
    const open = await openShared(this.fleet.connections);
    const suited: SuitedRun[] = [];
    for (const one of open) {
      if (only !== undefined && one.run !== only) continue;
      const known = this.#looked.get(one.place);
      const isKnown =
        known?.epoch === one.epoch && (known.run !== null || Date.now() - known.at < AGAIN_MS);
      const looked = isKnown ? known : await this.#look(one, known);
      if (looked.run) suited.push(looked.run);
    }
    const places = new Set(open.map(({ place }) => place));
    for (const place of this.#looked.keys()) if (!places.has(place)) this.#looked.delete(place);
    return suited;
  }

  async #look(one: Omit<SuitedRun, 'plan' | 'met'>, before: Looked | undefined): Promise<Looked> {
    const { env, installations, onWarning } = this.options;
    const text = await planOf(this.fleet.connections, one.place);
    const found =
      text === undefined
        ? ({ kind: 'not' } as const)
        : await suits(readSharedPlan(text), installations, env);
    const run =
      found.kind === 'suits'
        ? { ...one, plan: found.plan, met: before?.run?.met ?? { known: 'not asked' as const } }
        : null;
    if (found.kind === 'not' && found.why !== undefined && before?.epoch !== one.epoch)
      onWarning(`Nothing of run ${one.run} is taken: ${found.why}.`);
    const looked = { epoch: one.epoch, at: Date.now(), run };
    this.#looked.set(one.place, looked);
    return looked;
  }
}
