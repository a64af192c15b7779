import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../../core/defined.js';
import type { RunRecord } from '../../../core/ledger.js';
import { noOutcomes } from '../../../core/outcome.js';
import { REJECTS_NAME } from '../../../core/report.js';
import type { ImportResult } from '../../requests.js';
import { exitCodeFor } from '../exit-code.js';

/** The same import was finished earlier: nothing is sent, and all is reported as that run ended. */
export function resultOfDone(record: RunRecord, ledger: string): ImportResult {
  const outcomes = record.outcomes ?? noOutcomes();
  return {
    exitCode: exitCodeFor(outcomes),
    summary: {
      run: record.run,
      mode: record.mode,
      rows: record.rows ?? 0,
      outcomes,
      requests: 0,
      retries: 0,
      seconds: 0,
      rowsPerSecond: 0,
      state: 'finished',
      inputs: record.inputs,
      campaignId: record.campaignId,
      ledger,
    },
    out: record.out,
    ledger,
    report: existing(join(record.out, 'report.csv')),
    rejects: rejectsIn(record.out),
    already: true,
    ...defined({ endedAt: record.endedAt ?? undefined }),
  };
}

/** Empty text where somebody has removed it. */
const existing = (file: string): string => (existsSync(file) ? file : '');

/** The rejects that a run left in its folder, as far as they are still there. */
export function rejectsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => REJECTS_NAME.test(name))
    .map((name) => join(folder, name));
}
