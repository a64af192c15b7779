import type { Earlier } from '../../core/center.js';
import type { Fact } from '../../core/facts.js';
import { type Batch, rowsOf } from '../batch/batch.js';
import { type BatchContext, record } from '../batch-context.js';
import { changeClients } from './change-stage.js';
import { keysOf } from './keys.js';
import type { Outcomes } from './round.js';
import { lookUpClients } from './look-up.js';
import type { ChangeRule } from './rule.js';

/** A client whose rows are many is changed row by row, in their order: this parts a batch so that no part has it twice. */
export function waves(batch: Batch, rule: ChangeRule): number[][] {
  const parted: number[][] = [];
  const next = new Map<string, number>();
  for (const index of batch.members) {
    const keys = keysOf(batch, index, rule);
    const number = Math.max(0, ...keys.map((key) => next.get(key) ?? 0));
    for (const key of keys) next.set(key, number + 1);
    (parted[number] ??= []).push(index);
  }
  return parted;
}

/** What came of clients that an import may change. */
export interface Changed {
  readonly changed: Outcomes;
  /** Clients that are not there. */
  readonly absent: readonly number[];
}

const NOT_ASKED =
  'The contact center did not say how this client stands, so that nothing was changed.';

export interface ChangeOptions {
  readonly rule: ChangeRule;
  /** Whether a client that is not there has failed; else it is left to the caller. */
  readonly fails: boolean;
  /** Called with members with which nothing more will be done, while others are waited for. */
  readonly onEnded: (members: readonly number[]) => void;
}

/** Looks clients up, records how they stood, and changes them. */
export async function lookUpAndChange(
  context: BatchContext,
  batch: Batch,
  { rule, fails, onEnded }: ChangeOptions,
): Promise<Changed> {
  const { clients, members } = batch;
  const at = (index: number): number => clients.at[index] ?? 0;
  const { earlier, absent, refused } = await lookUpClients(context, batch, rule);
  const found = [...earlier.keys()];
  const failed = [...refused, ...(fails ? absent : [])];
  const open = members.filter(
    (index) => !earlier.has(index) && !absent.has(index) && !refused.has(index),
  );
  const facts: Fact[] = [];
  const toCreate = fails ? [] : [...absent.keys()];
  if (rule.lookUp && found.length + toCreate.length > 0)
    facts.push({
      kind: 'looked_up',
      found: [...earlier].map(([index, how]) => [at(index), how] as const),
      ...(toCreate.length > 0 ? { absent: rowsOf(clients, toCreate) } : {}),
    });
  if (failed.length > 0)
    facts.push({
      kind: 'changed',
      as: rule.outcome,
      results: failed.map(([index, refusal]) => [at(index), refusal] as const),
    });
  if (open.length > 0)
    facts.push({ kind: 'change_unknown', rows: rowsOf(clients, open), reason: NOT_ASKED });
  if (facts.length > 0) await record(context, batch, ...facts);
  context.onOutcome('failed', failed.length);
  context.onOutcome('unknown', open.length);
  const all = { ...batch, members: found };
  const changing = { batch: all, rule, earlier, doubtful: false, onEnded };
  const changed = await changeClients(context, changing);
  return { changed, absent: toCreate };
}

/**
 * Goes on with clients that an earlier part of the run may have changed. Of whom it is not on record how they stood,
 * nothing had been sent.
 */
export async function settleAndChange(
  context: BatchContext,
  batch: Batch,
  earlier: ReadonlyMap<number, Earlier>,
  options: ChangeOptions,
): Promise<Changed> {
  const { rule, onEnded } = options;
  const isKnown = (index: number): boolean => !rule.lookUp || earlier.has(index);
  const doubtful = batch.members.filter(isKnown);
  const fresh = batch.members.filter((index) => !isKnown(index));
  const all = { ...batch, members: doubtful };
  const changing = { batch: all, rule, earlier, doubtful: true, onEnded };
  const settled = await changeClients(context, changing);
  const { changed, absent } = await lookUpAndChange(context, { ...batch, members: fresh }, options);
  return { changed: new Map([...settled, ...changed]), absent };
}
