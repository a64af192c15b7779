import { UsageError } from '../../../core/errors.js';

const AMOUNT = /^\d+(?:\.\d+)?$/;

/** Reads an amount with decimals. */
export const amount =
  (flag: string) =>
  (text: string): number => {
    if (AMOUNT.test(text)) return Number(text);
    throw new UsageError(`--${flag} is an amount such as 2.50.`);
  };
