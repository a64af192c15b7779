import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { NO_DUPLICATES } from '../../core/duplicates.js';
import type { PreparedChunk } from '../../core/prepared.js';
import type { RunIdentity } from '../../core/ledger.js';
import type { Ledger } from '../../ledger/ledger.js';
import { removeMissingRule } from '../../pipeline/change-rules.js';
import { onJson } from '../../pipeline/change-rule.js';
import type { ImportResult, RunOptions } from '../requests.js';
import { placeSettings } from '../run/run-settings.js';
import type { RunParts } from '../run/run-parts.js';
import type { RunPlan } from '../run/run-plan.js';
import { type MissingRows, missingChunks } from './missing-rows.js';
import { removalInput, removalOf } from './removal-run.js';

/** The folder in that of the list's report in which the removed clients are reported. */
const FOLDER = 'missing';

/** Executes a run. */
export type Execute = (
  request: RunOptions,
  plan: RunPlan,
  parts: RunParts,
) => Promise<ImportResult>;

/** The run of the list that lacks the clients. */
export interface ListRun {
  readonly run: string;
  /** Folder of its report. */
  readonly out: string;
  readonly request: RunOptions;
  readonly plan: RunPlan;
  readonly parts: RunParts;
}

/**
 * Removes clients that a list lacks from the campaign (interface.md 4.10), as a run of its own: it has a report, and is
 * continued with the run of the list.
 */
export function removeMissing(
  execute: Execute,
  { run, out, request, plan, parts }: ListRun,
  missing: MissingRows,
): Promise<ImportResult> {
  const campaignId = plan.campaign?.id ?? 0;
  const { run: _, watcher: __, canary: ___, again: ____, onProgress: _____, ...others } = request;
  // They are few: the process that knows them does it, while its own run is at work.
  const { shared: ______, waitForRuns: _______, ...rest } = others;
  const own: RunPlan = {
    mode: 'dequeue',
    installation: plan.installation,
    campaign: plan.campaign,
    duplicates: NO_DUPLICATES,
    identifierNames: plan.identifierNames,
    inputs: missing.runs.map(({ run: earlier }) => `run ${earlier}`),
    chunks: () => chunksOf(missing, parts.ledger, run),
    countRows: () =>
      Promise.resolve({
        counted: { rows: missing.total, share: 1, rejected: 0, problems: [] },
        checked: [],
      }),
    changeRule: (changes) => onJson(removeMissingRule(changes, campaignId)),
    recovery: {},
  };
  const { ledger, connection, identity } = parts;
  const settings = {
    ...placeSettings(request),
    mode: 'dequeue',
    misses: run,
    delta: plan.delta?.issue,
  };
  return execute({ ...rest, out: join(out, FOLDER) }, own, {
    ...{ ledger, connection, settings, before: () => 0 },
    identity: identityOf(run, identity),
  });
}

async function* chunksOf(
  missing: MissingRows,
  ledger: Ledger,
  run: string,
): AsyncGenerator<PreparedChunk> {
  const removal = await removalOf(ledger, run);
  yield* missingChunks(missing, removal ? await ledger.factsOf(removal.run) : []);
}

function identityOf(run: string, { installation, campaignId }: RunIdentity): RunIdentity {
  const digest = createHash('sha256').update(`missing from run ${run}`).digest('hex');
  return {
    inputs: [removalInput(run)],
    content: digest,
    mapping: digest,
    installation,
    campaignId,
  };
}
