import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { UsageError } from '../../core/errors.js';
import type { ListIssue } from '../../core/ledger.js';
import type { Mode } from '../../core/mode.js';
import type { PreparedChunk } from '../../core/prepared.js';
import type { KnownRuns } from '../../ledger/ledger.js';
import type { DeltaWithCampaign } from '../../mapping/schema/delta.js';
import type { CampaignSettings } from '../../pipeline/batch.js';
import type { FailureLimit } from '../../pipeline/failures.js';
import { prepareInThreads } from '../../prepare/threads.js';
import type { ImportSetup } from '../inputs/import-setup.js';
import { partOf } from '../inputs/part-of.js';
import { readerThreads } from '../inputs/reader-threads.js';
import { listRule } from '../repeats/list-rule.js';
import type { RepeatRule } from '../repeats/repeats.js';

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
  setup: ImportSetup,
  campaign: CampaignSettings | null,
): DeltaPlan | undefined {
  const { sections, mode } = setup.mapping;
  const delta = 'delta' in sections ? sections.delta : undefined;
  const issue = issueOf(setup);
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
    readList: (signal) => readList(setup, signal),
  };
}

/** Whether an import removes clients from its campaign that its list lacks, once all rows have ended. */
export const removesMissing = ({ mapping: { sections } }: ImportSetup): boolean =>
  'delta' in sections &&
  sections.delta !== undefined &&
  'missing' in sections.delta &&
  sections.delta.missing === 'dequeue';

/** The list that an import is an issue of; `undefined`: none. */
export function issueOf({ mapping, request }: ImportSetup): ListIssue | undefined {
  const { sections, digests } = mapping;
  const delta = 'delta' in sections ? sections.delta : undefined;
  if (!delta) return undefined;
  const hash = createHash('sha256').update(digests.document).update(digests.tables);
  return {
    // A name is none of the paths.
    list: delta.list === undefined ? resolve(request.mapping) : `list ${delta.list}`,
    mapping: hash.digest('hex'),
    isWhole: partOf(request) === undefined,
  };
}

function limitOf(written: string | number): FailureLimit {
  return typeof written === 'number'
    ? { count: written }
    : { percent: Number(written.replace('%', '')) };
}

async function* readList(
  { request, inputs, corrections }: ImportSetup,
  signal?: AbortSignal,
): AsyncGenerator<PreparedChunk, void, undefined> {
  const { mapping, installation, mode, source = {} } = request;
  const part = partOf(request);
  const plan = { inputs: inputs.files, mapping, installation, mode, source, part, corrections };
  const preparation = await prepareInThreads(
    { ...plan, purpose: 'send', show: 0, verify: false },
    await readerThreads(inputs.files, 'send'),
    signal,
  );
  try {
    yield* preparation.chunks();
  } finally {
    await preparation.close();
  }
}
