import { isClient, type MappedPayload } from '../../../core/client.js';
import type { CallTime } from '../../../core/hours.js';
import type { Problem } from '../../../core/problem.js';
import type { Cell } from '../../../core/table.js';
import type { LoadedMapping } from '../../load.js';
import { type CallTimeOf, compileCallable } from './callable.js';
import type { CompileContext } from '../context.js';
import { type AgeRule, compileFresh } from './fresh.js';
import type { RowProblems } from '../row-problems.js';

/** Rules of a mapping that depend on the moment. */
export interface TimeRules {
  readonly age: AgeRule | null;
  readonly callTime: CallTimeOf | null;
}

/** What these rules say of a row. */
export interface RowTimes {
  /** Why the row is left out, whatever else is wrong with it. */
  readonly old: Problem | null;
  /** Why it is left out for now, if it could be sent at all. */
  readonly closed: Problem | null;
  readonly when: CallTime | undefined;
}

/** `null` where a mapping has none, or no moment counts. */
export function compileTimeRules(
  { callable, fresh, holidays }: Pick<LoadedMapping, 'callable' | 'fresh' | 'holidays'>,
  asOf: number | null | undefined,
  context: CompileContext,
): TimeRules | null {
  const age = fresh ? compileFresh(fresh, asOf ?? 0, context) : null;
  if (asOf === null || asOf === undefined || (!fresh && !callable)) return null;
  return { age, callTime: callable ? compileCallable(callable, holidays, asOf) : null };
}

export function rowTimes(
  { age, callTime }: TimeRules,
  cells: readonly Cell[],
  payload: MappedPayload | null,
  problems: RowProblems,
): RowTimes {
  const old = age?.(cells, problems) ?? null;
  const calls =
    callTime && payload && isClient(payload) ? callTime(payload.timeZone, problems) : null;
  return { old, closed: calls?.leftOut ?? null, when: calls?.when };
}
