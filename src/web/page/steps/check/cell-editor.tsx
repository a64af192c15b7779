import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { checkText } from '../../messages/check.js';
import { t } from '../../state/language.js';

interface CellEditorProps {
  readonly isOpen: Signal<boolean>;
  readonly label: string;
  readonly value: string;
  readonly onSave: (value: string) => Promise<boolean>;
}

/** Corrects one cell: Enter saves, Escape leaves it as it was. */
export function CellEditor({ isOpen, label, value, onSave }: CellEditorProps): JSX.Element {
  const text = useSignal(value);
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (isOpen.value) input.current?.select();
    else if (wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen.value;
  }, [isOpen.value]);
  const open = (): void => {
    text.value = value;
    isOpen.value = true;
  };
  const close = (): void => {
    isOpen.value = false;
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await onSave(text.value)) close();
  };
  if (!isOpen.value)
    return (
      <button ref={opener} type="button" class="plain" aria-label={label} onClick={open}>
        {t(checkText.correct)}
      </button>
    );
  return (
    <form class="cell-editor" onSubmit={(event) => void save(event)}>
      <input
        ref={input}
        aria-label={label}
        value={text.value}
        autocomplete="off"
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
        }}
      />
      <button type="submit">{t(checkText.save)}</button>
      <button type="button" class="plain" onClick={close}>
        {t(checkText.cancel)}
      </button>
    </form>
  );
}
