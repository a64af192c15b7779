import type { JSX } from 'preact';
import type { Missing, Target } from '../../../shared/columns.js';
import { columnsText } from '../../messages/columns.js';
import { t } from '../../state/language.js';
import type { EditProps } from './props.js';
import { canBeSame, isOfCard, targetName } from './target-words.js';

/** What a client must have and nothing fills, each with what could. */
export function MissingNotes({ columns, editing, canEdit }: EditProps): JSX.Element {
  return (
    <ul class="missing notice" aria-label={t(columnsText.missing)}>
      {columns.missing.map((missing) => {
        const name = targetName(missing.target, columns.targets);
        const proposal = proposed(missing);
        return (
          <li>
            <p>
              <strong>
                {t(
                  missing.isIdentifier ? columnsText.missingIdentifier : columnsText.missingTarget,
                  name,
                )}
              </strong>{' '}
              {sentenceFor(missing, columns.targets)}
            </p>
            {proposal !== null && canEdit && (
              <button
                type="button"
                aria-label={t(columnsText.useFor, proposal, name)}
                onClick={() => void editing.edit({ kind: 'propose', target: missing.target })}
              >
                {t(columnsText.use)}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const proposed = ({ columns, value }: Missing): string | null =>
  columns.length > 0 ? columns.join(' + ') : value;

function sentenceFor(missing: Missing, targets: readonly Target[]): string {
  if (missing.columns.length > 0) return t(columnsText.missingColumns, missing.columns.join(' + '));
  if (missing.value !== null) return t(columnsText.missingValue, missing.value);
  const target = targets.find((one) => one.target === missing.target);
  const isSame = target && isOfCard(target.target) && canBeSame(target, targets);
  return t(isSame ? columnsText.missingOrSame : columnsText.missingNothing);
}
