import { printAt, printsIn, KEY_WORDS, type RowRecord } from '../core/prepared.js';
import { hash } from 'node:crypto';
import { CONFIRMED, foldChunk, isInDoubt, type RowState, type Fact } from '../core/facts.js';
import { ALREADY_IN_CAMPAIGN } from '../core/client.js';
import { UsageError, interruption } from '../core/errors.js';
import { type Known, type SeenKeys, DONE_BEFORE, type KnownKind } from '../core/duplicates.js';
import type { EarlierRun } from '../core/ledger.js';
import { defined } from '../core/text.js';
import type { KnownRuns, Ledger } from '../ledger/port.js';
import type { RunMode } from '../core/outcome.js';

interface EarlierRuns {
  /** The latest first: what it did last counts. */
  readonly runs: readonly EarlierRun[];
  readonly rule: RepeatRule;
  /** The campaign of the new run; `null` when it has none. */
  readonly campaignId: number | null;
  readonly factsOf: Ledger['factsOf'];
  /** Where keys are kept, in memory that does not grow with their number. */
  readonly keys: SeenKeys;
  /**
   * The last list, of which later ones may miss clients: a run that had all of its rows. Where the runs before it are
   * read at all, what only says that rows are as they were is passed over. @default every run is read alike
   */
  readonly last?: { readonly run: string; readonly isEnough: boolean } | undefined;
  /** Whether `isDeleted` is asked. @default false */
  readonly notesDeleted?: boolean;
  readonly signal?: AbortSignal | undefined;
}

type DoneBy = Known['by'];

/** What an earlier run did, as all rows share it that it did this with. */
interface Deed {
  readonly kind: Word['kind'];
  readonly run: string;
  readonly by: DoneBy;
  /** Whether it leaves the client where a later list may miss it. */
  readonly isPresent: boolean;
}

/** What earlier runs did, client by client. */
export type KnownClients = Awaited<ReturnType<typeof knownClients>>;

/** The fingerprint of a client. */
export type Print = ReturnType<typeof printAt>;

type Values = readonly (string | number)[];

interface Gathered {
  readonly deeds: Deed[];
  /** Marks that are on record of any client; they are kept under keys of their own. */
  readonly marks: Set<Mark>;
  /** Runs with rows that count only where no other run has them. */
  readonly last: Set<EarlierRun>;
  present: number;
  /** Whether the last list has been read, and runs before it are. */
  isBehind: boolean;
  /** Ids of all runs: of others, the ledger knows nothing any more. */
  readonly ids: ReadonlySet<string>;
}

/**
 * Gathers what earlier runs did with their rows, for a run that is to do only what is left. It reads all their facts;
 * in between, others have their turn.
 */
export async function knownClients(earlier: EarlierRuns) {
  const { runs, keys, rule } = earlier;
  const deeds: Deed[] = [];
  const gathered: Gathered = {
    ...{ deeds, marks: new Set(), last: new Set(), present: 0, isBehind: false },
    ids: new Set(runs.map(({ run }) => run)),
  };
  try {
    for (const run of runs) {
      await gather(earlier, run, gathered, false);
      if (run.run !== earlier.last?.run) continue;
      if (earlier.last.isEnough) break;
      gathered.isBehind = true;
    }
    for (const run of gathered.last) await gather(earlier, run, gathered, true);
  } catch (error) {
    keys.close();
    throw earlier.signal?.aborted ? interruption(earlier.signal, { cause: error }) : error;
  }
  const entryOf = (key: Uint32Array): Entry | null => {
    const found = keys.find(key, 0);
    const deed = found && deeds[found.input % MAX_DEEDS];
    return deed ? { ...deed, word: found.row, high: Math.floor(found.input / MAX_DEEDS) } : null;
  };
  return {
    find: (identifiers: string, ordinal: number, print?: Print): Known | null => {
      const values = valuesIn(identifiers);
      const entry = entryOf(keyOf(values, rule.byPlace ? ordinal : null));
      return entry && knownAs(entry, print, rule);
    },
    /** Whether the last that was done with a client was to delete it, in an import or an undo. As `find` has identifiers. */
    isDeleted: (identifiers: string): boolean => {
      const values = valuesIn(identifiers);
      const entry = entryOf(keyOf(values, null));
      return entry
        ? entry.kind === 'gone'
        : keys.find(keyOf(['deleted', ...values], null), 0) !== null;
    },
    /** The last word on the client of these identifiers; `null`: no run has one. */
    deedOf: (values: Values): Deed | null => entryOf(keyOf(values, null)),
    /** The same with whether the client was sent as it is now, and its key among those of clients. */
    compare: (values: Values, print: Print) => {
      const key = keyOf(values, null);
      const entry = entryOf(key);
      const isAsSent = entry?.kind === 'unchanged' && samePrint([entry.word, entry.high], print);
      return { key, deed: entry, isAsSent };
    },
    /** Clients that the runs brought to the contact center, as far as none of them removed them. */
    present: gathered.present,
    close: (): void => keys.close(),
  };
}

export const valuesIn = (identifiers: string): (string | number)[] =>
  Object.values(JSON.parse(identifiers) as Record<string, string | number>);

/** A deed with what is kept of the client itself: its internal id, or its fingerprint. */
interface Entry extends Deed {
  readonly word: number;
  readonly high: number;
}

function knownAs(
  entry: Entry,
  print: Print | undefined,
  { skipsChanged }: RepeatRule,
): Known | null {
  const { kind, run, by, word, high } = entry;
  if (kind === 'gone' || kind === 'sent') return null;
  if (kind !== 'unchanged') return { kind, run, by, clientId: word === NO_ID ? null : word };
  const isSame = print !== undefined && samePrint([word, high], print);
  if (!isSame && !skipsChanged) return null;
  return { kind: isSame ? 'unchanged' : 'done', run, by, clientId: null };
}

/** In place of an id that is not on record, or too large for a word of 32 bits. */
const NO_ID = 0;
const LARGEST_ID = 0xffffffff;

/** Deeds that can be told apart: the rest of their word belongs to fingerprints. */
const MAX_DEEDS = 2 ** 12;

async function gather(
  { rule, campaignId, factsOf, keys, notesDeleted = false, signal }: EarlierRuns,
  run: EarlierRun,
  gathered: Gathered,
  isLast: boolean,
): Promise<void> {
  const { mode, list, reliesOnUndone } = run;
  if (!rule.modes.has(mode)) return;
  const sameCampaign = run.campaignId === campaignId;
  const runTraits = {
    ...{ mode, list, reliesOnUndone, sameCampaign },
    enqueues: campaignId !== null,
    isTakenBack: run.undos.length > 0,
  };
  const indexOf = deedIndexes(run, gathered.deeds);
  const undoneIn = await undoneRows(run.undos, factsOf);
  const isSkipped = (facts: readonly Fact[]): boolean =>
    gathered.isBehind && facts.every((fact) => saysNothing(fact, gathered.ids));
  for await (const chunk of foldedChunks(await factsOf(run.run), isSkipped)) {
    signal?.throwIfAborted();
    const { read, states, number } = chunk;
    const undone = undoneIn(number);
    const prints = printsIn(read.prints);
    for (const [at, state] of states.entries()) {
      const record = read.rows[at];
      if (undone.has(at)) {
        if (notesDeleted && hasCreated(state)) noteDeleted(keys, record);
        continue;
      }
      // Of a row that could not be made out, or whose person was erased, nobody knows the client.
      if (!record || record[2].includes(null)) continue;
      const { mark, word } = rule.repeatOf({ ...runTraits, state, record }) ?? {};
      if (word?.isLast) gathered.last.add(run);
      const hasWord = word !== undefined && (word.isLast ?? false) === isLast;
      const isNoted = mark !== undefined && !isLast && !(mark === 'listed' && gathered.isBehind);
      if (!hasWord && !isNoted) continue;
      const values = record[2].map((value) => value ?? '');
      const key = keyOf(values, rule.byPlace ? read.first + at : null);
      if (keys.find(key, 0)) continue;
      if (isNoted) noteMark(gathered, keys, mark, values);
      if (!hasWord) continue;
      const marks = marksOf(gathered, keys, values);
      const print = printAt(prints, at);
      const kind = kindOf(word, marks, print[0] !== 0, rule);
      if (kind === null) continue;
      const isPresent = kind !== 'gone' && sameCampaign && mayBeMissed(marks, gathered.isBehind);
      const index = indexOf({ ...word, kind, isPresent });
      const [low, high] = kind === 'unchanged' ? print : [idOf(state), 0];
      keys.add(key, 0, index + high * MAX_DEEDS, low);
      if (isPresent) gathered.present++;
    }
  }
}

/** Whether nothing was sent by a fact: an even earlier run says what was, if the ledger still has it. */
function saysNothing(fact: Fact, ids: ReadonlySet<string>): boolean {
  if (fact.kind === 'unchanged') return ids.has(fact.by.run);
  return fact.kind === 'read' || fact.kind === 'duplicates';
}

/** Whoever was to be removed before the last list, and was not, is missed by the next one; so is whom the last one had. */
function mayBeMissed(marks: readonly Mark[], isBehind: boolean): boolean {
  if (marks.includes('kept')) return true;
  return !marks.includes('removed') && (!isBehind || marks.includes('listed'));
}

/** What counts of a row; `null`: another run has the word. */
function kindOf(
  word: Word,
  marks: readonly Mark[],
  hasPrint: boolean,
  { skipsChanged }: RepeatRule,
): Deed['kind'] | null {
  const { kind } = word;
  if (kind !== 'done' && kind !== 'unchanged' && kind !== 'created') return kind;
  // Whether it is still in the campaign shows when it is added again.
  if (marks.includes('kept') || marks.includes('doubted'))
    return skipsChanged ? 'enqueue_unknown' : 'sent';
  if (kind === 'created') return kind;
  // The run that made the card has the word, not one that only enqueued or skipped it.
  if (marks.includes('removed'))
    return (word.card ?? word.by ?? word).what === 'created' ? 'created' : null;
  if (kind === 'done' || hasPrint) return kind;
  return skipsChanged ? 'done' : 'sent';
}

function deedIndexes(
  run: EarlierRun,
  deeds: Deed[],
): (word: Word & Pick<Deed, 'isPresent'>) => number {
  const indexes = new Map<string, number>();
  return ({ kind, isPresent, what, by = doneIn(run, what) }) => {
    const name = `${kind} ${isPresent} ${by.what} ${by.run} ${by.on}`;
    const known = indexes.get(name);
    if (known !== undefined) return known;
    const index = deeds.length;
    if (index === MAX_DEEDS - 1) throw new UsageError(TOO_MANY_RUNS);
    deeds.push({ kind, run: run.run, by, isPresent });
    indexes.set(name, index);
    return index;
  };
}

const TOO_MANY_RUNS =
  'The ledger has too many earlier runs of this list. Forget old ones with "cardline runs prune", or begin anew with --again.';

function idOf({ clientId }: RowState): number {
  const id = clientId ?? NO_ID;
  return id <= LARGEST_ID ? id : NO_ID;
}

const hasCreated = ({ createResult, doneBy }: RowState): boolean =>
  !doneBy && createResult !== null && SUCCESS.test(createResult);

/** Whoever was created by a run and taken back with it is deleted. */
function noteDeleted(keys: SeenKeys, record: RowRecord | undefined): void {
  if (!record || record[2].includes(null)) return;
  const key = keyOf(['deleted', ...record[2].map((value) => value ?? '')], null);
  if (!keys.find(key, 0)) keys.add(key, 0, 0, NO_ID);
}

const hasMark = (keys: SeenKeys, mark: Mark, values: Values): boolean =>
  keys.find(keyOf([mark, ...values], null), 0) !== null;

/** Of removals, the latest counts. */
function noteMark({ marks }: Gathered, keys: SeenKeys, mark: Mark, values: Values): void {
  const known: readonly Mark[] =
    mark === 'removed' || mark === 'kept' ? ['removed', 'kept'] : [mark];
  if (known.some((one) => marks.has(one) && hasMark(keys, one, values))) return;
  keys.add(keyOf([mark, ...values], null), 0, 0, NO_ID);
  marks.add(mark);
}

/** What later runs say of a client beside their words. */
function marksOf({ marks, isBehind }: Gathered, keys: SeenKeys, values: Values): readonly Mark[] {
  // Most lists have none, or only some that do not count yet.
  if (marks.size === 0 || (marks.size === 1 && marks.has('listed') && !isBehind)) return [];
  return [...marks].filter((mark) => hasMark(keys, mark, values));
}

const doneIn = ({ run, createdAt }: EarlierRun, what: string): DoneBy => ({
  run,
  what,
  on: new Date(createdAt).toISOString().slice(0, 10),
});

/** Numbers and texts of the same digits are one client, as for the contact center. */
export function keyOf(values: readonly (string | number)[], ordinal: number | null): Uint32Array {
  const text = JSON.stringify([ordinal, ...values.map(String)]);
  const digest = hash('sha1', text, 'buffer');
  const key = new Uint32Array(KEY_WORDS);
  for (let word = 0; word < KEY_WORDS; word++) key[word] = digest.readUInt32LE(word * 4);
  return key;
}

/**
 * The rows of a run as its facts leave them, chunk by chunk. Reading a ledger holds up everything else: others have their
 * turn in between.
 * @param isSkipped whether nothing is to be made out of these facts
 */
export async function* foldedChunks(
  chunks: Iterable<readonly [number: number, facts: readonly Fact[]]>,
  isSkipped: (facts: readonly Fact[]) => boolean = () => false,
) {
  for (const [number, facts] of chunks) {
    const folded = isSkipped(facts) ? undefined : foldChunk(facts);
    if (folded) yield { ...folded, number };
    await new Promise(setImmediate);
  }
}

/** Which rows of a run undos took back, chunk by chunk in their order: an undo has the chunks of its run. */
export async function undoneRows(
  undos: readonly string[],
  factsOf: Ledger['factsOf'],
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

/** A row of an earlier run, and the runs that it belongs to. */
export interface EarlierRow {
  readonly state: RowState;
  readonly record: RowRecord;
  /** The list of which the earlier run was an issue, or removed clients; `null`: none. */
  readonly list: string | null;
  readonly mode: RunMode;
  readonly sameCampaign: boolean;
  readonly enqueues: boolean;
  /** Whether the earlier run was taken back, and this row was not, or not wholly. */
  readonly isTakenBack: boolean;
  /** Whether a run was taken back since whose rows the earlier one took as they were. */
  readonly reliesOnUndone: boolean;
}

/** What an earlier run says of the client of a row. */
export interface Word {
  /**
   * `gone`: the run reversed what runs before it had done, so that nothing is known of the row. `sent`: it did something
   * that does not count as done, so that the row is sent again.
   */
  readonly kind: KnownKind | 'gone' | 'sent';
  /** What the earlier run did, for the person. */
  readonly what: string;
  /** The even earlier run that did it, where it was not this one. */
  readonly by?: DoneBy;
  /** The even earlier run that made the card, where this one did the rest. */
  readonly card?: DoneBy;
  /** It counts only where no other run has the row: there is a card, and who made it is not on record here. */
  readonly isLast?: true;
}

/**
 * What a run says of a client, and nothing of its card. `removed`: it removed the client from the campaign, or did not
 * find it there; a card that an even earlier run created is only added to it again. `kept`: it was to do so, since a list
 * lacks the client, and did not, or may not have. `doubted`: somebody's removal may have taken place. `listed`: the list
 * had the client, and nothing was done with it.
 */
export type Mark = 'removed' | 'kept' | 'doubted' | 'listed';

/** What a row of an earlier run means for the same row of a new one. */
export interface Repeat {
  readonly mark?: Mark;
  readonly word?: Word;
}

/** What a mode does about rows that an earlier run has done. */
export interface RepeatRule {
  readonly modes: ReadonlySet<RunMode>;
  readonly scope: KnownRuns['scope'];
  /** Whether rows are identified by their place in the file too: a client may have several. */
  readonly byPlace: boolean;
  /** Whether a client that was sent otherwise is left out, as one that is there: else it is sent again. @default false */
  readonly skipsChanged?: boolean;
  readonly repeatOf: (row: EarlierRow) => Repeat | null;
}

const GONE: Repeat = { word: { kind: 'gone', what: '' } };

const SUCCESS = /^Success/;

/**
 * Modes that would do something twice, or be refused, when a row that was done is sent again. The others bring a client
 * to a state, and may do so any number of times.
 */
export const REPEATS: Readonly<Record<RunMode, RepeatRule | null>> = {
  create: {
    modes: new Set(['create', 'upsert', 'delete', 'dequeue']),
    scope: 'same files',
    byPlace: false,
    repeatOf: repeatedCreation,
  },
  enqueue: {
    modes: new Set(['enqueue', 'dequeue', 'delete']),
    scope: 'same content',
    byPlace: false,
    repeatOf: repeatedEnqueueing,
  },
  dequeue: changeOnce('dequeue', ['create', 'upsert', 'enqueue'], false),
  delete: changeOnce('delete', ['create', 'upsert'], false),
  callbacks: changeOnce('callbacks', [], true),
  upsert: null,
  update: null,
  contacts: null,
  rekey: null,
  undo: null,
  reconcile: null,
};

/** Cards of an earlier `create` or `upsert` are there; what is left is the campaign, where it is another one. */
function repeatedCreation(row: EarlierRow): Repeat | null {
  const { state, mode, sameCampaign, enqueues, isTakenBack, reliesOnUndone } = row;
  const { stage, createResult, doneBy } = state;
  if (mode === 'delete') return state.changedTo === 'deleted' ? GONE : null;
  if (mode === 'dequeue')
    return sameCampaign && state.changedTo !== null ? { mark: 'removed' } : null;
  const before = skippedBefore(row);
  if (before) return { word: before };
  if (stage === 'creating' || stage === 'create_unknown')
    return { word: { kind: 'create_unknown', what: 'sent' } };
  if (createResult === null) return null;
  if (!doneBy && !hasCreated(state)) return null;
  // What an undo has left of a client is not on record.
  if (isTakenBack || (doneBy && reliesOnUndone))
    return { word: { kind: 'create_unknown', what: 'sent' } };
  if (doneBy) return { word: repeatedAddition(row, doneBy) };
  const what = 'created';
  if (!enqueues || (sameCampaign && stage === 'enqueued')) return { word: { kind: 'done', what } };
  if (!sameCampaign) return { word: { kind: 'created', what } };
  const isUnknown = isInDoubt(stage) || state.enqueueResult === ALREADY_IN_CAMPAIGN;
  return { word: { kind: isUnknown ? 'enqueue_unknown' : 'created', what } };
}

/**
 * A row that the earlier run left out itself, since an even earlier one had done it: that one may be forgotten by now. To
 * take the earlier run back changed nothing of it.
 */
function skippedBefore(row: EarlierRow): Word | null {
  const { state, sameCampaign, enqueues, reliesOnUndone } = row;
  const isDone = state.stage === 'skipped' && state.note?.code === DONE_BEFORE;
  if (!isDone && state.stage !== 'unchanged') return null;
  if (reliesOnUndone) return { kind: 'create_unknown', what: 'sent' };
  const by = defined({ by: state.doneBy ?? undefined });
  if (!enqueues || sameCampaign) return { kind: 'done', what: 'created', ...by };
  return state.doneBy?.what === 'created'
    ? { kind: 'created', what: 'created', ...by }
    : { kind: 'create_unknown', what: 'sent', isLast: true };
}

/** Of a client whose card an even earlier run had created, which may be forgotten by now. */
function repeatedAddition(
  { state: { stage, enqueueResult }, sameCampaign, enqueues }: EarlierRow,
  by: DoneBy,
): Word {
  if (!enqueues) return { kind: 'done', what: 'created', by };
  if (sameCampaign && stage === 'enqueued') return { kind: 'done', what: 'enqueued', card: by };
  const isUnknown = isInDoubt(stage) || enqueueResult === ALREADY_IN_CAMPAIGN;
  return { kind: sameCampaign && isUnknown ? 'enqueue_unknown' : 'created', what: 'created', by };
}

function repeatedEnqueueing(row: EarlierRow): Repeat | null {
  const { state, mode, sameCampaign, isTakenBack } = row;
  if (mode === 'delete') return state.changedTo === 'deleted' ? GONE : null;
  if (mode === 'dequeue') return sameCampaign && state.changedTo === 'dequeued' ? GONE : null;
  if (!sameCampaign || isTakenBack || state.stage !== 'enqueued') return null;
  // Another run may have added it, and an undo of that one may have removed it since.
  const kind = state.enqueueResult === CONFIRMED ? 'maybe_enqueued' : 'done';
  return { word: { kind, what: 'enqueued' } };
}

/** `reversedBy`: modes that bring back what this one takes away. */
function changeOnce(mode: RunMode, reversedBy: readonly RunMode[], byPlace: boolean): RepeatRule {
  return {
    modes: new Set([mode, ...reversedBy]),
    scope: 'same content',
    byPlace,
    repeatOf: (row) => (row.mode === mode ? repeatedChange(row) : broughtBack(row, mode)),
  };
}

function broughtBack({ state, sameCampaign }: EarlierRow, mode: RunMode): Repeat | null {
  const { stage, createResult } = state;
  if (mode === 'delete') return createResult !== null && SUCCESS.test(createResult) ? GONE : null;
  return sameCampaign && stage === 'enqueued' ? GONE : null;
}

function repeatedChange({ state, mode, sameCampaign }: EarlierRow): Repeat | null {
  if (!sameCampaign) return null;
  if (state.stage === 'changed' && state.changedTo !== null)
    return { word: { kind: 'done', what: state.changedTo } };
  if (state.stage === 'skipped' && state.note?.code === DONE_BEFORE)
    return {
      word: { kind: 'done', what: 'done', ...defined({ by: state.doneBy ?? undefined }) },
    };
  const isUnknown = state.stage === 'changing' || state.stage === 'change_unknown';
  return isUnknown && mode === 'callbacks'
    ? { word: { kind: 'change_unknown', what: 'sent' } }
    : null;
}

const samePrint = (one: Print, other: Print): boolean => one[0] === other[0] && one[1] === other[1];
