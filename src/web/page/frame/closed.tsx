import type { JSX } from 'preact';
import { frameText } from '../messages/frame.js';
import { t } from '../state/language.js';

/** The server does not know this tab. */
export function Closed(): JSX.Element {
  return (
    <main id="content" class="narrow" tabIndex={-1}>
      <h1>{t(frameText.closed)}</h1>
      <p>{t(frameText.closedWhy)}</p>
      <p>{t(frameText.closedNext)}</p>
    </main>
  );
}
