import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { UsageError } from '../core/errors.js';
import type { ListIssue } from '../core/ledger.js';
import type { Mode, RunMode } from '../core/mode.js';
import type { PreparedChunk } from '../core/prepared.js';
import type { KnownRuns } from '../ledger/port.js';
import type { DeltaWithCampaign } from '../mapping/schema/rules.js';
import type { CampaignSettings, FailureLimit } from '../delivery/import.js';
import type { FileRows } from './rows.js';
import { type RepeatRule, type EarlierRow, REPEATS, type Repeat } from './repeats.js';
import { UNCHANGED_SINCE } from '../core/duplicates.js';
import { defined } from '../core/text.js';
import { awaitsCampaign, isInDoubt, type RowState } from '../core/facts.js';

/** What an import that sends only what has changed has to know. */
export interface DeltaPlan {
  readonly mode: Mode;
  readonly issue: ListIssue;
  readonly campaignId: number | null;
  readonly missing: 'keep' | 'dequeue';
  /** How many clients of the last list may be missing. */
  readonly maxMissing: FailureLimit;
  /** What these say of the rows. */
  readonly rule: RepeatRule;
  /** Of which earlier runs it asks. */
  readonly knows: KnownRuns;
  /** Reads the whole list once before anything is sent. */
  readonly readList: (signal?: AbortSignal) => AsyncIterable<PreparedChunk>;
}

const DEFAULT_MAX_MISSING = '10%';

/**
 * What the mapping's `delta` says; `undefined`: all rows are sent.
 * @throws UsageError where clients are to be removed from a campaign and there is none
 */
export function deltaPlan(
  rows: FileRows,
  campaign: CampaignSettings | null,
): DeltaPlan | undefined {
  const { sections, mode } = rows.mapping;
  const delta = 'delta' in sections ? sections.delta : undefined;
  const issue = issueOf(rows);
  if (!delta || !issue) return undefined;
  const { missing = 'keep', maxMissing = DEFAULT_MAX_MISSING }: DeltaWithCampaign = delta;
  if (missing === 'dequeue' && campaign === null)
    throw new UsageError(
      '"delta: { missing: dequeue }" removes clients from a campaign: give --campaign, or a campaign section in the mapping.',
    );
  const rule = listRule(mode);
  return {
    ...{ mode, issue, missing, campaignId: campaign?.id ?? null },
    rule,
    maxMissing: limitOf(maxMissing),
    knows: { scope: rule.scope, modes: rule.modes, list: issue.list },
    readList: (signal) => rows.again({ purpose: 'send' }, signal),
  };
}

/** Whether an import removes clients from its campaign that its list lacks, once all rows have ended. */
export const removesMissing = ({ mapping: { sections } }: FileRows): boolean =>
  'delta' in sections &&
  sections.delta !== undefined &&
  'missing' in sections.delta &&
  sections.delta.missing === 'dequeue';

/** The list that an import is an issue of; `undefined`: none. */
export function issueOf({ mapping, request, part }: FileRows): ListIssue | undefined {
  const { sections, digests } = mapping;
  const delta = 'delta' in sections ? sections.delta : undefined;
  if (!delta) return undefined;
  const hash = createHash('sha256').update(digests.document).update(digests.tables);
  return {
    // A name is none of the paths.
    list: delta.list === undefined ? resolve(request.mapping) : `list ${delta.list}`,
    mapping: hash.digest('hex'),
    isWhole: part === undefined,
  };
}

function limitOf(written: string | number): FailureLimit {
  return typeof written === 'number'
    ? { count: written }
    : { percent: Number(written.replace('%', '')) };
}

/** Modes of runs that say something of the clients of a list. */
const MODES: ReadonlySet<RunMode> = new Set([
  ...(['create', 'upsert', 'update'] as const),
  ...(['undo', 'delete', 'dequeue'] as const),
]);

/**
 * What earlier issues of a list mean for the rows of a new one. A mode that creates clients does so once: rows that have
 * changed since are left out. The others bring clients to the state of their rows.
 */
export function listRule(mode: Mode): RepeatRule {
  const creates = mode === 'create' ? REPEATS.create : null;
  if (creates)
    return {
      ...creates,
      skipsChanged: true,
      repeatOf: (row) => createdAs(row, creates.repeatOf(row)),
    };
  return { modes: MODES, scope: 'same list', byPlace: false, repeatOf: wordOf };
}

function createdAs(row: EarlierRow, repeat: Repeat | null): Repeat | null {
  const { mode, state, sameCampaign } = row;
  // Whether it is still in the campaign shows when it is added again.
  if (mode === 'dequeue' && sameCampaign && isInDoubt(state.stage))
    return { kind: 'enqueue_unknown', what: 'sent' };
  return repeat?.kind === 'done' && isConfirmed(row) ? { ...repeat, kind: 'unchanged' } : repeat;
}

/** The last word on a client that a run has; `null`: it has none. */
function wordOf(row: EarlierRow): Repeat | null {
  const { state, mode, sameCampaign } = row;
  const { stage } = state;
  if (stage === 'pending' || stage === 'skipped') return null;
  if (mode === 'delete') return state.changedTo === 'deleted' || isInDoubt(stage) ? GONE : null;
  // What it left as it was may be in the campaign.
  if (mode === 'undo') return stage === 'rejected' ? null : SENT;
  if (mode === 'dequeue') return sameCampaign ? removalOf(state) : null;
  if (!sameCampaign) return stage === 'rejected' ? null : GONE;
  if (isConfirmed(row))
    return { kind: 'unchanged', what: 'sent', ...defined({ by: state.doneBy ?? undefined }) };
  return isInDoubt(stage) ? LOST : SENT;
}

const GONE: Repeat = { kind: 'gone', what: '' };
const SENT: Repeat = { kind: 'sent', what: 'sent' };
const LOST: Repeat = { kind: 'lost', what: 'sent' };

/** A client whose call application may be there still has to go. */
function removalOf({ stage, changedTo }: RowState): Repeat {
  if (isInDoubt(stage)) return LOST;
  return changedTo === null ? SENT : GONE;
}

const SUCCESS = 'Success';

/**
 * Whether the contact center said that it has the row as it was sent. That a lookup found a card says only that there
 * is one.
 */
function isConfirmed({ state, enqueues }: EarlierRow): boolean {
  const { stage, doneBy, createResult, changeResult, changedTo, note } = state;
  if (stage === 'unchanged') return note?.code === UNCHANGED_SINCE;
  const isWhole = stage === 'enqueued' || stage === 'created' || stage === 'changed';
  if (!isWhole || doneBy !== null || awaitsCampaign(state, enqueues)) return false;
  return (
    createResult === SUCCESS ||
    (changeResult === SUCCESS && (changedTo === 'updated' || changedTo === 'unchanged'))
  );
}
