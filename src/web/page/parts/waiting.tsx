import type { JSX } from 'preact';
import { frameText } from '../messages/frame.js';
import { t } from '../state/language.js';

export const Waiting = (): JSX.Element => (
  <p class="waiting soft" role="status">
    {t(frameText.loading)}
  </p>
);
