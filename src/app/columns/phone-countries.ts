import metadata from 'libphonenumber-js/min/metadata';

/** Every country and territory that has phone numbers of its own, by its two letters. */
export const PHONE_COUNTRIES: readonly string[] = Object.keys(metadata.countries).sort();
