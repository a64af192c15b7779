import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Target } from '../../../shared/columns.js';
import { columnsText } from '../../messages/columns.js';
import { Select } from '../../parts/select.js';
import { t } from '../../state/language.js';
import type { EditProps } from './props.js';
import { canBeSame, isOfCard, isOfClient, targetName } from './target-words.js';
import { ValueField } from './value-field.js';

/** What is the same for all rows: parts of the client and fields of the card that no column fills. */
export function ForAll({ columns, editing, canEdit }: EditProps): JSX.Element {
  const added = useSignal<readonly string[]>([]);
  const nameOf = ({ target }: Target): string => targetName(target, columns.targets);
  const open = columns.targets.filter(
    (one) => one.columns.length === 0 && canBeSame(one, columns.targets),
  );
  const missing = new Set(columns.missing.map(({ target }) => target));
  const isShown = ({ target, constant }: Target): boolean =>
    isOfClient(target) ||
    constant !== null ||
    (missing.has(target) && isOfCard(target)) ||
    added.value.includes(target);
  const others = open.filter((one) => isOfCard(one.target) && !isShown(one));
  return (
    <section class="fields for-all" aria-label={t(columnsText.forAll)}>
      <h2>{t(columnsText.forAll)}</h2>
      {open
        .filter(isShown)
        .toSorted(byPart)
        .map((one) => (
          <ValueField
            key={one.target}
            label={nameOf(one)}
            target={one}
            value={one.constant}
            none={one.isFilled ? t(columnsText.inText) : ''}
            isOptional={!isOfClient(one.target)}
            disabled={!canEdit}
            onSet={(value) => void editing.edit({ kind: 'constant', target: one.target, value })}
          />
        ))}
      {canEdit && others.length > 0 && (
        <Select
          label={t(columnsText.addField)}
          value=""
          choices={[
            { value: '', label: '' },
            ...others.map((one) => ({ value: one.target, label: nameOf(one) })),
          ]}
          onChoose={(target) => (added.value = [...added.value, target])}
        />
      )}
    </section>
  );
}

/** Parts of every client come before fields of the card. */
const byPart = (one: Target, other: Target): number =>
  Number(isOfClient(other.target)) - Number(isOfClient(one.target));
