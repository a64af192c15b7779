import { ContactCenterError, RefusedError } from '../core/errors.js';
import type { Delivery } from '../core/delivery.js';
import type { Fact } from '../core/facts.js';
import type { RunLedger } from '../core/ledger.js';
import type { Outcome } from '../core/outcome.js';
import { type Batch, type CampaignSettings, createBody, enqueueBody, rowsOf } from './batch.js';
import { judgeCreate } from './create-results.js';
import { judgeEnqueue } from './enqueue-results.js';
import type { Sender } from './sender.js';

/** What delivering a batch needs. */
export interface DeliveryContext {
  readonly delivery: Delivery;
  readonly ledger: RunLedger;
  readonly sender: Sender;
  /** `null`: the clients are created and not enqueued. */
  readonly campaign: CampaignSettings | null;
  readonly identifierNames: readonly string[];
  /** Told how rows ended, as they end. */
  readonly onOutcome: (outcome: Outcome, count: number) => void;
}

/** Creates the clients of a batch (4.1) and adds those that succeeded to the campaign (4.9). */
export async function deliverBatch(context: DeliveryContext, batch: Batch): Promise<void> {
  const created = await createClients(context, batch);
  if (created.length === 0) return;
  if (context.campaign) await enqueueClients(context, { ...batch, members: created });
  else context.onOutcome('created', created.length);
}

/** Sends 4.1 and records what became of each client. Returns the members whose card exists now. */
async function createClients(context: DeliveryContext, batch: Batch): Promise<readonly number[]> {
  const { delivery, onOutcome } = context;
  const { clients, members } = batch;
  const rows = rowsOf(clients, members);
  const record = recorder(context, batch);
  try {
    const answer = await context.sender.send({
      clients: members.length,
      before: () => record({ kind: 'creating', rows }),
      request: () => delivery.addClients(createBody(clients, members)),
      undone: () => record({ kind: 'not_created', rows }),
    });
    const { results, unknown, created } = judgeCreate(clients, members, answer);
    await record(
      { kind: 'created', results },
      ...unknownFacts('create_unknown', rowsOf(clients, unknown), NOT_IN_ANSWER),
    );
    onOutcome('failed', results.length - created.length);
    onOutcome('unknown', unknown.length);
    return created;
  } catch (error) {
    if (error instanceof RefusedError) {
      await record({ kind: 'created', results: rows.map((at) => [at, null, error.errorMessage]) });
      onOutcome('failed', rows.length);
      return [];
    }
    if (!(error instanceof ContactCenterError)) throw error;
    await record({ kind: 'create_unknown', rows, reason: error.message });
    onOutcome('unknown', rows.length);
    return [];
  }
}

/** Sends 4.9 for clients whose card exists, and records what became of each. */
export async function enqueueClients(context: DeliveryContext, batch: Batch): Promise<void> {
  const { delivery, campaign, identifierNames, onOutcome } = context;
  const { clients, members } = batch;
  if (!campaign) return;
  const rows = rowsOf(clients, members);
  const record = recorder(context, batch);
  try {
    const errors = await context.sender.send({
      clients: members.length,
      before: () => record({ kind: 'enqueuing', rows }),
      request: () => delivery.addApplications(campaign.id, enqueueBody(clients, members, campaign)),
      undone: () => record({ kind: 'not_enqueued', rows }),
    });
    const { results, foreign } = judgeEnqueue(clients, members, errors, identifierNames);
    if (foreign) {
      await record({ kind: 'enqueue_unknown', rows, reason: FOREIGN_CLIENTS });
      onOutcome('unknown', rows.length);
      return;
    }
    await record({ kind: 'enqueued', results });
    const failed = results.filter(([, refusal]) => refusal !== undefined).length;
    onOutcome('enqueue_failed', failed);
    onOutcome('enqueued', results.length - failed);
  } catch (error) {
    if (error instanceof RefusedError) {
      await record({ kind: 'enqueued', results: rows.map((at) => [at, error.errorMessage]) });
      onOutcome('enqueue_failed', rows.length);
      return;
    }
    if (!(error instanceof ContactCenterError)) throw error;
    await record({ kind: 'enqueue_unknown', rows, reason: error.message });
    onOutcome('unknown', rows.length);
  }
}

const NOT_IN_ANSWER = 'The answer of the contact center does not tell what became of this client.';
const FOREIGN_CLIENTS = 'The answer of the contact center names clients that were not sent.';

function recorder(context: DeliveryContext, batch: Batch): (...facts: Fact[]) => Promise<void> {
  return (...facts) => context.ledger.record(batch.chunk, facts);
}

function unknownFacts(
  kind: 'create_unknown' | 'enqueue_unknown',
  rows: readonly number[],
  reason: string,
): Fact[] {
  return rows.length === 0 ? [] : [{ kind, rows, reason }];
}
