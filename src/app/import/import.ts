import { columnTargets } from '../../mapping/column-targets.js';
import type { CampaignSettings } from '../../pipeline/batch.js';
import { changeRuleOf } from '../../pipeline/change-rules.js';
import { deltaPlan, issueOf, removesMissing } from '../delta/delta-plan.js';
import { checkShared } from '../fleet/check-shared.js';
import { laterRows } from '../duplicates/later-rows.js';
import { countRows } from '../inputs/count-rows.js';
import { partOf } from '../inputs/part-of.js';
import { rereadPlan } from '../inputs/reread-plan.js';
import { countTrial } from '../inputs/trial.js';
import { RowTally, withEmptyInputs } from '../inputs/empty-inputs.js';
import type { ImportSetup } from '../inputs/import-setup.js';
import { type ListPlan, listPlan } from '../list/list-plan.js';
import { listWeights } from '../list/looked-at.js';
import type { PreparedChunk } from '../../core/prepared.js';
import { defined } from '../../core/defined.js';
import { prepareInThreads } from '../../prepare/threads.js';
import { readerThreads } from '../inputs/reader-threads.js';
import { checkCampaign, checkModeOptions, usesCampaign } from '../mode.js';
import { runPrepared, sendPlan, withInputs } from '../run/prepared-run.js';
import { identifyingOptions } from '../options/kept-options.js';
import { readInputs } from '../inputs/read-inputs.js';
import { refuseOtherRows } from '../inputs/refuse-other-rows.js';
import { recoveryParts } from '../connect/recovery.js';
import type { ImportRequest, ImportResult } from '../requests.js';
import { observed } from '../run/observe/observed.js';
import { filesSettings } from '../run/run-settings.js';
import { shownColumns } from '../run/result/shown-columns.js';
import type { RunPlan } from '../run/run-plan.js';

/**
 * Imports spreadsheets: rows become clients by the mapping, are created (interface.md 4.1), added to the campaign
 * (4.9) when there is one, and reported row by row. A run of the same content, mapping, installation and campaign that
 * is not at its end is continued; one that is finished is not repeated.
 * @throws ConfigurationError, InputError, UsageError before anything is sent; LedgerError when the ledger cannot be
 * opened; StopRun when the contact center does not list its campaigns. Whatever happens later is reported in the result.
 */
export function importFiles(request: ImportRequest): Promise<ImportResult> {
  return observed(request, importObserved);
}

const importObserved = (request: ImportRequest): Promise<ImportResult> =>
  withInputs(request, async (setup) => {
    const { mode } = setup.mapping;
    checkModeOptions(mode, request);
    checkShared(request, setup.installation, removesMissing(setup));
    refuseOtherRows(request, setup.preparation);
    const tally = new RowTally(setup.preparation.inputs.map(({ name }) => name));
    const result = await runPrepared(setup, {
      campaign: usesCampaign(mode),
      wanted: identifyingOptions(request, 'import'),
      settings: (campaign, encodings) => ({
        ...filesSettings(request, mode, campaign, shownColumns(setup), usedColumns(setup)),
        encodings,
        ...defined({
          asOf: setup.preparation.asOf ?? undefined,
          weights: weightsIn(setup),
          delta: issueOf(setup),
        }),
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

/** What the parts of the list's score count for: kept, so that a later report has the same score. */
const weightsIn = ({ preparation }: ImportSetup) => listWeights(preparation) ?? undefined;

/** The chunks as of a moment: those that are being read, or, where an earlier part of the run began at another one, anew. */
async function* chunksAsOf(
  setup: ImportSetup,
  asOf: number | null,
): AsyncGenerator<PreparedChunk, void, undefined> {
  const { preparation, request, inputs } = setup;
  if (asOf === preparation.asOf) {
    yield* preparation.chunks();
    return;
  }
  await preparation.close();
  const threads = await readerThreads(inputs.files, 'send');
  const again = await prepareInThreads({ ...sendPlan(setup), asOf }, threads, request.signal);
  try {
    yield* again.chunks();
  } finally {
    await again.close();
  }
}

async function* seenBy(
  { checks, observations }: ListPlan,
  chunks: AsyncIterable<PreparedChunk>,
): AsyncGenerator<PreparedChunk, void, undefined> {
  for await (const chunk of chunks) {
    checks.addChunk(chunk);
    observations.addChunk(chunk);
    yield chunk;
  }
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
  asOf = setup.preparation.asOf,
): RunPlan {
  const { request, installation, mapping, preparation } = setup;
  const { mode } = mapping;
  const source = { ...mapping.source, ...request.source };
  const read = readInputs(setup, source);
  const list = listPlan(preparation, request.leadPrice, asOf);
  return {
    list,
    mode,
    installation,
    campaign,
    duplicates: preparation.duplicates,
    delta: deltaPlan(setup, campaign),
    findLater: (earlier, signal) =>
      laterRows(preparation.duplicates, { ...rereadPlan(setup), asOf }, earlier, signal),
    identifierNames: preparation.identifierNames,
    inputs: preparation.inputs.map((input) => input.name),
    chunks: () => tally.counted(seenBy(list, setup.seen.guarded(chunksAsOf(setup, asOf)))),
    countRows: (wanted, signal) => countRows(setup, wanted, asOf, signal),
    ...(preparation.asOf === null
      ? {}
      : { asOf: (moment: number) => importPlan(setup, campaign, tally, moment) }),
    changeRule: (changes) => changeRuleOf(mode, changes, campaign?.id ?? null),
    recovery: recoveryParts(request.recovery ?? mapping.recovery, installation),
    openRejects: async ({ out, onWarning }) => {
      // Loaded at the end: what writes spreadsheets has no part in sending them.
      const { ImportRejects } = await import('../run/result/rejects.js');
      return new ImportRejects({
        out,
        onWarning,
        inputs: read,
      });
    },
  };
}
