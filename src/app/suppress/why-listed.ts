import { systemClock } from '../../core/time.js';
import type { SuppressSpec } from '../../installation/installation.js';
import { NumberStore, type StoredNumber } from '../../quality/store/number-store.js';
import { openList } from '../../prepare/suppress/open-list.js';
import { comparedAs, listsOf, notAPhone } from './named-list.js';

/** A list that a number is on. */
export interface WhyListed {
  readonly list: string;
  readonly file: string;
  readonly scope: SuppressSpec['scope'];
  /** What the store knows of it; absent for a file. */
  readonly entry?: StoredNumber;
}

export interface Why {
  /** All lists that the number is on. */
  readonly listed: readonly WhyListed[];
  /** How many lists were asked. */
  readonly lists: number;
}

/**
 * On which lists of an installation a number is, and why.
 * @param country of numbers without a country code. @default that of each list
 * @throws UsageError where it is no number, or a list cannot be read
 */
export async function whyListed(
  installation: string,
  written: string,
  country: string | undefined,
): Promise<Why> {
  const lists = await listsOf(installation);
  const numbers = lists.map((spec) => comparedAs(written, country ?? countryOf(spec)));
  if (numbers.every((number) => number === 0)) throw notAPhone(country);
  const listed: WhyListed[] = [];
  for (const [at, spec] of lists.entries()) {
    const number = numbers[at] ?? 0;
    const found = number === 0 ? null : await onList(spec, number);
    if (found) listed.push(found);
  }
  return { listed, lists: lists.length };
}

async function onList(spec: SuppressSpec, number: number): Promise<WhyListed | null> {
  const { name: list, scope } = spec;
  const now = systemClock.now();
  if ('store' in spec) {
    const store = new NumberStore(spec.store, spec.ttl, 'read');
    try {
      const entry = store.find(number, now);
      return entry && { list, scope, file: spec.store, entry };
    } finally {
      store.close();
    }
  }
  const opened = await openList(spec, 0, now);
  try {
    return opened.list.has(number) ? { list, scope, file: spec.file } : null;
  } finally {
    opened.list.close();
  }
}

function countryOf(spec: SuppressSpec): string | undefined {
  return 'format' in spec && spec.format === 'ftc' ? 'US' : spec.country;
}
