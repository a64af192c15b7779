import type { RunningCheck } from '../../../app/check/watch/start-check.js';

/** A group as the engine counts it. */
export type Group = ReturnType<RunningCheck['state']>['groups'][number];

/** The same in every check of a list, unlike the group's number: codes have no colon. */
export const keyOfGroup = ({ column, code }: Pick<Group, 'column' | 'code'>): string =>
  `${code ?? ''}:${column ?? ''}`;

/** `undefined`: there is no such problem, or it has not come yet. */
export const groupOf = (check: RunningCheck, key: string): Group | undefined =>
  check.state().groups.find((group) => keyOfGroup(group) === key);
