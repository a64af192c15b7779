import type { RowRange } from '../../../core/table.js';
import { UsageError } from '../../../core/errors.js';

/** Makes a reader of rows such as `100-200`, or `7` alone, for the option `name`. */
export function rowRange(name: string) {
  return (value: unknown): RowRange => {
    const text = String(Array.isArray(value) ? value.at(-1) : value);
    const [, one, other] = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(text) ?? [];
    const first = Number(one);
    const last = Number(other ?? one);
    if (first >= 1 && first <= last && Number.isSafeInteger(last)) return { first, last };
    throw new UsageError(
      `--${name} takes the numbers of the first and the last row, such as 100-200, but got "${text}".`,
    );
  };
}
