import type { ValueObject } from '../schema/value.js';

/** What stands before decimals where the transform `number` names a style; `undefined` where each value shows it. */
export function decimalSign(transform: ValueObject['transform']): '.' | ',' | undefined {
  for (const step of transform === undefined ? [] : [transform].flat()) {
    if (typeof step === 'string' || !('number' in step)) continue;
    const { decimal, thousands } = step.number ?? {};
    if (decimal !== undefined || thousands !== undefined) return styleOf(decimal, thousands);
  }
  return undefined;
}

/** The sign before decimals of a style of which one sign is named. */
export const styleOf = (
  decimal: '.' | ',' | undefined,
  thousands: '.' | ',' | "'" | undefined,
): '.' | ',' => decimal ?? (thousands === '.' ? ',' : '.');
