import type { PageProblem } from '../../shared/route.js';
import { defined } from '../../../core/text.js';
import type { importRoutes, Campaign, ImportPlan, ImportChoice } from '../../shared/run.js';
import { CANARY } from '../../shared/in-browser.js';
import type { Handlers, Site } from '../handler.js';
import { notSet, refusal } from '../problem.js';
import {
  notSetFor,
  refuseNotSet,
  requestOf,
  runOptions,
  startImport,
  startResume,
} from '../runs/start.js';
import { z } from 'zod';
import { listCampaigns, makeCampaign } from '../../../run/campaigns.js';
import { foreseeImport } from '../../../run/foresee.js';
import { CardlineError } from '../../../core/errors.js';
import { type CheckEnd, checkProblem, reached, stateOf, statesOf } from '../checks.js';
import { inTurn, readCorrections, type StoredList } from '../lists/lists.js';
import { createHash } from 'node:crypto';
import { type PlannedImport, plannedImport } from '../../../run/import.js';
import { MODE_TRAITS } from '../../../core/mode.js';
import { mappingPathOf, readMapping } from '../lists/mappings.js';
import { shownList, commandOf, correctionsWords } from '../lists/shown-list.js';
import type { SiteSettings } from '../settings.js';
import type { CheckState } from '../../../run/start-check.js';

const text = z.string().nullish().catch(null);

/** What of a listed campaign is shown; it may lack any of it, or have it in another form. */
const listed = z.object({
  id: z.number(),
  name: z.string(),
  automaticStart: z.boolean().nullish().catch(null),
  weekDays: z.array(z.string()).nullish().catch(null),
  ...{ startDate: text, endDate: text, startTime: text, endTime: text },
  ...{ weekendsStartTime: text, weekendsEndTime: text },
  limitTimeCalls: z.boolean().nullish().catch(null),
  ...{ startCallsTime: text, endCallsTime: text },
});

/** How long a person waits for a list, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Above so many rows, a few are sent first. */
const MANY_ROWS = 1_000;

/** Nothing is known yet. */
const UNKNOWN_ROWS: RowsToSend = {
  ...{ clients: null, rejected: 0, skipped: 0, estimated: true },
  ...{ before: null, isComparing: true, problem: null },
};

/** Of a smaller share of the file, nothing can be said of the whole. */
const MIN_SHARE = 0.01;

const NOT_STARTED: PageProblem = {
  code: 'not_started',
  sentence: 'The campaign was created, and could not be started: nobody in it is called.',
  next: 'Start it in the contact center.',
};
const START_UNKNOWN: PageProblem = {
  code: 'start_unknown',
  sentence: 'The campaign was created; whether it was started is not known.',
  next: 'Look at it in the contact center.',
};

export const importHandlers: Handlers<keyof typeof importRoutes> = {
  'GET /api/lists/:list/import': ({ params }, { site, signal }) =>
    watchPlan(params.list, site, signal),
  'PATCH /api/lists/:list/import': async ({ params, body }, { site }) => {
    await site.lists.change(params.list, ({ choice }) => ({
      choice: { ...choice, ...defined(body) },
    }));
    return {};
  },
  // The contact center tells a new campaign from others by its name alone.
  'POST /api/campaigns': ({ body }, { site, signal }) =>
    inTurn(`campaign ${body.name}`, async (before) => {
      if (before !== undefined) throw refusal('made_meanwhile');
      await refuseNotSet(site);
      const made = await makeCampaign({ ...runOptions(site), signal }, body);
      if (made.campaignId === undefined) throw refusal('which_unknown');
      if (made.unknown.length > 0) return { id: made.campaignId, problem: START_UNKNOWN };
      return { id: made.campaignId, problem: made.notDone.length > 0 ? NOT_STARTED : null };
    }),
  'GET /api/campaigns': async (_asked, { site, signal }) => ({
    campaigns: await shownCampaigns(site, signal),
  }),
  'POST /api/lists/:list/run': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    // Another tab may have started it, or a second click.
    if (list.run !== null && site.runs.isAtWork(list.run)) return { run: list.run, isDone: false };
    const { plan, stopCounting } = await planNow(list, site);
    const started = await startImport(site, list, plan, body);
    stopCounting();
    return started;
  },
  'GET /api/runs/:run/live': ({ params }, { site, signal }) => site.runs.live(params.run, signal),
  'POST /api/runs/:run/control': async ({ params: { run }, body: { what } }, { site }) => {
    if (what !== 'resume') return site.runs.control(run, what);
    return site.runs.get(await startResume(site, run));
  },
};

/** The campaigns of the page's contact center, by name. @throws Refusal without one; and as `listCampaigns` does */
async function shownCampaigns(site: Site, signal: AbortSignal): Promise<Campaign[]> {
  await refuseNotSet(site);
  const options = { ...runOptions(site), signal, giveUpAfterMs: PATIENCE_MS };
  return (await listCampaigns(options)).map((campaign) => shown(listed.parse(campaign)));
}

function shown(campaign: z.output<typeof listed>): Campaign {
  const { id, name, startDate = null, endDate = null, weekDays } = campaign;
  return {
    ...{ id, name, firstDay: startDate, lastDay: endDate, days: weekDays ?? [] },
    isAutomatic: campaign.automaticStart === true,
    weekdays: span(campaign.startTime, campaign.endTime),
    weekends: span(campaign.weekendsStartTime, campaign.weekendsEndTime),
    clientTime:
      campaign.limitTimeCalls === true
        ? span(campaign.startCallsTime, campaign.endCallsTime)
        : null,
  };
}

function span(from: string | null | undefined, to: string | null | undefined) {
  return from == null || to == null ? null : { from, to };
}

/** The import of a list that would start, again and again until its rows are counted. */
async function* watchPlan(
  id: string,
  site: Site,
  signal: AbortSignal,
): AsyncGenerator<ImportPlan, void, undefined> {
  while (!signal.aborted) {
    const list = await reached(id, 'import', site);
    const draft = await draftOf(site, list);
    if (draft.problem !== null || !site.settings.center) {
      yield planOf(site, draft, UNKNOWN_ROWS);
      return;
    }
    const { check, release } = await site.checks.hold(list, true);
    try {
      for await (const { state, end, over } of statesOf(check, signal)) {
        const rows = rowsToSend(state, end);
        yield planOf(site, draft, rows);
        if (!rows.isComparing || rows.estimated) continue;
        const before = await beforeIt(site, draft, over);
        yield planOf(site, draft, { ...rows, before, isComparing: false });
      }
    } finally {
      release();
    }
    // Else the mapping, or the file, has changed: it is counted anew.
    if (!check.gone.aborted) return;
  }
}

/** The import of a list as it would start now, with the check that counts its rows. */
async function planNow(
  list: StoredList,
  site: Site,
): Promise<{ readonly plan: ImportPlan; readonly stopCounting: () => void }> {
  const draft = await draftOf(site, list);
  if (draft.problem !== null || !site.settings.center)
    return { plan: planOf(site, draft, UNKNOWN_ROWS), stopCounting: () => undefined };
  const { check, release } = await site.checks.hold(list);
  try {
    const { running } = check;
    const state = running.state();
    const isCounting = state.phase === 'opening' || state.phase === 'reading';
    const end = isCounting ? undefined : await check.ended;
    const plan = planOf(site, draft, rowsToSend(state, end));
    return { plan, stopCounting: () => (isCounting ? running.stop() : undefined) };
  } finally {
    release();
  }
}

/** An import before its rows are counted. */
interface Draft {
  readonly list: StoredList;
  /** Changes with all that decides what is sent. */
  readonly revision: string;
  readonly corrections: number;
  /** `null`: the mapping cannot be used. */
  readonly planned: PlannedImport | null;
  /** What is wrong with it. */
  readonly problem: ImportPlan['problem'];
  /** The credentials that nobody has set. */
  readonly missing: readonly string[];
}

/** @throws ConfigurationError when the corrections cannot be read */
async function draftOf(site: Site, list: StoredList): Promise<Draft> {
  const corrections = await readCorrections(list);
  const known = await plannedOf(site, list);
  const { center } = site.settings;
  // What is gone is said by the check.
  const files = [list.file, center?.installation].map((file) => stateOf(file).catch(() => ''));
  const states = await Promise.all(files);
  const parts = [known.mapping, corrections, list.choice, list.source, center, states];
  const revision = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const { planned, problem } = known;
  const missing = planned && center ? await notSetFor(site) : [];
  return { list, revision, corrections: corrections.length, planned, problem, missing };
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

/** What earlier runs have to do with it. What keeps it from being found out is said when the import starts. */
async function beforeIt(
  site: Site,
  draft: Draft,
  signal: AbortSignal,
): Promise<ImportPlan['before']> {
  const { list, planned } = draft;
  if (!planned || draft.missing.length > 0) return null;
  try {
    const campaign = await campaignOf(site, list, planned, signal);
    const { creates } = MODE_TRAITS[planned.mode];
    const choice = { ...list.choice, recovery: creates ? list.choice.recovery : null };
    const request = { ...(await requestOf(site, list, choice)), signal };
    return await foreseeImport(request, campaign);
  } catch (error) {
    if (error instanceof CardlineError || signal.aborted) return null;
    throw error;
  }
}

/** Stands for a campaign that is made when the import starts: no earlier run can have had it. */
const NOT_THERE = -1;

/** Id of the campaign that clients would be added to; `null`: none. */
async function campaignOf(
  site: Site,
  { choice }: StoredList,
  { mode, campaign }: PlannedImport,
  signal: AbortSignal,
): Promise<number | null> {
  if (MODE_TRAITS[mode].campaign === 'unused') return null;
  const id = choice.campaign ?? campaign?.id;
  if (id !== undefined || campaign?.name === undefined) return id ?? null;
  const all = await shownCampaigns(site, signal);
  return all.find(({ name }) => name === campaign.name)?.id ?? NOT_THERE;
}

/** The import as it would start now. */
function planOf(site: Site, draft: Draft, rows: RowsToSend): ImportPlan {
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
    problem:
      draft.problem ??
      rows.problem ??
      (draft.missing.length > 0 ? notSet(draft.missing).problem : null),
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
  if (draft.missing.length > 0) return 'not_set';
  if (plan.problem) return 'check_failed';
  if (campaignNeeded === 'required' && !mapped && choice.campaign === null) return 'no_campaign';
  if (clients === 0 && !estimated) return 'no_rows';
  if (confirm && (clients === null || estimated)) return 'not_counted';
  return null;
}

/** What does the same on the command line, with all that was chosen. */
function importCommand(
  list: StoredList,
  {
    choice,
    canary,
    confirm,
    corrections,
  }: Pick<ImportPlan, 'choice' | 'canary' | 'confirm' | 'corrections'>,
  settings: SiteSettings,
): string {
  const options = {
    campaign: choice.campaign,
    canary: canary === 0 ? null : canary,
    'requests-per-second': choice.requestsPerSecond,
    'clients-per-second': choice.clientsPerSecond,
  };
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === null ? [] : [`--${name}`, String(value)],
  );
  if (choice.recovery !== null) words.push(choice.recovery ? '--recovery' : '--no-recovery');
  if (corrections > 0) words.push(...correctionsWords(list));
  if (confirm) words.push('--yes');
  return commandOf({ ...list, step: 'import' }, settings, words);
}

/** How many rows of a list would be sent, as far as its check has come. */
interface RowsToSend extends Pick<
  ImportPlan,
  'clients' | 'rejected' | 'skipped' | 'estimated' | 'before' | 'isComparing'
> {
  /** Why the file cannot be read to its end; `null` when it can. */
  readonly problem: ImportPlan['problem'];
}

/** `end`: set once the check has ended. */
function rowsToSend(
  {
    phase,
    share,
    ...rows
  }: Pick<CheckState, 'phase' | 'share' | 'clients' | 'rejected' | 'skipped'>,
  end: CheckEnd | undefined,
): RowsToSend {
  if (end && 'error' in end)
    return { ...UNKNOWN_ROWS, isComparing: false, problem: checkProblem(end.error).problem };
  const estimated = phase !== 'finished';
  if (estimated && share < MIN_SHARE) return UNKNOWN_ROWS;
  const inAll = (count: number): number => (estimated ? Math.round(count / share) : count);
  const counted = {
    ...{ clients: inAll(rows.clients), rejected: inAll(rows.rejected) },
    skipped: inAll(rows.skipped),
  };
  return { ...UNKNOWN_ROWS, ...counted, estimated };
}
