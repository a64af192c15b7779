import { type Earlier, isAbsent } from '../../core/center.js';
import type { Batch } from '../batch/batch.js';
import type { BatchContext } from '../batch-context.js';
import { orRefusal } from '../settle/or-refusal.js';
import { lookUp } from '../settle/settle.js';
import { subjectOf } from './payload.js';
import type { ChangeRule } from './rule.js';

/** What lookups found of clients before they are changed. */
export interface LookedUp {
  readonly earlier: ReadonlyMap<number, Earlier>;
  /** Clients that are not there, and why the contact center says so. */
  readonly absent: ReadonlyMap<number, string>;
  /** Clients that the contact center refuses to look for. */
  readonly refused: ReadonlyMap<number, string>;
}

/**
 * Looks at every member before it is changed. Those that could not be asked for are left as they are: nothing of them
 * has been sent.
 */
export async function lookUpClients(
  context: BatchContext,
  { clients, members }: Batch,
  { lookUp: look }: ChangeRule,
): Promise<LookedUp> {
  const earlier = new Map<number, Earlier>();
  const absent = new Map<number, string>();
  const refused = new Map<number, string>();
  if (!look) return { earlier: new Map(members.map((index) => [index, {}])), absent, refused };
  const answers = await lookUp(context, members, (index) =>
    orRefusal(look(subjectOf(clients, index))),
  );
  for (const [place, index] of members.entries()) {
    const answer = answers[place];
    if (answer === undefined) continue;
    if ('refusal' in answer) refused.set(index, answer.refusal);
    else if (isAbsent(answer)) absent.set(index, answer.absent);
    else earlier.set(index, answer);
  }
  return { earlier, absent, refused };
}
