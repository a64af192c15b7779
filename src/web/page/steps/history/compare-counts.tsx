import type { JSX } from 'preact';
import type { Comparison } from '../../../shared/history.js';
import { compareText, historyText } from '../../messages/history.js';
import { number, t } from '../../state/language.js';

/** How many rows differ. */
export function CompareCounts({ counts }: Pick<Comparison, 'counts'>): JSX.Element {
  const [before, after] = counts.withoutUuid;
  const lines = [
    [compareText.changed, counts.changed],
    [compareText.new, counts.new],
    ...(counts.endedWell > 0 ? [[compareText.endedWell, counts.endedWell] as const] : []),
    [compareText.gone, counts.gone],
    [compareText.same, counts.same],
    [compareText.withoutUuid, before + after],
  ] as const;
  return (
    <div class="scroll fit" tabIndex={0} role="region" aria-label={t(compareText.summary)}>
      <table>
        <caption>{t(compareText.summary)}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {t(historyText.rowsHeader)}
            </th>
            <th scope="col">{t(compareText.what)}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(([label, count]) => (
            <tr>
              <td class="number">{number(count)}</td>
              <td class="words">{t(label)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
