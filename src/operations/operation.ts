import { buildRequest, type RequestExtras } from '../client/request.js';
import { CAMPAIGN_PAGE } from '../contract/campaigns.js';
import type { Method } from '../contract/operation.js';
import type { OperationName } from '../contract/operations.js';
import type { ExitCode } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { placeRecovery } from './added-clients.js';
import { readData, type DataSource } from './data.js';
import { findCampaign, listCampaigns } from './find-campaign.js';
import { assembleInput, type AssembledInput, type Lookup } from './input.js';
import { exitCodeOf, verdictOf } from './per-client.js';
import type { OperationArguments } from './operation-arguments.js';
import type { Session } from './session.js';
import type { Ask } from './with-retries.js';

/** An operation that is ready to be sent. */
export interface ReadyOperation {
  readonly name: OperationName;
  readonly input: AssembledInput;
  readonly extras?: RequestExtras | undefined;
  /** Maximum elements of a list that are wanted. */
  readonly limit?: number | undefined;
}

/** A request as a person would look at it: without credentials. */
export interface ShownRequest {
  readonly method: Method;
  readonly url: string;
  readonly body?: unknown;
}

/** What an operation came to. */
export interface OperationResult {
  /** The answer; `undefined` for an acknowledgement. */
  readonly value: unknown;
  /** Why it is not well, each about one client. */
  readonly problems: readonly string[];
  readonly exitCode: ExitCode;
}

/**
 * Makes an operation ready: understands what the person gave, reads the data, checks both, and looks up campaigns by
 * their names and tasks by their campaigns. Nothing is changed.
 * @throws ConfigurationError, UsageError for what is wrong; ContactCenterError when a lookup fails
 */
export async function prepareOperation(
  { ask, installation }: Session,
  given: OperationArguments,
  { data, limit }: { readonly data?: DataSource | undefined; readonly limit?: number | undefined },
): Promise<ReadyOperation> {
  const document = data && (await readData(data));
  const { input, lookups } = assembleInput(given, document, installation.card);
  for (const lookup of lookups)
    input[lookup.field.part][lookup.field.name] = await lookedUp(ask, lookup);
  if (given.operation !== 'addClients') return { name: given.operation, input, limit };
  const { body, extras } = placeRecovery(input.body, installation);
  return { name: given.operation, input: { ...input, body: { ...body } }, extras };
}

async function lookedUp(ask: Ask, { field, campaign }: Lookup): Promise<number> {
  const campaignId = await findCampaign(ask, campaign);
  if (field.kind === 'campaign') return campaignId;
  return (await ask('campaignTask', { params: { campaignId } })).taskId;
}

/** The request as it would be sent; of a list, its first page. */
export function shownRequest(
  { name, input, extras, limit }: ReadyOperation,
  { baseUrl }: Pick<Installation, 'baseUrl'>,
): ShownRequest {
  const query = name === 'listCampaigns' ? firstPage(limit) : input.query;
  const { method, path, body } = buildRequest(name, { ...input, query }, extras);
  const shown = { method, url: baseUrl + path };
  return typeof body === 'string' ? { ...shown, body: JSON.parse(body) as unknown } : shown;
}

const firstPage = (limit = CAMPAIGN_PAGE) => ({ limit: Math.min(limit, CAMPAIGN_PAGE), offset: 0 });

/**
 * Sends an operation; of a list, as many pages as are wanted.
 * @throws ContactCenterError that says what is known of the outcome
 */
export async function sendOperation(
  { ask }: Session,
  ready: ReadyOperation,
): Promise<OperationResult> {
  const value = await answerTo(ask, ready);
  const verdict = verdictOf(ready.name, ready.input.body, value);
  return {
    value,
    problems: [...verdict.refused, ...verdict.unknown],
    exitCode: exitCodeOf(verdict),
  };
}

async function answerTo(
  ask: Ask,
  { name, input, extras, limit }: ReadyOperation,
): Promise<unknown> {
  if (name === 'listCampaigns') return listCampaigns(ask, limit);
  // No type can follow the answer for a name not yet known.
  const asked: Promise<unknown> = ask(name, input, extras);
  const answer = await asked;
  return Array.isArray(answer) ? answer.slice(0, limit) : answer;
}
