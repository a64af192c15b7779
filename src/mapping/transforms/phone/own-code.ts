import type { CountryCode, PhoneNumberType } from 'libphonenumber-js/core';
import { examplePhones, parsePhone, planOf } from './library.js';

/**
 * Digits that begin with the calling code of their own country can be two numbers where the lengths of a country vary:
 * `4915112345678` is +49 151 12345678, and 04915 112345678. The library always takes the second.
 */
export interface OwnCode {
  /** What `written` most likely is, when the library made `number` of its digits. */
  choose(written: string, number: string): OwnChoice;
}

interface OwnChoice {
  readonly number: string;
  /**
   * sure: nothing else is meant; either: the other number is about as likely; rewritten: the calling code was taken off,
   * although the plus or a zero behind it says something else.
   */
  readonly is: 'sure' | 'either' | 'rewritten';
}

/** Longer numbers without their calling code are rare wherever lengths vary. */
const USUAL_MAX = 11;
/** Fewer digits are hardly written with a calling code. */
const USUAL_MIN = 7;

/** `null` for a country none of whose numbers can be another one with the calling code before it. */
export function ownCode(country: CountryCode): OwnCode | null {
  const plan = planOf(country);
  if (plan === null || !hasTwoLengths(plan.lengths, plan.callingCode.length)) return null;
  const { callingCode: code, nationalPrefix } = plan;
  const doubled = `+${code}${code}`;
  const ofCountry = { country, code };
  return {
    choose: (written, number) => {
      if (!number.startsWith(doubled)) return { number, is: 'sure' };
      const digits = written.replace(/\D/g, '');
      const behind = number.slice(doubled.length);
      const other = `+${code}${behind}`;
      const unless = (isDoubled: boolean): OwnChoice =>
        isDoubled && choice(number, other, ofCountry) === 'international'
          ? { number: other, is: 'rewritten' }
          : { number, is: 'sure' };
      if (written.startsWith('+') || digits === number.slice(1))
        return unless(digits.startsWith(code + code));
      if (nationalPrefix !== null && digits.startsWith(nationalPrefix + code)) {
        // `049 151…`, of which a zero is missing; `0491 6050…` is an area code.
        const front = nationalPrefix.length + code.length;
        const isInGroups = /\d\D+\d/.test(written);
        const isLong = digits.length - nationalPrefix.length > USUAL_MAX;
        return unless(isInGroups ? setsOff(written, front) : isLong);
      }
      if (!digits.startsWith(code)) return { number, is: 'sure' };
      if (nationalPrefix !== null && behind.startsWith(nationalPrefix)) {
        const without = `+${code}${behind.slice(nationalPrefix.length)}`;
        if (kindOf(without) !== 'other') return { number: without, is: 'rewritten' };
      }
      const likelier = choice(number, other, ofCountry);
      return likelier === 'international'
        ? { number: other, is: 'sure' }
        : { number, is: likelier === 'either' ? 'either' : 'sure' };
    },
  };
}

/** Whether something stands behind so many of the first digits. */
const setsOff = (written: string, digits: number): boolean =>
  new RegExp(`^\\D*(?:\\d\\D*){${digits}}(?<=\\D)\\d`).test(written);

function hasTwoLengths(lengths: readonly number[], difference: number): boolean {
  const all = new Set(lengths);
  return lengths.some((length) => all.has(length + difference));
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
  const usual = examplePhones()[country].length;
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

/** `other` also for what is no number. */
export function kindOf(number: string): Kind {
  const type = parsePhone(number, undefined)?.getType();
  return (type && KINDS[type]) ?? 'other';
}
