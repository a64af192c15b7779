import type { ComponentChildren, JSX } from 'preact';
import { t } from '../../state/language.js';

interface PanelHeadProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
  /** Buttons before the one that closes it. */
  readonly children?: ComponentChildren;
}

/** The head of what stands beside the columns. */
export const PanelHead = ({ id, title, onClose, children }: PanelHeadProps): JSX.Element => (
  <div class="panel-head">
    <h2 id={id}>{title}</h2>
    {children}
    <button type="button" class="plain icon" aria-label={t('Close')} onClick={onClose}>
      ×
    </button>
  </div>
);
