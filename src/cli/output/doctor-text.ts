import { CHECKS, type Finding } from '../../app/doctor/finding.js';

const MARKS = {
  ok: 'ok',
  warning: 'warning',
  failed: 'FAILED',
  skipped: '-',
} as const satisfies Record<Finding['state'], string>;

const widest = (words: readonly string[]): number => Math.max(...words.map(({ length }) => length));
const MARK_WIDTH = widest(Object.values(MARKS));
const NAME_WIDTH = widest(CHECKS);

/** One check in one line; further lines of a text are indented below it. */
export function findingText({ check, state, text }: Finding): string {
  const head = `${MARKS[state].padEnd(MARK_WIDTH)}  ${check.padEnd(NAME_WIDTH)}  `;
  return `${head}${text.replaceAll('\n', `\n${' '.repeat(head.length)}`)}`;
}

/** What it comes to. */
export function summaryText(results: readonly Finding[]): string {
  const failed = results.filter(({ state }) => state === 'failed').map(({ check }) => check);
  const open = results.filter(({ state }) => state === 'skipped').length;
  if (failed.length === 0) return 'Everything that was checked is in order.';
  const checks = failed.length === 1 ? '1 check' : `${failed.length} checks`;
  const rest = open === 0 ? '' : ` ${open} could not be made.`;
  return `${checks} failed: ${failed.join(', ')}.${rest}`;
}
