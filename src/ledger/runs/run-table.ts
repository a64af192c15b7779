import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import type Database from 'better-sqlite3';
import type { ListIssue, RunEnd, RunIdentity, RunRecord } from '../../core/ledger.js';
import { MODE_TRAITS } from '../../core/mode.js';
import type { OutcomeCounts } from '../../core/outcome.js';

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

/** A run as the table has it. */
export function runRow(database: Database.Database, id: string): RunRow | undefined {
  return database.prepare<[string], RunRow>('SELECT * FROM run WHERE id = ?').get(id);
}

/** How many facts of a run are on record. */
export function factCount(database: Database.Database, run: string): number {
  const found = database
    .prepare<[string], { count: number }>('SELECT count(*) AS count FROM fact WHERE run = ?')
    .get(run);
  return found?.count ?? 0;
}

/** A process that works on a run. */
export interface Worker {
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

/** What is kept with a run when it begins. */
export interface NewRun {
  readonly settings: object;
  readonly out: string;
  /** Ids of earlier runs whose rows it knows of. */
  readonly relies: readonly string[];
  readonly settlesAll: boolean;
}

/** Puts a run on record that is about to begin. One of the same id is forgotten. */
export function beginRun(
  database: Database.Database,
  id: string,
  identity: RunIdentity,
  { settings, out, relies, settlesAll }: NewRun,
): void {
  const before = runRow(database, id);
  forgetRuns(database, [id]);
  const now = Date.now();
  database
    .prepare(
      `INSERT INTO run (id, inputs, content, mapping, installation, campaign, settings, out, created_at, opened_at,
         fingerprint, parts, worker, relies, settles_all)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      id,
      JSON.stringify(identity.inputs),
      identity.content,
      identity.mapping,
      identity.installation,
      identity.campaignId,
      JSON.stringify(settings),
      out,
      now,
      // Each opening is distinguished from the one before.
      Math.max(now, (before?.opened_at ?? 0) + 1),
      identity.fingerprint?.sample ?? null,
      partsText(identity),
      workerText(),
      JSON.stringify(relies),
      settlesAll ? 1 : 0,
    );
}

/** Puts on record that this process goes on with a run: how it ended before says nothing any more. */
export function reopenRun(
  database: Database.Database,
  id: string,
  { content }: RunIdentity,
  { settings, settlesAll }: { readonly settings: string; readonly settlesAll: boolean },
): void {
  database
    .prepare(
      `UPDATE run SET content = ?, settings = ?, opened_at = max(opened_at + 1, ?), worker = ?, state = NULL, ended_at = NULL,
         rows = NULL, outcomes = NULL, settles_all = max(settles_all, ?) WHERE id = ?`,
    )
    .run(content, settings, Date.now(), workerText(), settlesAll ? 1 : 0, id);
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

/** Puts on record that this process does something with a run. */
export function noteWorker(database: Database.Database, id: string): void {
  database.prepare('UPDATE run SET worker = ? WHERE id = ?').run(workerText(), id);
}

/** Puts the digest of a run's content on record, in place of what stood for it. */
export function identifyRun(database: Database.Database, id: string, content: string): void {
  database.prepare('UPDATE run SET content = ? WHERE id = ?').run(content, id);
}

/** Puts the settings of a run on record, in place of those that it has. */
export function keepSettings(database: Database.Database, id: string, settings: string): void {
  database.prepare('UPDATE run SET settings = ? WHERE id = ?').run(settings, id);
}

/** Takes runs out of the ledger, with all their facts. */
export function forgetRuns(database: Database.Database, ids: readonly string[]): void {
  const deleteFacts = database.prepare('DELETE FROM fact WHERE run = ?');
  const deleteRun = database.prepare('DELETE FROM run WHERE id = ?');
  database.transaction(() => {
    for (const id of ids) {
      deleteFacts.run(id);
      deleteRun.run(id);
    }
  })();
}

export function endRun(
  database: Database.Database,
  id: string,
  { state, rows, outcomes }: RunEnd,
): void {
  database
    .prepare('UPDATE run SET state = ?, ended_at = ?, rows = ?, outcomes = ? WHERE id = ?')
    .run(state, Date.now(), rows, JSON.stringify(outcomes), id);
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
