import type { JSX } from 'preact';
import { frameText } from '../messages/frame.js';
import { t } from '../state/language.js';
import { isGone } from '../state/server.js';

/** Says that the server does not answer, for as long as it does not. */
export function Gone(): JSX.Element {
  return (
    <div role="alert">
      {isGone.value && (
        <div class="gone">
          <p>{t(frameText.gone)}</p>
          <p>{t(frameText.goneNext)}</p>
        </div>
      )}
    </div>
  );
}
