import { isRecord } from '../validate-value.js';
import type { Db } from './database.js';

/** Campaign states are not shown by the interface; these show what was last asked for. */
export type CampaignState = 'CREATED' | 'STARTED' | 'STOPPED';

export interface StoredCampaign {
  readonly id: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Assignment of a campaign's task to an agent group (interface.md 4.18). */
export interface GroupTask {
  readonly groupId: number;
  readonly campaignId: number;
  readonly taskPriority: number;
  readonly userSelectionMode: string;
  readonly previewTimeout: number;
}

export type CampaignStore = ReturnType<typeof campaignStore>;

export function campaignStore(db: Db) {
  const insert = db.prepare<[string]>(
    "INSERT INTO campaigns (fields, state) VALUES (?, 'CREATED')",
  );
  const find = db.prepare<[number], number>('SELECT 1 FROM campaigns WHERE id = ?').pluck();
  const page = db.prepare<[number, number], { id: number; fields: string }>(
    'SELECT id, fields FROM campaigns ORDER BY id LIMIT ? OFFSET ?',
  );
  const setState = db.prepare<[string, number]>('UPDATE campaigns SET state = ? WHERE id = ?');
  const remove = db.prepare<[number]>('DELETE FROM campaigns WHERE id = ?');
  const assign = db.prepare<[number, number, number, string, number]>(
    'INSERT OR REPLACE INTO group_tasks VALUES (?, ?, ?, ?, ?)',
  );

  return {
    add(fields: Readonly<Record<string, unknown>>): void {
      insert.run(JSON.stringify(fields));
    },

    has: (id: number): boolean => find.get(id) !== undefined,

    page: (limit: number, offset: number): StoredCampaign[] =>
      page.all(limit, offset).map((row) => ({ id: row.id, fields: parsed(row.fields) })),

    /** Whether there is such a campaign. */
    setState: (id: number, state: CampaignState): boolean => setState.run(state, id).changes > 0,

    /** Removes a campaign with its applications, callbacks and assignments. Whether there was one. */
    remove: (id: number): boolean => remove.run(id).changes > 0,

    assign(task: GroupTask): void {
      const { groupId, campaignId, taskPriority, userSelectionMode, previewTimeout } = task;
      assign.run(groupId, campaignId, taskPriority, userSelectionMode, previewTimeout);
    },
  };
}

function parsed(text: string): Record<string, unknown> {
  const fields: unknown = JSON.parse(text);
  return isRecord(fields) ? fields : {};
}
