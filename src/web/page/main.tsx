import { LANGUAGES, STEPS, type Step } from '../shared/page.js';
import type { Center, List } from './state/answers.js';
import { effect, useSignal } from '@preact/signals';
import { type JSX, type ComponentType, render } from 'preact';
import { StartView, FileView } from './steps/file/file.js';
import { about, begin, reached, shownList } from './state/about.js';
import {
  place,
  type Place,
  hrefWith,
  query,
  setQuery,
  go,
  followAddress,
} from './state/address.js';
import { keepLanguage, language, t, loadWords } from './state/language.js';
import { useAsked, session, isGone, call, watchServer } from './state/call.js';
import { ProblemNote, Waiting, Link, stepText, Button } from './parts/parts.js';
import { RunResultView, ResultView } from './steps/result/result.js';
import { HistoryStep } from './steps/history/history.js';
import { ColumnsView } from './steps/columns/columns.js';
import { CheckView } from './steps/check/check.js';
import { NotReady, type StepProps, StepFrame, type PrimaryAction } from './frame/step-frame.js';
import { useEffect, useRef } from 'preact/hooks';
import { ANEW, type OnRun } from './steps/import/plan-state.js';
import { PlanView } from './steps/import/plan.js';
import { FollowedRun, useFollowed } from './steps/import/followed-run.js';
import { OUTCOME_TRAITS } from '../../core/outcome.js';

effect(() => {
  document.documentElement.lang = language;
});

function App(): JSX.Element {
  const begun = useAsked(begin, 'begin');
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          // Without a fragment in the address, which is the start's token's place.
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        {t('To the content')}
      </a>
      <Header />
      <div role="alert">
        {isGone.value && (
          <div class="gone">
            <p>
              {t(
                'cardline does not answer. Nothing is lost: this page goes on by itself as soon as it is there again.',
              )}
            </p>
            <p>
              {t(
                'If it was ended in the terminal, start it again with “cardline ui” and open the new address.',
              )}
            </p>
          </div>
        )}
      </div>
      {begun.problem && session.value !== null ? (
        <main id="content" tabIndex={-1}>
          <ProblemNote problem={begun.problem} />
        </main>
      ) : session.value === null && !begun.isLoading ? (
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

function View({ at }: { readonly at: Place }): JSX.Element {
  if (at.kind === 'start') return <StartView />;
  if (at.kind === 'nowhere')
    return (
      <main id="content" class="narrow" tabIndex={-1}>
        <h1>{t('There is no such page.')}</h1>
        <p>
          <Link to={{ kind: 'start' }}>{t('Choose a spreadsheet')}</Link>
        </p>
      </main>
    );
  if (at.kind === 'history') return <HistoryStep run={at.run} />;
  if (at.kind === 'run') return <RunResultView key={at.run} run={at.run} />;
  const Step = stepViews[at.step];
  return <Step key={at.list} list={at.list} />;
}

function Closed(): JSX.Element {
  return (
    <main id="content" class="narrow" tabIndex={-1}>
      <h1>{t('This page needs its address')}</h1>
      <p>
        {t(
          'cardline does not know this tab: it was started again since, or the tab was opened without the token.',
        )}
      </p>
      <p>
        {t(
          'Open the address that “cardline ui” has printed in the terminal: “The page is at http://127.0.0.1:…”. Lists and runs are all there.',
        )}
      </p>
    </main>
  );
}

function Header(): JSX.Element {
  const isOpen = useSignal(false);
  const center = about.value?.center;
  return (
    <header class={`top ${center?.kind ?? 'none'}`}>
      <Link class="brand" to={{ kind: 'start' }}>
        cardline
      </Link>
      {about.value && (
        <p class="center">
          {center ? (
            <>
              <strong>{center.name}</strong> <span class="soft">{center.address}</span>{' '}
              <span class={`badge ${center.kind}`}>{t(kindText[center.kind])}</span>
            </>
          ) : (
            <span class="badge">{t('no contact center')}</span>
          )}
          {about.value.readOnly && <span class="badge">{t('view only')}</span>}
        </p>
      )}
      <StepsNav />
      <Button
        class="plain icon more-of-page"
        aria-label={t('More of this page')}
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
        label="☰"
      />
      <div class={isOpen.value ? 'aside open' : 'aside'}>
        <nav aria-label={t('History')}>
          <Link to={{ kind: 'history', run: null }} current={place.value.kind === 'history'}>
            {t('History')}
          </Link>
        </nav>
        <div class="languages" role="group" aria-label={t('Language')}>
          {LANGUAGES.map((lang) => (
            <Button
              class="plain"
              lang={lang}
              aria-pressed={lang === language}
              onClick={() => {
                // Its words are loaded before the page: it is loaded anew, and what is on the server stays.
                keepLanguage(lang);
                location.assign(hrefWith({ lang }));
              }}
              label={lang.toUpperCase()}
            />
          ))}
        </div>
        <Keys />
      </div>
    </header>
  );
}

/** The keys of the page, in a list that `?` opens too. */
function Keys(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      const isTyping =
        target instanceof HTMLInputElement ||
        target instanceof HTMLTextAreaElement ||
        target instanceof HTMLSelectElement;
      if (key === '?' && !isTyping && !ctrlKey && !metaKey && !altKey && !dialog.current?.open)
        dialog.current?.showModal();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button
        class="plain icon"
        aria-label={t('Keys')}
        onClick={() => dialog.current?.showModal()}
        label="?"
      />
      <dialog ref={dialog} aria-labelledby="keys">
        <p id="keys">
          <strong>{t('Keys')}</strong>
        </p>
        <dl>
          {KEYS.map(({ keys, what }) => (
            <>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{t(what)}</dd>
            </>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">{t('Close')}</button>
        </form>
      </dialog>
    </>
  );
}

const KEYS = [
  { keys: 'Ctrl+Enter', what: 'does what the blue button does' },
  { keys: 'Enter', what: 'does the same from the heading of a step' },
  { keys: 'Tab', what: 'to the next button or field' },
  { keys: '↑ ↓', what: 'through a list of choices' },
  { keys: 'Esc', what: 'closes what is open' },
  { keys: '?', what: 'shows this list' },
] as const;

/** The steps: those that were reached are links. */
function StepsNav(): JSX.Element {
  const at = place.value;
  const current = at.kind === 'list' ? at.step : at.kind === 'start' ? 'file' : null;
  // What comes before the step at hand is done, and so is what was reached before.
  const done = at.kind === 'list' ? Math.max(reached(at.list), STEPS.indexOf(at.step)) - 1 : -1;
  return (
    <nav class="steps" aria-label={t('Steps')}>
      <ol>
        {STEPS.map((step, index) => {
          const open = at.kind === 'list' && index <= reached(at.list);
          return (
            <li class={step === current ? 'now' : index <= done ? 'done' : 'later'}>
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

const stepViews: Readonly<Record<Step, ComponentType<StepProps>>> = {
  file: FileView,
  import: ImportView,
  columns: ColumnsView,
  check: CheckView,
  result: ResultView,
};

function ImportView({ list }: StepProps): JSX.Element {
  const started = useSignal<string | null>(null);
  const wasDone = useSignal(false);
  const { found, problem } = useAsked(async (signal) => {
    shownList.value = await call('GET /api/lists/:list', { params: { list }, signal });
    return shownList.value;
  }, list);
  if (!found) return <NotReady title={t('Import')} problem={problem} />;
  const run = started.value ?? found.run;
  const onRun: OnRun = (id, isDone = false) => {
    started.value = id;
    wasDone.value = isDone;
    setQuery({ [ANEW]: null });
  };
  if (run === null || query.value.has(ANEW)) return <PlanView list={list} onRun={onRun} />;
  return (
    <LiveRun
      key={run}
      run={run}
      list={found}
      wasDone={wasDone.value}
      onAnew={() => setQuery({ [ANEW]: '' })}
    />
  );
}

interface LiveRunProps {
  readonly run: string;
  readonly list: List;
  /** Whether it had sent all of the list before, so that nothing was sent now. */
  readonly wasDone: boolean;
  /** Plans an import anew. */
  readonly onAnew: () => void;
}

function LiveRun({ run, list, wasDone, onAnew }: LiveRunProps): JSX.Element {
  const followed = useFollowed(run);
  const { live, control } = followed;
  const canResume =
    live !== null &&
    !live.elsewhere &&
    ['stopped', 'broken_off', 'failed', 'open'].includes(live.state);
  const toResult = (): void => go({ kind: 'list', list: list.id, step: 'result' });
  const goOn = (): void => void control('resume');
  let primary: PrimaryAction | undefined;
  if (live?.state === 'finished')
    primary = { label: t('See the result'), run: toResult, blocked: null };
  else if (canResume && about.value?.readOnly === false)
    primary = { label: t('Continue the import'), run: goOn, blocked: null };
  return (
    <StepFrame
      title={t('Import')}
      facts={[list.name]}
      command={`cardline ${canResume ? 'resume' : 'runs show'} ${run}`}
      back={() => go({ kind: 'list', list: list.id, step: 'check' })}
      primary={primary}
    >
      {wasDone && (
        <p class="notice">
          {t(
            'Exactly this was imported before, so that nothing was sent now. This is how it ended then.',
          )}
        </p>
      )}
      <FollowedRun {...followed} list={list.id} onAnew={onAnew} />
    </StepFrame>
  );
}

const kindText = {
  production: 'production',
  local: 'this machine',
  sandbox: 'sandbox',
} as const satisfies Record<Center['kind'], string>;

// The colours stand with the outcomes, as those of the report do.
for (const [outcome, { colour }] of Object.entries(OUTCOME_TRAITS))
  document.documentElement.style.setProperty(`--outcome-${outcome}`, colour);

await loadWords();
followAddress();
watchServer();
render(<App />, document.body);
