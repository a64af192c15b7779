import { isClient, type MappedPayload } from '../../core/client.js';
import type { CallTime } from '../../core/hours.js';
import type { Problem } from '../../core/problem.js';
import type { Cell } from '../../core/table.js';
import type { LoadedMapping } from '../load.js';
import type { CompileContext, RowProblems } from './context.js';
import { CallTimes } from '../../calling/hours.js';
import type { FreshSpec } from '../schema/rules.js';
import { InvalidValue } from '../transforms/step.js';
import { daysText } from '../../core/time.js';
import { dateByForm } from '../transforms/date/date-forms.js';
import { compileValue } from './value-reader.js';

/** What the rules of a mapping that depend on the moment say of a row. */
export type TimeRules = (
  cells: readonly Cell[],
  payload: MappedPayload | null,
  problems: RowProblems,
) => {
  /** Why the row is left out, whatever else is wrong with it. */
  readonly old: Problem | null;
  /** Why it is left out for now, if it could be sent at all. */
  readonly closed: Problem | null;
  readonly when: CallTime | undefined;
};

/**
 * `null` where a mapping has none, or no moment counts. Where a client may not be called now, a remark says so, or the row
 * is left out for now.
 * @param asOf moment that counts, in milliseconds since the epoch
 */
export function compileTimeRules(
  { callable, fresh, holidays }: Pick<LoadedMapping, 'callable' | 'fresh' | 'holidays'>,
  asOf: number | null | undefined,
  context: CompileContext,
): TimeRules | null {
  const age = fresh ? compileFresh(fresh, asOf ?? 0, context) : null;
  if (asOf === null || asOf === undefined || (!fresh && !callable)) return null;
  const times = callable ? new CallTimes({ week: callable.hours, holidays }, asOf) : null;
  return (cells, payload, problems) => {
    const old = age?.(cells, problems) ?? null;
    if (!times || !payload || !isClient(payload)) return { old, closed: null, when: undefined };
    const { when, why } = times.of(payload.timeZone, problems.possibleZones);
    if (why && callable?.closed === 'warn')
      problems.remark(null, new InvalidValue(why.code, why.message), null);
    const isLeftOut = why && callable?.closed === 'skip';
    return { old, closed: isLeftOut ? { column: null, ...why, value: null } : null, when };
  };
}

/**
 * Notes of a row that it is too old, or that nobody knows how old it is; where the mapping skips such rows, what is given
 * says why.
 */
type AgeRule = (cells: readonly Cell[], problems: RowProblems) => Problem | null;

const DAY = 86_400_000;
/** Dates that are remembered. */
const MAX_KNOWN = 10_000;

/** @param asOf moment that counts, in milliseconds since the epoch */
function compileFresh(
  { column, transform, maxAge, old }: FreshSpec,
  asOf: number,
  context: CompileContext,
): AgeRule {
  const reader = compileValue({ column, ...(transform ? { transform } : {}) }, ['fresh'], context);
  const unknown = new InvalidValue(
    'age_unknown',
    'How old the row is cannot be seen: this is no date that can be read in one way alone. Fill in the cell, or name its pattern with the transform date.',
  );
  const future = new InvalidValue('age_unknown', 'The date is in the future. Correct the cell.');
  const tooOld = (age: number): InvalidValue =>
    new InvalidValue(
      'too_old',
      `The row is ${daysText(age)} old, and maxAge allows ${daysText(maxAge)}.`,
    );
  const decide = (value: string): InvalidValue | null => {
    const age = ageOf(value, asOf);
    if (age === null) return unknown;
    if (age < -DAY) return future;
    return age > maxAge ? tooOld(age) : null;
  };
  // A list has few days, and reading one takes as long as all else that is done with a cell.
  const known = new Map<string, InvalidValue | null>();
  const whyOld = (value: string | null): InvalidValue | null => {
    if (value === null) return unknown;
    const found = known.get(value);
    if (found !== undefined) return found;
    const why = decide(value);
    if (known.size < MAX_KNOWN) known.set(value, why);
    return why;
  };
  return (cells, problems) => {
    const value = reader.read(cells, problems);
    const why = whyOld(typeof value === 'string' ? value : null);
    if (why === null) return null;
    const { code, message } = why;
    const raw = reader.raw(cells);
    if (old === 'skip') return { column: reader.label, code, message, value: raw };
    if (old === 'reject') problems.add(reader.label, why, raw);
    else problems.remark(reader.label, why, raw);
    return null;
  };
}

/**
 * How long ago a date was, in milliseconds; `null` where it is none. Clocks are taken for those of UTC. A date without a
 * time counts from the end of its day, so that a row is as many days old as the calendar shows.
 */
function ageOf(text: string, asOf: number): number | null {
  const trimmed = text.trim();
  const moment = dateByForm(trimmed);
  if (moment === null) return null;
  const [year, month, day, hour, minute, second] = moment;
  const instant = Date.UTC(year, month - 1, day, hour, minute, second);
  if (/:|^\d{10,}$/.test(trimmed)) return asOf - instant;
  return Math.floor((asOf - instant) / DAY) * DAY;
}
