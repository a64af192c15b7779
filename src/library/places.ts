import { PLACE_KINDS, type PlaceKind, refuseUnusablePlaces } from '../options/places.js';

/** What runs write, by the option that names its place. */
const OF_RUNS = { ...PLACE_KINDS, fix: 'folder' } as const;

/**
 * Makes sure that something can be written where the options say, before anything else is done.
 * @param kinds what is going to be there, by option. @default what runs write
 * @throws UsageError with every place that does not do
 */
export const refusePlaces = (
  options: object,
  kinds: Readonly<Record<string, PlaceKind>> = OF_RUNS,
): void => {
  refuseUnusablePlaces({ ...options }, kinds, (name) => name);
};
