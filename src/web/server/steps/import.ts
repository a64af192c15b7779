import {
  listCampaigns,
  makeCampaign,
  importFiles,
  missingCredentials,
  type ForeseenImport,
  importEnsured,
  type PlannedImport,
  plannedImport,
  foreseeImport,
} from '../../../run/import.js';
import type { RunOptions, ImportRequest } from '../../../run/requests.js';
import { defined } from '../../../core/text.js';
import {
  type StoredList,
  correctionsPath,
  inTurn,
  readCorrections,
  sourceOptions,
} from '../lists/lists.js';
import { notSet, refusal, type PageProblem, Refusal } from '../problem.js';
import { noSuchRun, undoKey } from '../runs/runs.js';
import type { Site, Handlers } from '../handler.js';
import { execute, resumption } from '../../../run/execute.js';
import { runOnCenter } from '../../../history/history.js';
import type { RunRecord } from '../../../core/ledger.js';
import { centerOf } from '../settings.js';
import { shownList, correctionsWords, commandOf } from '../lists/shown-list.js';
import type { importRoutes, ImportChoice, TakenOf } from '../../shared/routes.js';
import { CANARY } from '../../shared/page.js';
import { z } from 'zod';
import { CardlineError, RunInUseError } from '../../../core/errors.js';
import { type CheckEnd, checkProblem, reached, stateOf, statesOf } from '../checks.js';
import { createHash } from 'node:crypto';
import { MODE_TRAITS } from '../../../core/outcome.js';
import { keepLastMapping, mappingPathOf, readMapping } from '../lists/mappings.js';
import type { CheckState } from '../../../run/start-check.js';

/** The import of a list is started once at a time. */
export const keyOf = ({ id }: Pick<StoredList, 'id'>): string => `import ${id}`;

type OnRecord = Pick<Site, 'runs' | 'settings'>;

/** Takes back what a run did. @returns the id of the undo @throws Refusal, or as `execute` does */
export async function startUndo(site: OnRecord, run: string): Promise<string> {
  await runHere(site, run);
  if (site.runs.isAtWork(run)) throw refusal('works_here', { values: { run } });
  const request = { ...runOptions(site), undoes: run };
  return site.runs.start({
    key: undoKey(run),
    mode: 'undo',
    execute: (options) => execute({ kind: 'undo', sandbox: false, request }, options),
  });
}

/** Checks what the report of a run claims. @returns the id of the comparison @throws Refusal, or as `execute` does */
export async function startReconcile(site: OnRecord, run: string): Promise<string> {
  await runHere(site, run);
  if (site.runs.isAtWork(run) || site.runs.isUndoing(run))
    throw refusal('works_here', { values: { run } });
  const request = { ...runOptions(site), checks: run };
  return site.runs.start({
    key: `reconcile ${run}`,
    mode: 'reconcile',
    execute: (options) => execute({ kind: 'check', sandbox: false, request }, options),
  });
}

/** Goes on with a run that is not at its end. @returns its id @throws Refusal, or as `resumption` and the run do */
export async function startResume(site: OnRecord, run: string): Promise<string> {
  if (site.runs.isAtWork(run)) return run;
  const { mode } = await runHere(site, run);
  if (site.runs.isUndoing(run)) throw refusal('works_here', { values: { run } });
  let resumed = await resumption(site.settings.ledger, run);
  if (resumed.kind === 'import') {
    // Whoever continues an import here sees how its rows end, and can stop it.
    const { maxFailures: _, ...request } = resumed.request;
    resumed = { ...resumed, request };
  }
  // The installation's own address may be another one today: it is that of the page.
  const { ledger: _ledger, ...center } = runOptions(site);
  return site.runs.start({
    key: `resume ${run}`,
    mode,
    execute: (options) => execute({ ...resumed, sandbox: false }, { ...center, ...options }),
  });
}

/** A run of the page's contact center. @throws Refusal when there is none, or it was on another one */
async function runHere(site: OnRecord, run: string): Promise<RunRecord> {
  const center = runOptions(site);
  await refuseNotSet(site);
  const record = await runOnCenter(run, center).catch((error: unknown) => {
    throw noSuchRun(error);
  });
  if (!record) throw refusal('other_center', { values: { run } });
  return record;
}

/** @throws Refusal where nothing can be asked of the contact center, since nobody has set its credentials */
async function refuseNotSet(site: Pick<Site, 'settings'>): Promise<void> {
  const missing = await missingCredentials(runOptions(site));
  if (missing.length > 0) throw notSet(missing);
}

/** What every run of the page has: its contact center, the ledger, and the environment with the credentials. */
function runOptions(
  site: Pick<Site, 'settings'>,
): Pick<RunOptions, 'installation' | 'baseUrl' | 'ledger' | 'env'> {
  const { installation, baseUrl } = centerOf(site.settings);
  const { ledger, env } = site.settings;
  return { installation, ledger, env, ...defined({ baseUrl }) };
}

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

export const importHandlers = {
  // Again and again until the rows are counted.
  async *'GET /api/lists/:list/import'({ params }, { site, signal }) {
    while (!signal.aborted) {
      const list = await reached(params.list, 'import', site);
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
  },
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
} satisfies Handlers<keyof typeof importRoutes>;

/** What the person has seen, and typed where that is asked for. */
type Confirmation = TakenOf<'POST /api/lists/:list/run'>['body'];

/**
 * Starts the import of a list, or finds the one that is at work or has sent the same before: then it is done.
 * @throws Refusal where it cannot start, or is not what the person has seen; and as `importFiles` does
 */
async function startImport(site: Site, list: StoredList, plan: ImportPlan, seen: Confirmation) {
  const { mode, blocker, problem } = plan;
  if (blocker !== null || mode === null)
    throw problem ? new Refusal(409, problem) : refusal('blocked');
  if (seen.revision !== plan.revision) throw refusal('plan_changed');
  if (plan.confirm && seen.typed !== plan.clients) throw refusal('not_confirmed');
  const { recovery, ...others } = plan.choice;
  const choice = { ...others, recovery: plan.recovery === null ? null : recovery };
  const request = {
    ...(await requestOf(site, list, choice)),
    ...{ canary: plan.canary, confirmed: plan.confirm, again: seen.again },
  };
  await keepLastMapping(site, list, (await readMapping(site, list)).text);
  const isSandbox = site.settings.center?.kind === 'sandbox';
  const execute = isSandbox ? importEnsured : importFiles;
  let isDone = false;
  const run = await site.runs
    .start({
      key: keyOf(list),
      mode,
      execute: (options) => execute({ ...request, ...options }),
      onDone: () => (isDone = true),
    })
    .catch(async (error: unknown) => {
      // It is shown as any other, with who works on it.
      if (!(error instanceof RunInUseError)) throw error;
      // Whatever else works on it, such as its being taken back, is not this import.
      const { mode: other } = await site.runs.get(error.run);
      if (other !== mode || site.runs.isUndoing(error.run))
        throw refusal('works_here', { values: { run: error.run } });
      return error.run;
    });
  await site.lists.change(list.id, { run, step: 'import' });
  return { run, isDone };
}

async function requestOf(
  site: Site,
  list: StoredList,
  { campaign, requestsPerSecond, clientsPerSecond, recovery }: ImportChoice,
): Promise<ImportRequest> {
  return {
    ...runOptions(site),
    files: [list.file],
    mapping: mappingPathOf(site, list),
    source: sourceOptions(list.source),
    // The step File has shown what it looks like.
    acceptUnsureEncoding: true,
    ...defined({
      corrections: await correctionsPath(list),
      campaign: campaign === null ? undefined : { id: campaign },
      recovery: recovery ?? undefined,
      requestsPerSecond: requestsPerSecond ?? undefined,
      clientsPerSecond: clientsPerSecond ?? undefined,
    }),
  };
}

/** The campaigns of the page's contact center, by name. @throws Refusal without one; and as `listCampaigns` does */
async function shownCampaigns(site: Site, signal: AbortSignal) {
  await refuseNotSet(site);
  const options = { ...runOptions(site), signal, giveUpAfterMs: PATIENCE_MS };
  return (await listCampaigns(options)).map((found) => {
    const campaign = listed.parse(found);
    const { id, name, startDate = null, endDate = null, weekDays, limitTimeCalls } = campaign;
    const ofClients = span(campaign.startCallsTime, campaign.endCallsTime);
    // As interface.md 4.19 lists it, which does not show whether it is started.
    return {
      /** Days are YYYY-MM-DD, and those of the week `Mon` to `Sun`; none: any. */
      ...{ id, name, firstDay: startDate, lastDay: endDate, days: weekDays ?? [] },
      /** Whether it starts by itself on its first day. */
      isAutomatic: campaign.automaticStart === true,
      /** Calling windows, HH:MM; `null` where there is none. */
      weekdays: span(campaign.startTime, campaign.endTime),
      weekends: span(campaign.weekendsStartTime, campaign.weekendsEndTime),
      clientTime: limitTimeCalls === true ? ofClients : null,
    };
  });
}

function span(from: string | null | undefined, to: string | null | undefined) {
  return from == null || to == null ? null : { from, to };
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

interface Draft {
  readonly list: StoredList;
  /** Changes with all that decides what is sent. */
  readonly revision: string;
  readonly corrections: number;
  /** `null`: the mapping cannot be used. */
  readonly planned: PlannedImport | null;
  /** What is wrong with it. */
  readonly problem: PageProblem | null;
  /** The credentials that nobody has set. */
  readonly missing: readonly string[];
}

/** @throws ConfigurationError when the corrections cannot be read */
async function draftOf(site: Site, list: StoredList): Promise<Draft> {
  const corrections = await readCorrections(list);
  const { center } = site.settings;
  let mapping = '';
  let planned: PlannedImport | null = null;
  let problem: PageProblem | null = null;
  try {
    mapping = (await readMapping(site, list)).revision;
    const installation = center?.installation ?? '';
    planned = await plannedImport({ mapping: mappingPathOf(site, list), installation });
  } catch (error) {
    ({ problem } = checkProblem(error, list));
  }
  // What is gone is said by the check.
  const files = [list.file, center?.installation].map((file) => stateOf(file).catch(() => ''));
  const states = await Promise.all(files);
  const parts = [mapping, corrections, list.choice, list.source, center, states];
  const revision = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const missing = planned && center ? await missingCredentials(runOptions(site)) : [];
  return { list, revision, corrections: corrections.length, planned, problem, missing };
}

/** What earlier runs have to do with it. What keeps it from being found out is said when the import starts. */
async function beforeIt(
  site: Site,
  draft: Draft,
  signal: AbortSignal,
): Promise<ForeseenImport | null> {
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

/** The import of a list as it would start. */
type ImportPlan = ReturnType<typeof planOf>;

function planOf(site: Site, draft: Draft, rows: RowsToSend) {
  const { list, revision, corrections, planned } = draft;
  const { requestsPerSecond = null, clientsPerSecond = null } = planned ?? {};
  const traits = MODE_TRAITS[planned?.mode ?? 'create'];
  const { id = null, name = null } = planned?.campaign ?? {};
  const { choice } = list;
  const isCanary = choice.canary ?? (rows.clients === null || rows.clients > MANY_ROWS);
  const plan = {
    /** The revision changes with all that decides what is sent: a start names the one that the person saw. */
    ...{ revision, corrections, ...rows, choice },
    /** `null` without a mapping that can be used. */
    mode: planned?.mode ?? null,
    /** Rows that are sent first; 0: none. */
    canary: isCanary ? CANARY : 0,
    /** What the installation permits in a second; `null`: anything. */
    limits: { requestsPerSecond, clientsPerSecond },
    /** Whether deleted clients are restored; `null` where none is created. */
    recovery: traits.creates ? (choice.recovery ?? planned?.recovery ?? false) : null,
    campaignNeeded: traits.campaign,
    /** The campaign of the mapping, by id or name. */
    mapped: planned?.campaign ? { id, name } : null,
    /** Whether the number of rows has to be typed before it starts. */
    confirm: traits.asksFirst,
    /** What is wrong, in words, where there are some. */
    problem:
      draft.problem ??
      rows.problem ??
      (draft.missing.length > 0 ? notSet(draft.missing).problem : null),
  };
  const options = {
    campaign: choice.campaign,
    canary: isCanary ? CANARY : null,
    'requests-per-second': choice.requestsPerSecond,
    'clients-per-second': choice.clientsPerSecond,
  };
  const words = Object.entries(options).flatMap(([option, value]) =>
    value === null ? [] : [`--${option}`, String(value)],
  );
  if (choice.recovery !== null) words.push(choice.recovery ? '--recovery' : '--no-recovery');
  if (corrections > 0) words.push(...correctionsWords(list));
  if (traits.asksFirst) words.push('--yes');
  const command = commandOf({ ...list, step: 'import' }, site.settings, words);
  return {
    ...plan,
    list: { ...shownList(list, site), command },
    /** Why it cannot start; `null` when it can. */
    blocker: blockerOf(plan, draft, site),
  };
}

type Blocker =
  | ('no_center' | 'read_only' | 'wrong_mapping' | 'not_set' | 'check_failed')
  | ('no_campaign' | 'no_rows' | 'not_counted');

/** The first reason why it cannot start. */
function blockerOf(
  plan: Pick<RowsToSend, 'clients' | 'estimated' | 'problem'> & { readonly confirm: boolean },
  draft: Draft,
  { settings }: Site,
): Blocker | null {
  const { clients, estimated, confirm } = plan;
  const { choice } = draft.list;
  const { campaign: mapped, mode = 'create' } = draft.planned ?? {};
  const { campaign: campaignNeeded } = MODE_TRAITS[mode];
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

/** How many rows of a list would be sent, as far as its check has come. */
interface RowsToSend {
  /** Rows that would be sent; `null` while nothing is known of them. */
  readonly clients: number | null;
  readonly rejected: number;
  /** Rows that the mapping leaves out, duplicates among them. */
  readonly skipped: number;
  /** Whether these numbers are an estimate. */
  readonly estimated: boolean;
  /** What earlier runs have to do with it; `null` while that is not known, or where it cannot be. */
  readonly before: ForeseenImport | null;
  /** Whether `before` is still being found out. */
  readonly isComparing: boolean;
  /** Why the file cannot be read to its end; `null` when it can. */
  readonly problem: PageProblem | null;
}

/** `end`: set once the check has ended. */
function rowsToSend(
  { phase, share, clients, rejected, skipped }: CheckState,
  end: CheckEnd | undefined,
): RowsToSend {
  if (end && 'error' in end)
    return { ...UNKNOWN_ROWS, isComparing: false, problem: checkProblem(end.error).problem };
  const estimated = phase !== 'finished';
  if (estimated && share < MIN_SHARE) return UNKNOWN_ROWS;
  const inAll = (count: number): number => (estimated ? Math.round(count / share) : count);
  return {
    ...{ ...UNKNOWN_ROWS, estimated, clients: inAll(clients) },
    ...{ rejected: inAll(rejected), skipped: inAll(skipped) },
  };
}
