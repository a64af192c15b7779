import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../state/language.js';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Said beside the label. */
  readonly hint: string;
  /** What else it is found by. */
  readonly words: string;
}

interface ComboboxProps {
  readonly label: string;
  readonly value: string;
  /** What the box shows while nobody searches. */
  readonly shown: string;
  readonly options: () => readonly Option[];
  readonly disabled?: boolean;
  readonly onChoose: (value: string) => void;
}

/**
 * A list that can be searched, as a text box with a list below it: arrows move, Enter chooses, Escape closes. The options
 * are asked for when it opens, since a page has many of these.
 */
export function Combobox(props: ComboboxProps): JSX.Element {
  const { label, value, shown, disabled = false, onChoose } = props;
  const id = useId();
  const search = useSignal<string | null>(null);
  const active = useSignal(0);
  const isOpen = search.value !== null;
  const options = isOpen ? matching(props.options(), search.value ?? '') : [];
  const show = (text: string): void => {
    search.value = text;
    const at = matching(props.options(), text).findIndex((one) => one.value === value);
    active.value = text === '' ? Math.max(0, at) : 0;
  };
  const close = (): void => {
    search.value = null;
  };
  const choose = (option: Option | undefined): void => {
    close();
    if (option && option.value !== value) onChoose(option.value);
  };
  const onKey = (event: KeyboardEvent): void => {
    const moved = isOpen ? moves(event.key, active.value, options.length) : undefined;
    if (moved !== undefined) active.value = moved;
    else if (!isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) show('');
    else if (isOpen && event.key === 'Enter') choose(options[active.value]);
    else if (isOpen && event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return (
    <div class="combobox">
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options.length > 0 ? `${id}-${active.value}` : undefined}
        autocomplete="off"
        spellcheck={false}
        disabled={disabled}
        value={search.value ?? shown}
        placeholder={isOpen ? shown : undefined}
        onClick={() => isOpen || show('')}
        onInput={(event) => show(event.currentTarget.value)}
        onKeyDown={onKey}
        onBlur={close}
      />
      <span class="arrow" aria-hidden="true" />
      <div class="popup" hidden={!isOpen}>
        <ul id={`${id}-list`} role="listbox" aria-label={label}>
          {options.map((option, index) => (
            <li
              id={`${id}-${index}`}
              role="option"
              class={index === active.value ? 'active' : ''}
              aria-selected={option.value === value}
              ref={(element) => {
                if (index === active.value) element?.scrollIntoView({ block: 'nearest' });
              }}
              // When the button goes down: the text box keeps the focus, and does not close the list before.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(option);
              }}
            >
              {option.label} {option.hint !== '' && <span class="soft">{option.hint}</span>}
            </li>
          ))}
        </ul>
        {isOpen && options.length === 0 && <p class="soft">{t('Nothing is named like this.')}</p>}
      </div>
      <span class="hidden" role="status">
        {isOpen && search.value !== '' ? t('{1:choice|choices}', options.length) : ''}
      </span>
    </div>
  );
}

/** Options that have all the words that were typed; those that begin with them come first. */
function matching(options: readonly Option[], text: string): readonly Option[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  const found = options.filter(({ label, words: own }) => {
    const all = `${label} ${own}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const begins = ({ label }: Option): number =>
    label.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1;
  return found.toSorted((a, b) => begins(a) - begins(b));
}

function moves(key: string, from: number, length: number): number | undefined {
  if (length === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return (from + 1) % length;
    case 'ArrowUp':
      return (from + length - 1) % length;
    case 'PageDown':
      return Math.min(length - 1, from + 8);
    case 'PageUp':
      return Math.max(0, from - 8);
    default:
      return undefined;
  }
}
