import type { JSX } from 'preact';
import { resultText } from '../../messages/result.js';
import { pushQuery } from '../../state/address.js';
import { t } from '../../state/language.js';
import { PAGE_ROWS } from './filter.js';

interface PagerProps {
  readonly total: number;
  /** From 1. */
  readonly page: number;
}

/** Leads from page to page; nothing where one page has all. */
export function Pager({ total, page }: PagerProps): JSX.Element | null {
  const pages = Math.ceil(total / PAGE_ROWS);
  if (pages < 2) return null;
  const from = (page - 1) * PAGE_ROWS + 1;
  const to = Math.min(total, page * PAGE_ROWS);
  const turn = (next: number): void => pushQuery({ page: next === 1 ? null : String(next) });
  return (
    <nav class="result-pager" aria-label={t(resultText.pages)}>
      <button type="button" disabled={page <= 1} onClick={() => turn(page - 1)}>
        {t(resultText.previous)}
      </button>
      <span class="number">{t(resultText.page, from, to, total)}</span>
      <button type="button" disabled={page >= pages} onClick={() => turn(page + 1)}>
        {t(resultText.next)}
      </button>
    </nav>
  );
}
