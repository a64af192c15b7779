import { identifiersOf } from '../../core/prepared.js';
import type { Batch } from '../batch/batch.js';
import { subjectOf } from './payload.js';
import type { ChangeRule } from './rule.js';

/** What must not be changed by two rows at a time: the client, by what its row says of it. */
export function keysOf(
  { clients }: Pick<Batch, 'clients'>,
  index: number,
  { keys }: ChangeRule,
): readonly string[] {
  return keys ? keys(subjectOf(clients, index)) : [identifiersOf(clients, index)];
}
