import { UsageError } from '../../core/errors.js';
import { type Installation, syncFields } from '../../installation/installation.js';
import type { PreparedChunk, RowRecord } from '../../core/prepared.js';
import type { Mode, RunMode } from '../../core/mode.js';
import type { UpdatePayload } from '../../core/client.js';
import type { CampaignSettings } from '../../pipeline/batch.js';
import type { FieldRules } from '../../reconcile/compare.js';
import { laterRows } from '../duplicates/later-rows.js';
import { countRows } from '../inputs/count-rows.js';
import { RowTally, withEmptyInputs } from '../inputs/empty-inputs.js';
import { openFixes } from './fixes.js';
import type { ImportSetup } from '../inputs/import-setup.js';
import { announceLookUps, inspector } from './inspector.js';
import { runPrepared, withInputs } from '../run/prepared-run.js';
import { identifyingOptions } from '../options/kept-options.js';
import { rereadPlan } from '../inputs/reread-plan.js';
import { readInputs } from '../inputs/read-inputs.js';
import type { ImportResult, ReconcileRequest } from '../requests.js';
import { observed } from '../run/observe/observed.js';
import { filesSettings } from '../run/run-settings.js';
import { shownColumns } from '../run/result/shown-columns.js';
import type { RunPlan } from '../run/run-plan.js';
import type { LoadedMapping } from '../../mapping/load.js';
import { resolve } from 'node:path';
import { readFactOf } from '../../core/facts.js';
import { GOOD_OUTCOMES } from '../../core/outcome.js';
import type { Problem } from '../../core/problem.js';
import type { Ledger } from '../../ledger/ledger.js';
import { originFinder } from '../runs/origin-of-rejects.js';

/** Modes whose mappings say what a card should look like; an enqueueing one says that there should be one. */
const COMPARABLE: ReadonlySet<Mode> = new Set<Mode>(['create', 'upsert', 'update', 'enqueue']);

/**
 * Compares spreadsheets with the contact center, row by row, and changes nothing: the card (interface.md 4.8) and, with
 * a campaign, its call application (4.12). Phones, e-mail addresses and addresses are not compared, since the
 * interface does not show them. Ends with 0 when every row matches.
 * @throws as `importFiles` does; UsageError when the mapping does not say what a card should look like, or `fields`
 * names others than the mapping gives
 */
export function reconcileFiles(request: ReconcileRequest): Promise<ImportResult> {
  return observed(request, reconcileObserved);
}

const reconcileObserved = (request: ReconcileRequest): Promise<ImportResult> =>
  withInputs(
    request,
    async (setup) => {
      checkComparable(setup, request);
      const tally = new RowTally(setup.preparation.inputs.map(({ name }) => name));
      const result = await runPrepared(setup, {
        campaign: true,
        wanted: { reconcile: true, ...identifyingOptions(request, 'reconcile') },
        settings: (campaign) => filesSettings(request, 'reconcile', campaign, shownColumns(setup)),
        plan: (campaign) => ({
          ...reconcilePlan(setup, campaign, request),
          chunks: () => tally.counted(announced(setup, request, campaign ? 2 : 1)),
        }),
        withEarlierRuns: withRowsSentLater,
      });
      return withEmptyInputs(result, tally, request);
    },
    null,
  );

/** The rows, and before the first of them is looked up a word on how much there is to ask. */
async function* announced(
  { installation, preparation, seen }: ImportSetup,
  request: ReconcileRequest,
  perRow: 1 | 2,
): AsyncGenerator<PreparedChunk, void, undefined> {
  let isFirst = true;
  for await (const chunk of seen.guarded(preparation.chunks())) {
    if (isFirst && chunk.progress > 0) {
      isFirst = false;
      const rows = (chunk.first + chunk.count) / chunk.progress;
      const isEstimate = chunk.progress < 1;
      announceLookUps({ rows, isEstimate, perRow }, request, installation);
    }
    yield chunk;
  }
}

function checkComparable(
  { mapping, installation, preparation }: ImportSetup,
  { fields = [], fix }: ReconcileRequest,
): void {
  const { mode, sections } = mapping;
  if (!COMPARABLE.has(mode))
    throw new UsageError(
      `A mapping of mode ${mode} does not say what a card should look like. Give one of mode create, upsert, update or enqueue.`,
    );
  const identifiers = new Set(syncFields(installation.card));
  const known = Object.keys(sections.client.fields).filter((name) => !identifiers.has(name));
  const unknown = fields.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(
      `The mapping gives no field ${unknown.join(', ')} to compare. It gives: ${known.join(', ')}.`,
    );
  if (fix !== undefined && preparation.inputs.length > 1)
    throw new UsageError('--fix works on one file at a time.');
}

function reconcilePlan(
  setup: ImportSetup,
  campaign: CampaignSettings | null,
  request: ReconcileRequest,
): RunPlan {
  const { installation, mapping, preparation } = setup;
  const { fix } = request;
  const source = { ...mapping.source, ...request.source };
  const [read] = fix === undefined ? [] : readInputs(setup, source);
  const campaignId = campaign?.id ?? null;
  const wanted = request.fields && new Set(request.fields);
  const rules: FieldRules = fieldRules(mapping, installation);
  return {
    mode: 'reconcile',
    installation,
    campaign,
    // A comparison is of clients that earlier runs have sent.
    duplicates: { ...preparation.duplicates, within: 'file' },
    findLater: (earlier, signal) =>
      laterRows(preparation.duplicates, rereadPlan(setup), earlier, signal),
    identifierNames: preparation.identifierNames,
    inputs: preparation.inputs.map((input) => input.name),
    chunks: () => setup.seen.guarded(preparation.chunks()),
    countRows: (wanted, signal) => countRows(setup, wanted, null, signal),
    changeRule: () => null,
    inspect: (changes) =>
      inspector(changes, rules, (payload) => ({
        fields: comparedFields(payload as Partial<UpdatePayload>, installation, wanted),
        campaignId,
      })),
    recovery: {},
    ...(fix === undefined
      ? {}
      : {
          openRejects: ({ rows }) =>
            Promise.resolve(
              openFixes({
                folder: fix,
                rows,
                mapping,
                campaign,
                identifierNames: preparation.identifierNames,
                input: read,
              }),
            ),
        }),
  };
}

/** The fields of a payload that are compared: all but the identifiers, by which the card was found. */
function comparedFields(
  { fields = {} }: Partial<UpdatePayload>,
  { card }: Installation,
  wanted: ReadonlySet<string> | undefined,
): UpdatePayload['fields'] {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => card[name]?.sync !== true && (wanted?.has(name) ?? true),
    ),
  );
}

/** Transforms that change the case of letters. */
const CASE = ['upper', 'lower', 'title'];

/** How the fields of a mapping are compared: by their type on the card, and without case where the mapping changes it. */
function fieldRules(
  { sections }: Pick<LoadedMapping, 'sections'>,
  { card }: Pick<Installation, 'card'>,
): FieldRules {
  return Object.fromEntries(
    Object.entries(sections.client.fields).map(([name, spec]) => {
      const transforms = typeof spec === 'string' ? [] : [spec.transform ?? []].flat();
      const ignoreCase = transforms.some((transform) =>
        CASE.some(
          (word) => transform === word || (typeof transform === 'object' && word in transform),
        ),
      );
      const type = card[name]?.type === 'Number' ? 'Number' : 'text';
      return [name, { type, ignoreCase }] as const;
    }),
  );
}

/** Modes that bring nobody to the contact center. */
const OTHERS: ReadonlySet<RunMode> = new Set<RunMode>(['undo', 'reconcile', 'delete', 'dequeue']);

/**
 * A comparison that knows which rows of its files were rejected once, and were sent later from the rejects of that run:
 * such a row ends as `skipped`, and names the run that sent it. Rows are known again by uuid or by all identifiers.
 */
async function withRowsSentLater(plan: RunPlan, ledger: Ledger): Promise<RunPlan> {
  const sent = await rowsFromRejects(ledger, new Set(plan.inputs.map((path) => resolve(path))));
  if (sent.size === 0) return plan;
  return {
    ...plan,
    async *chunks() {
      for await (const chunk of plan.chunks())
        yield chunk.rejected > 0 ? marked(chunk, sent) : chunk;
    },
  };
}

/** The run that sent each row of rejects of these files. */
async function rowsFromRejects(
  ledger: Ledger,
  files: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const runs = await ledger.runs();
  const originOf = originFinder(runs);
  const takenBack = new Set(
    runs.filter(({ mode }) => mode === 'undo').flatMap(({ inputs }) => inputs),
  );
  const sent = new Map<string, string>();
  for (const { run, mode, inputs } of runs) {
    if (OTHERS.has(mode) || takenBack.has(`run ${run}`)) continue;
    if (!inputs.some((path) => files.has(originOf(path)?.file ?? ''))) continue;
    for (const { uuid, identifiers, outcome } of await ledger.rowsOf(run))
      if (GOOD_OUTCOMES.has(outcome) && outcome !== 'skipped')
        for (const key of keysOf(uuid, identifiers)) sent.set(key, run);
  }
  return sent;
}

function marked(chunk: PreparedChunk, sent: ReadonlyMap<string, string>): PreparedChunk {
  const read = readFactOf(chunk.read);
  let moved = 0;
  const rows = read.rows.map((record): RowRecord => {
    const [row, uuid, identifiers, status, , ...more] = record;
    if (status !== REJECTED) return record;
    const run = keysOf(uuid, identifiers).flatMap((key) => sent.get(key) ?? [])[0];
    if (run === undefined) return record;
    moved++;
    return [row, uuid, identifiers, SKIPPED, [sentLater(run)], ...more];
  });
  if (moved === 0) return chunk;
  return {
    ...chunk,
    read: Buffer.from(JSON.stringify({ ...read, rows })),
    rejected: chunk.rejected - moved,
    skipped: chunk.skipped + moved,
  };
}

/** Statuses of a `RowRecord`. */
const [REJECTED, SKIPPED] = [1, 2] as const;

const sentLater = (run: string): Problem => ({
  column: null,
  code: 'sent_later',
  message: `This row was rejected, and run ${run} sent it from the rejects.`,
  value: null,
});

function keysOf(uuid: string | null, identifiers: readonly (string | number | null)[]): string[] {
  const keys = uuid === null ? [] : [`uuid ${uuid}`];
  if (identifiers.length > 0 && !identifiers.includes(null))
    keys.push(JSON.stringify(identifiers.map(String)));
  return keys;
}
