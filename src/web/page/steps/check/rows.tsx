import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { CheckState, ProblemGroup } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { Waiting } from '../../parts/waiting.js';
import { t } from '../../state/language.js';
import { CheckedTable } from './checked-table.js';
import { Pager } from './pager.js';
import { choosePage, chosenPage, PAGE } from './place.js';
import type { Mending } from './use-mending.js';
import { useRows } from './use-rows.js';

interface RowsProps {
  readonly state: CheckState;
  readonly group: string;
  readonly found: ProblemGroup | undefined;
  readonly mending: Mending;
}

/** The rows of a group, page by page. */
export function Rows({ state, group, found, mending }: RowsProps): JSX.Element | null {
  const page = chosenPage();
  const { rows: shown, isOld } = useRows(state, group, found, page);
  const isEnd = state.phase !== 'opening' && state.phase !== 'reading';
  const last = Math.max(1, Math.ceil((found?.rows ?? 0) / PAGE));
  useEffect(() => {
    // What was mended is gone, and so is the page.
    if (isEnd && found && page > last) choosePage(last);
  }, [isEnd, page, last]);
  if (!shown) return found ? <Waiting /> : null;
  const { rows, offset, moreColumns } = shown;
  if (rows.length === 0) return null;
  const total = Math.max(found?.rows ?? 0, offset + rows.length);
  return (
    <>
      <CheckedTable
        caption={t(checkText.rowsOf, offset + 1, offset + rows.length, total)}
        shown={shown}
        isOld={isOld}
        known={found?.code ?? undefined}
        mending={mending}
      />
      {moreColumns > 0 && <p class="soft">{t(checkText.moreColumns, moreColumns)}</p>}
      {state.notShown !== null && <p class="soft">{state.notShown}</p>}
      <Pager page={page} last={Math.max(last, page)} onChoose={choosePage} />
    </>
  );
}
