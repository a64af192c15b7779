import type { AdmitContext } from './admit-context.js';
import type { BatchContext } from '../batch-context.js';
import { everLost, holdClients } from '../change/hold.js';
import type { OpenStage } from '../execute-batch.js';
import type { ImportSettings } from '../import-ports.js';
import type { RunningImport } from '../open-import.js';
import { lostBefore } from '../settle/settle.js';

/** What admitting the rows of an import needs. */
export function admitContextOf({ ports, settings, context }: RunningImport): AdmitContext {
  return {
    ...ports,
    ...settings,
    mode: context.mode,
    limits: context.limits,
    onOutcome: context.onOutcome,
    onContinued: holdEverLost(context),
    campaign: settings.campaign !== null,
    together: !settings.inspect && (!settings.change || settings.mode === 'upsert'),
    unsure: unsureOf(settings),
    settles: settings.change?.settle !== undefined,
  };
}

/** The stage of rows that may have been sent: each mode looks up what it would do. */
function unsureOf({ change, inspect, mode }: ImportSettings): OpenStage {
  if (inspect) return 'new';
  if (change) return 'change_unknown';
  return mode === 'enqueue' ? 'enqueueing_unknown' : 'creation_unknown';
}

/** What an earlier process lost may still be carried out, and must not come after later rows of its clients. */
function holdEverLost(context: BatchContext): AdmitContext['onContinued'] {
  const { change, turns } = context;
  if (!change) return undefined;
  const request = lostBefore(context);
  return (clients, members, facts) => {
    // Of facts that are gone, some may have recorded a lost request.
    const lost = context.ledger.settlesAll ? members : everLost(clients, members, facts);
    const requests = lost.map((index) => [index, request] as const);
    holdClients(turns, change, clients, requests);
  };
}
