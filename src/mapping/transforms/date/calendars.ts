import { asciiDigits } from '../digits.js';
import { InvalidValue } from '../step.js';
import type { Moment } from './date-pattern.js';

interface Calendar {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

/** Years of calendars that are in use, which are none of anybody in a list in ours. */
const CALENDARS: readonly Calendar[] = [
  { name: 'Persian or Islamic (Hijri)', first: 1200, last: 1520 },
  { name: 'Thai Buddhist', first: 2400, last: 2700 },
  { name: 'Hebrew', first: 5600, last: 5900 },
];

/** Names of eras and calendars beside a date. */
const ERAS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Japanese eras', /令和|平成|昭和|大正|明治|^[RHSTM]\d{1,2}[./年-]/],
  ['Republic of China (Minguo)', /民國|民国/],
  ['Thai Buddhist', /พ\.?\s?ศ\.?|\bB\.?E\.?$/],
  ['Islamic (Hijri)', /هـ|ھ\.?\s?ق|\bA\.?H\.?$/],
  ['Persian', /ه\.?\s?ش|\bA\.?P\.?$/],
];

const wrong = new Map<string, InvalidValue>();

function ofCalendar(name: string): InvalidValue {
  const known = wrong.get(name);
  if (known) return known;
  const made = new InvalidValue(
    'other_calendar',
    `The year is one of another calendar: ${name}. Write the date by the Gregorian calendar.`,
  );
  wrong.set(name, made);
  return made;
}

/** Why the year of a date that was read is none of ours; `undefined` where it may be. */
export function otherCalendar([year]: Moment): InvalidValue | undefined {
  if (year > 1520 && year < 2400) return undefined;
  const found = CALENDARS.find(({ first, last }) => year >= first && year <= last);
  return found && ofCalendar(found.name);
}

const YEAR = /(?<!\d)\d{4}(?!\d)/;

/** The same for a text that could not be read: a date of another calendar, in its words or with its year. */
export function namedCalendar(text: string): InvalidValue | undefined {
  const era = ERAS.find(([, mark]) => mark.test(text));
  if (era) return ofCalendar(era[0]);
  const year = /^\D*\d{1,4}\D+.*\d/s.test(text) ? YEAR.exec(asciiDigits(text))?.[0] : undefined;
  return year === undefined ? undefined : otherCalendar([Number(year), 1, 1, 0, 0, 0]);
}
