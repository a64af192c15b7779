import type { JSX } from 'preact';
import type { Live } from '../../../shared/run.js';
import { importText, stateText } from '../../messages/import.js';
import { duration, number, percent, t } from '../../state/language.js';

/** How far a run is. What is read out changes with every tenth alone. */
export function Progress({ live }: { readonly live: Live }): JSX.Element {
  const { state, share, elsewhere } = live;
  const heading = t(stateText[state]);
  const isKnown = !elsewhere && state !== 'broken_off';
  return (
    <section class="progress" aria-label={heading}>
      <h2>{heading}</h2>
      {isKnown && (
        <progress max={1} value={state === 'opening' ? undefined : share} aria-label={heading} />
      )}
      <p class="meter">
        {factsOf(live).map((fact) => (
          <span>{fact}</span>
        ))}
      </p>
      <p class="heard" role="status">
        {heading} {isKnown && percent(Math.floor(share * 10) / 10)}
      </p>
    </section>
  );
}

function factsOf(live: Live): string[] {
  const { rows, of, estimated, rowsPerSecond, secondsLeft, inFlight, seconds, state } = live;
  const total = of === null ? null : estimated ? t(importText.about, of) : number(of);
  const facts = [total === null ? t(importText.rows, rows) : t(importText.progress, rows, total)];
  const isAtWork = ['running', 'pausing', 'stopping'].includes(state) && !live.elsewhere;
  if (isAtWork && rowsPerSecond > 0) facts.push(t(importText.rate, Math.round(rowsPerSecond)));
  if (state === 'running' && secondsLeft !== null)
    facts.push(t(importText.left, duration(secondsLeft)));
  if (isAtWork) facts.push(t(importText.inFlight, inFlight));
  if (['finished', 'open', 'stopped'].includes(state) && seconds > 0)
    facts.push(t(importText.took, duration(seconds)));
  return facts;
}
