import type { JSX } from 'preact';
import { STEPS } from '../../shared/steps.js';
import { frameText, stepText } from '../messages/frame.js';
import { place } from '../state/address.js';
import { t } from '../state/language.js';
import { Link } from '../parts/link.js';
import { reached } from '../state/reached.js';
import { stepViews } from '../steps/steps.js';

/** The steps: those that were reached are links. */
export function StepsNav(): JSX.Element {
  const at = place.value;
  const current = at.kind === 'list' ? at.step : at.kind === 'start' ? 'file' : null;
  return (
    <nav class="steps" aria-label={t(frameText.steps)}>
      <ol>
        {STEPS.map((step, index) => {
          const open =
            at.kind === 'list' && stepViews[step] !== undefined && index <= reached(at.list);
          return (
            <li>
              {open ? (
                <Link to={{ ...at, step }} current={step === current}>
                  {t(stepText[step])}
                </Link>
              ) : (
                <span aria-current={step === current ? 'step' : undefined}>
                  {t(stepText[step])}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
