import type { ContactCenter } from '../client/contact-center.js';
import { createDelivery } from '../client/delivery.js';
import type { RunLedger } from '../core/ledger.js';
import { createSeenKeys } from '../ledger/seen.js';
import type { CampaignSettings } from '../pipeline/batch.js';
import { type ImportEnd, runImport } from '../pipeline/import.js';
import { DEFAULT_PATIENCE, type Patience } from '../pipeline/retry-timing.js';
import { DEFAULT_BATCH_SIZE, DEFAULT_CONCURRENCY, SETTLE_AFTER_MS } from './defaults.js';
import type { ImportSetup } from './import-setup.js';
import { DEFAULT_REQUEST_BYTES } from './prepare/plan.js';
import type { ImportRequest } from './requests.js';
import type { RunLog } from './run-log.js';
import { systemClock } from './system-clock.js';

type Limited = Pick<ImportSetup, 'request' | 'installation'>;

/** Requests in flight: what is asked for, within what the installation permits. */
export function concurrencyOf({ request, installation }: Limited): number {
  const permitted = installation.limits.concurrency ?? Infinity;
  return Math.min(request.concurrency ?? DEFAULT_CONCURRENCY, permitted);
}

function batchSizeOf({ request, installation }: Limited): number {
  const permitted = installation.limits.clientsPerRequest ?? Infinity;
  return Math.min(request.batchSize ?? DEFAULT_BATCH_SIZE, permitted);
}

function patienceOf({ giveUpAfterMs }: ImportRequest): Patience {
  if (giveUpAfterMs === undefined) return DEFAULT_PATIENCE;
  return { atStart: giveUpAfterMs, later: giveUpAfterMs };
}

export interface DeliverParts {
  readonly run: RunLedger;
  readonly campaign: CampaignSettings | null;
  readonly center: ContactCenter;
  readonly log: RunLog;
  readonly warn: (message: string) => void;
}

/** Runs the pipeline over the prepared rows. */
export async function deliver(setup: ImportSetup, parts: DeliverParts): Promise<ImportEnd> {
  const { request, installation, preparation } = setup;
  const { run, campaign, center, log, warn } = parts;
  const { limits, transport } = installation;
  const seen = createSeenKeys();
  const started = systemClock.now();
  const [concurrency, batchSize] = [concurrencyOf(setup), batchSizeOf(setup)];
  if (run.continued) warn(`Continuing run ${run.run}.`);
  log.logger.info({ concurrency, batchSize }, 'start');
  try {
    return await runImport(
      {
        chunks: preparation.chunks(),
        delivery: createDelivery(center),
        ledger: run,
        seen,
        clock: systemClock,
        random: Math.random,
        signal: request.signal ?? new AbortController().signal,
        onTrouble: warn,
        onProgress: (state) =>
          request.onProgress?.({ ...state, seconds: (systemClock.now() - started) / 1000 }),
      },
      {
        limits: { clients: batchSize, bytes: limits.requestBytes ?? DEFAULT_REQUEST_BYTES },
        concurrency,
        pace: limits,
        patience: patienceOf(request),
        settleAfterMs: Math.max(SETTLE_AFTER_MS, transport.serverDeadlineMs ?? 0),
        campaign,
        duplicates: preparation.duplicates,
        maxFailures: request.maxFailures,
        canary: request.canary,
        identifierNames: preparation.identifierNames,
        inputs: preparation.inputs.map((input) => input.name),
      },
    );
  } finally {
    seen.close();
  }
}
