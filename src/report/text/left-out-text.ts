import type { ProblemCount } from '../../core/problem.js';
import { UNKNOWN_NAME } from '../../core/table/row.js';
import { printableLine } from '../../core/text/printable.js';
import { whole } from '../../core/text/whole.js';

/** Columns that are named. */
const COLUMNS = 5;

/** How many values were left out, and of which columns: `312 values were left out: Alt Phone 300, E-mail 12`. */
export function leftOutText(remarks: readonly ProblemCount[]): string {
  const columns = new Map<string, number>();
  for (const { column, code, count } of remarks) {
    const name = column ?? (code === UNKNOWN_NAME ? 'names without a column' : 'constants');
    columns.set(name, (columns.get(name) ?? 0) + count);
  }
  const sorted = [...columns].sort(([, a], [, b]) => b - a);
  const all = sorted.reduce((sum, [, count]) => sum + count, 0);
  const named = sorted.slice(0, COLUMNS).map(([name, count]) => `${name} ${whole(count)}`);
  const rest = sorted.length > COLUMNS ? ', …' : '';
  const values = all === 1 ? '1 value was' : `${whole(all)} values were`;
  return printableLine(`${values} left out: ${named.join(', ')}${rest}`);
}
