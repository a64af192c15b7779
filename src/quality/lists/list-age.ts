import { basename } from 'node:path';
import { daysText } from '../../core/time.js';
import { dateIn } from './date-in.js';

/** What is known of the age of a list. */
export interface ListDates {
  readonly file: string;
  /** Date in its first line, in milliseconds since 1970. */
  readonly dated: number | null;
  /** Time of its change. */
  readonly modified: number;
}

/** How old a list is, in milliseconds: by the date in its name, else in its first line, else by its time of change. */
export function listAge({ file, dated, modified }: ListDates, now: number): number {
  return Math.max(0, now - (dateIn(basename(file)) ?? dated ?? modified));
}

/** Why a list is too old; `null` where it is not. */
export function tooOld(dates: ListDates, maxAge: number | undefined, now: number): string | null {
  const age = listAge(dates, now);
  return maxAge === undefined || age <= maxAge
    ? null
    : `it is ${daysText(age)} old, and maxAge allows ${daysText(maxAge)}.`;
}
