import {
  type EarlierRows,
  type DuplicateRule,
  kindOfKey,
  keysOf,
  pushIdentifiersKey,
  type SeenKeys,
} from '../core/duplicates.js';
import { systemClock } from '../core/time.js';
import { openLedger } from '../ledger/ledger.js';
import type { Ledger } from '../ledger/port.js';
import type { Preparation } from '../prepare/plan.js';
import { centerOf, readSettingsForReport } from './settings.js';
import type { CheckRequest } from './requests.js';
import { hasLedger, ledgerPath } from '../options/places.js';
import { KEY_WORDS, type RowRecord } from '../core/prepared.js';
import { type RowState, awaitsCampaign, outcomeOf } from '../core/facts.js';
import type { RunRecord } from '../core/ledger.js';
import { MODE_TRAITS, type RunMode } from '../core/outcome.js';
import { interruption } from '../core/errors.js';
import { createSeenKeys } from '../lists/seen.js';
import { foldedChunks, undoneRows } from './repeats.js';
import { centerKey } from '../core/client.js';

/**
 * What earlier runs have sent, as a check asks for it: in the mapping's campaign. `undefined` where there is no ledger, or
 * nobody says which contact center is meant; then the person is told.
 */
export async function rowsOnRecord(
  { ledger: wanted, signal, onWarning }: CheckRequest,
  { installation, mapping, duplicates }: Preparation,
): Promise<EarlierRows | undefined> {
  if (!installation) {
    onWarning?.(
      'Without an installation, rows are not compared with those of earlier runs: give it with -i.',
    );
    return undefined;
  }
  const file = ledgerPath(wanted, installation);
  if (!hasLedger(file)) return undefined;
  const ledger = await openLedger(file);
  try {
    return await earlierRows({
      ...{ ledger, signal, rule: duplicates },
      mode: mapping.mode,
      isDelta: 'delta' in mapping.sections && mapping.sections.delta !== undefined,
      center: centerOf(installation, false),
      campaign: mapping.campaign ?? null,
      now: systemClock.now(),
    });
  } finally {
    await ledger.close();
  }
}

type EarlierRow = NonNullable<ReturnType<EarlierRows['find']>>;

interface EarlierSearch {
  readonly ledger: Ledger;
  readonly rule: DuplicateRule;
  /** The contact center, as the runs name theirs. */
  readonly center: string;
  /** The campaign of the run that asks: by its name where its id is not known, as in a check. */
  readonly campaign: {
    readonly id?: number | undefined;
    readonly name?: string | undefined;
  } | null;
  readonly own?: string | undefined;
  /** Inputs that are sent anew: earlier runs over one of them do not count. @default none */
  readonly anew?: readonly string[] | undefined;
  readonly now: number;
  readonly mode: RunMode;
  /** Whether what of a client is sent again is decided by the list before (`delta`). */
  readonly isDelta?: boolean | undefined;
  /** Ids of runs that are at work beside the one that asks. @default none */
  readonly beside?: readonly string[] | undefined;
  /** Called with those of them whose rows count, as far as these have ended. */
  readonly onBeside?: ((runs: readonly string[]) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gathers what earlier runs created or enqueued, as far as the rule counts it: rows with exactly these outcomes, and
 * without those that were taken back. All their facts are read; in between, others have their turn.
 */
export async function earlierRows(search: EarlierSearch): Promise<EarlierRows> {
  const { ledger, signal } = search;
  const runs = await countedRuns(search);
  const atWork = runs.map(({ run }) => run).filter((run) => search.beside?.includes(run));
  if (atWork.length > 0) search.onBeside?.(atWork);
  const undos = await ledger.undosOf(runs.map(({ run }) => run));
  const rows = runs.reduce((sum, run) => sum + (run.rows ?? 0), 0);
  const { row, min, max } = FILTER_BYTES;
  const filterBytes = Math.min(max, Math.max(min, rows * row));
  const gathered = new Gathered(search, createSeenKeys(undefined, filterBytes));
  try {
    for (const run of runs) await gatherRun(search, gathered, run, undos.get(run.run) ?? []);
  } catch (error) {
    gathered.close();
    throw signal?.aborted ? interruption(signal, { cause: error }) : error;
  }
  return gathered;
}

/** Bytes of the filter before the keys for a row, so that hardly one new key is searched on the disk. */
const FILTER_BYTES = { row: 6, min: 12 << 20, max: 64 << 20 } as const;

async function gatherRun(
  { ledger, mode, signal }: EarlierSearch,
  gathered: Gathered,
  run: RunRecord,
  undos: readonly string[],
): Promise<void> {
  const undoneIn = await undoneRows(undos, (undo) => ledger.factsOf(undo));
  const enqueues = run.campaignId !== null && MODE_TRAITS[run.mode].enqueues;
  /** Whether the run has created or enqueued a row, and has nothing left to do for it. */
  const counts = (state: RowState): EarlierRow['what'] | null => {
    const outcome = outcomeOf(state);
    if (outcome === 'enqueued') return outcome;
    // What is enqueued again is what was enqueued, and not what was only created.
    if (outcome !== 'created' || mode === 'enqueue') return null;
    return awaitsCampaign(state, enqueues) ? null : outcome;
  };
  for await (const { read, states, number } of foldedChunks(await ledger.factsOf(run.run))) {
    signal?.throwIfAborted();
    const undone = undoneIn(number);
    for (const [at, record] of read.rows.entries()) {
      const state = states[at];
      const what = state && !undone.has(at) ? counts(state) : null;
      if (what !== null) gathered.add(record, run, read.input, what);
    }
  }
}

type Origin = Omit<EarlierRow, 'kind' | 'row'>;

class Gathered implements EarlierRows {
  readonly #origins: Origin[] = [];
  readonly #places = new Map<string, number>();
  readonly #bySync: boolean;
  readonly #byPhone: boolean;
  /** Whether a client may be sent again, so that its own earlier row is no duplicate by phone. */
  readonly #excusesOwn: boolean;

  constructor(
    { rule: { by }, mode, isDelta = false }: EarlierSearch,
    private readonly seen: SeenKeys,
  ) {
    this.#bySync = by.includes('sync') && !isDelta;
    this.#byPhone = by.includes('phone');
    this.#excusesOwn = isDelta || (mode === 'upsert' && !this.#bySync);
  }

  add(record: RowRecord, run: RunRecord, input: number, what: EarlierRow['what']): void {
    const place = this.#placeOf(run, input, what);
    const [row, , identifiers] = record;
    const phones = this.#byPhone ? keysOf(record[7] ?? '') : NO_KEYS;
    const own =
      this.#bySync || (this.#excusesOwn && phones.length > 0) ? syncKey(identifiers) : NO_KEYS;
    if (this.#bySync) this.#put(own, 0, place, row);
    for (let offset = 0; offset < phones.length; offset += KEY_WORDS) {
      this.#put(phones, offset, place, row);
      if (this.#excusesOwn) this.#put(bothOf(phones, offset, own, 0), 0, place, row);
    }
  }

  find(keys: Uint32Array, from: number, to: number): EarlierRow | null {
    for (let key = from; key < to; key++) {
      const offset = key * KEY_WORDS;
      const kind = kindOfKey(keys, offset);
      if (kind === 'sync' ? !this.#bySync : !this.#byPhone) continue;
      const found = this.seen.find(keys, offset);
      const origin = found && this.#origins[found.input];
      if (!origin || (this.#excusesOwn && this.#isOwn(keys, offset, from))) continue;
      return { ...origin, kind, row: found.row };
    }
    return null;
  }

  close(): void {
    this.seen.close();
  }

  /** Whether the client itself has the phone from an earlier run: the key of its identifiers is its first. */
  #isOwn(keys: Uint32Array, offset: number, first: number): boolean {
    const own = first * KEY_WORDS;
    return (
      kindOfKey(keys, own) === 'sync' && this.seen.find(bothOf(keys, offset, keys, own), 0) !== null
    );
  }

  /** The latest run comes first, and keeps the key. */
  #put(keys: Uint32Array, offset: number, place: number, row: number): void {
    if (!this.seen.find(keys, offset)) this.seen.add(keys, offset, place, row);
  }

  #placeOf(run: RunRecord, input: number, what: EarlierRow['what']): number {
    const name = `${run.run} ${input} ${what}`;
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = this.#origins.length;
    this.#places.set(name, place);
    this.#origins.push({
      run: run.run,
      file: run.inputs.length > 1 ? (run.inputs[input] ?? null) : null,
      what,
      on: new Date(run.createdAt).toISOString().slice(0, 10),
    });
    return place;
  }
}

const NO_KEYS = new Uint32Array();

function syncKey(identifiers: RowRecord[2]): Uint32Array {
  const words: number[] = [];
  pushIdentifiersKey(
    words,
    identifiers.map((value) => value ?? ''),
  );
  return Uint32Array.from(words);
}

/** One key of two, as that of a phone of a client. */
function bothOf(a: Uint32Array, aAt: number, b: Uint32Array, bAt: number): Uint32Array {
  const both = new Uint32Array(KEY_WORDS);
  for (let word = 0; word < KEY_WORDS; word++)
    both[word] = (a[aAt + word] ?? 0) ^ (b[bAt + word] ?? 0);
  return both;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The earlier runs whose rows count as duplicates of new ones, the latest first. */
async function countedRuns({
  ledger,
  rule,
  center,
  campaign,
  own,
  anew = [],
  now,
}: EarlierSearch): Promise<RunRecord[]> {
  const since = now - rule.days * DAY_MS;
  const runs = (await ledger.runs()).filter(
    ({ run, mode, installation, inputs, createdAt }) =>
      run !== own &&
      createdAt >= since &&
      MODE_TRAITS[mode].enqueues &&
      centerKey(installation) === centerKey(center) &&
      !inputs.some((input) => anew.includes(input)),
  );
  if (rule.campaign === 'any') return runs;
  if (campaign?.id !== undefined || !campaign)
    return runs.filter(({ campaignId }) => campaignId === (campaign?.id ?? null));
  const named: RunRecord[] = [];
  for (const run of runs)
    if (readSettingsForReport(await ledger.settingsOf(run.run))?.campaign?.name === campaign.name)
      named.push(run);
  return named;
}
