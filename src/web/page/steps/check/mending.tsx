import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { CheckState, Corrected } from '../../state/answers.js';
import { about } from '../../state/about.js';
import { call, useAnswer, useAttempt } from '../../state/call.js';
import { t } from '../../state/language.js';
import { pageChange, query, setQuery } from '../../state/address.js';
import { numbers, Table, unseen, Button } from '../../parts/parts.js';

interface CorrectionsProps {
  readonly state: CheckState;
  readonly mending: Mending;
}

/** The cells that were corrected one by one. Each can be taken back. */
export function Corrections({ state, mending }: CorrectionsProps): JSX.Element | null {
  const { corrections: count, revision, list } = state;
  const found = useSignal<readonly Corrected[]>([]);
  useAnswer(
    count > 0 &&
      ((signal) => call('GET /api/lists/:list/corrections', { params: { list: list.id }, signal })),
    ({ corrections }) => (found.value = corrections),
    [list.id, revision, count],
  );
  if (count === 0 || found.value.length === 0) return null;
  const title = t('{1:corrected cell|corrected cells}', found.value.length);
  const empty = <span class="soft">{t('empty')}</span>;
  return (
    <section>
      <h2>{title}</h2>
      <Table
        label={title}
        heads={[
          { ...numbers(t('Row')), isTitle: true },
          t('Column'),
          t('In the file'),
          t('Counts as'),
          unseen(t('Take back')),
        ]}
        rows={found.value.map((cell) => ({
          cells: [
            ...[cell.row, cell.column, cell.was ?? empty, cell.becomes ?? empty],
            about.value?.readOnly === false && (
              <Button
                class="plain"
                aria-label={t('Take back {2} of row {1}', cell.row, cell.column)}
                onClick={() => void mending.takeBack(cell)}
                label={t('Take back')}
              />
            ),
          ],
        }))}
      />
    </section>
  );
}

/** What was done, said to whoever does not see it. */
export const DONE = {
  rule: 'The mapping has the rule now. The rows are checked again.',
  corrected: 'The correction is kept. The rows are checked again.',
  takenBack: 'The correction is taken back. The rows are checked again.',
} as const;

type Done = keyof typeof DONE;

/** What the person does about what is wrong. Each resolves to whether it was done. */
export type Mending = ReturnType<typeof useMending>;

/** After each, the check begins anew: `refresh` follows it. */
export function useMending(list: string, refresh: () => void) {
  const done = useSignal<Done | null>(null);
  const { problem, attempt } = useAttempt();
  const params = { list };
  const act = async (work: Promise<unknown>, what: Done): Promise<boolean> => {
    const isDone = await attempt(() => work);
    if (isDone) done.value = what;
    refresh();
    return isDone;
  };
  return {
    makeRule: (rule: string, to = '') =>
      act(call('POST /api/lists/:list/check/rules', { params, body: { rule, to } }), 'rule'),
    correct: (cell: string, value: string) =>
      act(call('PUT /api/lists/:list/corrections', { params, body: { cell, value } }), 'corrected'),
    takeBack: ({ sheet, row, column }: Pick<Corrected, 'sheet' | 'row' | 'column'>) =>
      act(
        call('DELETE /api/lists/:list/corrections', { params, body: { sheet, row, column } }),
        'takenBack',
      ),
    done,
    problem,
  };
}

/** Rows of a page. */
export const PAGE = 50;

/** The group that is shown, by its key. It stands in the address, with the page of its rows. */
export const chosenGroup = (): string | null => query.value.get('problem');

export const chooseGroup = (key: string): void => setQuery({ problem: key, page: null });

export const choosePage = (page: number): void => setQuery(pageChange(page));
