import { createHash } from 'node:crypto';
import { type PlannedImport, plannedImport } from '../../../app/import/planned-import.js';
import { MODE_TRAITS } from '../../../core/mode.js';
import { CANARY } from '../../shared/canary.js';
import type { ImportChoice, ImportPlan } from '../../shared/run.js';
import { commandOf } from '../lists/command.js';
import { readCorrections } from '../lists/corrections.js';
import { mappingPathOf, readMapping } from '../lists/mapping.js';
import type { StoredList } from '../lists/lists.js';
import { problemOf } from '../problem-of.js';
import type { Site } from '../site.js';
import type { RowsToSend } from './rows-to-send.js';

/** Above so many rows, a few are sent first. */
const MANY_ROWS = 1_000;

/** Rows that are sent first, and looked at. */
export function canaryOf({ canary }: ImportChoice, clients: number | null): number {
  const isWanted = canary ?? (clients === null || clients > MANY_ROWS);
  return isWanted ? CANARY : 0;
}

/** The import of a list as it would start now. */
export async function planOf(site: Site, list: StoredList, found: RowsToSend): Promise<ImportPlan> {
  const { settings } = site;
  const { center } = settings;
  const known = await plannedOf(site, list);
  const corrections = await readCorrections(site.lists, list);
  const planned = 'planned' in known ? known.planned : null;
  const traits = MODE_TRAITS[planned?.mode ?? 'create'];
  const { id = null, name = null } = planned?.campaign ?? {};
  const plan = {
    list: { ...list, command: commandOf({ ...list, step: 'import' }, settings) },
    mode: planned?.mode ?? null,
    ...found,
    corrections: corrections.length,
    choice: list.choice,
    canary: canaryOf(list.choice, found.clients),
    limits: {
      requestsPerSecond: planned?.requestsPerSecond ?? null,
      clientsPerSecond: planned?.clientsPerSecond ?? null,
    },
    campaignNeeded: traits.campaign,
    mapped: planned?.campaign ? { id, name } : null,
    confirm: traits.asksFirst,
    problem: 'problem' in known ? known.problem : null,
  };
  const revision = digestOf([known.revision, corrections, list.choice, list.source, center]);
  return { ...plan, revision, blocker: blockerOf(plan, site) };
}

type Known = { readonly revision: string } & (
  { readonly planned: PlannedImport } | { readonly problem: ImportPlan['problem'] }
);

async function plannedOf(site: Site, list: StoredList): Promise<Known> {
  let revision = '';
  try {
    ({ revision } = await readMapping(site, list));
    const installation = site.settings.center?.installation ?? '';
    return {
      revision,
      planned: await plannedImport({ mapping: mappingPathOf(site, list), installation }),
    };
  } catch (error) {
    return { revision, problem: problemOf(error).problem };
  }
}

type Undecided = Omit<ImportPlan, 'revision' | 'blocker'>;

/** The first reason why it cannot start. */
function blockerOf(plan: Undecided, { settings }: Site): ImportPlan['blocker'] {
  const { clients, estimated, confirm, campaignNeeded, mapped, choice } = plan;
  if (!settings.center) return 'no_center';
  if (settings.readOnly) return 'read_only';
  if (plan.problem) return 'wrong_mapping';
  if (campaignNeeded === 'required' && !mapped && choice.campaign === null) return 'no_campaign';
  if (clients === 0 && !estimated) return 'no_rows';
  if (confirm && (clients === null || estimated)) return 'not_counted';
  return null;
}

const digestOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
