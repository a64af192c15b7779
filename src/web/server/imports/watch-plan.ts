import { setTimeout } from 'node:timers/promises';
import type { ImportPlan } from '../../shared/run.js';
import { STEPS } from '../../shared/steps.js';
import type { KeptCheck } from '../checks/kept-check.js';
import type { StoredList } from '../lists/lists.js';
import type { Site } from '../site.js';
import { type Draft, draftOf, planOf } from './plan.js';
import { rowsToSend, UNKNOWN_ROWS } from './rows-to-send.js';

/** Nobody reads faster, in milliseconds. */
const EVERY_MS = 250;

/** The import of a list that would start, again and again until its rows are counted. */
export async function* watchPlan(
  id: string,
  site: Site,
  signal: AbortSignal,
): AsyncGenerator<ImportPlan, void, undefined> {
  while (!signal.aborted) {
    const list = await reached(id, site);
    const draft = await draftOf(site, list);
    if (draft.problem !== null || !site.settings.center) {
      yield planOf(site, draft, UNKNOWN_ROWS);
      return;
    }
    const { check, release } = await site.checks.hold(list, true);
    try {
      yield* plansOf(check, draft, site, signal);
    } finally {
      release();
    }
    // Else the mapping, or the file, has changed: it is counted anew.
    if (!check.gone.aborted) return;
  }
}

async function* plansOf(check: KeptCheck, draft: Draft, site: Site, signal: AbortSignal) {
  const over = AbortSignal.any([signal, check.gone]);
  for await (const state of check.running.watch(over)) {
    const isEnd = state.phase !== 'opening' && state.phase !== 'reading';
    const end = isEnd ? await check.ended : undefined;
    if (over.aborted) return;
    yield planOf(site, draft, rowsToSend(state, end));
    await setTimeout(isEnd ? 0 : EVERY_MS, undefined, { signal: over }).catch(() => undefined);
  }
}

/** The import of a list as it would start now, with the check that counts its rows. */
export async function planNow(
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

/** Notes that the list has come to this step. */
async function reached(id: string, { lists, settings }: Site): Promise<StoredList> {
  const list = await lists.get(id);
  await lists.touch(id);
  const isNew = STEPS.indexOf(list.step) < STEPS.indexOf('import');
  return isNew && !settings.readOnly ? lists.change(id, { step: 'import' }) : list;
}
