import { createRequire } from 'node:module';
import type * as Library from 'libphonenumber-js/core';
import type { CountryCode, Examples, MetadataJson, PhoneNumberType } from 'libphonenumber-js/core';

/**
 * Digits without a plus that begin with the calling code of their own country can be two numbers where the lengths of a
 * country vary: `4915112345678` is +49 151 12345678, and 04915 112345678. The library always takes the second.
 */
export interface OwnCode {
  /** The number that `text` most likely is, when the library made `national` of it. */
  choose(text: string, national: string): string;
  /** Whether what was chosen is not sure: the other number is about as likely. */
  isEither(text: string, chosen: string): boolean;
}

/** Positions in the library's minified numbering plan (its `NumberingPlan` class). */
const CALLING_CODE = 0;
const LENGTHS = 3;
/** Longer numbers without their calling code are rare wherever lengths vary. */
const USUAL_MAX = 11;
/** Fewer digits are hardly written with a calling code. */
const USUAL_MIN = 7;
const ANY_PLUS = /[+\uff0b]/;

/** `null` for a country none of whose numbers can be another one with the calling code before it. */
export function ownCode(country: CountryCode, metadata: MetadataJson): OwnCode | null {
  const plan: readonly unknown[] = metadata.countries[country] ?? [];
  const code = String(plan[CALLING_CODE]);
  if (!hasTwoLengths(plan[LENGTHS], code.length)) return null;
  const doubled = `+${code}${code}`;
  const isDoubled = (text: string, number: string): boolean =>
    number.startsWith(doubled) &&
    !ANY_PLUS.test(text) &&
    text.replace(/\D/g, '').startsWith(number.slice(1 + code.length));
  const choiceOf = (number: string): Choice =>
    choice(number, number.replace(doubled, `+${code}`), { country, code });
  return {
    choose: (text, national) =>
      isDoubled(text, national) && choiceOf(national) === 'international'
        ? national.replace(doubled, `+${code}`)
        : national,
    isEither: (text, chosen) => isDoubled(text, chosen) && choiceOf(chosen) === 'either',
  };
}

function hasTwoLengths(lengths: unknown, difference: number): boolean {
  if (!Array.isArray(lengths)) return false;
  const all = new Set<unknown>(lengths);
  return lengths.some((length) => typeof length === 'number' && all.has(length + difference));
}

type Choice = 'national' | 'international' | 'either';
type Kind = 'mobile' | 'fixed' | 'other';

/** Which of two numbers is more likely, by their kinds and lengths. */
function choice(
  national: string,
  international: string,
  { country, code }: { readonly country: CountryCode; readonly code: string },
): Choice {
  const [own, other] = [kindOf(national), kindOf(international)];
  if (other === 'other') return 'national';
  const digits = international.length - 1 - code.length;
  const usual = plans().examples[country].length;
  if (other === 'mobile' && own !== 'mobile' && digits >= usual - 1) return 'international';
  if (digits < USUAL_MIN) return 'national';
  if (own === 'other' || national.length - 1 - code.length > USUAL_MAX) return 'international';
  return 'either';
}

const KINDS: Partial<Record<PhoneNumberType, Kind>> = {
  MOBILE: 'mobile',
  FIXED_LINE_OR_MOBILE: 'mobile',
  FIXED_LINE: 'fixed',
};

/** By the library's larger metadata: the smaller one has no kinds. */
function kindOf(number: string): Kind {
  const { parse, metadata } = plans();
  const type = parse(number, {}, metadata)?.getType();
  return (type && KINDS[type]) ?? 'other';
}

interface Plans {
  readonly parse: (typeof Library)['parsePhoneNumberFromString'];
  readonly metadata: MetadataJson;
  readonly examples: Examples;
}

let loaded: Plans | undefined;

/** Loaded for the first number that can be two: few lists have one. */
function plans(): Plans {
  if (loaded) return loaded;
  const load = createRequire(import.meta.url);
  const library = load('libphonenumber-js/core') as typeof Library;
  return (loaded = {
    parse: library.parsePhoneNumberFromString,
    metadata: load('libphonenumber-js/max/metadata') as MetadataJson,
    examples: load('libphonenumber-js/mobile/examples') as Examples,
  });
}
