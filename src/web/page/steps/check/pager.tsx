import type { JSX } from 'preact';
import { checkText } from '../../messages/check.js';
import { number, t } from '../../state/language.js';

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly last: number;
  readonly onChoose: (page: number) => void;
}

/** One page back or on. The buttons stay where they are, so that one can click on. */
export function Pager({ page, last, onChoose }: PagerProps): JSX.Element | null {
  if (last === 1) return null;
  const step = (to: number): void => {
    if (to >= 1 && to <= last) onChoose(to);
  };
  return (
    <nav class="pager" aria-label={t(checkText.pages)}>
      <button type="button" aria-disabled={page <= 1} onClick={() => step(page - 1)}>
        {t(checkText.previous)}
      </button>
      <span class="number">
        {number(page)} / {number(last)}
      </span>
      <button type="button" aria-disabled={page >= last} onClick={() => step(page + 1)}>
        {t(checkText.next)}
      </button>
    </nav>
  );
}
