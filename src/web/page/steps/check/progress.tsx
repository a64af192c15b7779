import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { CheckState } from '../../../shared/check.js';
import { checkText } from '../../messages/check.js';
import { t } from '../../state/language.js';

/** How far the check is. Read out in quarters alone, and at its end. */
export function Progress({ state }: { readonly state: CheckState }): JSX.Element {
  const { phase, share, secondsLeft, rows, rejected, revision } = state;
  const isRunning = phase === 'opening' || phase === 'reading';
  const quarter = Math.floor(share * 4) / 4;
  const spoken = useRef({ key: '', text: '' });
  const key = [revision, phase, quarter].join();
  if (spoken.current.key !== key)
    spoken.current = {
      key,
      text:
        phase === 'finished'
          ? t(checkText.finished, rows, rejected)
          : isRunning && quarter > 0
            ? t(checkText.progress, quarter, rejected)
            : '',
    };
  return (
    <div class="checking">
      {isRunning && (
        <>
          <progress max={1} value={share} aria-label={t(checkText.checking)} />
          <span class="soft" aria-hidden="true">
            {t(checkText.checking)}
            {secondsLeft !== null && ` · ${t(checkText.secondsLeft, Math.ceil(secondsLeft))}`}
          </span>
        </>
      )}
      <p class="hidden" role="status">
        {spoken.current.text}
      </p>
    </div>
  );
}
