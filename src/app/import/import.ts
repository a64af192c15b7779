import { columnTargets } from '../../mapping/column-targets.js';
import type { CampaignSettings } from '../../pipeline/batch/batch.js';
import { changeRuleOf } from '../../pipeline/change/rule-of.js';
import { countRows } from '../inputs/count-rows.js';
import { partOf } from '../inputs/part-of.js';
import { countTrial } from '../inputs/trial.js';
import { RowTally, withEmptyInputs } from '../inputs/empty-inputs.js';
import type { ImportSetup } from '../inputs/import-setup.js';
import { checkCampaign, checkModeOptions, usesCampaign } from '../mode.js';
import { runPrepared, withInputs } from '../run/prepared-run.js';
import { identifyingOptions } from '../options/kept-options.js';
import { readInputs } from '../inputs/read-inputs.js';
import { refuseMiddle } from '../inputs/refuse-middle.js';
import { recoveryParts } from '../connect/recovery.js';
import type { ImportRequest, ImportResult } from '../requests.js';
import { filesSettings } from '../run/run-settings.js';
import { shownColumns } from '../run/shown-columns.js';
import type { RunPlan } from '../run/run-plan.js';

/**
 * Imports spreadsheets: rows become clients by the mapping, are created (interface.md 4.1), added to the campaign
 * (4.9) when there is one, and reported row by row. A run of the same content, mapping, installation and campaign that
 * is not at its end is continued; one that is finished is not repeated.
 * @throws ConfigurationError, InputError, UsageError before anything is sent; LedgerError when the ledger cannot be
 * opened; StopRun when the contact center does not list its campaigns. Whatever happens later is reported in the result.
 */
export function importFiles(request: ImportRequest): Promise<ImportResult> {
  return withInputs(request, async (setup) => {
    const { mode } = setup.mapping;
    checkModeOptions(mode, request);
    refuseMiddle(request.rows, setup.preparation);
    const tally = new RowTally(setup.preparation.inputs.map(({ name }) => name));
    const result = await runPrepared(setup, {
      campaign: usesCampaign(mode),
      wanted: identifyingOptions(request, 'import'),
      settings: (campaign, encodings) => ({
        ...filesSettings(request, mode, campaign, shownColumns(setup), usedColumns(setup)),
        encodings,
      }),
      plan: (campaign) => {
        checkCampaign(mode, campaign);
        return importPlan(setup, campaign, tally);
      },
    });
    const part = partOf(request);
    if (!part) return withEmptyInputs(result, tally, request);
    const source = { ...setup.mapping.source, ...request.source };
    const { files } = setup.inputs;
    const trial = { files, inputs: setup.preparation.inputs, source, part, signal: request.signal };
    return { ...result, trial: await countTrial(trial) };
  });
}

/** More columns than this are not kept with a run. */
const KEPT_COLUMNS = 2000;

/** What the mapping does with the columns of the inputs, for whoever suggests one for such a file later. */
function usedColumns({ mapping, preparation }: ImportSetup): Record<string, string | null> {
  const headers = new Set(preparation.inputs.flatMap((input) => input.headers));
  return columnTargets(mapping.document.value, [...headers].slice(0, KEPT_COLUMNS));
}

function importPlan(
  setup: ImportSetup,
  campaign: CampaignSettings | null,
  tally: RowTally,
): RunPlan {
  const { request, inputs, installation, mapping, preparation, corrections } = setup;
  const { mode } = mapping;
  const source = { ...mapping.source, ...request.source };
  const read = readInputs(inputs.files, preparation.inputs, source, corrections);
  return {
    mode,
    installation,
    campaign,
    duplicates: preparation.duplicates,
    identifierNames: preparation.identifierNames,
    inputs: preparation.inputs.map((input) => input.name),
    chunks: () => tally.counted(preparation.chunks()),
    countRows: (signal) => countRows(setup, signal),
    changeRule: (changes) => changeRuleOf(mode, changes, campaign?.id ?? null),
    recovery: recoveryParts(request.recovery ?? mapping.recovery, installation),
    openRejects: async ({ out, onWarning }) => {
      // Loaded at the end: what writes spreadsheets has no part in sending them.
      const { ImportRejects } = await import('../run/rejects.js');
      return new ImportRejects({
        out,
        onWarning,
        inputs: read,
      });
    },
  };
}
