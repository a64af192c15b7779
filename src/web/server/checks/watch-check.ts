import { setTimeout } from 'node:timers/promises';
import type { CheckState } from '../../shared/check.js';
import { STEPS } from '../../shared/steps.js';
import type { StoredList } from '../lists/lists.js';
import type { Site } from '../site.js';
import type { KeptCheck } from './kept-check.js';
import { shownState } from './shown-state.js';

/** Nobody reads faster, in milliseconds. */
const EVERY_MS = 250;

/** The states of a list's check to its end. When another takes its place meanwhile, those of that one. */
export async function* watchCheck(
  id: string,
  site: Site,
  signal: AbortSignal,
): AsyncGenerator<CheckState, void, undefined> {
  for (let again = true; !signal.aborted; again = false) {
    const { check, release } = await site.checks.hold(await reached(id, site), again);
    try {
      yield* statesOf(check, site, signal);
    } finally {
      release();
    }
    if (!check.gone.aborted) return;
  }
}

async function* statesOf(check: KeptCheck, site: Site, signal: AbortSignal) {
  const over = AbortSignal.any([signal, check.gone]);
  for await (const state of check.running.watch(over)) {
    const isEnd = state.phase !== 'opening' && state.phase !== 'reading';
    const end = isEnd ? await check.ended : undefined;
    if (over.aborted) return;
    // It may have got another name for its mapping meanwhile.
    const list = await site.lists.get(check.list.id);
    yield shownState({ ...check, list }, state, end, site);
    await setTimeout(isEnd ? 0 : EVERY_MS, undefined, { signal: over }).catch(() => undefined);
  }
}

/** Notes that the list has come to this step. */
async function reached(id: string, { lists, settings }: Site): Promise<StoredList> {
  const list = await lists.get(id);
  await lists.touch(id);
  const isNew = STEPS.indexOf(list.step) < STEPS.indexOf('check');
  return isNew && !settings.readOnly ? lists.change(id, { step: 'check' }) : list;
}
