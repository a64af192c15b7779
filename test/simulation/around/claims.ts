import { ALREADY_IN_CAMPAIGN } from '../../../src/core/client.js';
import { DONE_BEFORE } from '../../../src/core/duplicates.js';
import { GOOD_OUTCOMES } from '../../../src/core/outcome.js';
import type { RowReport } from '../../../src/core/report.js';
import { type Books, MESSAGES } from '../books.js';
import type { BegunRun } from './run.js';
import { type Row, earlierId, phoneOf } from './rows.js';

/** What a claim is held against. */
interface Evidence {
  readonly books: Books;
  readonly begun: BegunRun;
  /** Whether an undo of the run has come to its end. */
  readonly isUndone: (run: string) => boolean;
  /** Whether facts of the run were lost. */
  readonly hasLost: (run: string) => boolean;
  /** Whether the person has taken back any run. */
  readonly hasUndo: boolean;
  /** Whether the person wanted it to send everything anew. */
  readonly isAnew: (run: string) => boolean;
  /** Whether it said of a client that a lookup had confirmed it: that does not tell who made the card. */
  readonly hasConfirmed: (run: string, client: number) => boolean;
  /** Rows of the file that this one stands for: several of a client, where the last one counts. */
  readonly isLast: (row: Row) => boolean;
}

/** What of a report's line is not so in the contact center's books; `null`: all of it is. */
export function falseClaim(report: RowReport, row: Row, evidence: Evidence): string | null {
  if (!GOOD_OUTCOMES.has(report.outcome) && reasonOf(report) === null) return 'it has no reason';
  switch (report.outcome) {
    case 'created':
    case 'enqueued':
    case 'enqueue_failed':
      return falseCard(report, row, evidence);
    case 'updated':
    case 'unchanged':
      return falseUpdate(row, evidence);
    case 'scheduled':
      return hasCallback(row, evidence) ? null : 'the callback is not there';
    case 'dequeued':
      return isInCampaign(row, evidence) ? 'the call application is still there' : null;
    case 'deleted':
      return evidence.books.live(row.sentAs) ? 'the card is still there' : null;
    case 'undone':
      return falseUndo(row, evidence);
    case 'failed':
      return falseFailure(report, row, evidence);
    case 'skipped':
      return falseSkip(report, row, evidence);
    case 'rejected':
      return row.client === null ? null : 'it was a client';
    case 'unknown':
      return null;
    default:
      return `${report.outcome} is no outcome of an import`;
  }
}

function reasonOf(report: RowReport): string | null {
  const { problems, createResult, enqueueResult, changeResult } = report;
  const told = [createResult, enqueueResult, changeResult].find(
    (result) => result !== null && !result.startsWith('Success'),
  );
  return told ?? problems[0]?.message ?? null;
}

function falseCard(report: RowReport, row: Row, evidence: Evidence): string | null {
  const { books, begun } = evidence;
  const { outcome, createResult, createdClientId, enqueueResult } = report;
  const card = books.live(row.sentAs);
  // Somebody has deleted it since the earlier run, and the report says so.
  if (!card && createResult?.startsWith('Created by run') && enqueueResult === MESSAGES.absent)
    return null;
  if (!card)
    return begun.mode === 'enqueue' && outcome === 'enqueue_failed' ? null : 'there is no card';
  if (createResult === 'Success' && card.madeBy !== begun.id) return `${card.madeBy} made the card`;
  const earlier = createResult === null ? null : runIn(createResult);
  if (earlier && !isMadeBy(earlier, row, evidence)) return `${card.madeBy} made the card`;
  const isOther = createdClientId !== null && createdClientId !== card.id;
  // Of several cards, since everything was to be sent anew, an earlier one may be meant.
  if (
    isOther &&
    !books.cards.some(({ id, client }) => id === createdClientId && client === row.sentAs)
  )
    return `the card is ${card.id}`;
  if (begun.campaignId === null) return null;
  if (outcome === 'enqueued') return isAnyInCampaign(row, evidence) ? null : NOT_IN_CAMPAIGN;
  if (outcome === 'created') return 'it was to be enqueued';
  const isOurs = books
    .effectsOn(row.sentAs)
    .some(({ run, operation }) => run === begun.id && operation === 'enqueue');
  // What it added itself may be an earlier card; whom it could not add, is the latest one.
  const isThere = isOurs ? isAnyInCampaign : isInCampaign;
  const isTold = !isOurs && enqueueResult === ALREADY_IN_CAMPAIGN;
  return isThere(row, evidence) && !isTold ? 'it is in the campaign' : null;
}

/** Whether a run made one of the client's cards, as far as it can know. */
function isMadeBy(run: string, { sentAs }: Row, { books, hasConfirmed }: Evidence): boolean {
  const cards = books.cards.filter(({ client, isDeleted }) => client === sentAs && !isDeleted);
  return hasConfirmed(run, sentAs) || cards.some(({ madeBy }) => madeBy === run);
}

const runIn = (text: string): string | null => /by run (\S+) on/.exec(text)?.[1] ?? null;

function falseUpdate(row: Row, { books, begun, isLast }: Evidence): string | null {
  if (begun.mode === 'rekey') {
    const card = books.cards.find(({ id }) => id === earlierId(row.client ?? 0));
    return card?.client === row.sentAs ? null : 'it has other identifiers';
  }
  const card = books.live(row.sentAs);
  if (!card) return 'there is no card';
  if (!isLast(row)) return null;
  if (begun.mode === 'contacts')
    return card.phones.get(phoneOf(row.sentAs)) === row.active
      ? null
      : 'the phone has another status';
  if (card.name !== row.value) return `the field is "${card.name}", not "${row.value}"`;
  return card.phones.has(phoneOf(row.sentAs)) ? null : 'the phone is missing';
}

function hasCallback({ sentAs, callAt }: Row, { books }: Evidence): boolean {
  return books.callbacks.some((one) => one.client === sentAs && one.callAt === callAt);
}

const NOT_IN_CAMPAIGN = 'it is not in the campaign';

/** Whether any card of the client is: of several, since everything was to be sent anew, it need not be the latest. */
function isAnyInCampaign({ sentAs }: Row, { books, begun }: Evidence): boolean {
  return books.cards.some(
    ({ client, isDeleted, campaigns }) =>
      client === sentAs && !isDeleted && campaigns.has(begun.campaignId ?? 0),
  );
}

function isInCampaign({ sentAs }: Row, { books, begun }: Evidence): boolean {
  return begun.campaignId !== null && books.live(sentAs)?.campaigns.has(begun.campaignId) === true;
}

function falseUndo(row: Row, { books, begun, hasLost }: Evidence): string | null {
  if (begun.command.kind !== 'undo') return 'nobody undid it';
  const { undoes } = begun.command;
  if (hasLost(undoes)) return null;
  return books.live(row.sentAs)?.madeBy === undoes ? 'the card is still there' : null;
}

/** What the run did, it must not call failed. */
function falseFailure(report: RowReport, row: Row, evidence: Evidence): string | null {
  const { books, begun, isUndone, hasLost } = evidence;
  if (begun.mode === 'callbacks') {
    const isOurs = books.callbacks.some(
      ({ client, callAt, by }) =>
        client === row.sentAs && callAt === row.callAt && by.run === begun.id,
    );
    return isOurs ? 'the callback is there' : null;
  }
  const done = DONE_BY[begun.mode];
  const effects = books.effectsOn(row.sentAs).filter(({ run }) => run === begun.id);
  if (done !== undefined && effects.some(({ operation }) => operation === done))
    return 'this very run did it';
  const madeBy = books.live(row.sentAs)?.madeBy ?? null;
  if (report.createResult !== MESSAGES.exists || madeBy === null || isUndone(madeBy)) return null;
  if (evidence.isAnew(begun.id) || evidence.isAnew(madeBy)) return null;
  // An upsert that has forgotten that it made a card finds it, and changes it.
  if (hasLost(madeBy)) return null;
  return `the client was refused since ${madeBy} had created it`;
}

const DONE_BY: Readonly<Record<string, string>> = {
  create: 'create',
  delete: 'deleteClient',
  dequeue: 'removeApplication',
};

function falseSkip(report: RowReport, row: Row, evidence: Evidence): string | null {
  const { books, begun, hasLost } = evidence;
  if (begun.command.kind === 'undo')
    return row.kind !== 'repeat' &&
      !hasLost(begun.command.undoes) &&
      books.live(row.sentAs)?.madeBy === begun.command.undoes
      ? 'the run that was taken back made the card'
      : null;
  const before = report.problems.find(({ code }) => code === DONE_BEFORE);
  if (!before) return null;
  const earlier = runIn(before.message);
  if (earlier === null) return 'it does not say by which run it was done';
  // Where all was sent anew while an earlier run was taken back, two runs claim one card.
  if (evidence.isAnew(earlier) && evidence.hasUndo) return null;
  switch (begun.mode) {
    case 'create': {
      const card = books.live(row.sentAs);
      if (!card) return 'there is no card';
      const isAdded = before.message.startsWith('The client was enqueued');
      if (!isAdded && !isMadeBy(earlier, row, evidence)) return `${card.madeBy} made the card`;
      if (begun.campaignId === null) return null;
      // Whoever sends anew may find an earlier card after a lost answer and add that, before the own one comes late.
      const isThere = evidence.isAnew(earlier) ? isAnyInCampaign : isInCampaign;
      return isThere(row, evidence) ? null : NOT_IN_CAMPAIGN;
    }
    case 'callbacks':
      return hasCallback(row, evidence) ? null : 'the callback is not there';
    case 'enqueue':
      return isInCampaign(row, evidence) ? null : NOT_IN_CAMPAIGN;
    default:
      return null;
  }
}
