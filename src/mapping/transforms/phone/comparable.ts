import type { ValueObject } from '../../schema/value.js';
import { numberReader } from './compare-numbers.js';
import { isCountry } from './library.js';

/** A phone as it is sent to the number by which it is compared: E.164 without the plus; 0 where it is none. */
export type Comparable = (phone: string) => number;

interface PhoneStep {
  readonly country?: string | undefined;
  readonly format?: string | undefined;
}

/** The transform `phone` of a value, as it is written. */
export function phoneStepOf({ transform }: ValueObject): PhoneStep | undefined {
  for (const step of transform === undefined ? [] : [transform].flat()) {
    if (step === 'phone') return {};
    if (typeof step === 'object' && step.phone !== undefined) return step.phone;
  }
  return undefined;
}

/**
 * How the phones of a value are compared, whatever is sent. What the transform `phone` writes as digits begins with the
 * country code, unless something is done with it afterwards.
 */
export function comparableNumber(value: ValueObject, country: string | undefined): Comparable {
  const step = phoneStepOf(value);
  const code = (step?.country ?? country)?.trim().toUpperCase();
  const reader = numberReader(code !== undefined && isCountry(code) ? code : undefined);
  if (step?.format !== 'digits' || !isLast(value)) return (phone) => reader.parse(phone);
  return (phone) => reader.parse(phone.startsWith('+') ? phone : `+${phone}`);
}

/** Whether what the transform `phone` makes is what is sent. */
function isLast({ transform, map, default: other }: ValueObject): boolean {
  const last = [transform ?? []].flat().at(-1);
  const isPhone = last === 'phone' || (typeof last === 'object' && last.phone !== undefined);
  return isPhone && map === undefined && other === undefined;
}
