import type { CallTime } from '../../../core/hours.js';
import type { Problem } from '../../../core/problem.js';
import { CallTimes } from '../../../quality/calling/call-times.js';
import type { Holidays } from '../../../quality/calling/holidays.js';
import type { CallableSpec } from '../../schema/callable.js';
import { InvalidValue } from '../../transforms/step.js';
import type { RowProblems } from '../row-problems.js';

/**
 * When the client in a zone may be called. Where that is not now, `problems` says so; where the mapping skips such rows,
 * what is given says why the row is left out for now.
 */
export type CallTimeOf = (
  zone: string,
  problems: RowProblems,
) => { readonly when: CallTime; readonly leftOut: Problem | null };

/** @param asOf moment that counts, in milliseconds since the epoch */
export function compileCallable(
  { hours: week, closed }: CallableSpec,
  holidays: Holidays | undefined,
  asOf: number,
): CallTimeOf {
  const times = new CallTimes({ week, holidays }, asOf);
  return (zone, problems) => {
    const { when, why } = times.of(zone, problems.possibleZones);
    if (why && closed === 'warn')
      problems.remark(null, new InvalidValue(why.code, why.message), null);
    const leftOut = why && closed === 'skip' ? { column: null, ...why, value: null } : null;
    return { when, leftOut };
  };
}
