import { signal } from '@preact/signals';
import type { About } from '../../shared/about.js';
import { go, place } from './address.js';
import { call } from './call.js';
import { keepSession, session, takeStartToken } from './session.js';

/** What the page is about; `null` until it is known. */
export const about = signal<About | null>(null);

/** Opens the session where the address has the start's token, and asks what the page is about. @throws CallError */
export async function begin(signal: AbortSignal): Promise<void> {
  const token = takeStartToken();
  if (token !== undefined) {
    keepSession(null);
    keepSession((await call('POST /api/session', { body: { token }, signal })).session);
  }
  if (session.value === null) return;
  const found = await loadAbout(signal);
  if (token !== undefined && found.open !== null && place.value.kind === 'start')
    go({ kind: 'list', list: found.open, step: 'file' });
}

/** Asks anew what the page is about. @throws CallError */
export async function loadAbout(signal?: AbortSignal): Promise<About> {
  const found = await call('GET /api/about', signal ? { signal } : {});
  about.value = found;
  return found;
}
