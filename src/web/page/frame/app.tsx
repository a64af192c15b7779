import { effect } from '@preact/signals';
import type { JSX } from 'preact';
import { HistoryView } from '../steps/history.js';
import { RunView } from '../steps/run.js';
import { stepViews } from '../steps/steps.js';
import { StartView } from '../steps/file/start.js';
import { about, begin } from '../state/about.js';
import { place, type Place } from '../state/address.js';
import { language, t } from '../state/language.js';
import { useLoaded } from '../state/loaded.js';
import { session } from '../state/session.js';
import { frameText } from '../messages/frame.js';
import { Closed } from './closed.js';
import { Gone } from './gone.js';
import { Header } from './header.js';
import { ProblemNote } from '../parts/problem-note.js';
import { Waiting } from '../parts/waiting.js';
import { Nowhere } from './nowhere.js';

effect(() => {
  document.documentElement.lang = language;
});

export function App(): JSX.Element {
  const begun = useLoaded(begin, 'begin');
  return (
    <>
      <a class="skip" href="#content" onClick={toContent}>
        {t(frameText.skip)}
      </a>
      <Header />
      <Gone />
      {begun.value.state === 'failed' && session.value !== null ? (
        <main id="content" tabIndex={-1}>
          <ProblemNote problem={begun.value.problem} />
        </main>
      ) : session.value === null && begun.value.state !== 'loading' ? (
        <Closed />
      ) : about.value === null ? (
        <main id="content" tabIndex={-1}>
          <Waiting />
        </main>
      ) : (
        <View at={place.value} />
      )}
    </>
  );
}

/** Without a fragment in the address, which is the start's token's place. */
function toContent(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function View({ at }: { readonly at: Place }): JSX.Element {
  if (at.kind === 'start') return <StartView />;
  if (at.kind === 'nowhere') return <Nowhere />;
  if (at.kind === 'history') return HistoryView ? <HistoryView run={at.run} /> : <Nowhere />;
  if (at.kind === 'run') return <RunView key={at.run} run={at.run} />;
  const Step = stepViews[at.step];
  return Step ? <Step key={at.list} list={at.list} /> : <Nowhere />;
}
