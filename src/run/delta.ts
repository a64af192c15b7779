import { UsageError, interruption } from '../core/errors.js';
import type { EarlierRun, ListIssue, RunRecord } from '../core/ledger.js';
import {
  type KnownRows,
  type SeenKeys,
  NO_DUPLICATES,
  UNCHANGED_SINCE,
} from '../core/duplicates.js';
import { whole, defined } from '../core/text.js';
import { createSeenKeys } from '../lists/seen.js';
import type { Ledger } from '../ledger/port.js';
import {
  exceeds,
  limitText,
  removeMissingRule,
  type CampaignSettings,
} from '../delivery/import.js';
import {
  knownClients,
  valuesIn,
  type KnownClients,
  keyOf,
  type RepeatRule,
  type EarlierRow,
  REPEATS,
  type Mark,
  type Print,
  type Repeat,
  type Word,
} from './repeats.js';
import { z } from 'zod';
import { isImport, type Mode, type RunMode, SUPPRESSED } from '../core/outcome.js';
import {
  NO_PRINT,
  PRINT_WORDS,
  printAt,
  identifiersOf,
  type PreparedChunk,
  type RowRecord,
  isErased,
} from '../core/prepared.js';
import { readFactOf, type Fact, awaitsCampaign, isInDoubt, type RowState } from '../core/facts.js';
import { join, resolve } from 'node:path';
import type { RunOptions } from './requests.js';
import { identityOn, placeSettings } from './settings.js';
import type { OpenedRun } from './content.js';
import type { DeltaPlan, Work } from './plan.js';
import type { Payloads } from '../core/client.js';
import { CHUNK_ROWS } from '../prepare/plan.js';
import { type ReadFact, recordedChunk } from './recorded.js';
import { createHash } from 'node:crypto';
import type { DeltaWithCampaign } from '../mapping/schema.js';
import type { FileRows } from './rows.js';

type OpenRun = Extract<OpenedRun, { readonly kind: 'open' }>;

export type DeltaRun = ReturnType<typeof createDeltaRun>;

/** A list beside the ones before it, while its run is under way. */
export function createDeltaRun(
  plan: DeltaPlan,
  { ledger, identifierNames }: Pick<Work, 'ledger' | 'identifierNames'>,
  { ledger: run, relies: runs }: Pick<OpenRun, 'ledger' | 'relies'>,
  warn: (message: string) => void,
  signal: AbortSignal | undefined,
) {
  const list = createSeenKeys();
  const keys = createSeenKeys();
  let missing: MissingRows | null = null;
  return {
    /** What earlier runs did with the rows. @throws UsageError where too many clients are missing, StopRun */
    known: async (): Promise<KnownRows | undefined> => {
      if (runs.length === 0) return undefined;
      const { campaignId, rule } = plan;
      const factsOf = (id: string): ReturnType<Ledger['factsOf']> => ledger.factsOf(id);
      const last = await lastIssue(ledger, runs, campaignId);
      const isEnough = plan.missing === 'dequeue' && rule.skipsChanged !== true;
      const known = await knownClients({
        ...{ runs, rule, campaignId, factsOf, keys, signal },
        last: last ? { run: last.run, isEnough } : undefined,
      });
      const found = await compare(plan, warn, last, () =>
        compareList(plan.readList(signal), known, list, signal),
      );
      if (found && plan.missing === 'dequeue' && plan.issue.isWhole) {
        const total = known.present - found.again;
        // A removal that has begun was allowed, and goes on: who was erased since counts on neither side.
        const removal = run.continued ? await removalOf(ledger, run.run) : undefined;
        const { maxMissing } = plan;
        if (!removal && exceeds(total, maxMissing, known.present))
          throw new UsageError(
            `${whole(total)} of ${whole(known.present)} clients of the lists before are not in this one, more than the ${limitText(maxMissing)} that "delta: maxMissing" allows, so that nothing was sent. Is the file whole, and is it of the same list? If it is, raise maxMissing in the mapping, or keep the clients with "missing: keep".`,
          );
        if (total > 0 || removal) missing = { runs, known, list, factsOf, identifierNames, total };
      }
      // What is not on record of this run may have been sent: nothing counts as sent as it is.
      return {
        find: (identifiers, ordinal, print) =>
          known.find(identifiers, ordinal, run.settlesAll ? undefined : print),
        close: () => undefined,
      };
    },
    /** Clients of earlier lists that are to be removed from the campaign; `null`: none. To be called after `known`. */
    missing: () => missing,
    close: (): void => {
      list.close();
      keys.close();
    },
  };
}

/** Reads the list once, where clients may be missing from it or another mapping may have changed all of its rows. */
async function compare(
  { missing, issue }: DeltaPlan,
  warn: (message: string) => void,
  last: Awaited<ReturnType<typeof lastIssue>>,
  read: () => ReturnType<typeof compareList>,
) {
  const isOther = last !== null && last.issue.mapping !== issue.mapping;
  if (missing === 'keep' && !isOther) return null;
  const found = await read();
  const changed = found.rows - found.unchanged;
  if (isOther)
    warn(
      `The mapping was changed since run ${last.run} sent this list: ${whole(changed)} of ${whole(found.rows)} rows are not as they were sent.`,
    );
  return found;
}

const kept = z.object({
  delta: z.object({ list: z.string(), mapping: z.string(), isWhole: z.boolean() }),
  anew: z.boolean().optional(),
  changedInputs: z.array(z.unknown()).optional(),
});

/**
 * The last list among these runs, the latest first: the latest that had all rows and came to its end. One that was sent
 * with --again, or whose file was changed while it was read, removed nobody, so that whom it lacks is looked for behind
 * it.
 */
async function lastIssue(
  ledger: Pick<Ledger, 'settingsOf'>,
  runs: readonly EarlierRun[],
  campaignId: number | null,
): Promise<{ readonly run: string; readonly issue: ListIssue } | null> {
  for (const { run, mode, state, rows, campaignId: campaign } of runs) {
    const hasEnded = state === 'finished' || state === 'open';
    if (!hasEnded || !rows || !isImport(mode) || mode === 'dequeue' || campaign !== campaignId)
      continue;
    const { data } = kept.safeParse(await ledger.settingsOf(run));
    const hasRemoved = data?.anew !== true && (data?.changedInputs ?? []).length === 0;
    if (data?.delta.isWhole && hasRemoved) return { run, issue: data.delta };
  }
  return null;
}

/** Problems of rows that a rule of the person leaves out: what it does not take is not in the list. */
const LEFT_OUT: ReadonlySet<string> = new Set(['filtered', SUPPRESSED]);
const TAKEN = 0;
const REJECTED = 1;

/**
 * Reads a list, compares it with the ones before, and notes its clients in `list`. A row that is rejected is in the
 * list all the same, as far as its identifiers can be read. `again`: how many clients of the lists before are in this
 * one too.
 * @throws StopRun when the signal is aborted
 */
async function compareList(
  chunks: AsyncIterable<PreparedChunk>,
  known: KnownClients,
  list: SeenKeys,
  signal: AbortSignal | undefined,
) {
  const found = { rows: 0, unchanged: 0, again: 0 };
  const note = (values: readonly (string | number)[], print: Print): void => {
    const { key, deed, isAsSent } = known.compare(values, print);
    if (isAsSent) found.unchanged++;
    if (list.find(key, 0)) return;
    list.add(key, 0, 0, 0);
    if (deed?.isPresent) found.again++;
  };
  for await (const chunk of chunks) {
    if (signal?.aborted) throw interruption(signal);
    found.rows += chunk.count;
    const { clients } = chunk;
    const prints = clients.prints ?? new Uint32Array(clients.at.length * PRINT_WORDS);
    for (let index = 0; index < clients.at.length; index++) {
      note(valuesIn(identifiersOf(clients, index)), printAt(prints, index));
    }
    if (chunk.rejected + chunk.skipped === 0) continue;
    for (const record of readFactOf(chunk.read).rows)
      if (isListed(record)) note(valuesOf(record), NO_PRINT);
  }
  return found;
}

function isListed([, , identifiers, status, problems = []]: RowRecord): boolean {
  if (status === TAKEN || identifiers.includes(null)) return false;
  return status === REJECTED || !problems.some(({ code }) => LEFT_OUT.has(code));
}

/** The folder in that of the list's report in which the removed clients are reported. */
const FOLDER = 'missing';

/**
 * Removes clients that a list lacks from the campaign (interface.md 4.10), as a run of its own: it has a report, and is
 * continued with the run of the list.
 * @param list the run of the list that lacks them, and the folder of its report
 */
export function missingWork(
  request: RunOptions,
  work: Work,
  missing: MissingRows,
  list: { readonly run: string; readonly out: string },
): [RunOptions, Work] {
  const { run, out } = list;
  const { installation, campaign, identifierNames, ledger, connection, identity } = work;
  const { run: _, watcher: __, canary: ___, again: ____, onProgress: _____, ...others } = request;
  // They are few: the process that knows them does it, while its own run is at work.
  const { shared: ______, waitForRuns: _______, ...rest } = others;
  const settings = { misses: run, delta: work.delta?.issue };
  const counted = { rows: missing.total, share: 1, rejected: 0, problems: [] };
  return [
    { ...rest, out: join(out, FOLDER) },
    {
      ...{ mode: 'dequeue', installation, campaign, identifierNames, ledger, connection },
      duplicates: NO_DUPLICATES,
      inputs: missing.runs.map(({ run: earlier }) => `run ${earlier}`),
      identity: identityOn(`missing from run ${run}`, [removalInput(run)], identity),
      settings: { ...placeSettings(request), mode: 'dequeue', ...settings },
      chunks: async function* () {
        const removal = await removalOf(ledger, run);
        yield* missingChunks(missing, removal ? await ledger.factsOf(removal.run) : []);
      },
      countRows: () => Promise.resolve({ counted, checked: [] }),
      changeRule: (changes) => removeMissingRule(changes, campaign?.id ?? 0),
      recovery: {},
    },
  ];
}

const removalInput = (run: string): string => `run ${run}`;

/** The run that removes whom the list of this run lacks; `undefined`: none has begun. */
async function removalOf(
  ledger: Pick<Ledger, 'runs'>,
  run: string,
): Promise<RunRecord | undefined> {
  const input = removalInput(run);
  return (await ledger.runs()).find(
    ({ mode, inputs }) => mode === 'dequeue' && inputs.length === 1 && inputs[0] === input,
  );
}

interface MissingRows {
  readonly runs: readonly EarlierRun[];
  readonly known: KnownClients;
  readonly list: SeenKeys;
  readonly factsOf: Ledger['factsOf'];
  readonly identifierNames: readonly string[];
  readonly total: number;
}

/** A callback that somebody has arranged is kept. */
const PAYLOAD: Payloads['dequeue'] = { cancelCallbacks: false };

/**
 * The missing clients, each as the row that it had in the last list that had it. The ledger is read again for them, so
 * that their number takes no memory.
 * @param before facts of the run that removes them, where it began before: its rows keep their places, whoever was
 * erased since. @default it begins now
 */
export async function* missingChunks(
  missing: MissingRows,
  before: Iterable<readonly [number: number, facts: readonly Fact[]]> = [],
): AsyncGenerator<PreparedChunk> {
  let first = 0;
  for (const [, facts] of before) {
    const chunk = readIn(facts);
    if (!chunk) continue;
    for (const record of chunk.rows) if (!isErased(record)) noteOnce(missing.list, record);
    first += chunk.rows.length;
    yield chunkOf(missing, chunk);
  }
  for (const [input, { run }] of missing.runs.entries()) {
    let rows: RowRecord[] = [];
    const chunk = (): PreparedChunk => {
      const made = chunkOf(missing, { input, sheet: null, first, rows });
      first += rows.length;
      rows = [];
      return made;
    };
    for (const [, facts] of await missing.factsOf(run)) {
      for (const record of readIn(facts)?.rows ?? []) {
        const deed = missing.known.deedOf(valuesOf(record));
        if (deed?.run !== run || !deed.isPresent) continue;
        // It is in the list, or a row that repeats another one, and has the same client.
        if (!noteOnce(missing.list, record)) continue;
        const [row, uuid, identifiers] = record;
        rows.push([row, uuid, identifiers, 0]);
        if (rows.length === CHUNK_ROWS) yield chunk();
      }
      await new Promise(setImmediate);
    }
    if (rows.length > 0) yield chunk();
  }
}

function readIn(facts: readonly Fact[]): ReadFact | undefined {
  const read = facts.find((fact) => fact.kind === 'read');
  return read && readFactOf(read.data);
}

const valuesOf = (record: RowRecord): (string | number)[] => record[2].map((value) => value ?? '');

function noteOnce(list: SeenKeys, record: RowRecord): boolean {
  const key = keyOf(valuesOf(record), null);
  if (list.find(key, 0)) return false;
  list.add(key, 0, 0, 0);
  return true;
}

function chunkOf({ identifierNames, total }: MissingRows, read: ReadFact): PreparedChunk {
  const taken = read.rows.flatMap((record, at) =>
    isErased(record) ? [] : [{ at, record, payload: PAYLOAD }],
  );
  const done = read.first + read.rows.length;
  return recordedChunk(read, taken, identifierNames, done, total);
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
  const { sections, mode, digests } = rows.mapping;
  const delta = 'delta' in sections ? sections.delta : undefined;
  if (!delta) return undefined;
  const hash = createHash('sha256').update(digests.document).update(digests.tables);
  const issue: ListIssue = {
    // A name is none of the paths.
    list: delta.list === undefined ? resolve(rows.request.mapping) : `list ${delta.list}`,
    mapping: hash.digest('hex'),
    isWhole: rows.part === undefined,
  };
  const { missing = 'keep', maxMissing = DEFAULT_MAX_MISSING }: DeltaWithCampaign = delta;
  if (missing === 'dequeue' && campaign === null)
    throw new UsageError(
      '"delta: { missing: dequeue }" removes clients from a campaign: give --campaign, or a campaign section in the mapping.',
    );
  const rule = listRule(mode, issue.list);
  return {
    ...{ issue, missing, campaignId: campaign?.id ?? null, rule },
    maxMissing:
      typeof maxMissing === 'number'
        ? { count: maxMissing }
        : { percent: Number(maxMissing.replace('%', '')) },
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

const MODES: ReadonlySet<RunMode> = new Set([
  ...(['create', 'upsert', 'update'] as const),
  ...(['undo', 'delete', 'dequeue'] as const),
]);

/**
 * What earlier issues of a list mean for the rows of a new one. A mode that creates clients does so once: rows that have
 * changed since are left out. The others bring clients to the state of their rows.
 */
export function listRule(mode: Mode, list: string): RepeatRule {
  const creates = mode === 'create' ? REPEATS.create : null;
  if (creates)
    return {
      ...creates,
      skipsChanged: true,
      repeatOf: (row) => createdAs(row, list, creates.repeatOf(row)),
    };
  return { modes: MODES, scope: 'same list', byPlace: false, repeatOf: (row) => wordOf(row, list) };
}

function createdAs(row: EarlierRow, list: string, repeat: Repeat | null): Repeat | null {
  const { mode, state, sameCampaign } = row;
  if (mode === 'dequeue') {
    const mark = sameCampaign ? removalBy(row, list) : null;
    if (mark !== 'kept') return mark && { mark };
    // Where the application was seen, there is a card: whether it is still in the campaign shows when it is added again.
    const kind = state.earlier?.inCampaign ? 'enqueue_unknown' : 'create_unknown';
    return { mark, word: { kind, what: 'sent', isLast: true } };
  }
  const word = repeat?.word;
  if (word?.kind === 'done' && isConfirmed(row)) return { word: { ...word, kind: 'unchanged' } };
  return repeat ?? (isInList(row, list) ? { mark: 'listed' } : null);
}

/** The last word on a client that a run has, or what it says beside; `null`: nothing. */
function wordOf(row: EarlierRow, list: string): Repeat | null {
  const { state, mode, sameCampaign } = row;
  const { stage } = state;
  if (stage === 'pending') return null;
  if (stage === 'skipped') return isInList(row, list) ? { word: { ...SENT, isLast: true } } : null;
  if (mode === 'delete')
    return state.changedTo === 'deleted' || isInDoubt(stage) ? { word: GONE } : null;
  if (mode === 'dequeue') {
    const mark = sameCampaign ? removalBy(row, list) : null;
    if (mark === 'kept') return { word: isInDoubt(stage) ? LOST : SENT };
    return mark && (mark === 'removed' ? { word: GONE } : { mark });
  }
  if (stage === 'rejected' && (mode === 'undo' || !sameCampaign)) return null;
  // What is sent to another campaign may change the card.
  if (!sameCampaign) return { mark: 'doubted' };
  // What an undo left as it was may be in the campaign.
  if (mode === 'undo') return { word: hasTakenOut(state) ? GONE : SENT };
  if (isConfirmed(row))
    return {
      word: { kind: 'unchanged', what: 'sent', ...defined({ by: state.doneBy ?? undefined }) },
    };
  return { word: isInDoubt(stage) ? LOST : SENT };
}

const GONE: Word = { kind: 'gone', what: '' };
const SENT: Word = { kind: 'sent', what: 'sent' };
const LOST: Word = { kind: 'lost', what: 'sent' };

const hasTakenOut = ({ changedTo, earlier }: RowState): boolean =>
  changedTo === 'undone' && (earlier?.inCampaign === true || earlier?.isOwn === true);

/**
 * What a run that was to remove a client from the campaign has left; `null`: all as it was. Whom a list lacks, and who
 * may be there still, has to go. Of somebody else's removal, it is only known that the client was to go: it need not be
 * one of the list.
 */
function removalBy({ state, list: whose }: EarlierRow, list: string): Mark | null {
  const { stage, changedTo } = state;
  if (changedTo !== null) return 'removed';
  if (whose === list && (isInDoubt(stage) || stage === 'change_failed')) return 'kept';
  return isInDoubt(stage) ? 'doubted' : null;
}

/** Whether a row was in its list, though nothing may have been done with it: a rule of the person leaves others out. */
function isInList({ record, mode, sameCampaign, list: whose }: EarlierRow, list: string): boolean {
  const isIssue = isImport(mode) && mode !== 'dequeue' && whose === list;
  return isIssue && sameCampaign && (record[3] === TAKEN || isListed(record));
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
