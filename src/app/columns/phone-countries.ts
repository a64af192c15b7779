import { phoneMetadata } from '../../mapping/transforms/phone/library.js';

/** Every country and territory that has phone numbers of its own, by its two letters. */
export const phoneCountries = (): readonly string[] =>
  Object.keys(phoneMetadata().countries).sort();
