import type { JSX } from 'preact';
import type { Live } from '../../../shared/run.js';
import { importText } from '../../messages/import.js';
import { OutcomeName } from '../../parts/outcome-name.js';
import { number, t } from '../../state/language.js';

/** Why rows did not end well, and what the person should know. */
export function Reasons({ live }: { readonly live: Live }): JSX.Element | null {
  const { reasons, warnings } = live;
  if (reasons.length === 0 && warnings.length === 0) return null;
  return (
    <section>
      {reasons.length > 0 && <ReasonTable reasons={reasons} />}
      {warnings.length > 0 && (
        <>
          <h2>{t(importText.warnings)}</h2>
          <ul class="notes">
            {warnings.map((warning) => (
              <li>{warning}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const ReasonTable = ({ reasons }: Pick<Live, 'reasons'>): JSX.Element => (
  <>
    <h2>{t(importText.reasons)}</h2>
    <table class="tally">
      <thead>
        <tr>
          <th scope="col">{t(importText.reason)}</th>
          <th scope="col">{t(importText.outcome)}</th>
          <th scope="col" class="number">
            {t(importText.rowsHeader)}
          </th>
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ outcome, column, message, rows }) => (
          <tr key={`${outcome} ${column ?? ''} ${message}`}>
            <th scope="row">
              {column === null ? '' : `${column}: `}
              {message}
            </th>
            <td>
              <OutcomeName outcome={outcome} />
            </td>
            <td class="number">{number(rows)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
);
