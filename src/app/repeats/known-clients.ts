import { hash } from 'node:crypto';
import type { Fact } from '../../core/facts/facts.js';
import { foldChunk } from '../../core/facts/fold.js';
import { type DoneBy, doneByText } from '../../core/duplicates/done-by.js';
import type { KnownRows } from '../../core/duplicates/known.js';
import type { EarlierRun } from '../../core/ledger.js';
import { KEY_WORDS } from '../../core/client/prepared.js';
import type { SeenKeys } from '../../core/duplicates/seen.js';
import { INTERRUPTED, StopRun } from '../../core/stop.js';
import type { Repeat, RepeatRule } from './repeats.js';

export interface EarlierRuns {
  /** The latest first: what it did last counts. */
  readonly runs: readonly EarlierRun[];
  readonly rule: RepeatRule;
  /** The campaign of the new run; `null` when it has none. */
  readonly campaignId: number | null;
  readonly factsOf: (
    run: string,
  ) => Promise<Iterable<readonly [number: number, facts: readonly Fact[]]>>;
  /** Where keys are kept, in memory that does not grow with their number. */
  readonly keys: SeenKeys;
  /** Aborted when the person does not want to wait. */
  readonly signal?: AbortSignal | undefined;
}

/** What an earlier run did, as all rows share it that it did this with. */
interface Deed {
  readonly kind: Exclude<Repeat['kind'], 'removed'>;
  readonly run: string;
  readonly by: DoneBy;
}

interface Gathered {
  readonly deeds: Deed[];
  /** Whether any client was removed from the campaign; those are kept under a key of their own. */
  hasRemoved: boolean;
  /** Runs with rows that count only where no other run has them. */
  readonly last: Set<EarlierRun>;
}

/**
 * Gathers what earlier runs did with their rows, for a run that is to do only what is left. It reads all their facts;
 * in between, others have their turn.
 */
export async function knownClients(earlier: EarlierRuns): Promise<KnownRows> {
  const { runs, keys, rule } = earlier;
  const deeds: Deed[] = [];
  const gathered: Gathered = { deeds, hasRemoved: false, last: new Set() };
  try {
    for (const run of runs) await gather(earlier, run, gathered, false);
    for (const run of gathered.last) await gather(earlier, run, gathered, true);
  } catch (error) {
    keys.close();
    throw earlier.signal?.aborted ? new StopRun(INTERRUPTED, { cause: error }) : error;
  }
  return {
    find: (identifiers, ordinal) => {
      const values = Object.values(JSON.parse(identifiers) as Record<string, string | number>);
      const found = keys.find(keyOf(values, rule.byPlace ? ordinal : null), 0);
      const deed = found && deeds[found.input];
      if (!deed || deed.kind === 'gone') return null;
      const { kind, run, by } = deed;
      return { kind, run, by, clientId: found.row === NO_ID ? null : found.row };
    },
    close: () => {
      keys.close();
    },
  };
}

/** In place of an id that is not on record, or too large for a word of 32 bits. */
const NO_ID = 0;
const LARGEST_ID = 0xffffffff;

async function gather(
  { rule, campaignId, factsOf, keys, signal }: EarlierRuns,
  run: EarlierRun,
  gathered: Gathered,
  isLast: boolean,
): Promise<void> {
  const { deeds } = gathered;
  const indexes = new Map<string, number>();
  const row = {
    mode: run.mode,
    sameCampaign: run.campaignId === campaignId,
    enqueues: campaignId !== null,
    isTakenBack: run.undos.length > 0,
    reliesOnUndone: run.reliesOnUndone,
  };
  if (!rule.modes.has(run.mode)) return;
  const undoneIn = await undoneRows(run.undos, factsOf);
  for (const [number, facts] of await factsOf(run.run)) {
    signal?.throwIfAborted();
    const undone = undoneIn(number);
    const folded = foldChunk(facts);
    if (!folded) continue;
    const { read, states } = folded;
    for (const [at, state] of states.entries()) {
      if (undone.has(at)) continue;
      const repeat = rule.repeatOf({ ...row, state });
      const record = read.rows[at];
      if (!repeat || !record) continue;
      if (repeat.isLast) gathered.last.add(run);
      if ((repeat.isLast ?? false) !== isLast) continue;
      const values = record[2].map((value) => value ?? '');
      const key = keyOf(values, rule.byPlace ? read.first + at : null);
      if (keys.find(key, 0)) continue;
      if (repeat.kind === 'removed') {
        noteRemoved(keys, values, gathered);
        continue;
      }
      const isRemoved = gathered.hasRemoved && keys.find(removedKeyOf(values), 0) !== null;
      // The run that made the card has the word, not one that only enqueued or skipped it.
      const isMaker = (repeat.by ?? repeat).what === 'created';
      if (isRemoved && repeat.kind === 'done' && !isMaker) continue;
      const kind = isRemoved && repeat.kind === 'done' ? 'created' : repeat.kind;
      const by = repeat.by ?? doneIn(run, repeat.what);
      const name = `${kind} ${doneByText(by)}`;
      const index = indexes.get(name) ?? deeds.length;
      if (index === deeds.length) deeds.push({ kind, run: run.run, by });
      indexes.set(name, index);
      const id = state.clientId ?? NO_ID;
      keys.add(key, 0, index, id <= LARGEST_ID ? id : NO_ID);
    }
    await new Promise(setImmediate);
  }
}

function noteRemoved(keys: SeenKeys, values: readonly (string | number)[], to: Gathered): void {
  const key = removedKeyOf(values);
  if (!keys.find(key, 0)) keys.add(key, 0, 0, NO_ID);
  to.hasRemoved = true;
}

function removedKeyOf(values: readonly (string | number)[]): Uint32Array {
  return keyOf(['removed', ...values], null);
}

/** Which rows of a run undos took back, chunk by chunk in their order: an undo has the chunks of its run. */
async function undoneRows(
  undos: readonly string[],
  factsOf: EarlierRuns['factsOf'],
): Promise<(chunk: number) => ReadonlySet<number>> {
  const begun = undos.map(async (undo) => {
    const chunks = (await factsOf(undo))[Symbol.iterator]();
    return { chunks, next: chunks.next() };
  });
  const readers = await Promise.all(begun);
  return (chunk) => {
    const undone = new Set<number>();
    for (const reader of readers) {
      while (!reader.next.done && reader.next.value[0] < chunk) reader.next = reader.chunks.next();
      if (reader.next.done || reader.next.value[0] > chunk) continue;
      for (const [at, { stage, changedTo }] of foldChunk(reader.next.value[1])?.states.entries() ??
        [])
        if (stage === 'changed' && changedTo === 'undone') undone.add(at);
    }
    return undone;
  };
}

const doneIn = ({ run, createdAt }: EarlierRun, what: string): DoneBy => ({
  run,
  what,
  on: new Date(createdAt).toISOString().slice(0, 10),
});

/** Numbers and texts of the same digits are one client, as for the contact center. */
function keyOf(values: readonly (string | number)[], ordinal: number | null): Uint32Array {
  const text = JSON.stringify([ordinal, ...values.map(String)]);
  const digest = hash('sha1', text, 'buffer');
  const key = new Uint32Array(KEY_WORDS);
  for (let word = 0; word < KEY_WORDS; word++) key[word] = digest.readUInt32LE(word * 4);
  return key;
}
