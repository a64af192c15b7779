import type { JSX } from 'preact';
import type { Comparison } from '../../../shared/history.js';
import { compareText, historyText } from '../../messages/history.js';
import { OutcomeName } from '../../parts/outcome-name.js';
import { number, t } from '../../state/language.js';

type Way = Comparison['ways'][number];

/** What became of the rows that differ, and where the first of them are. */
export const CompareWays = ({ ways }: Pick<Comparison, 'ways'>): JSX.Element => (
  <section>
    <h2>{t(compareText.ways)}</h2>
    <div class="scroll" tabIndex={0} role="region" aria-label={t(compareText.ways)}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t(compareText.before)}</th>
            <th scope="col">{t(compareText.after)}</th>
            <th scope="col" class="number">
              {t(historyText.rowsHeader)}
            </th>
            <th scope="col">{t(compareText.examples)}</th>
          </tr>
        </thead>
        <tbody>
          {ways.map((way) => (
            <tr key={`${way.before} ${way.after}`}>
              <td>
                <Ended outcome={way.before} />
              </td>
              <td>
                <Ended outcome={way.after} />
              </td>
              <td class="number">{number(way.rows)}</td>
              <td class="words">{examplesOf(way)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);

const Ended = ({ outcome }: { readonly outcome: string | null }): JSX.Element =>
  outcome === null ? (
    <span class="soft">{t(compareText.notThere)}</span>
  ) : (
    <OutcomeName outcome={outcome} />
  );

function examplesOf({ rows, examples }: Way): string {
  const named = examples.map(({ sheet, row }) =>
    [...(sheet === null ? [] : [sheet]), t(compareText.row, row)].join(' '),
  );
  return named.join(', ') + (rows > examples.length ? ', …' : '');
}
