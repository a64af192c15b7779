import { query, setQuery } from '../../state/address.js';

/** Rows of a page. */
export const PAGE = 50;

/** The group that is shown, by its key, and the page of its rows, from 1: both stand in the address. */
export const chosenGroup = (): string | null => query.value.get('problem');

export function chosenPage(): number {
  const page = Number(query.value.get('page'));
  return Number.isInteger(page) && page > 0 ? page : 1;
}

export const chooseGroup = (key: string): void => setQuery({ problem: key, page: null });

export const choosePage = (page: number): void =>
  setQuery({ page: page === 1 ? null : String(page) });
