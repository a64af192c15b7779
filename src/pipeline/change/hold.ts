import type { Fact } from '../../core/facts.js';
import type { PreparedClients } from '../../core/prepared.js';
import type { LostRequest } from '../settle/settle-schedule.js';
import { keysOf } from './keys.js';
import type { ChangeRule } from './rule.js';
import type { Turns } from './turns.js';

/**
 * Keeps later rows from these members' clients while a lost request for them may still be carried out. Only changes
 * that are sent again before that need it: the late one would overwrite what a later row has written.
 */
export function holdClients(
  turns: Turns,
  rule: ChangeRule,
  clients: PreparedClients,
  lost: Iterable<readonly [index: number, request: LostRequest | null]>,
): void {
  if (rule.settle) return;
  for (const [index, request] of lost)
    if (request) turns.hold(keysOf({ clients }, index, rule), request.until);
}

/** Members of which, by the facts of earlier processes, some request was lost, whatever became of them since. */
export function everLost(
  { at }: PreparedClients,
  members: readonly number[],
  facts: readonly Fact[],
): number[] {
  const rows = new Set(facts.flatMap((fact) => (fact.kind === 'change_unknown' ? fact.rows : [])));
  return rows.size === 0 ? [] : members.filter((index) => rows.has(at[index] ?? -1));
}
