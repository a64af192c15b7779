import type { JSX } from 'preact';
import type { Live } from '../../../shared/run.js';
import { importText } from '../../messages/import.js';
import { about } from '../../state/about.js';
import { t } from '../../state/language.js';

interface ControlsProps {
  readonly live: Live;
  readonly onControl: (what: 'pause' | 'continue' | 'stop') => void;
  readonly onAnew: () => void;
}

const ENDED: readonly Live['state'][] = ['finished', 'open', 'stopped', 'failed', 'broken_off'];
const HELD: readonly Live['state'][] = ['pausing', 'paused'];

/** Holds a run back, or ends it gently; plans another one when it has ended. */
export function Controls({ live, onControl, onAnew }: ControlsProps): JSX.Element | null {
  const { state, elsewhere } = live;
  if (elsewhere || about.value?.readOnly !== false) return null;
  if (ENDED.includes(state))
    return (
      <p class="buttons">
        <button type="button" onClick={onAnew}>
          {t(importText.toPlan)}
        </button>
      </p>
    );
  if (state === 'stopping') return null;
  const isHeld = HELD.includes(state);
  return (
    <p class="buttons">
      <button type="button" onClick={() => onControl(isHeld ? 'continue' : 'pause')}>
        {t(isHeld ? importText.continue : importText.pause)}
      </button>
      <button type="button" onClick={() => onControl('stop')}>
        {t(importText.stop)}
      </button>
    </p>
  );
}
