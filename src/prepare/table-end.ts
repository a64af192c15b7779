import { InputError } from '../core/errors/errors.js';
import type { Row } from '../core/table/row.js';
import type { Until } from '../mapping/schema/sections.js';

/** Whether a row, if it stands at the end of its table, is left out. */
export interface EndRule {
  readonly applies: (row: Row) => boolean;
  /** Name of the input, for errors. */
  readonly file: string;
}

/** Rows in a row that may be left out: more are no totals, but a mistake in the mapping. */
const MAX_ROWS = 1000;

/** @param at position of the rule's column */
export function endRule({ startsWith }: Until, at: number, file: string): EndRule {
  const textOf = ({ cells }: Row): string => (cells[at] ?? '').trim().toLowerCase();
  const start = startsWith?.trim().toLowerCase();
  return {
    applies: (row) => (start === undefined ? textOf(row) === '' : textOf(row).startsWith(start)),
    file,
  };
}

/**
 * The rows without those at the end of each sheet that the rule applies to. Such rows with others below them stay: what
 * stands in the midst of a table is data.
 * @throws InputError when the rule applies to too many rows in a row
 */
export async function* withoutEnd(
  batches: AsyncIterable<readonly Row[]>,
  { applies, file }: EndRule,
): AsyncGenerator<readonly Row[], void, undefined> {
  let held: Row[] = [];
  for await (const batch of batches) {
    const passed: Row[] = [];
    for (const row of batch) {
      if (held[0] && held[0].sheet !== row.sheet) held = [];
      if (applies(row)) {
        held.push(row);
        if (held.length <= MAX_ROWS) continue;
        if (passed.length > 0) yield passed;
        throw tooManyRows(file, held[0]);
      } else {
        passed.push(...held, row);
        held = [];
      }
    }
    if (passed.length > 0) yield passed;
  }
}

function tooManyRows(file: string, first: Row | undefined): InputError {
  const reason = `source.until holds for more than ${MAX_ROWS} rows in a row from here on. Is it the right column?`;
  const place = { file, sheet: first?.sheet ?? undefined, row: first?.row };
  return new InputError('until_too_early', reason, place);
}
