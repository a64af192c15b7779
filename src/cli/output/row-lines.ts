import { EXIT, type ExitCode } from '../../core/errors.js';
import type { Row } from '../../core/table.js';
import { printJson } from './output.js';
import { StoppedError } from './stopped.js';
import type { Terminal } from './terminal.js';

/**
 * Prints rows as JSON lines, a batch at a time. Ends early at the limit, and when nobody reads any more. When the
 * file breaks off, the rows before that place are printed first.
 */
export async function printRows(
  batches: AsyncIterable<readonly Row[]>,
  { stdout, signal }: Pick<Terminal, 'stdout' | 'signal'>,
  limit = Infinity,
): Promise<ExitCode> {
  let left = limit;
  for await (const batch of batches) {
    if (signal.aborted) throw new StoppedError('Stopped.');
    const wanted = batch.slice(0, left);
    left -= wanted.length;
    const read = await printJson(stdout, wanted.map(lineOf).join(''));
    if (!read || left <= 0) break;
  }
  return EXIT.ok;
}

const lineOf = ({ sheet, row, cells, defects }: Row): string =>
  `${JSON.stringify({ sheet, row, cells, ...(defects && { defects }) })}\n`;
