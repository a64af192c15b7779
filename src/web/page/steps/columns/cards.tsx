import type { JSX } from 'preact';
import type { Card, Columns } from '../../../shared/columns.js';
import { columnsText, phoneTypeText } from '../../messages/columns.js';
import { fileText } from '../../messages/file.js';
import { t } from '../../state/language.js';
import { isPhoneType, targetName } from './target-words.js';

interface CardsProps {
  readonly columns: Columns;
}

/** The first rows as the contact center would get them. */
export const Cards = ({ columns }: CardsProps): JSX.Element | null =>
  columns.cards.length === 0 ? null : (
    <section aria-label={t(columnsText.cards)}>
      <h2>{t(columnsText.cards)}</h2>
      <ul class="cards">
        {columns.cards.map((card) => (
          <li key={card.row}>
            <strong>{t(fileText.row, card.row)}</strong>
            {card.problems.map(({ column, message }) => (
              <p class="warn">
                {column} {message}
              </p>
            ))}
            <Parts card={card} columns={columns} />
          </li>
        ))}
      </ul>
    </section>
  );

const Parts = ({ card, columns }: CardsProps & { readonly card: Card }): JSX.Element => (
  <dl>
    {card.parts.map(({ target, text, marks }) => (
      <>
        <dt>{targetName(target, columns.targets)}</dt>
        <dd>
          {text}{' '}
          <span class="soft">
            {marks.map((mark) => (isPhoneType(mark) ? t(phoneTypeText[mark]) : mark)).join(', ')}
          </span>
        </dd>
      </>
    ))}
  </dl>
);
