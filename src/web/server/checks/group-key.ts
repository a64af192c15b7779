import type { RunningCheck } from '../../../app/check/watch/start-check.js';
import { Refusal } from '../refusal.js';

/** A group as the engine counts it. */
export type Group = ReturnType<RunningCheck['state']>['groups'][number];

/** The same in every check of a list, unlike the group's number: codes have no colon. */
export const keyOfGroup = ({ column, code }: Pick<Group, 'column' | 'code'>): string =>
  `${code ?? ''}:${column ?? ''}`;

/** `undefined`: there is no such problem, or it has not come yet. */
export const groupOf = (check: RunningCheck, key: string): Group | undefined =>
  check.state().groups.find((group) => keyOfGroup(group) === key);

/** @throws Refusal where no row has the problem (any more) */
export function groupThere(check: RunningCheck, key: string): Group {
  const group = groupOf(check, key);
  if (group) return group;
  throw new Refusal(409, {
    code: 'no_such_group',
    sentence: 'No row has this problem any more.',
    next: 'The page shows what is left.',
  });
}
