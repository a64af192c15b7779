import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { env as processEnv } from 'node:process';
import { createContactCenter } from '../client/contact-center.js';
import { createDelivery } from '../client/delivery.js';
import { type CardlineError, EXIT, type ExitCode } from '../core/errors.js';
import { type Installation, syncFields } from '../core/installation.js';
import type { RunIdentity, RunLedger } from '../core/ledger.js';
import { GOOD_OUTCOMES, OUTCOMES } from '../core/outcome.js';
import { openLedger } from '../ledger/ledger.js';
import { createSeenKeys } from '../ledger/seen.js';
import { loadInstallation } from '../mapping/installation.js';
import { type LoadedMapping, loadMapping } from '../mapping/load.js';
import type { CampaignSettings } from '../pipeline/batch.js';
import { type ImportEnd, runImport } from '../pipeline/import.js';
import { resolveCampaign } from './campaign.js';
import { type Inputs, takeInputs } from './inputs.js';
import { type Preparation, DEFAULT_REQUEST_BYTES } from './prepare/plan.js';
import { prepareInThreads } from './prepare/threads.js';
import { readTable } from './read-table.js';
import { type Reports, writeReports } from './reports.js';
import type { ImportRequest, ImportResult } from './requests.js';
import { type RunLog, openRunLog } from './run-log.js';
import { systemClock } from './system-clock.js';

export const DEFAULT_LEDGER = 'cardline.db';
export const DEFAULT_BATCH_SIZE = 200;
export const DEFAULT_CONCURRENCY = 4;
/** One thread maps more rows than a contact center takes. */
const IMPORT_THREADS = 1;

/** What an import works with, once everything that a person could have got wrong has been checked. */
interface ImportSetup {
  readonly request: ImportRequest;
  readonly inputs: Inputs;
  readonly installation: Installation;
  readonly mapping: LoadedMapping;
  readonly preparation: Preparation;
}

/**
 * Imports spreadsheets: rows become clients by the mapping, are created (interface.md 4.1), added to the campaign
 * (4.9) when there is one, and reported row by row. An unfinished run of the same inputs, mapping, installation and
 * campaign is continued.
 * @throws ConfigurationError, InputError, UsageError before anything is sent; LedgerError when the ledger cannot be
 * opened. Whatever happens later is told in the result.
 */
export async function importFiles(request: ImportRequest): Promise<ImportResult> {
  const inputs = await takeInputs(request.files);
  try {
    const installation = await loadInstallation(request.installation);
    const mapping = await loadMapping(request.mapping, { readTable });
    const plan = {
      inputs: inputs.files,
      mapping: request.mapping,
      installation: request.installation,
      source: request.source ?? {},
      purpose: 'send' as const,
      show: 0,
      requestBytes: installation.limits.requestBytes ?? DEFAULT_REQUEST_BYTES,
      verify: true,
    };
    const preparation = await prepareInThreads(plan, IMPORT_THREADS, request.signal);
    try {
      for (const input of preparation.inputs) request.onInput?.(input.name, input.info);
      return await importPrepared({ request, inputs, installation, mapping, preparation });
    } finally {
      await preparation.close();
    }
  } finally {
    await inputs.release();
  }
}

async function importPrepared(setup: ImportSetup): Promise<ImportResult> {
  const { request, installation, mapping } = setup;
  let log: RunLog | undefined;
  let otherRequests = 0;
  // Another address is a sandbox on this machine: a proxy would not find it.
  const { proxy: _, ...direct } = installation.transport;
  const transport = request.baseUrl === undefined ? installation.transport : direct;
  const center = createContactCenter(
    { ...installation, transport },
    {
      env: request.env ?? processEnv,
      ...(request.baseUrl === undefined ? {} : { baseUrl: request.baseUrl }),
      connections: concurrencyOf(setup),
      onAnswer: (answer) => {
        if (log) log.logger.info(answer, 'answer');
        else otherRequests++;
      },
    },
  );
  try {
    const campaign = await resolveCampaign(
      center,
      request.campaign,
      mapping.campaign,
      request.onWarning,
    );
    const ledgerFile = request.ledger ?? DEFAULT_LEDGER;
    const ledger = openLedger(ledgerFile);
    try {
      const run = ledger.openRun(await identityOf(setup, campaign), {});
      const out = resolve(request.out ?? join('runs', run.run));
      log = openRunLog(join(out, 'run.log'), run.run);
      const started = systemClock.now();
      const end = await deliver(setup, { run, campaign, log, center });
      const seconds = (systemClock.now() - started) / 1000;
      const reports = await writeReports({
        run,
        out,
        files: setup.inputs.files,
        inputs: setup.preparation.inputs,
        source: { ...mapping.source, ...request.source },
        identifierNames: syncFields(installation.card),
        campaignId: campaign?.id ?? null,
        requests: end.requests + otherRequests,
        retries: end.retries,
        seconds,
        stopped: end.stopped !== undefined,
      });
      // Not before: a run whose report could not be written is continued, and sends nothing again.
      if (!end.stopped) run.finish();
      const { run: _, inputs: __, ...counts } = reports.summary;
      log.logger.info(counts, 'end');
      return resultOf(reports, end, out);
    } finally {
      log?.close();
      await ledger.close();
    }
  } finally {
    await center.close();
  }
}

interface DeliveryParts {
  readonly run: RunLedger;
  readonly campaign: CampaignSettings | null;
  readonly log: RunLog;
  readonly center: ReturnType<typeof createContactCenter>;
}

async function deliver(
  setup: ImportSetup,
  { run, campaign, log, center }: DeliveryParts,
): Promise<ImportEnd> {
  const { request, installation, preparation } = setup;
  const { limits } = installation;
  const seen = createSeenKeys();
  const started = systemClock.now();
  const warn = (message: string): void => {
    log.logger.warn(message);
    request.onWarning?.(message);
  };
  if (run.continued) warn(`Continuing run ${run.run}.`);
  log.logger.info({ concurrency: concurrencyOf(setup), batchSize: batchSizeOf(setup) }, 'start');
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
        limits: {
          clients: batchSizeOf(setup),
          bytes: limits.requestBytes ?? DEFAULT_REQUEST_BYTES,
        },
        concurrency: concurrencyOf(setup),
        pace: limits,
        campaign,
        duplicates: preparation.duplicates,
        identifierNames: preparation.identifierNames,
        inputs: preparation.inputs.map((input) => input.name),
      },
    );
  } finally {
    seen.close();
  }
}

function concurrencyOf({ request, installation }: ImportSetup): number {
  return Math.min(
    request.concurrency ?? DEFAULT_CONCURRENCY,
    installation.limits.concurrency ?? Infinity,
  );
}

function batchSizeOf({ request, installation }: ImportSetup): number {
  return Math.min(
    request.batchSize ?? DEFAULT_BATCH_SIZE,
    installation.limits.clientsPerRequest ?? Infinity,
  );
}

async function identityOf(
  { request, inputs, installation }: ImportSetup,
  campaign: CampaignSettings | null,
): Promise<RunIdentity> {
  const files = inputs.files.map(async ({ path, name }) => ({
    path: path === name ? resolve(path) : name,
    bytes: (await stat(path)).size,
  }));
  // The sandbox of a command has another port each time, and is the same contact center all the same.
  const address = request.baseUrl === undefined ? installation.baseUrl : 'another address';
  return {
    inputs: await Promise.all(files),
    mapping: createHash('sha256')
      .update(await readFile(request.mapping))
      .digest('hex'),
    installation: `${installation.name} ${address}`,
    campaignId: campaign?.id ?? null,
    identifierNames: syncFields(installation.card),
  };
}

function resultOf(reports: Reports, { stopped }: ImportEnd, out: string): ImportResult {
  const { summary, report, rejects } = reports;
  const allWell = OUTCOMES.every(
    (outcome) => GOOD_OUTCOMES.has(outcome) || summary.outcomes[outcome] === 0,
  );
  const exitCode: ExitCode = stopped ? exitCodeOf(stopped) : allWell ? EXIT.ok : EXIT.rows;
  return {
    exitCode,
    summary,
    out,
    report,
    rejects,
    ...(stopped ? { stopped: stopped.message } : {}),
  };
}

/** A broken input ends a run for good; everything else can be continued. */
function exitCodeOf(stopped: CardlineError): ExitCode {
  return stopped.exitCode === EXIT.usage ? EXIT.usage : EXIT.stopped;
}
