import { signal } from '@preact/signals';
import { STEPS, type Step } from '../../shared/page.js';

/** What the address names. */
export type Place =
  | { readonly kind: 'start' }
  | { readonly kind: 'list'; readonly list: string; readonly step: Step }
  | { readonly kind: 'history'; readonly run: string | null }
  /** The result of a run, whoever started it. */
  | { readonly kind: 'run'; readonly run: string }
  | { readonly kind: 'nowhere' };

export const place = signal<Place>(placeOf(location.pathname));
/** The query: how a view is filtered, and the language where it was switched. */
export const query = signal(new URLSearchParams(location.search));

function placeOf(path: string): Place {
  const [first = '', second, third] = path.split('/').slice(1);
  if (first === '') return { kind: 'start' };
  if (first === 'history') return { kind: 'history', run: second ?? null };
  if (first === 'runs' && second !== undefined) return { kind: 'run', run: second };
  const step = STEPS.find((one) => one === third);
  if (first === 'lists' && second !== undefined && step)
    return { kind: 'list', list: second, step };
  return { kind: 'nowhere' };
}

function pathOf(to: Place): string {
  switch (to.kind) {
    case 'list':
      return `/lists/${to.list}/${to.step}`;
    case 'history':
      return to.run === null ? '/history' : `/history/${to.run}`;
    case 'run':
      return `/runs/${to.run}`;
    default:
      return '/';
  }
}

/** What the query of a place says. */
export type Search = Readonly<Record<string, string>>;

/** An address of the page, in the language that was switched to. */
export function hrefOf(to: Place, search: Search = {}): string {
  const language = query.value.get('lang');
  const all = new URLSearchParams({ ...search, ...(language === null ? {} : { lang: language }) });
  return pathOf(to) + (all.size === 0 ? '' : `?${all}`);
}

/** How many steps of the page lie behind this one. The browser keeps it, so that going back or forward can be undone. */
let depth = depthIn(history.state);

function depthIn(state: unknown): number {
  return typeof state === 'number' ? state : 0;
}

/** Goes to another place; unsaved changes are asked about first. */
export function go(to: Place, search: Search = {}): void {
  if (!mayLeave(to)) return;
  history.pushState(++depth, '', hrefOf(to, search));
  read();
  window.scrollTo(0, 0);
}

export type QueryChanges = Readonly<Record<string, string | null>>;

/** Changes the query of the place: `null` removes a name. */
export function setQuery(changes: QueryChanges): void {
  history.replaceState(depth, '', hrefWith(changes));
  read();
}

/** The same as a step of its own, which "back" takes back. */
export function pushQuery(changes: QueryChanges): void {
  history.pushState(++depth, '', hrefWith(changes));
  read();
}

/** The page of a list that the query names, from 1. */
export function pageInQuery(): number {
  const page = Number(query.value.get('page'));
  return Number.isInteger(page) && page > 0 ? page : 1;
}

/** What of the query names a page. */
export const pageChange = (page: number): QueryChanges => ({
  page: page === 1 ? null : String(page),
});

/** The address of the place with another query. */
export function hrefWith(changes: QueryChanges): string {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes))
    if (value === null) next.delete(name);
    else next.set(name, value);
  const search = next.toString();
  return location.pathname + (search === '' ? '' : `?${search}`);
}

/** What asks whether the place may be left, such as an editor with unsaved changes. */
let guard: ((to: Place) => boolean) | null = null;
let guardsTab = false;

/** Sets what is asked before the place is left, and whether the browser asks before the tab is closed. */
export function guardLeaving(mayGo: ((to: Place) => boolean) | null, tabToo = true): void {
  guard = mayGo;
  guardsTab = tabToo && mayGo !== null;
}

const mayLeave = (to: Place): boolean => guard?.(to) ?? true;

function read(): void {
  place.value = placeOf(location.pathname);
  query.value = new URLSearchParams(location.search);
}

/** Follows the browser's back and forward. */
export function followAddress(): void {
  addEventListener('popstate', ({ state }) => {
    const to = depthIn(state);
    const next = placeOf(location.pathname);
    if (to !== depth && pathOf(next) !== pathOf(place.value) && !mayLeave(next)) {
      // Going there is taken back.
      history.go(depth - to);
      return;
    }
    depth = to;
    read();
  });
  addEventListener('hashchange', () => {
    // The address with the start's token was opened in this tab.
    if (location.hash !== '') location.reload();
  });
  addEventListener('beforeunload', (event) => {
    if (guardsTab) event.preventDefault();
  });
}
