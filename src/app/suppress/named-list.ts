import { suggestion } from '../../config/nearest.js';
import { UsageError } from '../../core/errors.js';
import type { StoreListSpec, SuppressSpec } from '../../installation/installation.js';
import { loadInstallation } from '../../installation/load.js';
import { numberReader } from '../../mapping/transforms/phone/compare-numbers.js';
import { isCountry } from '../../mapping/transforms/phone/library.js';

/** The lists that an installation names. @throws UsageError where it names none */
export async function listsOf(installation: string): Promise<readonly SuppressSpec[]> {
  const { suppress } = await loadInstallation(installation);
  if (suppress !== undefined) return suppress;
  throw new UsageError(
    `${installation} names no lists of numbers that must not be called: add a section "suppress".`,
  );
}

/** A list that `cardline suppress` keeps. @throws UsageError where there is none of that name */
export async function storeNamed(installation: string, name: string): Promise<StoreListSpec> {
  const lists = await listsOf(installation);
  const found = lists.find((list) => list.name === name);
  if (found && 'store' in found) return found;
  if (found)
    throw new UsageError(
      `The list "${name}" is the file ${found.file}: change that. Only a list with "store" can be changed here.`,
    );
  const stores = lists.filter((list) => 'store' in list).map((list) => list.name);
  const hint = suggestion(name, stores) ?? 'No list of it has a "store".';
  throw new UsageError(`${installation} has no list "${name}" that can be changed. ${hint}`);
}

/**
 * A number as E.164 without the plus.
 * @param country of numbers without a country code
 * @throws UsageError where it is none
 */
export function numberOf(text: string, country: string | undefined): number {
  const number = comparedAs(text, country);
  if (number === 0) throw notAPhone(country);
  return number;
}

/** The number by which a list with this country compares; 0 where it is none. */
export function comparedAs(text: string, country: string | undefined): number {
  const known = country !== undefined && isCountry(country) ? country : undefined;
  return numberReader(known).parse(text);
}

/** The number itself is not repeated. */
export function notAPhone(country: string | undefined): UsageError {
  const needed = country === undefined ? 'with "+" and the country code' : `as in ${country}`;
  return new UsageError(`This is not a phone number. Write it ${needed}.`);
}
