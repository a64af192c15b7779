import type { ProblemCount } from '../../core/problem.js';
import { printable, printableLine, whole } from '../../core/text.js';

const HEAD = ['rows', 'first row', 'column', 'problem', 'what'];
/** Narrower than this, a message is no longer readable. */
const NARROWEST = 24;

/**
 * How often each problem occurred, as a table.
 *
 * @param columns width of the terminal in characters; without it, nothing is wrapped
 */
export async function problemTable(
  problems: readonly ProblemCount[],
  columns?: number,
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const lines = problems.map(({ count, firstRow, column, code, message }) => [
    whole(count),
    String(firstRow),
    printableLine(column ?? ''),
    code,
    printable(message),
  ]);
  const last = columns === undefined ? null : Math.max(NARROWEST, columns - takenBy(lines));
  const table = new Table({
    head: HEAD,
    colAligns: ['right', 'right'],
    colWidths: [null, null, null, null, last],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  table.push(...lines);
  return table.toString();
}

/** Width of all columns but the last, with their padding and borders. */
function takenBy(lines: readonly (readonly string[])[]): number {
  const widths = HEAD.slice(0, -1).map((head, index) =>
    Math.max(head.length, ...lines.map((line) => line[index]?.length ?? 0)),
  );
  return widths.reduce((sum, width) => sum + width + 3, 2);
}
