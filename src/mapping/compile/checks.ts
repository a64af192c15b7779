import type { Problem } from '../../core/problem.js';
import { CORRECTED, type Cell } from '../../core/table.js';
import type { ZoneSource } from '../../core/hours.js';
import type { CheckSpec } from '../schema/checks.js';
import type { CompileContext } from './context.js';

/** What became of a row, as far as checks look at it. */
export type CheckedRow =
  | {
      readonly status: 'client';
      readonly remarks?: readonly Problem[] | undefined;
      readonly zoneFrom?: ZoneSource | undefined;
    }
  | { readonly status: 'rejected' | 'skipped'; readonly problems: readonly Problem[] };

/** Whether a row is as a check looks for. */
export type RowTest = (cells: readonly Cell[], mapped: CheckedRow) => boolean;

const AMBIGUOUS = 'ambiguous_time_zone';
/** Remarks of values that are not wrong. */
const NOT_WRONG = new Set([
  ...[
    'suppressed',
    'not_compared',
    'phone_extension',
    'ambiguous_phone',
    'phone_words',
    'phone_rewritten',
    'phone_elsewhere',
    'too_old',
    AMBIGUOUS,
    CORRECTED,
  ],
]);

/** The tests of the checks in their order; `null` where a row alone does not show what one counts. */
export function compileChecks(
  checks: readonly CheckSpec[],
  context: CompileContext,
): (RowTest | null)[] {
  return checks.map((check, at) => {
    const { invalid, empty, rejected, suppressed, timeZone } = check;
    if (invalid !== undefined) {
      context.column(invalid, ['checks', at, 'invalid']);
      return isInvalid(invalid.trim());
    }
    if (empty !== undefined) {
      const position = context.column(empty, ['checks', at, 'empty']);
      return (cells) => (cells[position]?.trim() ?? '') === '';
    }
    if (rejected) return (_, { status }) => status === 'rejected';
    if (suppressed) return (_, mapped) => notesOf(mapped).some(({ code }) => code === 'suppressed');
    if (timeZone) return (_, mapped) => isUnsure(mapped);
    return null;
  });
}

const isInvalid =
  (column: string): RowTest =>
  (_, mapped) =>
    notesOf(mapped).some(
      (note) => note.column === column && note.value !== null && !NOT_WRONG.has(note.code),
    );

const isUnsure: (mapped: CheckedRow) => boolean = (mapped) =>
  (mapped.status === 'client' && mapped.zoneFrom === 'ambiguous') ||
  notesOf(mapped).some(({ code }) => code === AMBIGUOUS);

/** What is said of a row. A skipped row says why in its problem. */
const notesOf = (mapped: CheckedRow): readonly Problem[] =>
  mapped.status === 'client' ? (mapped.remarks ?? NONE) : mapped.problems;

const NONE: readonly Problem[] = [];
