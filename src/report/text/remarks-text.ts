import { type ProblemCount, leavesOut } from '../../core/problem.js';
import { CORRECTED, UNKNOWN_NAME } from '../../core/table.js';
import { printableLine, whole } from '../../core/text.js';

/** Columns that are named. */
const COLUMNS = 5;

/**
 * How many values were left out or corrected, and of which columns: `312 values were left out: Alt Phone 300, E-mail 12;
 * 2 cells were corrected by hand: Mobile 2; 3 remarks on what was sent: Name 3`.
 */
export function remarksText(remarks: readonly ProblemCount[]): string {
  const corrected = remarks.filter(({ code }) => code === CORRECTED);
  const others = remarks.filter(({ code }) => code !== CORRECTED);
  const leftOut = others.filter(({ code }) => leavesOut(code));
  const noted = others.filter(({ code }) => !leavesOut(code));
  const texts = [
    countedText(leftOut, ['value was', 'values were'], 'left out'),
    countedText(corrected, ['cell was', 'cells were'], 'corrected by hand'),
    countedText(noted, ['remark', 'remarks'], 'on what was sent', 'whole rows'),
  ];
  return printableLine(texts.filter((text) => text !== '').join('; '));
}

function countedText(
  remarks: readonly ProblemCount[],
  [one, several]: readonly [one: string, several: string],
  what: string,
  unnamed = 'constants',
): string {
  const columns = new Map<string, number>();
  for (const { column, code, count } of remarks) {
    const name = column ?? (code === UNKNOWN_NAME ? 'names without a column' : unnamed);
    columns.set(name, (columns.get(name) ?? 0) + count);
  }
  const sorted = [...columns].sort(([, a], [, b]) => b - a);
  const all = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return '';
  const named = sorted.slice(0, COLUMNS).map(([name, count]) => `${name} ${whole(count)}`);
  const rest = sorted.length > COLUMNS ? ', …' : '';
  return `${all === 1 ? `1 ${one}` : `${whole(all)} ${several}`} ${what}: ${named.join(', ')}${rest}`;
}
