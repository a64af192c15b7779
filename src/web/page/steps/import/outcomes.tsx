import type { JSX } from 'preact';
import type { Live } from '../../../shared/run.js';
import { importText } from '../../messages/import.js';
import { OutcomeName } from '../../parts/outcome-name.js';
import { number, t } from '../../state/language.js';

/** Rows by outcome. */
export const Outcomes = ({ live: { outcomes, waiting } }: { readonly live: Live }): JSX.Element => (
  <section>
    <h2>{t(importText.outcomes)}</h2>
    <table class="tally">
      <thead>
        <tr>
          <th scope="col">{t(importText.outcome)}</th>
          <th scope="col" class="number">
            {t(importText.rowsHeader)}
          </th>
        </tr>
      </thead>
      <tbody>
        {outcomes.map(({ outcome, count }) => (
          <tr key={outcome}>
            <th scope="row">
              <OutcomeName outcome={outcome} />
            </th>
            <td class="number">{number(count)}</td>
          </tr>
        ))}
        {waiting > 0 && (
          <tr key="waiting">
            <th scope="row">{t(importText.waiting)}</th>
            <td class="number">{number(waiting)}</td>
          </tr>
        )}
      </tbody>
    </table>
  </section>
);
