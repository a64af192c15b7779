import type { JSX } from 'preact';
import { outcomeWords } from '../messages/outcomes.js';

/** An outcome with its colour beside it, as reports show it; what it means stands on the hover. */
export function OutcomeName({ outcome }: { readonly outcome: string }): JSX.Element {
  const { name, meaning } = outcomeWords(outcome);
  return (
    <span class="outcome" title={meaning}>
      <span class="mark" style={{ background: `var(--outcome-${outcome})` }} aria-hidden="true" />
      {name}
    </span>
  );
}
