import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CheckedRows, CheckState, ProblemGroup } from '../../../shared/check.js';
import { call } from '../../state/call.js';
import { PAGE } from './place.js';

/** Rows, and whether they are those of the check before, which the new one has not come to yet. */
export interface ShownRows {
  readonly rows: CheckedRows | null;
  readonly isOld: boolean;
}

/** The rows of a page. While a new check has not come so far, those of the one before stay. */
export function useRows(
  { revision, phase, hasFirstRows, list }: CheckState,
  group: string,
  found: ProblemGroup | undefined,
  page: number,
): ShownRows {
  const shown = useSignal<CheckedRows | null>(null);
  const offset = (page - 1) * PAGE;
  const isRunning = phase === 'opening' || phase === 'reading';
  const there = Math.min(PAGE, Math.max(0, (found?.rows ?? 0) - offset));
  const isSamePage = shown.value?.offset === offset;
  const isBetter = !isSamePage || shown.value?.revision === revision;
  const isDue = !isRunning || there === PAGE || (there > 0 && isBetter);
  useEffect(() => {
    if (!isDue) return;
    const controller = new AbortController();
    const query = { group, offset, limit: PAGE };
    const ask = { params: { list: list.id }, query, signal: controller.signal };
    call('GET /api/lists/:list/check/rows', ask).then(
      (rows) => {
        const isBehind =
          isRunning && rows.rows.length < PAGE && rows.revision !== shown.value?.revision;
        if (!isBehind || shown.value?.offset !== offset) shown.value = rows;
      },
      () => undefined,
    );
    return () => controller.abort();
  }, [list.id, group, offset, revision, isRunning, hasFirstRows, isDue, there]);
  // Until those of another page come, the table stays where it is.
  const rows = shown.value;
  return { rows, isOld: rows !== null && rows.revision !== revision };
}
