import { expect } from 'vitest';
import { join } from 'node:path';
import type { OutcomeCounts } from '../../../src/core/outcome.js';
import { reportRun, showRun } from '../../../src/index.js';
import { FORMATS, REPORT_FORMATS } from '../../../src/report/formats.js';
import { READ_BACK } from './read-back.js';

/** Columns that every report of rows has, of an import as of a comparison. */
const COLUMNS = [
  ...['row', 'sheet', 'uuid', 'outcome', 'verdict', 'createdClientId', 'createResult'],
  ...['enqueueResult', 'changeResult', 'clientId', 'applicationStatus', 'callsMade', 'nextCall'],
  ...['callback', 'differences', 'problems', 'problemCodes', 'file', 'run'],
];

/** Counts without zeros. */
export const occurring = (counts: Partial<OutcomeCounts> | null): Record<string, number> =>
  Object.fromEntries(Object.entries(counts ?? {}).filter(([, count]) => count > 0));

/**
 * A report of every format, written into `folder`, has these counts; its columns are the same for every mode, but on the
 * page.
 */
export async function everyFormatCounts(
  ledger: string,
  run: string,
  folder: string,
  counts: Record<string, number>,
): Promise<void> {
  const { mode, state } = await showRun({ run, ledger });
  for (const format of REPORT_FORMATS) {
    const file = join(folder, `${run}-${state}${FORMATS[format].ending}`);
    expect(await reportRun({ run, file, ledger })).toMatchObject({ run, mode, file });
    const { counts: found, columns } = await READ_BACK[format](file);
    expect([format, found]).toEqual([format, counts]);
    // A page without a row that did not end well has no table.
    if (format === 'text' || (format === 'html' && columns.length === 0)) continue;
    const its = format === 'html' ? [mode === 'reconcile' ? 'verdict' : 'outcome'] : COLUMNS;
    expect([format, columns]).toEqual([format, expect.arrayContaining(its)]);
  }
}
