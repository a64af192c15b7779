import { InputError } from '../../core/errors.js';
import type { Row, RowDefect } from '../../core/table.js';
import type { Until } from '../../mapping/schema/sections.js';

/** Whether a row, if it stands at the end of its table, is left out. */
export interface EndRule {
  readonly applies: (row: Row) => boolean;
  /** Why such a row is skipped. */
  readonly leftOut: RowDefect;
  /** Name of the input, for errors. */
  readonly file: string;
}

/** Rows in a row that may be left out: more are no totals, but a mistake in the mapping. */
const MAX_ROWS = 1000;

const AFTER_TABLE = 'The row stands below the table, by source.until of the mapping.';

/** @param at position of the rule's column */
export function endRule({ startsWith }: Until, at: number, file: string): EndRule {
  const textOf = ({ cells }: Row): string => (cells[at] ?? '').trim().toLowerCase();
  const start = startsWith?.trim().toLowerCase();
  return {
    applies: (row) => (start === undefined ? textOf(row) === '' : textOf(row).startsWith(start)),
    leftOut: { column: at, code: 'after_table', message: AFTER_TABLE },
    file,
  };
}

/**
 * The rows, those at the end of each sheet that the rule applies to marked as left out. Such rows with others below them
 * are not: what stands in the midst of a table is data.
 * @throws InputError when the rule applies to too many rows in a row, or reading fails: after the rows before that
 */
export async function* withEndMarked(
  batches: AsyncIterable<readonly Row[]>,
  rule: EndRule,
): AsyncGenerator<readonly Row[], void, undefined> {
  let held: Row[] = [];
  try {
    for await (const batch of batches) {
      const passed: Row[] = [];
      for (const row of batch) {
        if (held[0] && held[0].sheet !== row.sheet) {
          passed.push(...held.map((one) => ({ ...one, leftOut: rule.leftOut })));
          held = [];
        }
        if (rule.applies(row) && held.length <= MAX_ROWS) held.push(row);
        else if (held.length > MAX_ROWS) {
          if (passed.length > 0) yield passed;
          throw tooManyRows(rule.file, held[0]);
        } else {
          passed.push(...held, row);
          held = [];
        }
      }
      if (passed.length > 0) yield passed;
    }
  } catch (error) {
    if (held.length > 0) yield held;
    throw error;
  }
  if (held.length > 0) yield held.map((row) => ({ ...row, leftOut: rule.leftOut }));
}

function tooManyRows(file: string, first: Row | undefined): InputError {
  const reason = `source.until holds for more than ${MAX_ROWS} rows in a row from here on. Is it the right column?`;
  const place = { file, sheet: first?.sheet ?? undefined, row: first?.row };
  return new InputError('until_too_early', reason, place);
}
