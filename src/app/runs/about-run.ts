import type { RunRecord } from '../../core/ledger.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { ReportSource } from '../../report/run-report.js';
import { identifierNames } from '../identifier-names.js';
import { absoluteLedger } from '../run/ledger-path.js';
import { readPlace, readSettingsForReport, runBehind, wasInSandbox } from '../run/run-settings.js';
import { chosenColumns } from './chosen-columns.js';
import { hasTakenBack } from './taken-back.js';

/** What the settings of a run say for its report. Those of an older version say less. */
export async function aboutRun(
  ledger: Ledger,
  run: string,
): Promise<
  Pick<
    ReportSource,
    | 'ledger'
    | 'campaignName'
    | 'isSandbox'
    | 'isTakenBack'
    | 'changedInputs'
    | 'chosenColumns'
    | 'weights'
    | 'leadPrice'
    | 'observations'
  >
> {
  const kept = await ledger.settingsOf(run);
  const earlier = runBehind(kept);
  // The rows of an undo, or of the check of a run, are those of that run.
  const settings = readSettingsForReport(earlier === null ? kept : await ledger.settingsOf(earlier));
  const shown = settings?.shown;
  const undos = (await ledger.undosOf([run])).get(run) ?? [];
  const undoRuns = await Promise.all(undos.map((id) => ledger.find(id)));
  const isOwn = earlier === null && settings?.mode !== 'reconcile';
  return {
    ledger: absoluteLedger(ledger.file),
    campaignName: settings?.campaign?.name,
    ...(isOwn ? { weights: settings?.weights, leadPrice: settings?.leadPrice, observations: settings?.observations } : {}),
    isSandbox: wasInSandbox(kept),
    changedInputs: earlier === null ? settings?.changedInputs : undefined,
    isTakenBack: undoRuns.some((one) => one && hasTakenBack(one)),
    chosenColumns: () => (shown ? chosenColumns(shown) : null),
  };
}

/** Names of the synchronization identifiers of a run's rows. */
export async function namesOf(ledger: Ledger, run: RunRecord): Promise<readonly string[]> {
  const first = await ledger.firstRow(run.run);
  const settings = await ledger.settingsOf(run.run);
  return identifierNames(run, first?.identifiers.length ?? null, () => {
    return readPlace(run.run, settings).installation;
  });
}
