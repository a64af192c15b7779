import type { JSX } from 'preact';
import type { ColumnUse } from '../../../shared/columns.js';
import { columnsText, stepText } from '../../messages/columns.js';
import { t } from '../../state/language.js';
import type { StepProps } from './props.js';

/** The options of a transform by their names; none where it is written as a bare name or a single word. */
export function optionsOf({ options }: ColumnUse['steps'][number]): Record<string, unknown> {
  return typeof options === 'object' && options !== null && !Array.isArray(options)
    ? Object.fromEntries(Object.entries(options))
    : {};
}

const isKnown = (name: string): name is keyof typeof stepText => Object.hasOwn(stepText, name);

/** A transform in words. It can be taken out; its options are changed in the text. */
export function Step({ column, editing, canEdit, use, step }: StepProps): JSX.Element {
  const words = isKnown(step.name) ? t(stepText[step.name]) : step.name;
  const more = moreOf(step);
  return (
    <p class="step">
      <span>
        {words}
        {more !== '' && <code> {more}</code>}
      </span>
      {canEdit && (
        <button
          type="button"
          class="plain"
          aria-label={t(columnsText.remove, words)}
          onClick={() =>
            void editing.edit({
              ...{ kind: 'withoutStep', column: column.header, at: use.at },
              name: step.name,
            })
          }
        >
          ×
        </button>
      )}
    </p>
  );
}

/** The options that say what is done, as they are written. */
function moreOf(step: ColumnUse['steps'][number]): string {
  if (typeof step.options === 'string') return step.options;
  const { pattern, with: by, file } = optionsOf(step);
  if (typeof pattern === 'string')
    return `${pattern} → ${typeof by === 'string' && by !== '' ? by : '∅'}`;
  return typeof file === 'string' ? (file.split(/[\\/]/).at(-1) ?? '') : '';
}
