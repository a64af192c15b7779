import type { SourceOptions } from '../../../core/table.js';
import { readSettingsForReport } from '../../run/run-settings.js';
import { withLedger } from '../runs.js';
import { recordedRun } from '../recorded-run.js';

/** How the rejects of a run are imported like the run itself. */
export interface MendSource {
  /** Path of the mapping. */
  readonly mapping: string;
  readonly source: SourceOptions;
  /** The campaign of the run; `null` where it had none. */
  readonly campaign: number | null;
}

/** What an import of a run's rejects is made with; `null` where another version began the run. @throws UsageError */
export function mendSource(wanted: string, ledgerFile: string): Promise<MendSource | null> {
  return withLedger(ledgerFile, async (ledger) => {
    const { run } = await recordedRun(ledger, ledgerFile, wanted);
    const kept = readSettingsForReport(await ledger.settingsOf(run));
    if (!kept) return null;
    const { sheet, ...source } = kept.source ?? {};
    // The rejects of a workbook have one sheet, under its own name.
    const isName = typeof sheet === 'string' && !/^\d+$/.test(sheet);
    return {
      mapping: kept.mapping,
      source: { ...source, ...(isName ? { sheet } : {}) },
      campaign: kept.campaign?.id ?? null,
    };
  });
}
