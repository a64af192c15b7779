import { query, setQuery } from '../../state/address.js';

/** How the runs are filtered, which page is shown, and which are chosen: all of it is in the address. */
export interface Choices {
  readonly text: string;
  readonly state: string;
  readonly mode: string;
  /** From 1. */
  readonly page: number;
  /** Ids of the runs that are to be compared. */
  readonly chosen: readonly string[];
}

export function choices(): Choices {
  const read = (name: string): string => query.value.get(name) ?? '';
  return {
    text: read('text'),
    state: read('state'),
    mode: read('mode'),
    page: Math.max(1, Math.floor(Number(read('page'))) || 1),
    chosen: read('chosen').split(',').filter(Boolean),
  };
}

const orNone = (text: string): string | null => (text === '' ? null : text);

/** Another filter begins with its first page. */
export const filter = (changes: Partial<Pick<Choices, 'text' | 'state' | 'mode'>>): void =>
  setQuery({
    page: null,
    ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, orNone(value)])),
  });

export const choose = (chosen: readonly string[]): void =>
  setQuery({ chosen: orNone(chosen.join(',')) });

/** The query of another page with the same filter. */
export function searchOf(page: number): Record<string, string> {
  const { text, state, mode, chosen } = choices();
  const all = { text, state, mode, chosen: chosen.join(','), page: page === 1 ? '' : String(page) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}
