import type { JSX, RefObject } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { Mistake } from '../../../shared/columns.js';
import { t } from '../../state/language.js';
import type { EditProps } from './editing.js';
import { PanelHead } from './panel.js';

interface YamlProps extends EditProps {
  readonly onClose: () => void;
}

/** The mapping as text, in step with the columns. */
export function YamlEditor(props: YamlProps): JSX.Element {
  const { columns, editing, canEdit, onClose } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const { yaml, mistakes, isBroken } = columns;
  const text = editing.typed.value ?? yaml;
  return (
    <section class="panel yaml">
      <PanelHead id={id} title={t('Mapping as YAML')} onClose={onClose} />
      {text === null ? (
        <p class="notice">
          {t('The text is hidden with --mask: its maps and comments hold words of clients.')}
        </p>
      ) : (
        <TextArea {...props} id={id} text={text} area={area} />
      )}
      <p class="soft" id={`${id}-state`} role="status">
        {stateOf(editing.typed.value !== null, mistakes.length)}
      </p>
      {editing.isConflict.value && <Conflict editing={editing} />}
      {isBroken && (
        <div class="notice">
          <p>
            {t('The text cannot be read at the moment. The columns are shown as they were before.')}
          </p>
          {canEdit && (
            <button type="button" onClick={() => void editing.use({ kind: 'readable' })}>
              {t('Take the text back to then')}
            </button>
          )}
        </div>
      )}
      <Mistakes mistakes={mistakes} onGo={(mistake) => goTo(area.current, mistake)} />
    </section>
  );
}

interface TextAreaProps extends EditProps {
  readonly id: string;
  readonly text: string;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

function TextArea({ columns, editing, canEdit, id, text, area }: TextAreaProps): JSX.Element {
  const numbers = useRef<HTMLPreElement>(null);
  return (
    <div class="editor">
      <pre ref={numbers} aria-hidden="true">
        {lineNumbers(text, columns.mistakes)}
      </pre>
      <textarea
        ref={area}
        aria-labelledby={id}
        aria-describedby={`${id}-state`}
        aria-invalid={columns.mistakes.length > 0}
        spellcheck={false}
        wrap="off"
        readOnly={!canEdit}
        value={text}
        onInput={(event) => editing.type(event.currentTarget.value)}
        onBlur={() => void editing.send()}
        onScroll={(event) => {
          if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop;
        }}
      />
    </div>
  );
}

interface MistakesProps {
  readonly mistakes: readonly Mistake[];
  readonly onGo: (mistake: Mistake) => void;
}

const Mistakes = ({ mistakes, onGo }: MistakesProps): JSX.Element => (
  <ul class="wrong-places">
    {mistakes.map((mistake) => (
      <li>
        {mistake.line !== null && (
          <button type="button" class="plain" onClick={() => onGo(mistake)}>
            {t('Line {1}, column {2}', mistake.line, mistake.column ?? 1)}
          </button>
        )}{' '}
        {mistake.message} {mistake.suggestion}
      </li>
    ))}
  </ul>
);

/** Height of a line of the text, in pixels, as the style sheet has it. */
const LINE_PX = 18;

/** Puts the cursor where the mistake is. */
function goTo(area: HTMLTextAreaElement | null, { line, column }: Mistake): void {
  if (!area || line === null) return;
  const before = area.value.split('\n').slice(0, line - 1);
  const at = before.reduce((sum, one) => sum + one.length + 1, 0) + (column ?? 1) - 1;
  area.focus();
  area.setSelectionRange(at, at);
  area.scrollTop = Math.max(0, (line - 5) * LINE_PX);
}

const stateOf = (isTyping: boolean, mistakes: number): string =>
  isTyping
    ? t('Typing …')
    : mistakes > 0
      ? t('{1:mistake|mistakes}', mistakes)
      : `${t('In step with the columns')} · ${t('No mistakes')}`;

/** Numbers of the lines, those with mistakes marked by a sign. */
function lineNumbers(text: string, mistakes: readonly Mistake[]): JSX.Element[] {
  const wrong = new Set(mistakes.map(({ line }) => line));
  return text
    .split('\n')
    .map((_, index) => (
      <span class={wrong.has(index + 1) ? 'wrong' : ''}>
        {`${wrong.has(index + 1) ? '!' : ''}${index + 1}\n`}
      </span>
    ));
}

const Conflict = ({ editing }: Pick<EditProps, 'editing'>): JSX.Element => (
  <div class="problem" role="alert">
    <p>
      {t(
        'The mapping was changed in another tab while you were typing. The columns show what is there now; your text is kept here.',
      )}
    </p>
    <div class="buttons">
      <button type="button" onClick={() => void editing.keep()}>
        {t('Use my text')}
      </button>
      <button type="button" onClick={() => editing.drop()}>
        {t('Show what is there now')}
      </button>
    </div>
  </div>
);
