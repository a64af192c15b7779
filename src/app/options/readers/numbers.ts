import { UsageError } from '../../../core/errors.js';

/** Makes a reader of whole numbers or `auto` for the option `name`. */
export function wholeNumberOrAuto(name: string, min: number, max?: number) {
  const read = wholeNumber(name, min, max, ', or auto');
  return (value: unknown): number | 'auto' => {
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return last === 'auto' ? 'auto' : read(last);
  };
}

/** Makes a reader of whole numbers for the option `name`; anything else is a usage error. */
export function wholeNumber(name: string, min: number, max = Number.MAX_SAFE_INTEGER, or = '') {
  return (value: unknown): number => {
    const text = String(Array.isArray(value) ? value.at(-1) : value);
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw new UsageError(`--${name} takes a whole number ${range}${or}, but got "${text}".`);
  };
}
