import type { EnqueuedResult, Fact } from '../../core/facts.js';
import { foldChunk } from '../../core/facts.js';
import { type RowState, awaitsCampaign } from '../../core/facts.js';
import type { RowStage } from '../../core/facts.js';
import type { Problem } from '../../core/problem.js';
import { notSentText, suppressedSince } from '../enqueue/hold-listed.js';
import type { OpenStage } from '../execute-batch.js';
import type { AdmitContext } from './admit-context.js';
import { relistedRows } from './recorded-rows.js';

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
export interface HeldRows {
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
export function holdRelisted(
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
