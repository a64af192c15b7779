import { warmTransport } from '../../client/connection/undici.js';
import { defined } from '../../core/defined.js';
import { type Ledger, openLedger, warmDatabases } from '../../ledger/ledger.js';
import type { CampaignSettings } from '../../pipeline/batch.js';
import { prepareInThreads } from '../../prepare/threads.js';
import { refuseUnsureEncoding } from '../../source/refusals.js';
import { warnOfWindow } from '../campaigns/call-window.js';
import { campaignQuestion } from '../campaigns/campaign-list.js';
import { type FoundCampaign, resolveCampaign } from '../campaigns/campaign.js';
import { connect } from '../connect/connect.js';
import { joinSharedPace } from '../connect/join-shared-pace.js';
import { loadCorrections } from '../corrections/load-corrections.js';
import type { ImportSetup } from '../inputs/import-setup.js';
import { takeInputsOf } from '../inputs/other-mistakes.js';
import { partOf } from '../inputs/part-of.js';
import { readerThreads } from '../inputs/reader-threads.js';
import { reportInputs } from '../inputs/report-inputs.js';
import { SeenInputs } from '../inputs/seen-inputs.js';
import { contentOf } from '../repeats/content.js';
import { compareEncodings, type Encodings, encodingsOf } from '../repeats/earlier-encoding.js';
import { identityOf } from '../repeats/run-identity.js';
import type { ImportRequest, ImportResult } from '../requests.js';
import { executeRun } from './execute-run.js';
import { ledgerPath } from './ledger-path.js';
import type { RunPlan } from './run-plan.js';

/** What the reading threads of a run have to do. */
export const sendPlan = ({ request, inputs, corrections }: SendInputs) => ({
  inputs: inputs.files,
  mapping: request.mapping,
  installation: request.installation,
  mode: request.mode,
  source: request.source ?? {},
  purpose: 'send' as const,
  show: 0,
  verify: true,
  part: partOf(request),
  corrections,
});

type SendInputs = Pick<ImportSetup, 'request' | 'inputs' | 'corrections'>;

/**
 * Opens the inputs of a run, its mapping and its installation, for as long as `use` takes.
 * @param asOf `null`: rules that depend on the time are off
 * @throws ConfigurationError, InputError, UsageError
 */
export async function withInputs<T>(
  request: ImportRequest,
  use: (setup: ImportSetup) => Promise<T>,
  asOf?: null,
): Promise<T> {
  const inputs = await takeInputsOf(request);
  try {
    const seen = await SeenInputs.lookAt(inputs.files);
    const corrections = await loadCorrections(request.corrections, inputs.files);
    const plan = { ...sendPlan({ request, inputs, corrections }), asOf };
    const threads = await readerThreads(inputs.files, 'send');
    const opening = prepareInThreads(plan, threads, request.signal);
    // While the thread reads what there is to do, this one gets ready for it.
    warmTransport();
    warmDatabases();
    const looking = contentOf(
      inputs.files.map(({ path }) => path),
      seen,
    );
    const [prepared, looked] = await Promise.allSettled([opening, looking]);
    // What is wrong with a file is reported by whoever reads it.
    if (prepared.status === 'rejected') throw prepared.reason as Error;
    const preparation = prepared.value;
    try {
      if (looked.status === 'rejected') throw looked.reason as Error;
      const { installation, mapping } = preparation;
      if (!installation) throw new Error('The reading thread did not read the installation.');
      reportInputs(preparation, request);
      if (!request.acceptUnsureEncoding)
        for (const { name, info } of preparation.inputs) refuseUnsureEncoding(name, info);
      const content = looked.value;
      return await use({
        ...{ request, inputs, content, seen, corrections, installation, mapping, preparation },
      });
    } finally {
      await preparation.close();
    }
  } finally {
    await inputs.release();
  }
}

/** What is done with prepared inputs. */
export interface Purpose {
  /** Whether the campaign is of interest. */
  readonly campaign: boolean;
  /** What the command wants beyond the mapping; the run is bound to it. */
  readonly wanted: Readonly<Record<string, unknown>>;
  /** What is kept with the run, so that it can be begun again. */
  readonly settings: (campaign: CampaignSettings | null, encodings: Encodings) => object;
  /** @throws UsageError when the campaign is not what the work needs */
  readonly plan: (campaign: CampaignSettings | null) => RunPlan;
  /** The plan with what earlier runs of the ledger say of its rows. @default the plan as it is */
  readonly withEarlierRuns?: (plan: RunPlan, ledger: Ledger) => Promise<RunPlan>;
}

/** Connects to the contact center, looks for the campaign, and carries the run out. */
export async function runPrepared(setup: ImportSetup, purpose: Purpose): Promise<ImportResult> {
  const { request, inputs, content, corrections, installation, mapping, preparation } = setup;
  const connection = connect(request, installation);
  let asked = 0;
  connection.onAnswer = () => asked++;
  connection.shared = await joinSharedPace(request, installation);
  try {
    const question = campaignQuestion(setup, connection);
    const found: FoundCampaign = {};
    const campaign = purpose.campaign
      ? await resolveCampaign(question, request.campaign, mapping.campaign, found)
      : null;
    warnOfWindow(mapping, found, request.onWarning);
    const plan = purpose.plan(campaign);
    const identity = identityOf({
      files: inputs.files,
      content,
      digests: mapping.digests,
      wanted: defined(purpose.wanted),
      source: request.source ?? {},
      installation,
      elsewhere: request.baseUrl !== undefined,
      campaign,
      corrections,
    });
    const { lease } = request;
    const ledger = await openLedger(ledgerPath(request.ledger, installation), { lease });
    try {
      const encodings = encodingsOf(identity.inputs, preparation.inputs);
      const source = { ...mapping.source, ...request.source };
      const warn = request.acceptUnsureEncoding ? (request.onWarning ?? (() => {})) : undefined;
      await compareEncodings(ledger, encodings, source, warn);
      const settings = purpose.settings(campaign, encodings);
      const before = (): number => asked;
      const informed = (await purpose.withEarlierRuns?.(plan, ledger)) ?? plan;
      return await executeRun(request, informed, {
        ...{ ledger, identity, content, settings, connection, before },
      });
    } finally {
      await ledger.close();
    }
  } finally {
    await connection.shared?.close();
    await connection.center.close();
  }
}
