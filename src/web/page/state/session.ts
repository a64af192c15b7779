import { signal } from '@preact/signals';

/** The only thing that the browser keeps, for as long as the tab is open. */
const KEY = 'cardline-session';

/** Token of this tab; `null` before it has one, and when the server does not know it. */
export const session = signal<string | null>(sessionStorage.getItem(KEY));

export function keepSession(token: string | null): void {
  session.value = token;
  if (token === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}

/** Takes the start's token out of the address, so that it is neither copied nor kept with the page's history. */
export function takeStartToken(): string | undefined {
  const token = location.hash.slice(1);
  if (token === '') return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}
