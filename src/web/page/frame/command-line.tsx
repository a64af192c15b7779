import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { frameText } from '../messages/frame.js';
import { t } from '../state/language.js';

/** How long it is said that it was copied, in milliseconds. */
const SHOWN_MS = 2_000;

/** What does the same on the command line. */
export function CommandLine({ command }: { readonly command: string }): JSX.Element {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command);
    isCopied.value = true;
    setTimeout(() => (isCopied.value = false), SHOWN_MS);
  };
  return (
    <div class="command">
      <code tabIndex={0} role="group" aria-label={t(frameText.command)} title={command}>
        <span aria-hidden="true">$ </span>
        {command}
      </code>
      <button type="button" class="plain" onClick={() => void copy()}>
        <span aria-live="polite">{t(isCopied.value ? frameText.copied : frameText.copy)}</span>
      </button>
    </div>
  );
}
