import { join, resolve } from 'node:path';
import { env as processEnv } from 'node:process';
import { type ContactCenter, createContactCenter } from '../client/contact-center.js';
import { type CardlineError, EXIT, type ExitCode } from '../core/errors.js';
import { syncFields } from '../core/installation.js';
import type { RunRecord } from '../core/ledger.js';
import { GOOD_OUTCOMES, OUTCOMES, noOutcomes } from '../core/outcome.js';
import { type Ledger, type OpenedRun, openLedger } from '../ledger/ledger.js';
import { loadInstallation } from '../mapping/installation.js';
import { loadMapping } from '../mapping/load.js';
import type { CampaignSettings } from '../pipeline/batch.js';
import { isUnusual } from '../pipeline/guard.js';
import { resolveCampaign } from './campaign.js';
import { DEFAULT_LEDGER } from './defaults.js';
import { concurrencyOf, deliver } from './deliver.js';
import type { ImportSetup } from './import-setup.js';
import { takeInputs } from './inputs.js';
import { prepareInThreads } from './prepare/threads.js';
import { readTable } from './read-table.js';
import { writeReports } from './reports.js';
import type { ImportRequest, ImportResult } from './requests.js';
import { identityOf } from './run-identity.js';
import { openRunLog } from './run-log.js';
import { runSettings } from './run-settings.js';
import { systemClock } from './system-clock.js';

/** One thread maps more rows than a contact center takes. */
const IMPORT_THREADS = 1;

/**
 * Imports spreadsheets: rows become clients by the mapping, are created (interface.md 4.1), added to the campaign
 * (4.9) when there is one, and reported row by row. A run of the same content, mapping, installation and campaign that
 * is not at its end is continued; one that is finished is not repeated.
 * @throws ConfigurationError, InputError, UsageError before anything is sent; LedgerError when the ledger cannot be
 * opened. Whatever happens later is told in the result.
 */
export async function importFiles(request: ImportRequest): Promise<ImportResult> {
  const inputs = await takeInputs(request.files);
  try {
    const plan = {
      inputs: inputs.files,
      mapping: request.mapping,
      installation: request.installation,
      source: request.source ?? {},
      purpose: 'send' as const,
      show: 0,
      verify: true,
    };
    // The thread needs the time to start; meanwhile the same files are read here.
    const opening = prepareInThreads(plan, IMPORT_THREADS, request.signal);
    const loading = Promise.all([
      loadInstallation(request.installation),
      loadMapping(request.mapping, { readTable }),
    ]);
    const [prepared, loaded] = await Promise.allSettled([opening, loading]);
    if (prepared.status === 'rejected') throw prepared.reason as Error;
    const preparation = prepared.value;
    try {
      if (loaded.status === 'rejected') throw loaded.reason as Error;
      const [installation, mapping] = loaded.value;
      for (const input of preparation.inputs) request.onInput?.(input.name, input.info);
      return await importPrepared({ request, inputs, installation, mapping, preparation });
    } finally {
      await preparation.close();
    }
  } finally {
    await inputs.release();
  }
}

/** A contact center's client and what it was asked so far. */
interface Connection {
  readonly center: ContactCenter;
  onAnswer: (answer: object) => void;
}

function connect({ request, installation, ...setup }: ImportSetup): Connection {
  // Another address is a sandbox on this machine: a proxy would not find it.
  const { proxy: _, ...direct } = installation.transport;
  const transport = request.baseUrl === undefined ? installation.transport : direct;
  const connection = {
    onAnswer: (_answer: object): void => undefined,
    center: createContactCenter(
      { ...installation, transport },
      {
        env: request.env ?? processEnv,
        ...(request.baseUrl === undefined ? {} : { baseUrl: request.baseUrl }),
        connections: concurrencyOf({ request, installation, ...setup }),
        onAnswer: (answer) => {
          connection.onAnswer(answer);
        },
      },
    ),
  };
  return connection;
}

async function importPrepared(setup: ImportSetup): Promise<ImportResult> {
  const { request, inputs, installation, mapping } = setup;
  const connection = connect(setup);
  let before = 0;
  connection.onAnswer = () => before++;
  try {
    const campaign = await resolveCampaign(
      connection.center,
      request.campaign,
      mapping.campaign,
      request.onWarning,
    );
    const identity = await identityOf({
      files: inputs.files,
      mapping: request.mapping,
      installation,
      elsewhere: request.baseUrl !== undefined,
      campaignId: campaign?.id ?? null,
    });
    const ledger = openLedger(request.ledger ?? DEFAULT_LEDGER);
    try {
      const opened = ledger.openRun({
        identity,
        settings: runSettings(request, campaign),
        out: (run) => resolve(request.out ?? join('runs', run)),
        again: request.again,
        run: request.run,
      });
      if (opened.kind === 'done') return resultOfDone(opened.record);
      const run = { ledger, opened, campaign, connection, before, mapping: identity.mapping };
      return await importRun(setup, run).finally(() => {
        opened.close();
      });
    } finally {
      await ledger.close();
    }
  } finally {
    await connection.center.close();
  }
}

interface RunParts {
  readonly ledger: Ledger;
  readonly opened: Extract<OpenedRun, { kind: 'open' }>;
  readonly campaign: CampaignSettings | null;
  readonly connection: Connection;
  /** Requests that were made before the run began. */
  readonly before: number;
  /** Digest of the mapping. */
  readonly mapping: string;
}

async function importRun(setup: ImportSetup, parts: RunParts): Promise<ImportResult> {
  const { request, installation, mapping } = setup;
  const { opened, campaign, connection, ledger } = parts;
  const run = opened.ledger;
  const out = request.out === undefined ? opened.out : resolve(request.out);
  const log = openRunLog(join(out, 'run.log'), run.run, request.onWarning);
  const warn = (message: string): void => {
    log.logger.warn(message);
    request.onWarning?.(message);
  };
  connection.onAnswer = (answer) => {
    log.logger.info(answer, 'answer');
  };
  try {
    const started = systemClock.now();
    const end = await deliver(setup, { run, campaign, center: connection.center, log, warn });
    const reports = await writeReports({
      run,
      out,
      files: setup.inputs.files,
      inputs: setup.preparation.inputs,
      source: { ...mapping.source, ...request.source },
      identifierNames: syncFields(installation.card),
      campaignId: campaign?.id ?? null,
      requests: end.requests + parts.before,
      retries: end.retries,
      seconds: (systemClock.now() - started) / 1000,
      stopped: end.stopped !== undefined,
    });
    const { rows, outcomes } = reports.summary;
    const last = ledger.lastRows(parts.mapping, run.run);
    if (!end.stopped && last !== null && isUnusual(rows, last))
      warn(`${rows} rows, where the last run of this mapping had ${last}: is the file whole?`);
    // Not before: a run whose report could not be written is continued, and sends nothing again.
    const state = end.stopped ? 'stopped' : outcomes.unknown > 0 ? 'open' : 'finished';
    run.end({ state, rows, outcomes });
    const { run: _, inputs: __, ...counts } = reports.summary;
    log.logger.info(counts, 'end');
    const exitCode = end.stopped ? exitCodeOf(end.stopped) : exitCodeFor(outcomes);
    const stopped = end.stopped ? { stopped: end.stopped.message } : {};
    return { ...reports, exitCode, out, ...stopped };
  } finally {
    log.close();
  }
}

/** The same import was finished earlier: nothing is sent, and its report is where it was. */
function resultOfDone(record: RunRecord): ImportResult {
  const outcomes = record.outcomes ?? noOutcomes();
  return {
    exitCode: EXIT.ok,
    summary: {
      run: record.run,
      rows: record.rows ?? 0,
      outcomes,
      requests: 0,
      retries: 0,
      seconds: 0,
      rowsPerSecond: 0,
      state: 'finished',
      inputs: record.inputs,
      campaignId: record.campaignId,
    },
    out: record.out,
    report: join(record.out, 'report.csv'),
    rejects: [],
    already: true,
  };
}

function exitCodeFor(outcomes: ImportResult['summary']['outcomes']): ExitCode {
  const allWell = OUTCOMES.every(
    (outcome) => GOOD_OUTCOMES.has(outcome) || outcomes[outcome] === 0,
  );
  return allWell ? EXIT.ok : EXIT.rows;
}

/** A broken input ends a run for good; everything else can be continued. */
function exitCodeOf(stopped: CardlineError): ExitCode {
  return stopped.exitCode === EXIT.usage ? EXIT.usage : EXIT.stopped;
}
