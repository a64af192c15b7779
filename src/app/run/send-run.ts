import { CardlineError, UsageError, TooManyStop } from '../../core/errors.js';
import type { KnownRows } from '../../core/duplicates.js';
import type { RunLedger } from '../../core/ledger.js';
import {
  type ReadSoFar,
  totalOf,
  type FailureLimit,
  type RowTotal,
  exceeds,
  limitText,
  totalText,
} from '../../pipeline/failures.js';
import type { ImportEnd } from '../../pipeline/import-ports.js';
import type { Connection } from '../connect/connect.js';
import type { CountedRows } from '../inputs/count-rows.js';
import type { ComparedRows } from '../duplicates/compared-rows.js';
import { type RowsPlan, sendRows, type SendRowsParts } from './send-rows.js';
import { probe } from '../campaigns/probe.js';
import type { RunOptions } from '../requests.js';
import type { RunLog } from './run-log.js';
import { failedChecks, isStopped } from '../../report/text/check-text.js';
import type { RunPlan } from './run-plan.js';
import type { CheckOutcome } from '../../core/quality.js';
import type { ProblemCount } from '../../core/problem.js';
import { whole } from '../../core/text.js';

interface SendParts {
  readonly run: RunLedger;
  readonly connection: Connection;
  readonly log: RunLog;
  readonly warn: (message: string) => void;
  /** Gathers what earlier runs did with the rows; `undefined` where there are none. */
  readonly known: () => Promise<KnownRows | undefined>;
  /** Finds out what rows are compared with, beside those before them. */
  readonly compared: () => Promise<ComparedRows>;
}

/** The same, once all of it is known. */
interface ReadyParts extends Omit<SendParts, 'known' | 'compared'> {
  readonly known: KnownRows | undefined;
  readonly compared: ComparedRows;
}

/** Rows of a run that were never read. */
interface UnreadRows {
  readonly rows: number;
  /** Whether their number is known, since the rows were counted. */
  readonly exact: boolean;
}

export interface SentRun extends ImportEnd {
  /** How many rows were never read, `recorded` being those on record. */
  readonly unread: (recorded: number) => UnreadRows;
}

/** What sends the rows of a run once there is nothing against it. */
export type ExecuteRows<P = RowsPlan> = (
  request: RunOptions,
  plan: P,
  parts: SendRowsParts & {
    /** Why nothing is to be sent (any more), where others have to learn of it. */
    readonly stopped?: CardlineError;
  },
) => Promise<ImportEnd>;

const SETTLES_ALL =
  'Facts of this run were lost: every row of which nothing is on record is looked up, one by one, before anything is sent for it.';

/**
 * Executes a run: counts its rows where a limit of failures is given, and sends them once a contact center has
 * answered. Whatever ends it early is reported in the result.
 */
export async function sendRun(
  request: RunOptions,
  plan: RunPlan,
  parts: SendParts,
  execute?: ExecuteRows<RunPlan>,
): Promise<SentRun> {
  let known: KnownRows | undefined;
  let compared: ComparedRows | undefined;
  try {
    known = await parts.known();
    compared = await parts.compared();
    return await sendUnknownRows(request, plan, { ...parts, known, compared }, execute);
  } catch (error) {
    // What ends a run that has begun is reported in its end; this is of what comes before.
    if (!(error instanceof CardlineError)) throw error;
    const unread = (): UnreadRows => ({ rows: 0, exact: false });
    return { stopped: error, requests: 0, retries: 0, unread };
  } finally {
    known?.close();
    compared?.close();
  }
}

async function sendUnknownRows(
  request: RunOptions,
  plan: RunPlan,
  parts: ReadyParts,
  execute: ExecuteRows<RunPlan> | undefined,
): Promise<SentRun> {
  const { run, connection, log, warn, known, compared } = parts;
  let counted: CountedRows | undefined;
  let stopped: CardlineError | null | undefined;
  let read: ReadSoFar = { rows: 0, share: 0 };
  const unread = (recorded: number): UnreadRows => {
    const { rows, exact } = totalOf(read, counted);
    return { rows: Math.max(0, rows - recorded), exact };
  };
  try {
    const checks = plan.list?.checks.hasStop === true && !(await hasPassed(run));
    const failures = request.maxFailures !== undefined;
    if (failures || checks) {
      request.observer?.onPhase?.('count');
      const before = await plan.countRows({ failures, checks, compared }, request.signal);
      counted = before.counted;
      const refused = stopByChecks(before.checked, plan.inputs);
      if (refused) return { stopped: refused, requests: 0, retries: 0, unread };
      for (const text of failedChecks(before.checked, plan.inputs)) warn(text);
    }
    stopped = counted && (await stopBefore(request, run, counted));
    const areOthersAtWork = execute !== undefined && run.continued;
    if (stopped && !areOthersAtWork) return { stopped, requests: 0, retries: 0, unread };
  } catch (error) {
    if (!(error instanceof CardlineError)) throw error;
    return { stopped: error, requests: 0, retries: 0, unread };
  }
  let probes = 0;
  const { center, shared } = connection;
  if (run.continued) warn(`Continuing run ${run.run}.`);
  if (run.settlesAll) warn(SETTLES_ALL);
  request.observer?.onPhase?.('send');
  const end = await (execute ?? sendRows)(request, plan, {
    ...(stopped ? { stopped } : {}),
    ...{ run, center, shared, log, warn, known, compared, counted },
    probe: async () => {
      const { onAnswer } = connection;
      connection.onAnswer = (answer) => {
        probes++;
        onAnswer(answer);
      };
      try {
        await probe(request, plan, connection);
      } finally {
        connection.onAnswer = onAnswer;
      }
      return connection.known === 'surely';
    },
    onRead: (state) => {
      read = state;
    },
  });
  return { ...end, requests: end.requests + probes, unread };
}

/**
 * Whether the checks of the list held when the run began: its first rows are on record only then. A run with
 * --settle-all is continued also where none are, so that to be continued is no proof.
 */
const hasPassed = async (run: RunLedger): Promise<boolean> =>
  run.continued && (await run.factsOf(0)).length > 0;

/** Why the run is not to send anything (more); `null`: it may. */
async function stopBefore(
  { maxFailures: limit }: RunOptions,
  run: RunLedger,
  counted: CountedRows,
): Promise<CardlineError | null> {
  if (!limit) return null;
  const refused = run.continued ? await refusedIn(run) : 0;
  return tooManyBefore({ counted, limit, refused, isContinued: run.continued });
}

/** Rows that the contact center has refused in an earlier part of the run. */
export async function refusedIn(run: Pick<RunLedger, 'rows'>): Promise<number> {
  let refused = 0;
  for (const { outcome } of await run.rows())
    if (outcome === 'failed' || outcome === 'enqueue_failed') refused++;
  return refused;
}

/** Why nothing of a list is sent; `null`: it may be. All checks that do not hold are named, also those that only warn. */
function stopByChecks(
  outcomes: readonly CheckOutcome[],
  inputs: readonly string[],
): UsageError | null {
  if (!isStopped(outcomes)) return null;
  const failed = failedChecks(outcomes, inputs);
  const which =
    failed.length === 1 ? 'a check of the mapping' : `${failed.length} checks of the mapping`;
  return new UsageError(
    `The list does not pass ${which}, so nothing was sent:\n${failed.map((text) => `- ${text}`).join('\n')}`,
  );
}

/** Reasons that are reported. */
const REASONS = 3;

/** What is known of a run before it sends anything. */
interface Known {
  readonly counted: CountedRows;
  readonly limit: FailureLimit;
  /** Rows that the contact center refused in an earlier part of the run. */
  readonly refused: number;
  readonly isContinued: boolean;
}

/** Why a run is not to send anything (more): rows that surely end badly are more than is allowed. */
function tooManyBefore({ counted, limit, refused, isContinued }: Known): TooManyStop | null {
  const total = totalOf({ rows: 0, share: 0 }, counted);
  const bad = counted.rejected + refused;
  if (!exceeds(bad, limit, total.rows)) return null;
  const what = refused > 0 ? 'are rejected or were refused' : 'are rejected';
  const end = isContinued ? 'so nothing more was sent' : 'so nothing was sent';
  const next = isContinued ? 'continues the run' : 'begins the import';
  return new TooManyStop(
    `${whole(bad)} of ${totalText(total)} rows ${what} (${shareText(bad, total)}), more than the ${limitText(limit)} that --max-failures allows, ${end}. ${reasonsText(counted.problems)}"cardline check" lists the rejected ones; a higher --max-failures ${next}.`,
  );
}

function shareText(part: number, { rows }: RowTotal): string {
  const percent = (part / rows) * 100;
  return `${percent < 10 ? Number(percent.toPrecision(2)) : Math.round(percent)} %`;
}

function reasonsText(problems: readonly ProblemCount[]): string {
  if (problems.length === 0) return '';
  const texts = problems
    .slice(0, REASONS)
    .map(
      ({ column, message, count }) =>
        `${whole(count)} x ${column === null ? '' : `${column}: `}${message.replace(/\.$/, '')}`,
    );
  return `Most frequent: ${texts.join('; ')}. `;
}
