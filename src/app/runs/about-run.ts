import type { RunRecord } from '../../core/ledger.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { ReportSource, ChosenColumns } from '../../report/run-report.js';
import { absoluteLedger } from '../run/ledger-path.js';
import { readPlace, readSettingsForReport, runBehind, wasInSandbox } from '../run/run-settings.js';
import { hasTakenBack } from './taken-back.js';
import { CardlineError } from '../../core/errors.js';
import { syncFields } from '../../installation/installation.js';
import { loadInstallation } from '../../installation/load.js';
import { ERASED } from '../../core/erase.js';
import type { Row } from '../../core/table.js';
import type { RowReport } from '../../core/report.js';
import { InputRows } from '../inputs/input-rows.js';
import type { ShownColumns } from '../run/result/shown-columns.js';

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

/**
 * Names of a run's `count` synchronization identifiers, in their order. The run's record ends with them; only where one
 * of them holds a space, the installation file of the run is asked. Where that is gone, they are numbered.
 *
 * @param count how many identifiers a row has; `null` when there is no row
 * @param file gives the path of the installation file
 */
async function identifierNames(
  { installation }: Pick<RunRecord, 'installation'>,
  count: number | null,
  file: () => string,
): Promise<readonly string[]> {
  const words = /(?: another address| https?:\/\/\S+) (.*)$/s.exec(installation)?.[1]?.split(' ');
  if (words && (count === null || words.length === count)) return words;
  const configured = await namesIn(file);
  if (configured.length === count) return configured;
  return Array.from({ length: count ?? 0 }, (_, index) => `identifier ${index + 1}`);
}

async function namesIn(file: () => string): Promise<string[]> {
  try {
    return syncFields((await loadInstallation(file())).card);
  } catch (error) {
    // It may have been moved or changed since; the report does without.
    if (error instanceof CardlineError) return [];
    throw error;
  }
}

type ShownInput = ShownColumns['inputs'][number];

/** The columns that the mapping of a run chooses for its report, read from the inputs once more. */
function chosenColumns({ names, inputs }: ShownColumns): ChosenColumns {
  let open: { readonly index: number; readonly rows: InputRows } | undefined;
  const rowOf = async (report: RowReport, input: ShownInput): Promise<Row | null> => {
    if (open?.index !== report.input) {
      await open?.rows.close();
      open = { index: report.input, rows: new InputRows(rereadInput(input)) };
    }
    return open.rows.find(report);
  };
  return {
    names,
    cells: async (report) => {
      // The file has an erased person still; the report is not to have it again.
      if (report.problems.some(({ code }) => code === ERASED)) return null;
      const input = inputs[report.input];
      const row = input ? await rowOf(report, input) : null;
      return row && input ? input.columns.map((at) => row.cells[at] ?? null) : null;
    },
    close: async () => {
      await open?.rows.close();
    },
  };
}

const rereadInput = ({ path, mark, source, ...input }: ShownInput) => ({
  file: { path, name: path },
  ...{ mark, source, input },
});
