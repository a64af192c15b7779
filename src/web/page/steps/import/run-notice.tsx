import type { JSX } from 'preact';
import type { Live } from '../../../shared/run.js';
import { importText } from '../../messages/import.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { t } from '../../state/language.js';

/** What is to be known before the numbers: why it does not go on, and what to do. */
export function RunNotice({ live }: { readonly live: Live }): JSX.Element | null {
  const { state, elsewhere, problem } = live;
  if (problem) return <ProblemNote problem={problem} />;
  const text = elsewhere
    ? importText.elsewhere
    : state === 'broken_off'
      ? importText.brokenOff
      : state === 'paused'
        ? importText.paused
        : null;
  return text && <p class="notice">{t(text)}</p>;
}
