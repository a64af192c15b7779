import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { RunEnd, RunIdentity, RunRecord } from '../core/ledger.js';
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
}

/** Run ids sort by time and can be told apart at a glance: `20261120-174500-1f3a`. */
export function newRunId(now = new Date()): string {
  const time = now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${randomUUID().slice(0, 4)}`;
}

export function insertRun(
  database: Database.Database,
  id: string,
  identity: RunIdentity,
  { settings, out }: { settings: object; out: string },
): void {
  database
    .prepare(
      `INSERT INTO run (id, inputs, content, mapping, installation, campaign, settings, out, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    );
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

/** Written by us: shapes are not checked again. */
export function recordOf(row: RunRow, ledger: string): RunRecord {
  const resting = row.state ?? 'broken_off';
  return {
    run: row.id,
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
