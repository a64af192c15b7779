import type { JSX } from 'preact';
import type { Result } from '../../../shared/result.js';
import { outcomeWords } from '../../messages/outcomes.js';
import { resultText } from '../../messages/result.js';
import { OutcomeName } from '../../parts/outcome-name.js';
import { number, percent, t } from '../../state/language.js';
import { RowLink } from './row-link.js';

/** Rows by outcome: each count leads to its rows. */
export function Outcomes({ result }: { readonly result: Result }): JSX.Element {
  const { outcomes, rows, waiting } = result;
  return (
    <section>
      <h2 id="outcomes">{t(resultText.outcomes)}</h2>
      {rows + waiting.rows === 0 && <p class="soft">{t(resultText.noRows)}</p>}
      {rows + waiting.rows > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-labelledby="outcomes">
          <table class="result-counts">
            <thead>
              <tr>
                <th scope="col">{t(resultText.outcome)}</th>
                <th scope="col" class="number">
                  {t(resultText.count)}
                </th>
                <th scope="col" class="number">
                  {t(resultText.share)}
                </th>
                <th scope="col">{t(resultText.meaning)}</th>
              </tr>
            </thead>
            <tbody>
              {outcomes.map(({ outcome, count }) => (
                <tr key={outcome}>
                  <th scope="row">
                    <RowLink filter={{ kind: 'outcome', of: outcome }}>
                      <OutcomeName outcome={outcome} />
                    </RowLink>
                  </th>
                  <td class="number">{number(count)}</td>
                  <td class="number">{percent(count / rows, 1)}</td>
                  <td class="wide soft">{outcomeWords(outcome).meaning}</td>
                </tr>
              ))}
              {waiting.rows > 0 && <Waiting waiting={waiting} />}
              <tr class="sum">
                <th scope="row">
                  <RowLink filter={{ kind: 'all', of: '' }}>{t(resultText.all)}</RowLink>
                </th>
                <td class="number">{number(rows + waiting.rows)}</td>
                <td />
                <td />
              </tr>
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** Their rows have no outcome yet: going on with the run sends them. */
function Waiting({ waiting: { rows, withCard } }: Pick<Result, 'waiting'>): JSX.Element {
  const cards = withCard === 0 ? '' : `; ${t(resultText.withCard, withCard)}`;
  return (
    <tr>
      <th scope="row">{t(resultText.waiting)}</th>
      <td class="number">{number(rows)}</td>
      <td />
      <td class="wide soft">{t(resultText.waitingMeaning) + cards}</td>
    </tr>
  );
}
