import { type UndoPayload, centerKey } from '../core/client.js';
import { UsageError, LedgerInUseError } from '../core/errors.js';
import type { RunRecord } from '../core/ledger.js';
import { MODE_TRAITS, rowsIn, type Problem } from '../core/outcome.js';
import { undoRule } from '../delivery/import.js';
import type { ImportResult, UndoRequest, ReconcileRunRequest, RunOptions } from './requests.js';
import { placeSettings, centerOf, identityOn } from './settings.js';
import { type RowState, type Fact, CONFIRMED, isInDoubt } from '../core/facts.js';
import { recordedRun, withLedger } from '../history/history.js';
import { type Installation, syncFields } from '../installation/installation.js';
import { type Expected, announceLookUps, inspector } from './reconcile.js';
import { loadInstallation } from '../installation/installation.js';
import { openLedger } from '../ledger/ledger.js';
import { connectRun } from './connect.js';
import { executeRun } from './run.js';
import { ledgerPath } from '../options/places.js';
import type { Work } from './plan.js';
import type { Closing } from './scoped.js';
import { NO_DUPLICATES } from '../core/duplicates.js';
import { isErased, type PreparedChunk, type RowRecord } from '../core/prepared.js';
import { type TakenRow, recordedChunk } from './recorded.js';
import { foldedChunks } from './repeats.js';

/**
 * Takes back what a run did: removes the call applications that it added (interface.md 4.10), deletes the clients that
 * it created (4.7), and gives the fields that it changed their values from before (4.2). It is a run of its own, with
 * report and continuation; what cannot be taken back ends as `failed`, and the report says why.
 * @throws UsageError when the run is not on record, was of a mode of which nothing can be taken back, or was on another
 * contact center; LedgerInUseError when it is under way; ConfigurationError, LedgerError as `importFiles` does.
 */
export function undoRun(request: UndoRequest): Promise<ImportResult> {
  const { undoes, cancelCallbacks = false } = request;
  return executeRun(request, async (seen, closing) => {
    const on = await openOnRecord(seen, undoes, closing, true);
    const { record, ledger, installation } = on;
    const { mode, campaignId } = record;
    const reason = MODE_TRAITS[mode].notUndoable;
    if (reason !== null)
      throw new UsageError(
        `Run ${undoes} is of mode ${mode}, and cannot be taken back: ${reason}.`,
      );
    refuseOtherCenter(record, installation, seen);
    // It is always the same one, unless the run was continued since.
    const what = `undo ${undoes} ${await ledger.lastFact(undoes)}`;
    // Of several rows of a client the last one is taken back first: each finds what it left.
    const rows = { backwards: true, payloadOf: undoOf, skipped: NOTHING_DONE };
    return {
      ...(await workOnRecord(seen, on, what, rows, closing)),
      mode: 'undo',
      changeRule: (changes) => undoRule(changes, { campaignId, cancelCallbacks }),
      settings: { ...placeSettings(seen), mode: 'undo', undoes, cancelCallbacks },
    };
  });
}

const NOTHING_DONE: Problem = {
  column: null,
  code: 'nothing_done',
  message: 'The run did nothing with this row that could be taken back.',
  value: null,
};

/** Counts what an undo of a run would take back. Sends nothing. @throws UsageError when the run is not on record */
export function previewUndo(run: string, ledgerFile: string) {
  return withLedger(ledgerFile, async (ledger) => {
    const { mode, createdAt } = await recordedRun(ledger, ledgerFile, run);
    // Rows of which something would be taken back; clients that would be deleted, call applications that would be removed,
    // and clients whose fields would get their values from before; rows of which something cannot, or is not known.
    const counts = { createdAt, rows: 0, cards: 0, applications: 0, fields: 0, remaining: 0 };
    const { notUndoable } = MODE_TRAITS[mode];
    if (notUndoable !== null) return { ...counts, notUndoable };
    for await (const { states } of foldedChunks(await ledger.factsOf(run)))
      for (const state of states) {
        const payload = undoOf(state);
        if (!payload) continue;
        const { created, enqueued, fields, remarks } = payload;
        if (created) counts.cards++;
        if (enqueued) counts.applications++;
        if (fields && !created) counts.fields++;
        if (remarks) counts.remaining++;
        if (created || enqueued || fields) counts.rows++;
      }
    return { ...counts, notUndoable };
  });
}

const NOTHING_CLAIMED: Problem = {
  column: null,
  code: 'nothing_claimed',
  message: 'The report claims nothing of this row that could be looked for.',
  value: null,
};

/**
 * Checks that everything that the report of an earlier run claims is so in the contact center: cards that it created or
 * changed, call applications that it added or removed, cards that it deleted. It changes nothing.
 * @throws UsageError when the run is not on record, is under way, or changed nothing
 */
export function reconcileRun(request: ReconcileRunRequest): Promise<ImportResult> {
  const { checks } = request;
  return executeRun(request, async (seen, closing) => {
    const on = await openOnRecord(seen, checks, closing, false);
    const { record, installation } = on;
    const { mode, state: stands, rows: read, outcomes, campaignId } = record;
    if (mode === 'undo' || mode === 'reconcile')
      throw new UsageError(`Run ${checks} is of mode ${mode}; check the import itself.`);
    if (stands === 'running')
      throw new LedgerInUseError(
        `Run ${checks} is under way; it can be checked when it has ended.`,
      );
    if (read !== null && outcomes !== null && read !== rowsIn(outcomes))
      seen.onWarning?.(
        `Run ${checks} read ${read} rows, and its outcomes add up to ${rowsIn(outcomes)}.`,
      );
    refuseOtherCenter(record, installation, seen);
    const payloadOf = (state: RowState): Expected | null => claimOf(state, campaignId);
    const rows = { payloadOf, skipped: NOTHING_CLAIMED };
    const work = await workOnRecord(seen, on, `reconcile ${checks}`, rows, closing);
    const perRow = campaignId === null ? 1 : 2;
    announceLookUps({ rows: read ?? 0, isEstimate: false, perRow }, seen, installation);
    const rules = Object.fromEntries(
      Object.entries(installation.card).map(([name, { type }]) => [
        name,
        { type: type === 'Number' ? ('Number' as const) : ('text' as const), ignoreCase: false },
      ]),
    );
    return {
      ...work,
      mode: 'reconcile',
      changeRule: () => null,
      inspect: (changes) => inspector(changes, rules, (claim) => claim as Expected),
      settings: { ...placeSettings(seen), mode: 'reconcile', checks },
    };
  });
}

const SUCCEEDED = /^Success/;

function claimOf(state: RowState, campaignId: number | null): Expected | null {
  const { createResult, enqueueResult, changedTo, clientId, earlier } = state;
  const isCreated = createResult !== null && SUCCEEDED.test(createResult);
  const isEnqueued = enqueueResult !== null && SUCCEEDED.test(enqueueResult);
  if (changedTo === 'deleted') return { fields: {}, campaignId: null, gone: 'card' };
  if (changedTo === 'dequeued') return { fields: {}, campaignId, gone: 'application' };
  if (!isCreated && !isEnqueued && changedTo === null) return null;
  const written = Object.entries(earlier?.fields ?? {}).map(([name, [, value]]) => [name, value]);
  return {
    fields: Object.fromEntries(written) as Expected['fields'],
    campaignId: isEnqueued || changedTo === 'scheduled' ? campaignId : null,
    ...(isCreated ? { clientId } : {}),
  };
}

/**
 * A run on record, which is the input of another one in the same ledger and at the same contact center.
 * @param holds whether nobody may continue the run meanwhile
 */
async function openOnRecord(request: RunOptions, run: string, closing: Closing, holds: boolean) {
  const installation = await loadInstallation(request.installation);
  const file = ledgerPath(request.ledger, installation);
  const ledger = await openLedger(file, { lease: request.lease });
  closing(() => ledger.close());
  await recordedRun(ledger, file, run);
  const held = holds ? await ledger.holdRun(run) : undefined;
  closing(() => held?.release());
  // As it is now that nobody continues it.
  return { ledger, installation, held, record: await recordedRun(ledger, file, run) };
}

/**
 * What all work on the rows of an earlier run has in common: the ledger is its input.
 * @param what text that is the same when the same is done once more
 */
async function workOnRecord(
  request: RunOptions,
  { ledger, installation, held, record }: Awaited<ReturnType<typeof openOnRecord>>,
  what: string,
  rows: RowsOnRecord,
  closing: Closing,
) {
  const { run, campaignId, rows: total } = record;
  const connection = await connectRun(request, installation, closing);
  if (held) connection.gates.add(held.mayBegin);
  const inputs = [`run ${run}`];
  const identifierNames = syncFields(installation.card);
  return {
    ...{ ledger, connection, installation, identifierNames, inputs, recovery: {} },
    identity: identityOn(what, inputs, record),
    campaign: campaignId === null ? null : { id: campaignId, maxCallCount: 1 },
    duplicates: NO_DUPLICATES,
    chunks: async function* () {
      const facts = await ledger.factsOf(run, rows.backwards);
      yield* ledgerChunks(facts, rows, identifierNames, total ?? 0);
    },
    // None of them is rejected before it is looked at.
    countRows: async () => {
      let rows = 0;
      for await (const { states } of foldedChunks(await ledger.factsOf(run))) rows += states.length;
      return { counted: { rows, share: 1, rejected: 0, problems: [] }, checked: [] };
    },
  } satisfies Partial<Work>;
}

function refuseOtherCenter(
  { run, installation: center }: RunRecord,
  installation: Installation,
  { baseUrl }: RunOptions,
): void {
  if (centerKey(center) !== centerKey(centerOf(installation, baseUrl !== undefined)))
    throw new UsageError(
      `Run ${run} was on another contact center than the one that installation "${installation.name}" describes.`,
    );
}

interface RowsOnRecord {
  /** Works from the last row to the first, for what has to be taken back in that order. @default false */
  readonly backwards?: boolean;
  readonly payloadOf: (state: RowState) => object | null;
  /** Says of a row without payload why it is skipped. */
  readonly skipped: Problem;
}

/**
 * The rows of an earlier run, as its ledger has them, for a run that works on what it did.
 * @param facts those of the earlier run, chunk by chunk, each with its number
 * @param total rows of the run, for the progress
 */
export async function* ledgerChunks(
  facts: Iterable<readonly [number: number, facts: readonly Fact[]]>,
  { payloadOf, skipped, backwards = false }: RowsOnRecord,
  identifierNames: readonly string[],
  total: number,
): AsyncGenerator<PreparedChunk, void, undefined> {
  for await (const { number, read, states } of foldedChunks(facts)) {
    const taken: TakenRow[] = [];
    const rows = read.rows.map((record, at): RowRecord => {
      const state = states[at];
      const [row, uuid, identifiers] = record;
      // Of an erased person nobody knows who it was.
      const payload = state && !isErased(record) ? payloadOf(state) : null;
      if (!payload) return [row, uuid, identifiers, 2, [skipped]];
      taken.push({ at, record, payload });
      return [row, uuid, identifiers, 0];
    });
    if (backwards) taken.reverse();
    const { input, sheet, first } = read;
    const done = backwards ? total - first : first + rows.length;
    const chunk = recordedChunk({ input, sheet, first, rows }, taken, identifierNames, done, total);
    yield { ...chunk, number };
  }
}

const SUCCESS = 'Success';

const NOT_KNOWN =
  'It is not known what the run did with this row, and it was left as it is; importing its file again looks it up.';

const MAYBE_CREATED =
  'The answer to its creation was lost, and the card may have been there before; it was left as it is.';

const MAYBE_ENQUEUED =
  'The answer was lost when it was added to the campaign, and it may have been there before; its call application was left.';

const addedText = (count: number): string =>
  count === 1
    ? '1 added contact stays: no operation takes contacts from a card.'
    : `${count} added contacts stay: no operation takes contacts from a card.`;

const maybeAddedText = (count: number): string =>
  count === 1
    ? '1 contact stays that the run may have added: no operation takes contacts from a card.'
    : `${count} contacts stay that the run may have added: no operation takes contacts from a card.`;

/** What is to be taken back of a row as the run left it; `null` when the run did nothing with it. */
export function undoOf(state: RowState): UndoPayload | null {
  const { createResult, enqueueResult, changedTo, earlier, added, maybeAdded, clientId } = state;
  const remarks: string[] = [];
  // A card that a lookup found after a lost answer is the run's own where an earlier lookup had not found it.
  const created = createResult === SUCCESS || (createResult === CONFIRMED && state.wasAbsent);
  if (createResult === CONFIRMED && !created) remarks.push(MAYBE_CREATED);
  const enqueued = enqueueResult === SUCCESS || (enqueueResult === CONFIRMED && created);
  if (enqueueResult === CONFIRMED && !created) remarks.push(MAYBE_ENQUEUED);
  const fields =
    changedTo === 'updated' || state.stage === 'change_failed' ? earlier?.fields : undefined;
  if (added > 0) remarks.push(addedText(added));
  if (maybeAdded > 0) remarks.push(maybeAddedText(maybeAdded));
  const isUnknown = isInDoubt(state.stage) && !created;
  if (isUnknown) remarks.push(NOT_KNOWN);
  if (!created && !enqueued && !fields && remarks.length === 0) return null;
  return {
    clientId: clientId ?? earlier?.id ?? null,
    ...(created ? { created } : {}),
    ...(enqueued ? { enqueued } : {}),
    ...(fields && Object.keys(fields).length > 0 ? { fields } : {}),
    ...(remarks.length > 0 ? { remarks } : {}),
    ...(isUnknown ? { isInDoubt: true } : {}),
  };
}
