import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { RunEnd, RunIdentity, RunRecord } from '../core/ledger.js';
import { ENQUEUING_MODES } from '../core/mode.js';
import type { OutcomeCounts } from '../core/outcome.js';
import { isLocked } from './run-lock.js';

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
  /** `null` until a process of the run has ended by itself. */
  readonly state: RunEnd['state'] | null;
  readonly ended_at: number | null;
  readonly rows: number | null;
  readonly outcomes: string | null;
  /** What the inputs showed before they were digested; `null` where they were digested first. */
  readonly fingerprint: string | null;
}

/** Run ids sort by time and can be told apart at a glance: `20261120-174500-1f3a`. */
export function newRunId(now = new Date()): string {
  const time = now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${randomUUID().slice(0, 4)}`;
}

/** Puts a run on record that is about to begin. One of the same id is forgotten. */
export function beginRun(
  database: Database.Database,
  id: string,
  identity: RunIdentity,
  kept: { readonly settings: object; readonly out: string },
): void {
  database.transaction(() => {
    forgetRuns(database, [id]);
    insertRun(database, id, identity, kept);
  })();
}

function insertRun(
  database: Database.Database,
  id: string,
  identity: RunIdentity,
  { settings, out }: { readonly settings: object; readonly out: string },
): void {
  database
    .prepare(
      `INSERT INTO run (id, inputs, content, mapping, installation, campaign, settings, out, created_at, fingerprint)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      Date.now(),
      identity.glance?.fingerprint ?? null,
    );
}

/** Puts the digest of a run's content on record, in place of what stood for it. */
export function identifyRun(database: Database.Database, id: string, content: string): void {
  database.prepare('UPDATE run SET content = ? WHERE id = ?').run(content, id);
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
function modeOf({ settings }: Pick<RunRow, 'settings'>): RunRecord['mode'] {
  const { mode } = JSON.parse(settings) as { mode?: RunRecord['mode'] };
  return mode ?? 'create';
}

/** Whether a run adds clients to its campaign. */
export function enqueues(row: Pick<RunRow, 'settings' | 'campaign'>): boolean {
  return row.campaign !== null && ENQUEUING_MODES.has(modeOf(row));
}

/** Written by us: shapes are not checked again. */
export function recordOf(row: RunRow, ledger: string): RunRecord {
  const resting = row.state ?? 'broken_off';
  return {
    run: row.id,
    mode: modeOf(row),
    state: row.state !== 'finished' && isLocked(ledger, row.id) ? 'running' : resting,
    inputs: JSON.parse(row.inputs) as string[],
    campaignId: row.campaign,
    installation: row.installation,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    out: row.out,
    rows: row.rows,
    outcomes: row.outcomes === null ? null : (JSON.parse(row.outcomes) as OutcomeCounts),
  };
}
