import { defined } from '../core/text.js';
import { loadInstallation } from '../installation/load.js';
import { ensureCampaign } from './campaigns.js';
import type { ImportRequest, ImportResult, CampaignChoice } from './requests.js';
import { columnTargets } from '../mapping/column-uses.js';
import { type CampaignSettings, changeRuleOf } from '../delivery/import.js';
import { deltaPlan, issueOf, removesMissing } from './delta-plan.js';
import { laterRows, countRows } from './count-rows.js';
import {
  partOf,
  rereadPlan,
  RowTally,
  withEmptyInputs,
  type ImportSetup,
  readInputs,
} from './inputs.js';
import { readerThreads } from './reader-threads.js';
import { countTrial } from './trial.js';
import { type ListPlan, listPlan, listWeights } from './list.js';
import type { PreparedChunk } from '../core/prepared.js';
import { prepareInThreads } from '../prepare/threads.js';
import { runPrepared, sendPlan, withInputs } from './prepared.js';
import { identifyingOptions } from '../options/kept-options.js';
import { recoveryParts } from './connect.js';
import { observed } from './observed.js';
import { filesSettings, shownColumns } from './settings.js';
import type { RunPlan } from './plan.js';
import { UsageError } from '../core/errors.js';
import { MODE_TRAITS, type Mode } from '../core/mode.js';
import { REPEATS } from './repeats.js';
import type { DuplicateRule } from '../core/duplicates.js';
import type { RowPart, RowRange } from '../core/table.js';
import type { OpenedInput } from '../prepare/plan.js';
import { isPostgresAddress } from '../core/ledger.js';
import type { Installation } from '../installation/installation.js';
import { ledgerPath } from '../options/places.js';
import { loadMapping } from '../mapping/load.js';
import { lookupTable } from '../prepare/lookup-table.js';

/** Imports into a sandbox, in which the campaign is made when it is missing. @throws as `importFiles` does */
export async function importEnsured(request: ImportRequest): Promise<ImportResult> {
  const installation = await loadInstallation(request.installation);
  const campaign = await ensureCampaign(request, installation);
  return importFiles({ ...request, ...defined({ campaign }) });
}

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
      const { ImportRejects } = await import('./rejects.js');
      return new ImportRejects({
        out,
        onWarning,
        inputs: read,
      });
    },
  };
}

/** Whether a mode has to do with campaigns at all. */
function usesCampaign(mode: Mode): boolean {
  return MODE_TRAITS[mode].campaign !== 'unused';
}

/** Refuses an import whose mode and options do not go together. @throws UsageError */
function checkModeOptions(
  mode: Mode,
  { campaign, confirmed, recovery, rows }: ImportRequest,
): void {
  const { asksFirst, campaign: use, creates } = MODE_TRAITS[mode];
  if (asksFirst && confirmed !== true)
    throw new UsageError(
      'Mode delete deletes the client of every row. If that is meant, say so with --yes.',
    );
  if (rows !== undefined && REPEATS[mode]?.byPlace)
    throw new UsageError(
      `Mode ${mode} distinguishes the rows of a client by their order, so that only the first ones can be tried: use --limit.`,
    );
  const isNamed = campaign?.id !== undefined || campaign?.name !== undefined;
  if (isNamed && use === 'unused')
    throw new UsageError(`Mode ${mode} has no use for a campaign; leave --campaign out.`);
  if (recovery === true && !creates)
    throw new UsageError(`Mode ${mode} creates no clients, so there is nothing to recover.`);
}

/** Refuses an import that lacks the campaign that its mode needs. @throws UsageError */
function checkCampaign(mode: Mode, campaign: CampaignSettings | null): void {
  if (campaign === null && MODE_TRAITS[mode].campaign === 'required')
    throw new UsageError(
      `Mode ${mode} needs a campaign: give --campaign, or a campaign section in the mapping.`,
    );
}

/** What is known of the inputs that rows are sent of. */
interface SentInputs {
  readonly inputs: readonly Pick<OpenedInput, 'headerRow' | 'info'>[];
  readonly duplicates: DuplicateRule;
}

/**
 * Refuses to send a part of the rows where that would send others than an import of all of them. The first row with a
 * phone wins, and what was sent may not be known by its phones: a later run of all rows would send an earlier row with the
 * same phone, too. Where the last row wins, that can be any row that a part leaves out.
 * @throws UsageError
 */
function refuseOtherRows({ rows, limit }: RowPart, { inputs, duplicates }: SentInputs): void {
  const { by, keep } = duplicates;
  if (keep === 'last' && by.length > 0 && (rows ?? limit) !== undefined)
    throw new UsageError(
      'With "keep: last", the last of several rows is sent, and a part of the file does not show which one that is. Look ' +
        'at a part with check, or import all rows.',
    );
  if (rows === undefined || !by.includes('phone') || isBeginning(rows, inputs)) return;
  throw new UsageError(
    'With duplicates by phone, the first row with a phone is sent and later ones are skipped. Rows from the middle would ' +
      'be sent before it, and the phone twice. Try the first rows with --limit, or look at these with check --rows.',
  );
}

/** Whether no row before the range is left out: of the second table, those after the range of the first are. */
function isBeginning({ first }: RowRange, inputs: SentInputs['inputs']): boolean {
  const [input, ...others] = inputs;
  if (!input || others.length > 0 || input.info.sheets.length > 1) return false;
  return first <= input.headerRow + 1;
}

/** Headers that usually hold a secret. */
const SECRET = /auth|cookie|token|secret|key|pass/i;

/** Refuses an import that machines cannot share. @throws UsageError */
export function checkShared(
  request: ImportRequest,
  { ledger, headers, transport }: Pick<Installation, 'ledger' | 'headers' | 'transport'>,
  removesMissing: boolean,
): void {
  if (!request.shared) {
    if (request.detach)
      throw new UsageError('--detach leaves an import to workers: give --shared as well.');
    return;
  }
  if (request.baseUrl !== undefined)
    throw new UsageError(
      'The sandbox of a command cannot be reached from other machines: leave --shared or --sandbox out.',
    );
  if (!isPostgresAddress(ledgerPath(request.ledger, { ...(ledger ? { ledger } : {}) })))
    throw new UsageError(
      'A run that machines share needs a ledger that all of them reach: give --ledger postgres://…',
    );
  if (removesMissing && request.detach)
    throw new UsageError(
      'With "delta: { missing: dequeue }", whoever shares a run removes clients from the campaign when it has ended: leave --detach out.',
    );
  for (const [name, value] of Object.entries(headers))
    if (SECRET.test(name) && !isPlaceholder(value)) throw asText(`The header ${name}`);
  const { proxy } = transport;
  const password = proxy === undefined ? '' : new URL(proxy).password;
  // In an address, the brace of a placeholder is written as its code.
  if (password !== '' && !isPlaceholder(password.replaceAll('%7B', '{'))) throw asText('The proxy');
}

const isPlaceholder = (text: string): boolean => text.includes('${');

const asText = (what: string): UsageError =>
  new UsageError(
    `${what} of the installation holds its secret as text, which would be kept in the database. Write a placeholder such as \${TOKEN}, and set it where workers run.`,
  );

/** What mapping and installation say of an import before its files are read. */
export interface PlannedImport {
  readonly mode: Mode;
  /** The campaign of the mapping. */
  readonly campaign: CampaignChoice | null;
  /** What the installation permits. */
  readonly requestsPerSecond: number | null;
  readonly clientsPerSecond: number | null;
  /** Whether the mapping has deleted clients restored. */
  readonly recovery: boolean;
}

/** @throws ConfigurationError with every mistake of the one or the other */
export async function plannedImport({
  mapping,
  installation,
}: Pick<ImportRequest, 'mapping' | 'installation'>): Promise<PlannedImport> {
  const { mode, campaign, recovery } = await loadMapping(mapping, { readTable: lookupTable });
  const { limits } = await loadInstallation(installation);
  const { requestsPerSecond = null, clientsPerSecond = null } = limits;
  return {
    mode,
    campaign: campaign ? defined(campaign) : null,
    requestsPerSecond,
    clientsPerSecond,
    recovery,
  };
}
