import type { Problem } from '../problem.js';
import type { DuplicateKind } from './duplicate-rule.js';
import type { EarlierRow } from './earlier-rows.js';
import { DUPLICATE } from './repeated.js';

/** Codes of rows that are left out as duplicates: of a row of the file, or of an earlier run. */
const CODES = {
  sync: { file: DUPLICATE, run: 'duplicate_of_run' },
  phone: { file: 'duplicate_phone', run: 'duplicate_phone_of_run' },
} as const satisfies Record<DuplicateKind, object>;

const ALL_CODES: ReadonlySet<string> = new Set(
  Object.values(CODES).flatMap(({ file, run }) => [file, run]),
);

/** Whether a row with this problem is left out as a duplicate. */
export const isDuplicate = ({ code }: Pick<Problem, 'code'>): boolean => ALL_CODES.has(code);

/** Whether a row with this problem shares something with a row of an earlier run. */
export const isOfRun = ({ code }: Pick<Problem, 'code'>): boolean =>
  Object.values(CODES).some(({ run }) => run === code);

/** What a duplicate by this code shares. */
export const kindOfCode = (code: string): DuplicateKind =>
  Object.values(CODES.phone).some((one) => one === code) ? 'phone' : 'sync';

const WHAT = {
  sync: 'the synchronization identifiers',
  phone: 'a phone',
} as const satisfies Record<DuplicateKind, string>;

/** Of a row that gives way to another one; `file`: the name of its file, where it is not the same. */
export function duplicateOfRow(kind: DuplicateKind, row: number, file: string | null): Problem {
  const where = file === null ? '' : ` of ${file}`;
  return problem(
    CODES[kind].file,
    `The row has ${WHAT[kind]} of row ${row}${where}, which goes in its place.`,
  );
}

/** Of a row that an earlier run has sent in the last `days`. */
export function duplicateOfRun(earlier: EarlierRow, days: number): Problem {
  const { kind, run, row, file, what, on } = earlier;
  const where = file === null ? '' : ` of ${file}`;
  return problem(
    CODES[kind].run,
    `The row has ${WHAT[kind]} of row ${row}${where} in run ${run}, ${what} on ${on}, and is not sent again within ${days} ${days === 1 ? 'day' : 'days'}.`,
  );
}

const problem = (code: string, message: string): Problem => ({
  ...{ column: null, code, message, value: null },
});
