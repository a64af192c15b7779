import type { RunRecord, RunIdentity, RunLedger, EarlierRun, MayBegin } from '../core/ledger.js';
import { CardlineError, LedgerError, NoLedgerError, codeOf } from '../core/errors.js';
import type { RowReport } from '../core/report.js';
import type { ChunkRows, WaitingRows, Fact } from '../core/facts.js';
import type { Moment } from '../core/time.js';
import type { RunMode } from '../core/outcome.js';
import { pid } from 'node:process';
import { hostname } from 'node:os';
import { readFileSync } from 'node:fs';

/**
 * The ledger of all runs, wherever it is kept: what is asked of it may have to travel. `openLedger` has the one in a file.
 */
export interface Ledger {
  /** Absolute path of the file, or the address of the database. */
  readonly file: string;
  /** All runs, the latest first. */
  runs(): Promise<RunRecord[]>;
  find(run: string): Promise<RunRecord | undefined>;
  /** Some of those that fit, the latest first, with how many fit (`total`) and how many there are (`all`). */
  page(
    filter: RunFilter,
    offset: number,
    limit: number,
  ): Promise<{ readonly total: number; readonly all: number; readonly runs: readonly RunRecord[] }>;
  /** Those of these runs that can be continued: nobody works on them, and they were neither taken back nor overtaken. */
  resumable(runs: readonly string[]): Promise<ReadonlySet<string>>;
  /** Id of the latest run that can be continued. */
  latestToResume(): Promise<string | undefined>;
  /** Ids of the runs that took these back, or a part of them, by the run that was taken back. */
  undosOf(runs: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Opens the run of an import: a new one, or one that is to be continued; it is locked for this process. Choosing and
   * beginning are one step.
   * @throws LedgerInUseError when another process works on it; UsageError when something that it is bound to has
   * changed; LostFactsError when the ledger has lost its end.
   */
  openRun(request: RunRequest): Promise<OpenedRun>;
  /** What opening it would come to, decided as `openRun` does; nothing is opened. @throws as `openRun` does */
  foresee(request: RunRequest): Promise<Foreseen>;
  /**
   * Keeps other processes from a run while something else is done with what is on record of it.
   * @throws LedgerInUseError; LostFactsError when that is not all that it did
   */
  holdRun(run: string): Promise<HeldRun>;
  /** What was kept with a run when it began. */
  settingsOf(run: string): Promise<unknown>;
  /** Rows of a run with their outcomes, in order. They are read as they are taken, anew with each iteration. */
  rowsOf(run: string): Promise<Iterable<RowReport>>;
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
  close(): Promise<void>;
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

/** Which earlier runs a new one knows of. */
export interface KnownRuns {
  /** Those of the same content, of the same files too, or of the same list alone. */
  readonly scope: 'same content' | 'same files' | 'same list';
  readonly modes: ReadonlySet<RunMode>;
  /** The list that the run is an issue of: runs of the issues before are known, however they ended. */
  readonly list?: string | undefined;
}

/** What opening a run would come to. */
export interface Foreseen {
  readonly kind: 'begin' | 'continue' | 'done' | 'digest' | 'wait';
  /** Id of the run that is continued or done; `null` where there is none. */
  readonly run: string | null;
  /** Earlier runs whose rows a new one would know of, the latest first. */
  readonly relies: readonly EarlierRun[];
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

/** The facts of a chunk, with its number. */
export type NumberedFacts = readonly [number: number, facts: readonly Fact[]];

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

export interface LedgerOptions {
  /** Whether a thread of its own writes where there is much to write; to a ledger in memory it cannot. */
  readonly thread?: boolean;
  /**
   * How long a file is waited for while another process has it for itself; nothing else is done meanwhile. A database is
   * never one process's own. @default 5 s
   */
  readonly busyMs?: number;
  /** How long a process has a run of a ledger in PostgreSQL for itself, and how often it renews that. @default 30 s, 5 s */
  readonly lease?: LeaseTimes | undefined;
}

/** Times of a lease, in milliseconds. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewMs: number;
}

export interface CopiedRun {
  readonly run: string;
  readonly facts: number;
  /** SHA-256 of its line and of all its facts, the same in every ledger. */
  readonly digest: string;
  /** Whether it has come to its end. One that has not is continued in one of the ledgers alone. */
  readonly finished: boolean;
}

export interface CopiedRuns {
  readonly copied: readonly CopiedRun[];
  /** Ids of runs that were there already, with the same facts. */
  readonly there: readonly string[];
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

/** How far a run has been handed over. */
export interface SharedRun {
  /** How many pieces are on record: the next one has this number. */
  readonly handed: number;
  /** How many chunks these have. */
  readonly chunks: number;
  /** Whether rows that ended badly before it was shared have been counted. */
  readonly isCounted: boolean;
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

/** A process that works on a run. */
export interface Worker {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

/** The process that works on a run, as the table has it. */
export function workerText(): string {
  return JSON.stringify({ pid, host: hostname(), since: Date.now() } satisfies Worker);
}

/** What a code of an error means: of two that fit, the first counts. */
export type Reason = readonly [pattern: RegExp, why: string, kind: typeof LedgerError];

const OTHERWISE: Reason = [/^/, 'it cannot be used', LedgerError];

/** An error by its code, in words that say what to do. The words of whatever threw it may repeat values, and are not shown. */
export function ledgerErrorOf(
  error: unknown,
  ledger: string,
  code: string,
  reasons: readonly Reason[],
): CardlineError {
  if (error instanceof CardlineError) return error;
  const [, why, Kind] = reasons.find(([pattern]) => pattern.test(code)) ?? OTHERWISE;
  return new Kind(`The ledger ${ledger}: ${why}${code && ` (${code})`}.`, {
    cause: error,
    saysHowToContinue: why.includes('run the same command again'),
  });
}

/** Where a ledger in PostgreSQL is. The password is not in it (`passwordFor`). */
export interface PostgresAddress {
  /** How it is called in messages, and with `--ledger`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly database: string | undefined;
  readonly ssl: false | { readonly rejectUnauthorized: true; readonly ca?: string };
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]', '']);
const PORT = 5432;

/**
 * Reads `postgres://user@host:port/database`, with `sslmode` and `sslrootcert`. On another machine the server has to
 * show a certificate that verifies, unless `sslmode=disable`.
 * @throws NoLedgerError
 */
export function postgresAddress(text: string): PostgresAddress {
  const url = parsed(text);
  if (url.password !== '' || url.searchParams.has('password'))
    throw new NoLedgerError(
      'The address of the ledger holds a password, which the list of processes and histories of commands would show. Leave it out, and give it with PGPASSWORD, in ~/.pgpass, or in the file that PGPASSFILE names.',
    );
  const host = url.searchParams.get('host') ?? url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || PORT);
  const database = decodeURIComponent(url.pathname.slice(1)) || undefined;
  const user = decodeURIComponent(url.username) || undefined;
  const name = nameOf(url);
  return {
    ...{ name, host: host === '' ? 'localhost' : host, port, user, database },
    ssl: sslOf(url, name, LOCAL.has(url.hostname) || host.startsWith('/')),
  };
}

function parsed(text: string): URL {
  try {
    const url = new URL(text);
    if (!/^postgres(?:ql)?:\/\//.test(url.href)) throw new TypeError('Another address.');
    // What is escaped wrongly is found here too.
    decodeURIComponent(url.username + url.password + url.pathname);
    return url;
  } catch {
    // The text may hold a password, and is not repeated.
    throw new NoLedgerError(
      'The address of the ledger cannot be read; write it as postgres://user@host:5432/database, with special characters as %XX.',
    );
  }
}

function nameOf(url: URL): string {
  const shown = new URL(url);
  for (const key of [...shown.searchParams.keys()])
    if (!KNOWN.has(key)) shown.searchParams.delete(key);
  return shown.href;
}

const KNOWN: ReadonlySet<string> = new Set(['host', 'sslmode', 'sslrootcert']);
const VERIFIED: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full']);

function sslOf({ searchParams }: URL, name: string, isLocal: boolean): PostgresAddress['ssl'] {
  const mode = searchParams.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full');
  if (mode === 'disable') return false;
  if (!VERIFIED.has(mode))
    throw new NoLedgerError(`The ledger ${name}: sslmode is one of verify-full and disable.`);
  const file = searchParams.get('sslrootcert');
  return { rejectUnauthorized: true, ...(file === null ? {} : { ca: certificate(file, name) }) };
}

function certificate(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new NoLedgerError(
      `The ledger ${name}: the certificate ${file} cannot be read (${codeOf(error)}); check sslrootcert.`,
    );
  }
}

export const LEASE_TIMES: LeaseTimes = { leaseMs: 30_000, renewMs: 5_000 };
