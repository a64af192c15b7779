import type { JSX } from 'preact';
import type { CheckState } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { number, t } from '../../state/language.js';

/** What is left out of rows that are sent, where the mapping seems to be wrong, and what was taken off cells. */
export const Remarks = ({ state }: { readonly state: CheckState }): JSX.Element => (
  <>
    {state.suspicions.length > 0 && (
      <div class="notice">
        <p>
          <strong>{t(checkText.suspicions)}</strong>
        </p>
        <ul>
          {state.suspicions.map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      </div>
    )}
    {state.notes.map((text) => (
      <p class="notice">{text}</p>
    ))}
    {state.remarks.length > 0 && (
      <section>
        <h2>{t(checkText.remarks)}</h2>
        <ul class="remarks">
          {state.remarks.map((remark) => (
            <li key={`${remark.column ?? ''} ${remark.code}`}>
              <strong>{remark.column ?? t(checkText.wholeRow)}</strong> {remark.message}{' '}
              <span class="number">{number(remark.rows)}</span>
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
);
