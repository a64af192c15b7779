import type { JSX } from 'preact';
import type { ColumnUse } from '../../../shared/columns.js';
import { columnsText, goodText } from '../../messages/columns.js';
import { t } from '../../state/language.js';
import type { ColumnProps } from './props.js';
import { valueProblem } from './value-problem.js';
import { targetName } from './target-words.js';

/** How sure a suggestion is, in dots and words, why, and what the rows say of it. */
export function Sureness(props: ColumnProps): JSX.Element {
  const { column, columns, editing, canEdit } = props;
  const { suggested, uses, header } = column;
  const isSuggested = uses.some(({ target }) => target === suggested.target);
  const isUsed = uses.length > 0;
  const isOpen = !isUsed && suggested.target === null;
  const suggestion =
    suggested.target === null ? null : targetName(suggested.target, columns.targets);
  return (
    <>
      {isSuggested && <Dots score={suggested.score} />}
      {!isSuggested && isUsed && <p>{t(columnsText.yourChoice)}</p>}
      {isOpen && <p aria-hidden="true">–</p>}
      {uses.map((use) => (
        <Good use={use} />
      ))}
      {!isSuggested && suggestion !== null && (
        <p>
          {t(isUsed ? columnsText.suggested : columnsText.unsure, suggestion)}{' '}
          {canEdit && (
            <button
              type="button"
              class="plain"
              aria-label={t(columnsText.useFor, header, suggestion)}
              onClick={() =>
                void editing.edit({
                  ...{ kind: 'become', column: header, target: suggested.target },
                  ...(suggested.phoneType === null ? {} : { phoneType: suggested.phoneType }),
                })
              }
            >
              {t(columnsText.use)}
            </button>
          )}
        </p>
      )}
      {(isSuggested || suggestion !== null || isOpen) && <p class="soft">{suggested.why}</p>}
    </>
  );
}

/** From which score a suggestion has how many dots. They are those of the command `suggest`. */
const SURE = 0.85;
const LIKELY = 0.5;

function Dots({ score }: { readonly score: number }): JSX.Element {
  const dots = score >= SURE ? 3 : score >= LIKELY ? 2 : 1;
  const words = { 3: columnsText.sure3, 2: columnsText.sure2, 1: columnsText.sure1 } as const;
  return (
    <p>
      <span class="dots" aria-hidden="true">
        {'●'.repeat(dots)}
        {'○'.repeat(3 - dots)}
      </span>{' '}
      {t(words[dots])}
    </p>
  );
}

function Good({ use: { good, problems } }: { readonly use: ColumnUse }): JSX.Element | null {
  if (!good || !isGoodCode(good.code)) return null;
  const { good: count, filled } = good.params;
  return (
    <>
      <p class={count < filled ? 'warn' : ''}>{t(goodText[good.code], count, filled)}</p>
      {problems.slice(0, 2).map((problem) => (
        <p class="soft">{valueProblem(problem)}</p>
      ))}
    </>
  );
}

const isGoodCode = (code: string): code is keyof typeof goodText => Object.hasOwn(goodText, code);
