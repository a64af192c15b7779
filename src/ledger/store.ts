import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { type LedgerInUseError, RunInUseError, RunTakenError } from '../core/errors.js';
import type { ChunkRows, Fact, WaitingRows } from '../core/facts.js';
import type {
  EarlierRun,
  KnownScope,
  ListIssue,
  MayBegin,
  RunEnd,
  RunIdentity,
  RunLedger,
  RunRecord,
} from '../core/ledger.js';
import { MODE_TRAITS, type RunMode } from '../core/mode.js';
import type { OutcomeCounts } from '../core/outcome.js';
import type { RowReport } from '../core/report.js';
import { ledgerCommand } from '../core/text.js';
import type { Moment } from '../core/time.js';

/** A line of the table of runs. */
export interface RunRow {
  readonly id: string;
  readonly inputs: string;
  readonly content: string;
  readonly mapping: string;
  readonly installation: string;
  readonly campaign: number | null;
  readonly settings: string;
  readonly out: string;
  readonly created_at: number;
  /** When a process opened it last. */
  readonly opened_at: number;
  /** `null` until a process of the run has ended by itself. */
  readonly state: RunEnd['state'] | null;
  readonly ended_at: number | null;
  readonly rows: number | null;
  readonly outcomes: string | null;
  /** What the inputs showed before they were digested; `null` where they were digested first. */
  readonly fingerprint: string | null;
  /** JSON of what else the run is bound to; `null` with runs of earlier versions. */
  readonly parts: string | null;
  /** JSON of the process that opened it last (`Worker`). */
  readonly worker: string | null;
  /** JSON list of earlier runs whose rows this one knew of when it began. */
  readonly relies: string | null;
  /** 1: facts of it were lost, so that what is not on record is looked up before it is sent. */
  readonly settles_all: 0 | 1;
}

/** The columns that every ledger has, in the order in which they are written. */
export const RUN_COLUMNS = [
  'id',
  'inputs',
  'content',
  'mapping',
  'installation',
  'campaign',
  'settings',
  'out',
  'created_at',
  'opened_at',
  'state',
  'ended_at',
  'rows',
  'outcomes',
  'fingerprint',
  'parts',
  'worker',
  'relies',
  'settles_all',
] as const satisfies readonly (keyof RunRow)[];

export type RunColumn = (typeof RUN_COLUMNS)[number];

/** A process that works on a run. */
interface Worker {
  readonly pid: number;
  readonly host: string;
  /** In milliseconds since the epoch. */
  readonly since: number;
}

/** Run ids sort by time and are easily distinguished: `20261120-174500-1f3a`. */
export function newRunId(now = new Date()): string {
  const time = now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${randomUUID().slice(0, 4)}`;
}

/** The settings of a run with what a command replaces that goes on with it. */
export const renewedSettings = (
  { settings }: Pick<RunRow, 'settings'>,
  renewed: Readonly<Record<string, unknown>> = {},
): string => JSON.stringify({ ...(JSON.parse(settings) as object), ...renewed });

/** What keeps more with the settings of a run, and all that it was given before. */
export function settingsKeeper(
  row: Pick<RunRow, 'settings'>,
  keep: (settings: string) => Promise<void>,
): (more: Readonly<Record<string, unknown>>) => Promise<void> {
  const all: Record<string, unknown> = {};
  return (more) => keep(renewedSettings(row, Object.assign(all, more)));
}

/** The parts of an identity as they are compared: in an order of their own. */
export function partsText({ parts = {} }: RunIdentity): string {
  return JSON.stringify(Object.fromEntries(Object.entries(parts).sort()));
}

/** The process that works on a run, as the table has it. */
export function workerText(): string {
  return JSON.stringify({ pid, host: hostname(), since: Date.now() } satisfies Worker);
}

/** The mode of a run is kept with its settings. */
export function modeOf({ settings }: Pick<RunRow, 'settings'>): RunRecord['mode'] {
  const { mode } = JSON.parse(settings) as { mode?: RunRecord['mode'] };
  return mode ?? 'create';
}

/** The run that an undo takes back; absent for other runs. */
export function undoneBy({ settings }: Pick<RunRow, 'settings'>): string | undefined {
  // Settings may be long, and this is asked of all runs.
  if (!settings.includes('"undoes"')) return undefined;
  const { mode, undoes } = JSON.parse(settings) as { mode?: string; undoes?: string };
  return mode === 'undo' ? undoes : undefined;
}

/** The list that a run is an issue of; absent for other runs. */
export function listOf({ settings }: Pick<RunRow, 'settings'>): string | undefined {
  // Most runs are none: their settings need not be parsed.
  if (!settings.includes('"delta"')) return undefined;
  return (JSON.parse(settings) as { delta?: ListIssue }).delta?.list;
}

/** Why the file of a run could not be read; nothing where it could. */
function unreadOf({ content, settings }: RunRow): Pick<RunRecord, 'unread'> {
  if (!content.startsWith('unread ')) return {};
  const { unread } = JSON.parse(settings) as { unread?: string };
  return unread === undefined ? {} : { unread };
}

/** Whether a run adds clients to its campaign. */
export function enqueues(row: Pick<RunRow, 'settings' | 'campaign'>): boolean {
  return row.campaign !== null && MODE_TRAITS[modeOf(row)].enqueues;
}

/** Written by us: shapes are not checked again. */
export function recordOf(row: RunRow, view: { isTaken(run: string): boolean }): RunRecord {
  const resting = row.state ?? 'broken_off';
  return {
    run: row.id,
    mode: modeOf(row),
    state: row.state !== 'finished' && view.isTaken(row.id) ? 'running' : resting,
    inputs: JSON.parse(row.inputs) as string[],
    campaignId: row.campaign,
    installation: row.installation,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    out: row.out,
    rows: row.rows,
    outcomes: row.outcomes === null ? null : (JSON.parse(row.outcomes) as OutcomeCounts),
    ...unreadOf(row),
  };
}

/** What choosing a run looks at: a ledger as it is at one moment, wherever it is kept. */
export interface RunView {
  /** The ledger, as commands name it. */
  readonly ledger: string;
  /** All runs in the order in which they began, since clocks may be set back. */
  readonly runs: readonly RunRow[];
  /** Whether somebody works on the run now. */
  isTaken(run: string): boolean;
  /** The same, and whether machines that share the run will go on with it. */
  isAtWork(run: string): boolean;
  /** Whether a process has ended its work on the run since the command began that asks; not where that died. */
  wasFreedMeanwhile(run: RunRow): boolean;
  /** @throws UsageError when machines that share the run send what is left of it */
  refuseShared(run: RunRow): void;
  /** Whether what is on record of a run that is not at its end leaves nothing at the contact center. */
  leavesNothing(run: RunRow): boolean;
  /** Whether facts of a run are gone, or nothing shows that they are not. */
  hasLostFacts(run: RunRow): boolean;
  /** @throws LostFactsError when the ledger knows less of any run than was on the disk once */
  refuseLostFacts(): void;
  /** @throws LostFactsError when the process of a run died and nothing shows how far it had come */
  refuseUnmarked(run: RunRow): void;
}

/** What the submitter counts while it hands a run over. */
export interface SubmitterTally {
  /** Rows that are no clients, of all that this process has read. */
  rejected: number;
  /** How many rows may end badly; `null`: any. */
  allowed: number | null;
  /** Called when a statement says that the run stops, before what it appended is acted upon. */
  onStop: (stop: SharedStop) => void;
}

/** How far a run has been handed over. */
export interface SharedRun {
  /** How many pieces are on record: the next one has this number. */
  readonly handed: number;
  /** How many chunks these have. */
  readonly chunks: number;
  /** How many pieces there are; `null` while the input is being read. */
  readonly pieces: number | null;
  /** Whether rows that ended badly before it was shared have been counted. */
  readonly isCounted: boolean;
}

/** A shared run that this process hands over: its place, and the lease by which it may. */
export interface SharedWork extends SharedRun {
  readonly place: number;
  readonly lease: Lease;
  /** Whether this process ends it. */
  readonly stays: boolean;
  /** What it counts meanwhile. */
  readonly tally: SubmitterTally;
}
/** Why nobody is to send anything more for a shared run. */
export interface SharedStop {
  readonly by: 'canary' | 'failures';
  /** How many rows have ended badly. */
  readonly bad: number;
}

/** A run that this process works on: while it renews the lease, by the clock of the database, no other process takes it. */
export interface Lease {
  readonly run: string;
  /** Raised whenever a run is taken: facts of an earlier holder are refused. */
  readonly epoch: number;
}

/** Which earlier runs a new one knows of. */
export interface KnownRuns {
  readonly scope: KnownScope;
  readonly modes: ReadonlySet<RunMode>;
  /** The list that the run is an issue of: runs of the issues before are known, however they ended. */
  readonly list?: string | undefined;
}

export interface RunRequest {
  readonly identity: RunIdentity;
  /** Whatever is needed to begin the run again; kept with it. */
  readonly settings: object;
  /** What replaces a part of the settings where the run goes on; `undefined` takes a part away. @default nothing */
  readonly renewed?: Readonly<Record<string, unknown>> | undefined;
  /** Folder of the report, by the id of a new run. */
  readonly out: (run: string) => string;
  /** Begin a new run, whatever the ledger has. */
  readonly again?: boolean | undefined;
  /** The run only reads: it is done again where an earlier one has been, and neither binds an import nor is bound by one. */
  readonly readsOnly?: boolean | undefined;
  /** Continue this run and no other. */
  readonly run?: string | undefined;
  /** Of which earlier runs a new run knows the rows. @default none */
  readonly knows?: KnownRuns | null | undefined;
  /** Go on although facts were lost: what is not on record is looked up before it is sent. */
  readonly settleAll?: boolean | undefined;
  /** Lets several machines work on the run: what workers need to know, as JSON. @default one process works on it */
  readonly shared?: string | undefined;
  /** Whether whoever shares it has something left to do, and ends it, when all pieces have ended. @default false */
  readonly stays?: boolean | undefined;
  /** When the command began, for which the run is opened. @default what others did meanwhile is not looked at */
  readonly begun?: Moment | undefined;
  /** Whether nothing is begun while others are at work on the same contact center. @default false */
  readonly waitsForRuns?: boolean | undefined;
  /** Whether the digest of large inputs cannot be had: what they show at once has to do. @default false */
  readonly isContentFinal?: boolean | undefined;
}

/** A run that is open for work, or the record of one that has been done already. */
export type OpenedRun =
  | {
      readonly kind: 'open';
      readonly ledger: RunLedger;
      readonly out: string;
      /** Earlier runs whose rows this one knows of, the latest first. */
      readonly relies: readonly EarlierRun[];
      /** Ids of other runs that are at work on the same contact center, the latest first. */
      readonly beside: readonly string[];
      /** Whether a request of the run may leave. */
      readonly mayBegin: MayBegin;
      /** Makes sure that nobody else has the run. @throws RunTakenError */
      confirm(): Promise<void>;
      /** Present where the run is shared: this process hands its pieces over. */
      readonly shared?: SharedWork;
      /** Puts the digest of the content on record, where it was not known when the run began. */
      identify(content: string): Promise<void>;
      /** Keeps more with the settings of the run. */
      keep(more: Readonly<Record<string, unknown>>): Promise<void>;
      close(): Promise<void>;
    }
  | { readonly kind: 'done'; readonly record: RunRecord }
  /** Others are at work, and are to be waited for: these, the latest first. Open it again then. */
  | { readonly kind: 'wait'; readonly runs: readonly string[] }
  /** The digest of large inputs decides, and is not in the identity yet: open it again with it. */
  | { readonly kind: 'digest' };

/** Says who works on a run, and what to do. */
export function inUse({ id, worker }: Pick<RunRow, 'id' | 'worker'>): LedgerInUseError {
  const known = worker === null ? null : (JSON.parse(worker) as Worker);
  const who = known ? ` (${known.pid} on ${known.host})` : '';
  const since = known ? ` since ${new Date(known.since).toISOString()}` : '';
  return new RunInUseError(
    `Another process${who} has been working on run ${id}${since}; wait for it, or stop it and run the same command again.`,
    id,
  );
}

/**
 * A command that began beside another one is refused as one that meets it, also where that other one was quick to end.
 * @throws LedgerInUseError when another process has ended its work on the run since the command began
 */
export function refuseFreed(
  view: Pick<RunView, 'wasFreedMeanwhile' | 'ledger'>,
  run: RunRow,
): void {
  if (!view.wasFreedMeanwhile(run)) return;
  const { id } = run;
  throw new RunInUseError(
    `Another process has been working on run ${id}, and ended after this command had begun. See how it ended ("${ledgerCommand(view.ledger, 'report', id)}"), and run the same command again where more is to be sent.`,
    id,
  );
}

/** Said to a process that has lost its run. */
export const runTaken = (run: string): RunTakenError =>
  new RunTakenError(
    `Another process has taken run ${run}, since this one did not answer for too long. Nothing more is sent here; look at the run there.`,
    { saysHowToContinue: true },
  );

/** @throws LedgerInUseError when another process works on the run */
export function refuseTaken(view: Pick<RunView, 'isTaken'>, run: RunRow): void {
  if (view.isTaken(run.id)) throw inUse(run);
}

/** A fact as it stands in the ledger. */
export interface StoredFact {
  readonly run: string;
  readonly chunk: number;
  readonly kind: string;
  /** JSON text, as bytes of UTF-8 where it is at hand so. */
  readonly data: string | Uint8Array;
  /** As the run is for as long as it is this process's: another one that opens it changes that. @default not compared */
  readonly openedAt?: number | undefined;
}

export function storedFacts(
  run: string,
  chunk: number,
  facts: readonly Fact[],
  openedAt?: number,
): StoredFact[] {
  return facts.map((fact) => ({ run, chunk, kind: fact.kind, data: dataOf(fact), openedAt }));
}

function dataOf(fact: Fact): string | Uint8Array {
  if (fact.kind === 'read') return fact.data;
  const { kind: _, ...data } = fact;
  return JSON.stringify(data);
}

export interface FactRow {
  readonly chunk: number;
  readonly kind: string;
  readonly data: string;
}

/** Written by us: its shape is not checked again. */
export function factOf({ kind, data }: FactRow): Fact {
  if (kind === 'read') return { kind, data };
  return { kind, ...(JSON.parse(data) as object) } as Fact;
}

/** All that is on record of a run, as it is stored. */
export interface RunOnRecord {
  readonly row: RunRow;
  /** Its facts, chunk by chunk, those of a chunk in the order of recording; read anew with each call. */
  readonly facts: () => AsyncIterable<readonly FactRow[]>;
}

/** What copies whole runs out of a ledger and into it. */
export interface RunTransfer {
  /** All runs in the order in which they began. */
  rows(): Promise<readonly RunRow[]>;
  /** A run that is on record. */
  read(run: string): Promise<RunOnRecord>;
  /**
   * Gives a run away, and keeps other processes from it meanwhile. One that can still be continued has from then on all
   * looked up before it is sent, here and where it is copied to: the other ledger may have sent it.
   * @throws LedgerInUseError, LostFactsError
   */
  lend<T>(run: string, use: (lent: RunOnRecord) => Promise<T>): Promise<T>;
  /** Puts a run on record with all its facts; none of it where `check` throws, which sees it as it is stored here. */
  receive(run: RunOnRecord, check: (stored: RunOnRecord) => Promise<void>): Promise<void>;
}

/** The facts of a chunk, with its number. */
export type NumberedFacts = readonly [number: number, facts: readonly Fact[]];

/** A run that other processes are kept from. */
export interface HeldRun {
  /** Whether a request may leave for what is done with the run. */
  readonly mayBegin: MayBegin;
  release(): Promise<void>;
}

/** Which runs are looked for. Without any of these: all of them. */
export interface RunFilter {
  readonly state?: RunRecord['state'] | undefined;
  readonly mode?: RunRecord['mode'] | undefined;
  /** Whether the names of its inputs, and of its campaign where that is kept, fit. */
  readonly fits?: ((inputs: readonly string[], campaign: string | null) => boolean) | undefined;
}

/** A part of the runs that fit, the latest first. */
export interface RunPage {
  /** How many fit. */
  readonly total: number;
  /** How many there are. */
  readonly all: number;
  readonly runs: readonly RunRecord[];
}

/** The runs of a ledger, as they are listed. */
interface RecordedRuns {
  /** All runs, the latest first. */
  runs(): Promise<RunRecord[]>;
  /** One run; `undefined` when there is none of this id. */
  find(run: string): Promise<RunRecord | undefined>;
  page(filter: RunFilter, offset: number, limit: number): Promise<RunPage>;
  /** Those of these runs that can be continued: nobody works on them, and they were neither taken back nor overtaken. */
  resumable(runs: readonly string[]): Promise<ReadonlySet<string>>;
  /** Id of the latest run that can be continued. */
  latestToResume(): Promise<string | undefined>;
  /** Ids of the runs that took these back, or a part of them, by the run that was taken back. */
  undosOf(runs: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

/**
 * The ledger of all runs, wherever it is kept: what is asked of it may have to travel. `openLedger` has the one in a file.
 */
export interface Ledger extends RecordedRuns {
  /** Absolute path of the file, or the address of the database. */
  readonly file: string;
  /**
   * Opens the run of an import: a new one, or one that is to be continued; it is locked for this process. Choosing and
   * beginning are one step.
   * @throws LedgerInUseError when another process works on it; UsageError when something that it is bound to has
   * changed; LostFactsError when the ledger has lost its end.
   */
  openRun(request: RunRequest): Promise<OpenedRun>;
  /**
   * Keeps other processes from a run while something else is done with what is on record of it.
   * @throws LedgerInUseError; LostFactsError when that is not all that it did
   */
  holdRun(run: string): Promise<HeldRun>;
  /** Whether the digest of large inputs has to be known before a run is opened. `run`: as in `RunRequest`. */
  asksContent(identity: RunIdentity, run?: string): Promise<boolean>;
  /** What was kept with a run when it began. */
  settingsOf(run: string): Promise<unknown>;
  /** Rows of a run with their outcomes, in order. They are read as they are taken, anew with each iteration. */
  rowsOf(run: string): Promise<Iterable<RowReport>>;
  /** The first of them, without reading the others. */
  firstRow(run: string): Promise<RowReport | undefined>;
  /** All of them chunk by chunk, each with its number, by which `rowsOfChunk` reads it again. */
  rowsByChunk(run: string): Promise<Iterable<ChunkRows>>;
  /** Rows of one chunk of a run; none where it is not on record. */
  rowsOfChunk(run: string, chunk: number): Promise<readonly RowReport[]>;
  /** Rows of a run for which something is yet to be sent. */
  waitingOf(run: string): Promise<WaitingRows>;
  /** The facts of a run, chunk by chunk, each with its number, read as they are taken; `backwards`: the last chunk first. */
  factsOf(run: string, backwards?: boolean): Promise<Iterable<NumberedFacts>>;
  /** Whether anything has been recorded of a run since: the number of its last fact. */
  lastFact(run: string): Promise<number>;
  /**
   * Writes the facts of a chunk anew, the same in number and kind: the one change of what is on record, for who removes a
   * person from it. Nobody may work on the run meanwhile (`holdRun`).
   */
  rewriteFacts(run: string, chunk: number, facts: readonly Fact[]): Promise<void>;
  /**
   * Sees to it that nothing of what was rewritten is left in the ledger's own files or tables.
   * @throws LedgerInUseError when somebody else reads it
   */
  scrub(): Promise<void>;
  /**
   * Forgets finished runs that ended before then, in milliseconds since the epoch, except those that others cannot do
   * without. Returns their ids.
   * @param leaving called with the ids before the runs are forgotten: whatever else goes with them goes first, so that
   * nothing is left that no run knows of
   */
  prune(before: number, leaving?: (runs: readonly string[]) => void): Promise<string[]>;
  /** Copies whole runs out of the ledger and into it. */
  readonly transfer: RunTransfer;
  close(): Promise<void>;
}

/** Runs as they are at one moment, and who works on them. */
export interface ListedRuns<Row extends RunRow = RunRow> {
  readonly rows: readonly Row[];
  isTaken(run: string): boolean;
}

/** A part of the runs that fit, the latest first, how many fit, and how many there are. */
export interface FoundRuns extends ListedRuns {
  readonly total: number;
  readonly all: number;
}

/**
 * Where a ledger is kept: what SQLite and PostgreSQL do each in its own way. What is made of it is told once, by
 * `ledger.ts`, which is all that others see.
 */
export interface Store<Row extends RunRow = RunRow> extends Pick<
  Ledger,
  'file' | 'openRun' | 'holdRun' | 'scrub' | 'transfer' | 'close'
> {
  /**
   * Looks at the ledger as it is now. Nothing else is done with the view than what `ask` does. `only`: the runs that may be
   * undos, which spares reading the settings of all.
   */
  look<T>(ask: (view: RunView) => T | Promise<T>, only?: 'undos'): Promise<T>;
  /** All runs in the order in which they began, or those of these ids. */
  list(ids?: readonly string[]): Promise<ListedRuns<Row>>;
  find(filter: RunFilter, offset: number, limit: number): Promise<FoundRuns>;
  hasUnfinished(ids: readonly string[]): Promise<boolean>;
  row(run: string): Promise<Row | undefined>;
  /** The facts of one chunk of a run; none where it is not on record. */
  chunk(run: Row, chunk: number): Promise<readonly Fact[]>;
  /** The first chunk behind this one. */
  chunkAfter(run: Row, chunk: number): Promise<NumberedFacts | undefined>;
  /** Gets the facts of a run. They are read as they are taken, anew with each call; `backwards`: the last chunk first. */
  chunks(
    run: Row,
  ): Promise<(backwards?: boolean) => Iterator<NumberedFacts> & Iterable<NumberedFacts>>;
  lastFact(run: Row): Promise<number>;
  /** Writes what a chunk holds anew: as many facts as it has, of the same kinds. */
  rewrite(run: Row, chunk: number, facts: readonly StoredFact[]): Promise<void>;
  /** Forgets the runs that are chosen of those that are there. */
  forget(choose: (view: RunView) => string[]): Promise<string[]>;
}

/** @throws Error where facts that are to be written anew are others than those that are there */
export function refuseOtherKinds(
  run: string,
  there: readonly { readonly kind: string }[],
  facts: readonly StoredFact[],
): void {
  if (there.length !== facts.length || there.some(({ kind }, at) => kind !== facts[at]?.kind))
    throw new Error(`The facts of run ${run} are others than those that were read.`);
}

/** What chunks hold, without their numbers. */
export function* factsIn(
  chunks: Iterable<NumberedFacts>,
): Generator<readonly Fact[], void, undefined> {
  for (const [, facts] of chunks) yield facts;
}

/** What gives another iterator with each iteration, where a generator could be iterated once. */
export const iterable = <T>(iterator: () => Iterator<T>): Iterable<T> => ({
  [Symbol.iterator]: iterator,
});

/**
 * What a function returns or throws, as a promise that is settled already: a ledger on this machine answers within the
 * turn in which it is asked.
 */
export function settled<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

/** A ledger that has its tables, or what an administrator has to execute so that it gets them. */
export type InitializedLedger = {
  /** Absolute path, or the address of the database. */
  readonly file: string;
} & (
  | { readonly kind: 'ready'; readonly version: number }
  | { readonly kind: 'sql'; readonly sql: string }
);

/** What is known of a ledger without opening it: nothing is made or changed. */
export interface InspectedLedger {
  /** Absolute path, or the address of the database. */
  readonly file: string;
  /** Version of its tables; `undefined`: there is no ledger yet, or it is empty. */
  readonly version: number | undefined;
  /** The version that this program writes. An older one is brought to it, a newer one is refused. */
  readonly ownVersion: number;
  /** What cannot be written: the ledger itself, or its folder, in which SQLite keeps its log. */
  readonly notWritable: readonly string[];
  /** Ids of runs on which other processes work now. */
  readonly inUse: readonly string[];
}
