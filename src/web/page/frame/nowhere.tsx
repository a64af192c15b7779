import type { JSX } from 'preact';
import { frameText } from '../messages/frame.js';
import { t } from '../state/language.js';
import { Link } from '../parts/link.js';

export function Nowhere(): JSX.Element {
  return (
    <main id="content" class="narrow" tabIndex={-1}>
      <h1>{t(frameText.nowhere)}</h1>
      <p>
        <Link to={{ kind: 'start' }}>{t(frameText.toStart)}</Link>
      </p>
    </main>
  );
}
