import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { columnsText } from '../../messages/columns.js';
import { Select } from '../../parts/select.js';
import { t } from '../../state/language.js';
import type { StepProps } from './props.js';
import { optionsOf } from './step.js';

const PATTERNS = ['dd.MM.yyyy', 'yyyy-MM-dd', 'MM/dd/yyyy', 'dd/MM/yyyy', 'd MMM yyyy'];
const ANY = '';
const OTHER = '…';

/** How the dates of a column are written. */
export function DatePattern(props: StepProps): JSX.Element {
  const { column, editing, canEdit, use, step } = props;
  const { from, ...others } = optionsOf(step);
  const written = patternsOf(from).join(', ');
  const typed = useSignal<string | null>(null);
  const set = (patterns: string[]): void => {
    typed.value = null;
    const [only] = patterns;
    const chosen = patterns.length === 0 ? {} : { from: patterns.length === 1 ? only : patterns };
    void editing.edit({
      ...{ kind: 'step', column: column.header, at: use.at },
      step: { date: { ...chosen, ...others } },
    });
  };
  const choose = (value: string): void => {
    if (value === OTHER) typed.value = written;
    else set(splitPatterns(value));
  };
  const all = [...new Set([...(written === '' ? [] : [written]), ...PATTERNS])];
  return (
    <>
      <Select
        label={t(columnsText.datePattern)}
        value={typed.value === null ? written : OTHER}
        choices={[
          { value: ANY, label: t(columnsText.anyDate) },
          ...all.map((value) => ({ value, label: value })),
          { value: OTHER, label: t(columnsText.otherPattern) },
        ]}
        disabled={!canEdit}
        onChoose={choose}
      />
      {typed.value !== null && (
        <OwnPattern
          beginning={typed.value}
          onApply={(text) => set(splitPatterns(text))}
          onCancel={() => (typed.value = null)}
        />
      )}
    </>
  );
}

const patternsOf = (from: unknown): string[] =>
  [from].flat().filter((one): one is string => typeof one === 'string');

/** Patterns of dates have no comma with a letter before it. */
const splitPatterns = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

interface OwnPatternProps {
  readonly beginning: string;
  readonly onApply: (text: string) => void;
  readonly onCancel: () => void;
}

function OwnPattern({ beginning, onApply, onCancel }: OwnPatternProps): JSX.Element {
  const id = useId();
  const text = useSignal(beginning);
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(text.value);
      }}
    >
      <label class="field">
        <span>{t(columnsText.ownPattern)}</span>
        <input
          type="text"
          value={text.value}
          aria-describedby={id}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      <p class="soft" id={id}>
        {t(columnsText.patternHelp)}
      </p>
      <div class="buttons">
        <button type="submit">{t(columnsText.apply)}</button>
        <button type="button" class="plain" onClick={onCancel}>
          {t(columnsText.cancel)}
        </button>
      </div>
    </form>
  );
}
