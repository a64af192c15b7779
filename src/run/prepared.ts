import { warmTransport } from '../client/connection/undici.js';
import { defined } from '../core/text.js';
import { openLedger, warmDatabases } from '../ledger/ledger.js';
import type { Ledger } from '../ledger/port.js';
import type { CampaignSettings } from '../delivery/import.js';
import { prepareInThreads } from '../prepare/threads.js';
import { refuseUnsureEncoding } from '../source/source.js';
import { warnOfWindow } from './call-window.js';
import { campaignQuestion, type FoundCampaign, resolveCampaign } from './campaigns.js';
import { connect, joinSharedPace } from './connect.js';
import { loadCorrections } from './corrections.js';
import { type ImportSetup, takeInputsOf, partOf, reportInputs } from './inputs.js';
import { readerThreads } from './reader-threads.js';
import { SeenInputs, contentOf } from './content.js';
import { identityOf } from './settings.js';
import type { ImportRequest, ImportResult } from './requests.js';
import { executeRun } from './run.js';
import { ledgerPath } from '../options/places.js';
import type { RunPlan } from './plan.js';
import { REPEATS } from './repeats.js';
import { strayRejects } from '../history/history.js';
import { z } from 'zod';
import { InputError } from '../core/errors.js';
import type { SourceOptions } from '../core/table.js';
import type { OpenedInput } from '../prepare/plan.js';

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
interface Purpose {
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
      const strays = asksEarlierRuns(request, plan)
        ? await strayRejects(ledger, identity.inputs, preparation.inputs)
        : [];
      const settleAll = request.settleAll ?? (request.settlesStrays && strays.length > 0);
      if (!settleAll) for (const name of strays) request.onWarning?.(strayText(name));
      const settings = purpose.settings(campaign, encodings);
      const before = (): number => asked;
      const informed = (await purpose.withEarlierRuns?.(plan, ledger)) ?? plan;
      return await executeRun({ ...request, ...defined({ settleAll }) }, informed, {
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

/** Whether rows are left out or looked up by what earlier runs over the same files did. */
const asksEarlierRuns = ({ again, settleAll }: ImportRequest, { mode, delta }: RunPlan): boolean =>
  REPEATS[mode]?.scope === 'same files' && !delta && !again && !settleAll;

const strayText = (name: string): string =>
  `${name} holds rejects of a run, but is not where that run left them: what became of their clients is not known, and those that exist are created once more. Import the file by the path that it had, or with --settle-all, which looks every client up first.`;

/** Encodings of files by their paths. Those of Unicode are left out: they are not guessed. */
type Encodings = Readonly<Record<string, string>>;

const kept = z.object({ encodings: z.record(z.string(), z.string()) });

/** Runs that are looked at, the latest first. */
const MAX_RUNS = 200;

/**
 * The encodings that files were read in, to be kept with a run.
 * @param paths absolute ones, in the order of the inputs
 */
function encodingsOf(paths: readonly string[], inputs: readonly OpenedInput[]): Encodings {
  const found = paths.map((path, at) => [path, inputs[at]?.info.encoding ?? ''] as const);
  return Object.fromEntries(found.filter(([, label]) => label !== '' && !/^utf-/.test(label)));
}

/**
 * Compares with the latest run that read the same path in an encoding that is none of Unicode's: one of two that differ
 * was wrong, and names or codes of then and now are not the same ones. Nothing is compared where the encoding is named.
 * @param warn called with the difference where the person decides; absent where nobody is asked
 * @throws InputError where it differs and nobody is asked
 */
async function compareEncodings(
  ledger: Pick<Ledger, 'runs' | 'settingsOf'>,
  now: Encodings,
  { encoding = 'auto' }: SourceOptions,
  warn: ((message: string) => void) | undefined,
): Promise<void> {
  const left = new Map(Object.entries(now));
  if (encoding !== 'auto' || left.size === 0) return;
  for (const { run, inputs } of (await ledger.runs()).slice(0, MAX_RUNS)) {
    if (!inputs.some((path) => left.has(path))) continue;
    const earlier = kept.safeParse(await ledger.settingsOf(run)).data?.encodings ?? {};
    for (const [path, before] of Object.entries(earlier)) {
      const label = left.get(path);
      left.delete(path);
      if (label === undefined || label === before) continue;
      const message =
        `the text is ${label} now, and run ${run} read it as ${before}. Clients of that run may be wrong. ` +
        'Name the right one with --encoding, or "source: { encoding: … }" in the mapping.';
      if (!warn) throw new InputError('other_encoding', message, { file: path });
      warn(`${path}: ${message}`);
    }
    if (left.size === 0) return;
  }
}
