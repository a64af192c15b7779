import { createHash } from 'node:crypto';
import { type PlannedImport, plannedImport } from '../../../app/import/planned-import.js';
import { MODE_TRAITS } from '../../../core/mode.js';
import { CANARY } from '../../shared/canary.js';
import type { ImportChoice, ImportPlan } from '../../shared/run.js';
import { readCorrections } from '../lists/corrections.js';
import { checkProblem } from '../checks/check-problem.js';
import { stateOf } from '../checks/revision.js';
import type { StoredList } from '../lists/lists.js';
import { mappingPathOf, readMapping } from '../lists/mapping.js';
import { shownList } from '../lists/shown-list.js';
import type { Site } from '../site.js';
import { importCommand } from './import-command.js';
import type { RowsToSend } from './rows-to-send.js';

/** Above so many rows, a few are sent first. */
const MANY_ROWS = 1_000;

/** An import before its rows are counted. */
export interface Draft {
  readonly list: StoredList;
  /** Changes with all that decides what is sent. */
  readonly revision: string;
  readonly corrections: number;
  /** `null`: the mapping cannot be used. */
  readonly planned: PlannedImport | null;
  /** What is wrong with it. */
  readonly problem: ImportPlan['problem'];
}

/** @throws ConfigurationError when the corrections cannot be read */
export async function draftOf(site: Site, list: StoredList): Promise<Draft> {
  const corrections = await readCorrections(list);
  const known = await plannedOf(site, list);
  const { center } = site.settings;
  // What is gone is said by the check.
  const files = [list.file, center?.installation].map((file) => stateOf(file).catch(() => ''));
  const states = await Promise.all(files);
  const parts = [known.mapping, corrections, list.choice, list.source, center, states];
  const revision = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const { planned, problem } = known;
  return { list, revision, corrections: corrections.length, planned, problem };
}

async function plannedOf(site: Site, list: StoredList) {
  let mapping = '';
  try {
    mapping = (await readMapping(site, list)).revision;
    const installation = site.settings.center?.installation ?? '';
    const planned = await plannedImport({ mapping: mappingPathOf(site, list), installation });
    return { mapping, planned, problem: null };
  } catch (error) {
    return { mapping, planned: null, problem: checkProblem(error, list).problem };
  }
}

/** The import as it would start now. */
export function planOf(site: Site, draft: Draft, rows: RowsToSend): ImportPlan {
  const { list, revision, corrections, planned } = draft;
  const { requestsPerSecond = null, clientsPerSecond = null } = planned ?? {};
  const traits = MODE_TRAITS[planned?.mode ?? 'create'];
  const { id = null, name = null } = planned?.campaign ?? {};
  const plan = {
    ...{ revision, corrections, ...rows, choice: list.choice },
    mode: planned?.mode ?? null,
    canary: canaryOf(list.choice, rows),
    limits: { requestsPerSecond, clientsPerSecond },
    recovery: traits.creates ? (list.choice.recovery ?? planned?.recovery ?? false) : null,
    campaignNeeded: traits.campaign,
    mapped: planned?.campaign ? { id, name } : null,
    confirm: traits.asksFirst,
    problem: draft.problem ?? rows.problem,
  };
  const command = importCommand(list, plan, site.settings);
  return {
    ...plan,
    list: { ...shownList(list, site), command },
    blocker: blockerOf(plan, draft, site),
  };
}

/** Rows that are sent first, and looked at. */
function canaryOf({ canary }: ImportChoice, { clients }: RowsToSend): number {
  const isWanted = canary ?? (clients === null || clients > MANY_ROWS);
  return isWanted ? CANARY : 0;
}

/** The first reason why it cannot start. */
function blockerOf(
  plan: Omit<ImportPlan, 'list' | 'blocker'>,
  draft: Draft,
  { settings }: Site,
): ImportPlan['blocker'] {
  const { clients, estimated, confirm, campaignNeeded, mapped, choice } = plan;
  if (!settings.center) return 'no_center';
  if (settings.readOnly) return 'read_only';
  if (draft.problem) return 'wrong_mapping';
  if (plan.problem) return 'check_failed';
  if (campaignNeeded === 'required' && !mapped && choice.campaign === null) return 'no_campaign';
  if (clients === 0 && !estimated) return 'no_rows';
  if (confirm && (clients === null || estimated)) return 'not_counted';
  return null;
}
