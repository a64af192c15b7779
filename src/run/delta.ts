import { UsageError, interruption } from '../core/errors.js';
import type { EarlierRun, RunLedger, ListIssue, RunRecord } from '../core/ledger.js';
import { type KnownRows, type SeenKeys, NO_DUPLICATES } from '../core/duplicates.js';
import { whole } from '../core/text.js';
import { createSeenKeys } from '../lists/seen.js';
import type { Ledger } from '../ledger/port.js';
import { exceeds, limitText, removeMissingRule } from '../delivery/import.js';
import { knownClients, type KnownClients, keyOf } from './repeats.js';
import type { DeltaPlan } from './delta-plan.js';
import { z } from 'zod';
import { isImport } from '../core/mode.js';
import {
  NO_PRINT,
  PRINT_WORDS,
  type Print,
  printAt,
  identifiersOf,
  type PreparedChunk,
  type RowRecord,
  isErased,
} from '../core/prepared.js';
import { readFactOf, type Fact, type ReadFact } from '../core/facts.js';
import { SUPPRESSED } from '../core/problem.js';
import { join } from 'node:path';
import type { RunOptions } from './requests.js';
import { identityOn, placeSettings } from './settings.js';
import type { Work } from './plan.js';
import type { DequeuePayload } from '../core/client.js';
import { CHUNK_ROWS } from '../prepare/plan.js';
import { recordedChunk } from './recorded.js';

/** What a run over an issue of a list needs. */
interface DeltaParts {
  readonly ledger: Ledger;
  readonly run: RunLedger;
  /** Earlier runs that say something of the clients, the latest first. */
  readonly relies: readonly EarlierRun[];
  readonly identifierNames: readonly string[];
  readonly warn: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** A list beside the ones before it, while its run is under way. */
export interface DeltaRun {
  /** What earlier runs did with the rows. @throws UsageError where too many clients are missing, StopRun */
  known(): Promise<KnownRows | undefined>;
  /** Clients of earlier lists that are to be removed from the campaign; `null`: none. To be called after `known`. */
  missing(): MissingRows | null;
  close(): void;
}

export function createDeltaRun(plan: DeltaPlan, parts: DeltaParts): DeltaRun {
  const list = createSeenKeys();
  const keys = createSeenKeys();
  let missing: MissingRows | null = null;
  return {
    known: async () => {
      if (parts.relies.length === 0) return undefined;
      const { ledger, relies: runs, run, signal } = parts;
      const { campaignId, rule } = plan;
      const factsOf = (id: string): ReturnType<Ledger['factsOf']> => ledger.factsOf(id);
      const last = await lastIssue(ledger, runs, campaignId);
      const isEnough = plan.missing === 'dequeue' && rule.skipsChanged !== true;
      const known = await knownClients({
        ...{ runs, rule, campaignId, factsOf, keys, signal },
        last: last ? { run: last.run, isEnough } : undefined,
      });
      const found = await compare(plan, parts, last, () =>
        compareList(plan.readList(signal), known, list, signal),
      );
      if (found && plan.missing === 'dequeue' && plan.issue.isWhole) {
        const total = known.present - found.again;
        // A removal that has begun was allowed, and goes on: who was erased since counts on neither side.
        const removal = run.continued ? await removalOf(ledger, run.run) : undefined;
        if (!removal) refuseTooMany(plan, known.present, total);
        const { identifierNames } = parts;
        if (total > 0 || removal) missing = { runs, known, list, factsOf, identifierNames, total };
      }
      // What is not on record of this run may have been sent: nothing counts as sent as it is.
      return {
        find: (identifiers, ordinal, print) =>
          known.find(identifiers, ordinal, run.settlesAll ? undefined : print),
        close: () => undefined,
      };
    },
    missing: () => missing,
    close: () => {
      list.close();
      keys.close();
    },
  };
}

/** Reads the list once, where clients may be missing from it or another mapping may have changed all of its rows. */
async function compare(
  { missing, issue }: DeltaPlan,
  { warn }: DeltaParts,
  last: KeptIssue | null,
  read: () => Promise<ListComparison>,
): Promise<ListComparison | null> {
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

/** @throws UsageError */
function refuseTooMany({ maxMissing }: DeltaPlan, present: number, missing: number): void {
  if (!exceeds(missing, maxMissing, present)) return;
  throw new UsageError(
    `${whole(missing)} of ${whole(present)} clients of the lists before are not in this one, more than the ${limitText(maxMissing)} that "delta: maxMissing" allows, so that nothing was sent. Is the file whole, and is it of the same list? If it is, raise maxMissing in the mapping, or keep the clients with "missing: keep".`,
  );
}

const kept = z.object({
  delta: z.object({ list: z.string(), mapping: z.string(), isWhole: z.boolean() }),
  anew: z.boolean().optional(),
});

/** A run, and what its settings keep of its list. */
interface KeptIssue {
  readonly run: string;
  readonly issue: ListIssue;
}

/**
 * The last list among these runs, the latest first: the latest that had all rows and came to its end. One that was sent
 * with --again removed nobody, so that whom it lacks is looked for behind it.
 */
async function lastIssue(
  ledger: Pick<Ledger, 'settingsOf'>,
  runs: readonly EarlierRun[],
  campaignId: number | null,
): Promise<KeptIssue | null> {
  for (const { run, mode, state, rows, campaignId: campaign } of runs) {
    const hasEnded = state === 'finished' || state === 'open';
    if (!hasEnded || !rows || !isImport(mode) || mode === 'dequeue' || campaign !== campaignId)
      continue;
    const { delta: issue, anew } = kept.safeParse(await ledger.settingsOf(run)).data ?? {};
    if (issue?.isWhole && anew !== true) return { run, issue };
  }
  return null;
}

/** How a list stands to the ones before it. */
interface ListComparison {
  readonly rows: number;
  /** Rows that are as they were sent. */
  readonly unchanged: number;
  /** Clients of the lists before that are in this one too. */
  readonly again: number;
}

/** Problems of rows that a rule of the person leaves out: what it does not take is not in the list. */
const LEFT_OUT: ReadonlySet<string> = new Set(['filtered', SUPPRESSED]);
const REJECTED = 1;

/**
 * Reads a list, compares it with the ones before, and notes its clients in `list`. A row that is rejected is in the
 * list all the same, as far as its identifiers can be read.
 * @throws StopRun when the signal is aborted
 */
async function compareList(
  chunks: AsyncIterable<PreparedChunk>,
  known: KnownClients,
  list: SeenKeys,
  signal: AbortSignal | undefined,
): Promise<ListComparison> {
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
      note(valuesOf(identifiersOf(clients, index)), printAt(prints, index));
    }
    if (chunk.rejected + chunk.skipped === 0) continue;
    for (const record of readFactOf(chunk.read).rows)
      if (isListed(record))
        note(
          record[2].map((value) => value ?? ''),
          NO_PRINT,
        );
  }
  return found;
}

const valuesOf = (identifiers: string): (string | number)[] =>
  Object.values(JSON.parse(identifiers) as Record<string, string | number>);

/** Whether the row of a client that is not sent is in the list. */
function isListed([, , identifiers, status, problems = []]: RowRecord): boolean {
  if (status === 0 || identifiers.includes(null)) return false;
  return status === REJECTED || !problems.some(({ code }) => LEFT_OUT.has(code));
}

/** The folder in that of the list's report in which the removed clients are reported. */
const FOLDER = 'missing';

/** The run of the list that lacks the clients, and the folder of its report. */
interface ListRun {
  readonly run: string;
  readonly out: string;
}

/**
 * Removes clients that a list lacks from the campaign (interface.md 4.10), as a run of its own: it has a report, and is
 * continued with the run of the list.
 */
export function missingWork(
  request: RunOptions,
  work: Work,
  missing: MissingRows,
  { run, out }: ListRun,
): [RunOptions, Work] {
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
      chunks: () => chunksOf(missing, ledger, run),
      countRows: () => Promise.resolve({ counted, checked: [] }),
      changeRule: (changes) => removeMissingRule(changes, campaign?.id ?? 0),
      recovery: {},
    },
  ];
}

async function* chunksOf(
  missing: MissingRows,
  ledger: Ledger,
  run: string,
): AsyncGenerator<PreparedChunk> {
  const removal = await removalOf(ledger, run);
  yield* missingChunks(missing, removal ? await ledger.factsOf(removal.run) : []);
}

/** How the run that removes whom the list of a run lacks names its input. */
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

/** Clients of earlier lists that are not in this one. */
interface MissingRows {
  /** The runs of the earlier lists, the latest first. */
  readonly runs: readonly EarlierRun[];
  readonly known: KnownClients;
  /** Keys of the clients of this list. */
  readonly list: SeenKeys;
  readonly factsOf: Ledger['factsOf'];
  readonly identifierNames: readonly string[];
  /** How many there are. */
  readonly total: number;
}

/** A callback that somebody has arranged is kept. */
const PAYLOAD: DequeuePayload = { cancelCallbacks: false };

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
    for (const record of chunk.rows) if (!isErased(record)) noteOnce(missing.list, record[2]);
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
      for (const record of readIn(facts)?.rows ?? [])
        if (isMissing(missing, run, record)) {
          const [row, uuid, identifiers] = record;
          // A row that repeats another one has the same client.
          if (!noteOnce(missing.list, identifiers)) continue;
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

type Identified = RowRecord[2];
const valuesOfMissing = (identifiers: Identified): (string | number)[] =>
  identifiers.map((value) => value ?? '');

/** Whether the run has the last word on the client of a row, and this list lacks it. */
function isMissing({ known, list }: MissingRows, run: string, record: RowRecord): boolean {
  const values = valuesOfMissing(record[2]);
  const deed = known.deedOf(values);
  return deed?.run === run && deed.isPresent && list.find(keyOf(values, null), 0) === null;
}

function noteOnce(list: SeenKeys, identifiers: Identified): boolean {
  const key = keyOf(valuesOfMissing(identifiers), null);
  if (list.find(key, 0)) return false;
  list.add(key, 0, 0, 0);
  return true;
}

function chunkOf({ identifierNames, total }: MissingRows, read: ReadFact): PreparedChunk {
  const taken = read.rows.flatMap((record, at) =>
    isErased(record) ? [] : [{ at, record, payload: PAYLOAD }],
  );
  const done = read.first + read.rows.length;
  return recordedChunk(read, taken, identifierNames, { total, done });
}
