import { randomUUID } from 'node:crypto';
import {
  type LedgerInUseError,
  type LostFactsError,
  RunInUseError,
  RunTakenError,
} from '../core/errors.js';
import type { Fact } from '../core/facts.js';
import type { ListIssue, MayBegin, RunEnd, RunIdentity, RunRecord } from '../core/ledger.js';
import { MODE_TRAITS } from '../core/outcome.js';
import type { OutcomeCounts } from '../core/outcome.js';
import { ledgerCommand } from '../core/text.js';
import type { Moment } from '../core/time.js';
import type { NumberedFacts, RunFilter, SharedWork, Worker } from './port.js';

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

/** Run ids sort by time and are easily distinguished: `20261120-174500-1f3a`. */
export function newRunId(now = new Date()): string {
  const time = now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${randomUUID().slice(0, 4)}`;
}

/** The parts of an identity as they are compared: in an order of their own. */
export function partsText({ parts = {} }: RunIdentity): string {
  return JSON.stringify(Object.fromEntries(Object.entries(parts).sort()));
}

/** What the settings of a run say of its place among the others; written by us. */
interface KeptSettings {
  readonly mode?: RunRecord['mode'];
  readonly undoes?: string;
  readonly delta?: ListIssue;
  readonly unread?: string;
}

type OfSettings = Pick<RunRow, 'settings'>;

/** Settings may be long, and this is asked of all runs: those without the `key` are not parsed. */
const keptIf = (key: string, { settings }: OfSettings): KeptSettings =>
  settings.includes(`"${key}"`) ? (JSON.parse(settings) as KeptSettings) : {};

export const modeOf = (row: OfSettings): RunRecord['mode'] => keptIf('mode', row).mode ?? 'create';

/** The run that an undo takes back; absent for other runs. */
export function undoneBy(row: OfSettings): string | undefined {
  const { mode, undoes } = keptIf('undoes', row);
  return mode === 'undo' ? undoes : undefined;
}

/** The list that a run is an issue of; absent for other runs. */
export const listOf = (row: OfSettings): string | undefined => keptIf('delta', row).delta?.list;

/** Why the file of a run could not be read; nothing where it could. */
function unreadOf(row: RunRow): Pick<RunRecord, 'unread'> {
  const unread = row.content.startsWith('unread ') ? keptIf('unread', row).unread : undefined;
  return unread === undefined ? {} : { unread };
}

/** Whether all of a run has been sent; of some rows it may be unknown what became of them. */
export const isAtEnd = ({ state }: Pick<RunRow, 'state'>): boolean =>
  state === 'finished' || state === 'open';

/** Whether a run adds clients to its campaign. */
export function enqueues(row: Pick<RunRow, 'settings' | 'campaign'>): boolean {
  return row.campaign !== null && MODE_TRAITS[modeOf(row)].enqueues;
}

/** Written by us: shapes are not checked again. */
export function recordOf(row: RunRow, view: { isTaken(run: string): boolean }): RunRecord {
  return {
    run: row.id,
    mode: modeOf(row),
    state: stateOf(row, (run) => view.isTaken(run)),
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

/** What a record calls the state of a run. */
function stateOf(
  { id, state }: Pick<RunRow, 'id' | 'state'>,
  isTaken: (run: string) => boolean,
): RunRecord['state'] {
  return state !== 'finished' && isTaken(id) ? 'running' : (state ?? 'broken_off');
}

/** What runs are found by, read without all of their settings: a ledger may have tens of thousands. */
export interface RunHead extends Pick<RunRow, 'id' | 'state' | 'inputs'> {
  /** As the settings have it, where the filter asks for it. */
  readonly mode: string | null;
  /** The name of its campaign, where that is kept with the settings and the filter asks for names. */
  readonly campaign: unknown;
}

/** The columns of heads. `mode`, `campaign`: where these are in the settings, which are read where the filter asks for them. */
export const headColumns = (
  { mode, fits }: RunFilter,
  of: { readonly mode: string; readonly campaign: string },
): string =>
  `id, state, ${fits ? 'inputs' : `'[]'`} AS inputs, ${mode === undefined ? 'NULL' : of.mode} AS mode,
   ${fits ? of.campaign : 'NULL'} AS campaign`;

/** So many rows from this one on. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Ids of the runs that fit, in the order of their heads. */
export function fitting(listed: ListedRuns<RunHead>, { state, mode, fits }: RunFilter): string[] {
  const isFitting = (head: RunHead): boolean => {
    if (mode !== undefined && (head.mode ?? 'create') !== mode) return false;
    if (state !== undefined && stateOf(head, (run) => listed.isTaken(run)) !== state) return false;
    const campaign = typeof head.campaign === 'string' ? head.campaign : null;
    return !fits || fits(JSON.parse(head.inputs) as string[], campaign);
  };
  return listed.rows.filter(isFitting).map(({ id }) => id);
}

/** What choosing a run looks at: a ledger as it is at one moment, wherever it is kept. */
export interface RunView {
  readonly ledger: string;
  /** All runs in the order in which they began, since clocks may be set back. */
  readonly runs: readonly RunRow[];
  isTaken(run: string): boolean;
  /** The same, and whether machines that share the run will go on with it. */
  isAtWork(run: string): boolean;
  /** Whether a process has ended its work on the run since the command began that asks; not where that died. */
  wasFreedMeanwhile(run: RunRow): boolean;
  /** @throws UsageError when machines that share the run send what is left of it */
  refuseShared(run: RunRow): void;
  /** Whether what is on record of a run that is not at its end leaves nothing at the contact center. */
  leavesNothing(run: RunRow): boolean;
  /** Facts of a run are gone, or nothing shows that they are not; `undefined`: it has all. */
  lossOf(run: RunRow): LostFactsError | undefined;
  /** The process of a run died, and nothing shows how far it had come; `undefined`: it is known. */
  unmarked(run: RunRow): LostFactsError | undefined;
  /** @throws LostFactsError when the ledger knows less of any run than was on the disk once; `but`: of this one it may */
  refuseLostFacts(but?: string): void;
}

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

/** Runs as they are at one moment, and who works on them. */
export interface ListedRuns<Row extends RunHead | RunRow = RunRow> {
  readonly rows: readonly Row[];
  isTaken(run: string): boolean;
}

/** What is put on record together with a choice: all of it, or nothing. */
export type Write =
  /** Keeps other processes from a run. `shares`: how it may be shared; absent: it must not be. @throws LedgerInUseError */
  | { readonly kind: 'take'; readonly run: string; readonly shares?: Shares }
  | { readonly kind: 'begin'; readonly row: RunRow; readonly settles: RunIdentity | undefined }
  /** A process goes on with a run. */
  | {
      readonly kind: 'reopen';
      readonly run: RunRow;
      readonly columns: Partial<RunRow>;
      /** Present where all that is not on record is looked up, of this run and of forgotten ones of these inputs. */
      readonly settles: RunIdentity | undefined;
    }
  /** Columns of the run that is taken. */
  | { readonly kind: 'change'; readonly run: string; readonly columns: Partial<RunRow> }
  | { readonly kind: 'forget'; readonly runs: readonly string[] };

/** How a run that is taken may be shared. */
export interface Shares {
  /** What workers need to know; absent: this process works on it alone. */
  readonly plan: string | undefined;
  readonly stays: boolean;
  readonly continues: boolean;
}

/** A choice, and what is put on record with it. */
export interface Planned<T> {
  readonly result: T;
  readonly writes: readonly Write[];
}

/** Who chooses. */
export interface Choosing {
  /** When the command began that asks. @default what others did meanwhile is not looked at */
  readonly begun?: Moment | undefined;
  /** Whether a run is waited for whose process seems to have died; `shared`: and one that is being handed over. @default no */
  readonly waits?: 'alone' | 'shared';
}

/**
 * What the line of a run says when its process ends. Where the ledger has a clock of its own, that says when it was: those
 * of two machines may differ by more than a command takes.
 */
export const endColumns = ({ state, rows, outcomes }: RunEnd): Partial<RunRow> => ({
  ...{ state, rows, outcomes: JSON.stringify(outcomes) },
  ended_at: Date.now(),
});

/** A run that this process keeps others from. */
export interface Held {
  readonly row: RunRow | undefined;
  readonly shared: SharedWork | undefined;
  readonly mayBegin: MayBegin;
  /** @throws RunTakenError where another process has it */
  confirm(): Promise<void>;
  /** Resolves when the facts are on the disk; none of them is where it throws. */
  record(chunk: number, facts: readonly Fact[]): Promise<void>;
  /** Writes columns of the run. @throws RunTakenError where another process has it */
  change(columns: Partial<RunRow>): Promise<void>;
  /** Puts on record how the run stands when its process ends. @throws RunTakenError where another process has it */
  end(end: RunEnd): Promise<void>;
  release(): Promise<void>;
}

/**
 * Where a ledger is kept: what SQLite and PostgreSQL do each in its own way. What is decided is decided once, above: a
 * choice is a pure function from a view to what is to be written.
 */
export interface Store<Row extends RunRow = RunRow> {
  /** Absolute path of the file, or the address of the database. */
  readonly file: string;
  /** Chooses and writes, while no other process chooses. `held`: present where a run was taken. */
  decide<T>(
    choose: (view: RunView) => Planned<T>,
    choosing?: Choosing,
  ): Promise<{ readonly result: T; readonly held: Held | undefined }>;
  /**
   * Looks at the ledger as it is now. Nothing else is done with the view than what `ask` does. `only`: the runs that may be
   * undos, which spares reading the settings of all.
   */
  look<T>(ask: (view: RunView) => T | Promise<T>, only?: 'undos'): Promise<T>;
  /** All runs in the order in which they began, or those of these ids. */
  list(ids?: readonly string[]): Promise<ListedRuns<Row>>;
  /** The heads of all runs, or of a page of them, the latest first, with what the filter asks for; `all`: how many runs there are. */
  heads(filter: RunFilter, page?: Page): Promise<ListedRuns<RunHead> & { readonly all: number }>;
  row(run: string): Promise<Row | undefined>;
  /** The facts of one chunk of a run; none where it is not on record. */
  chunk(run: Row, chunk: number): Promise<readonly Fact[]>;
  /** Gets the facts of a run. They are read as they are taken, anew with each call; `backwards`: the last chunk first. */
  chunks(
    run: Row,
  ): Promise<(backwards?: boolean) => Iterator<NumberedFacts> & Iterable<NumberedFacts>>;
  /** The facts of a run as they are stored, read as they are taken. */
  stored(run: Row): AsyncIterable<readonly FactRow[]>;
  lastFact(run: Row): Promise<number>;
  /** Writes what a chunk holds anew: as many facts as it has, of the same kinds. */
  rewrite(run: Row, chunk: number, facts: readonly StoredFact[]): Promise<void>;
  scrub(): Promise<void>;
  /** Puts a run on record with all its facts; none of it where `check` throws, which sees it as it is stored here. */
  receive(run: RunOnRecord, check: (stored: RunOnRecord) => Promise<void>): Promise<void>;
  close(): Promise<void>;
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

/**
 * What a function returns or throws, as a promise that is settled already: a ledger on this machine answers within the
 * turn in which it is asked.
 */
export function settled<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
