import { UsageError } from '../../../core/errors.js';

/** How many rows may end badly: `20` rows, or `5%` of all rows of the input. */
export function failureLimit(value: unknown): { count: number } | { percent: number } {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(String(value)) ?? [];
  const number = Number(digits);
  if (percent === '%' && number <= 100) return { percent: number };
  if (percent === '' && Number.isInteger(number)) return { count: number };
  throw new UsageError(
    `--max-failures takes a number of rows, or a percentage such as 5%, but got "${String(value)}".`,
  );
}
