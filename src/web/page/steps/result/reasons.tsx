import type { JSX } from 'preact';
import type { Result, ResultReason } from '../../../shared/result.js';
import { resultText } from '../../messages/result.js';
import { OutcomeName } from '../../parts/outcome-name.js';
import { number, t } from '../../state/language.js';
import type { RowFilter } from './filter.js';
import { RowLink } from './row-link.js';

/** Why rows ended as they did, and what was left out of others: each leads to its rows. */
export function Reasons({ result }: { readonly result: Result }): JSX.Element {
  const { reasons, moreReasons, remarks } = result;
  return (
    <>
      {reasons.length > 0 && (
        <section>
          <h2 id="reasons">{t(resultText.reasons)}</h2>
          <Table kind="reason" labelledBy="reasons" lines={reasons} />
          {moreReasons > 0 && <p class="soft">{t(resultText.moreReasons, moreReasons)}</p>}
        </section>
      )}
      {remarks.length > 0 && (
        <section>
          <h2 id="remarks">{t(resultText.remarks)}</h2>
          <Table kind="remark" labelledBy="remarks" lines={remarks} />
        </section>
      )}
    </>
  );
}

type Line = Omit<ResultReason, 'outcome'> & Partial<Pick<ResultReason, 'outcome'>>;

interface TableProps {
  readonly kind: RowFilter['kind'];
  readonly labelledBy: string;
  readonly lines: readonly Line[];
}

const Table = ({ kind, labelledBy, lines }: TableProps): JSX.Element => (
  <div class="scroll" tabIndex={0} role="region" aria-labelledby={labelledBy}>
    <table class="result-counts">
      <thead>
        <tr>
          <th scope="col" class="number">
            {t(resultText.count)}
          </th>
          <th scope="col">{t(resultText.reason)}</th>
          {kind === 'reason' && <th scope="col">{t(resultText.outcome)}</th>}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td class="number">{number(line.rows)}</td>
            <th scope="row" class="wide">
              <RowLink filter={{ kind, of: String(line.id) }}>{reasonWords(line)}</RowLink>
            </th>
            {line.outcome !== undefined && (
              <td>
                <OutcomeName outcome={line.outcome} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A reason in one line. */
export const reasonWords = ({
  column,
  message,
}: Pick<ResultReason, 'column' | 'message'>): string =>
  column === null ? message : `${column}: ${message}`;
