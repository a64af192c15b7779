import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { CheckState, Corrected } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { about } from '../../state/about.js';
import { call } from '../../state/call.js';
import { number, t } from '../../state/language.js';
import type { Mending } from './use-mending.js';

interface CorrectionsProps {
  readonly state: CheckState;
  readonly mending: Mending;
}

/** The cells that were corrected one by one. Each can be taken back. */
export function Corrections({ state, mending }: CorrectionsProps): JSX.Element | null {
  const { corrections: count, revision, list } = state;
  const found = useSignal<readonly Corrected[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const ask = { params: { list: list.id }, signal: controller.signal };
    if (count > 0)
      call('GET /api/lists/:list/corrections', ask).then(
        ({ corrections }) => {
          found.value = corrections;
        },
        () => undefined,
      );
    else found.value = [];
    return () => controller.abort();
  }, [list.id, revision, count]);
  if (found.value.length === 0) return null;
  const title = t(checkText.corrections, found.value.length);
  return (
    <section>
      <h2>{title}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                {t(checkText.row)}
              </th>
              <th scope="col">{t(checkText.column)}</th>
              <th scope="col">{t(checkText.was)}</th>
              <th scope="col">{t(checkText.becomes)}</th>
              <th scope="col">
                <span class="hidden">{t(checkText.takeBack)}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {found.value.map((cell) => (
              <CorrectedCell cell={cell} mending={mending} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface CorrectedCellProps {
  readonly cell: Corrected;
  readonly mending: Mending;
}

function CorrectedCell({ cell, mending }: CorrectedCellProps): JSX.Element {
  const { row, column, was, becomes } = cell;
  const empty = <span class="soft">{t(checkText.empty)}</span>;
  return (
    <tr>
      <th scope="row" class="number">
        {number(row)}
      </th>
      <td>{column}</td>
      <td>{was ?? empty}</td>
      <td>{becomes ?? empty}</td>
      <td>
        {about.value?.readOnly === false && (
          <button
            type="button"
            class="plain"
            aria-label={t(checkText.takeBackCell, row, column)}
            onClick={() => void mending.takeBack(cell)}
          >
            {t(checkText.takeBack)}
          </button>
        )}
      </td>
    </tr>
  );
}
