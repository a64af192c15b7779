import { buildRequest, type RequestExtras } from '../client/request.js';
import { CAMPAIGN_PAGE, type OperationName, operations } from '../contract/operations.js';
import { type Method, SUCCESS } from '../contract/shapes.js';
import { type ExitCode, EXIT } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { placeRecovery, assembleInput, type AssembledInput, type Lookup } from './input.js';
import { isRecord } from '../core/text.js';
import { readData, type DataSource, type OperationArguments } from './arguments.js';
import { findCampaign, listCampaigns } from './campaigns.js';
import type { Session, Ask } from './session.js';
import { z } from 'zod';

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
 * Sends an operation; of a list, as many pages as are wanted. Gives the answer, `undefined` for an acknowledgement, why it
 * is not well, each about one client, and the exit code: 0: all is well; 2: some were refused; 3: of some it is not known.
 * @throws ContactCenterError that says what is known of the outcome
 */
export async function sendOperation({ ask }: Session, ready: ReadyOperation) {
  const value = await answerTo(ask, ready);
  const { refused, unknown } = verdictOf(ready.name, ready.input.body, value);
  const exitCode: ExitCode =
    unknown.length > 0 ? EXIT.stopped : refused.length > 0 ? EXIT.rows : EXIT.ok;
  return { value, problems: [...refused, ...unknown], exitCode };
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

/** What an answer says of the clients of a request, where it validates them one by one (interface.md 4.1 and 4.9). */
interface Verdict {
  /** The contact center's own words, each for one client. */
  readonly refused: readonly string[];
  /** Clients without a result that can be trusted. */
  readonly unknown: readonly string[];
}

function verdictOf(name: OperationName, body: unknown, answer: unknown): Verdict {
  if (name === 'addClients') return created(clientsIn(body), answer);
  if (name === 'addApplications') return added(clientsIn(body), answer);
  return { refused: [], unknown: [] };
}

function created(clients: readonly unknown[], answer: unknown): Verdict {
  const { createResult } = operations.addClients.response.parse(answer);
  const refused: string[] = [];
  const unknown: string[] = [];
  clients.forEach((client, index) => {
    const uuid = isRecord(client) ? client['uuid'] : undefined;
    const results = createResult.filter((result) => result.uuid === uuid);
    const who = clients.length === 1 ? '' : `client ${index + 1} (uuid ${String(uuid)}): `;
    const [one] = results;
    if (one === undefined || results.length > 1) {
      const given = one === undefined ? 'nothing' : 'several things';
      unknown.push(
        `${who}the answer says ${given} of this client; whether it was created is not known.`,
      );
    } else if (one.result !== SUCCESS) refused.push(who + one.result);
  });
  return { refused, unknown };
}

function added(clients: readonly unknown[], answer: unknown): Verdict {
  const errors = operations.addApplications.response.parse(answer).errors ?? [];
  const refused = errors.map(({ clientIdentifiers, errorMessage }) =>
    clients.length === 1 ? errorMessage : `${pairs(clientIdentifiers)}: ${errorMessage}`,
  );
  return { refused, unknown: [] };
}

const clientsIn = (body: unknown): readonly unknown[] =>
  z.object({ clients: z.array(z.unknown()) }).parse(body).clients;

/** `offerId=7, offerDomain=shop`. */
const pairs = (identifiers: Readonly<Record<string, unknown>>): string =>
  Object.entries(identifiers)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');
