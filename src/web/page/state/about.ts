import { signal } from '@preact/signals';
import { STEPS } from '../../shared/page.js';
import type { About, List } from './answers.js';
import { go, place } from './address.js';
import { call, keepSession, session } from './call.js';

/** What the page is about; `null` until it is known. */
export const about = signal<About | null>(null);

/** Opens the session where the address has the start's token, and asks what the page is about. @throws CallError */
export async function begin(signal: AbortSignal): Promise<void> {
  const token = location.hash.slice(1);
  if (token !== '') {
    // It is taken out of the address, so that it is neither copied nor kept with the page's history.
    history.replaceState(null, '', location.pathname + location.search);
    keepSession(null);
    keepSession((await call('POST /api/session', { body: { token }, signal })).session);
  }
  if (session.value === null) return;
  const found = await loadAbout(signal);
  if (token !== '' && found.open !== null && place.value.kind === 'start')
    go({ kind: 'list', list: found.open, step: 'file' });
}

/** Asks anew what the page is about. @throws CallError */
export async function loadAbout(signal?: AbortSignal): Promise<About> {
  const found = await call('GET /api/about', signal ? { signal } : {});
  about.value = found;
  return found;
}

/** The last list that the server has told of. */
export const shownList = signal<List | null>(null);

/** Index of the last step that the list has reached. */
export function reached(list: string): number {
  const known = shownList.value;
  if (known?.id !== list) return 0;
  // A run has a result, however far it is.
  return STEPS.indexOf(known.run === null ? known.step : 'result');
}
