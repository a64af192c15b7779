import { query, type QueryChanges } from '../../state/address.js';

/** Which rows are shown. It stands in the address, so that it is there again after a reload. */
export interface RowFilter {
  readonly kind: 'all' | 'outcome' | 'reason' | 'remark';
  /** Name of the outcome, or number of the reason or remark. */
  readonly of: string;
}

/** Rows of a page. */
export const PAGE_ROWS = 50;

const KINDS = ['outcome', 'reason', 'remark'] as const;

/** What the address says; `null`: no rows are shown. */
export function shownFilter(): RowFilter | null {
  for (const kind of KINDS) {
    const of = query.value.get(kind);
    if (of !== null) return { kind, of };
  }
  return query.value.get('rows') === 'all' ? { kind: 'all', of: '' } : null;
}

export const isShown = ({ kind, of }: RowFilter): boolean => {
  const shown = shownFilter();
  return shown?.kind === kind && shown.of === of;
};

/** What of the address shows these rows, from their first page; `null` hides them. */
export const showing = (filter: RowFilter | null): QueryChanges => ({
  ...{ rows: null, outcome: null, reason: null, remark: null, page: null },
  ...(filter && { [filter.kind === 'all' ? 'rows' : filter.kind]: filter.of || 'all' }),
});

/** Number of the page, from 1. */
export function shownPage(): number {
  const page = Number(query.value.get('page') ?? '1');
  return Number.isInteger(page) && page > 0 ? page : 1;
}
