import { UsageError } from '../../core/errors.js';
import { requiredInstallation, textOption } from '../options/options.js';

/** Which list is changed. */
export const listOptions = {
  list: {
    ...textOption('Name of a list that has a "store" in the installation.'),
    demandOption: true,
  },
  ...requiredInstallation,
} as const;

/** What is said of numbers that are added. */
export const entryOptions = {
  until: {
    ...textOption(
      'Last day on the list, such as 2027-06-30, to its end in UTC. Default: by the "ttl" of the list.',
    ),
    coerce: lastDay,
  },
  reason: textOption('Why, in a few words, for "suppress why". Default: none.'),
} as const;

export const NUMBER = {
  type: 'string',
  demandOption: true,
  describe: 'Phone number, as any phone transform reads it.',
} as const;

export const countryOption = {
  country: textOption(
    'Country of numbers without a country code, two letters such as US. Default: that of the list.',
  ),
} as const;

const DAY_MS = 86_400_000;

/** The end of a day, in milliseconds since 1970. */
function lastDay(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN;
  // The engine takes February 30 for March 2.
  if (!Number.isNaN(day) && dayOf(day) === text) return day + DAY_MS;
  throw new UsageError(`--until takes a day such as 2027-06-30, but got "${text}".`);
}

/** The last day of an entry that ends at a time. */
export const lastDayText = (endsAt: number | null): string =>
  endsAt === null ? 'for ever' : `until ${dayOf(endsAt - 1)}`;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
