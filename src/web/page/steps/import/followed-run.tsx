import { useSignal } from '@preact/signals';
import { columnMessage, GOOD_OUTCOMES } from '../../../../core/outcome.js';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Live } from '../../state/answers.js';
import {
  Link,
  numbers,
  OutcomeBar,
  OutcomeName,
  ProblemNote,
  Table,
  titles,
  Waiting,
  Button,
} from '../../parts/parts.js';
import { call, useAttempt, useEvents } from '../../state/call.js';
import { t, number, duration, outcomeName, percent } from '../../state/language.js';
import { about } from '../../state/about.js';

/** Follows a run. @param onEnd called when nothing more happens to it */
export function useFollowed(run: string, onEnd?: () => void) {
  const live = useSignal<Live | null>(null);
  const { problem, attempt } = useAttempt();
  const version = useSignal(0);
  const isOver = useRef(false);
  useEvents('GET /api/runs/:run/live', { run }, version.value, {
    next: (state) => {
      live.value = state;
      isOver.current = false;
    },
    failed: (found) => (problem.value = found),
    end: () => {
      isOver.current = true;
      onEnd?.();
    },
  });
  const control = (what: 'pause' | 'continue' | 'stop' | 'resume'): Promise<unknown> =>
    attempt(async () => {
      const state = await call('POST /api/runs/:run/control', { params: { run }, body: { what } });
      // A stream that has ended does not tell of what goes on.
      if (what === 'resume') version.value++;
      // The stream may have told of the end before the answer came, which knows less.
      if (!isOver.current) live.value = state;
    });
  return { live: live.value, problem: problem.value, control };
}

interface FollowedRunProps extends ReturnType<typeof useFollowed> {
  /** Id of the list that is imported; `null`: it is looked at as a run of the past. */
  readonly list: string | null;
  readonly onAnew: () => void;
}

/** The run with all that is known of it now. */
export const FollowedRun = ({
  live,
  list,
  problem,
  control,
  onAnew,
}: FollowedRunProps): JSX.Element => (
  <>
    {problem && <ProblemNote problem={problem} />}
    {!live && !problem && <Waiting />}
    {live && (
      <>
        <RunNotice live={live} />
        {live.state === 'finished' ? <Done live={live} /> : <Progress live={live} />}
        <Controls live={live} control={control} />
        {live.state === 'finished' && list !== null && <NextSteps live={live} list={list} />}
        <div class="halves">
          <Outcomes live={live} />
          <Reasons live={live} />
        </div>
        {ENDED.includes(live.state) && !live.elsewhere && about.value?.readOnly === false && (
          <p class="buttons">
            <Button class="plain" onClick={onAnew} label={t('Plan this import once more')} />
          </p>
        )}
      </>
    )}
  </>
);

const countOf = ({ outcomes }: Live, wanted: string): number =>
  outcomes.find(({ outcome }) => outcome === wanted)?.count ?? 0;

/** A moment of success, in true numbers. */
function Done({ live }: { readonly live: Live }): JSX.Element {
  const { outcomes, seconds } = live;
  const good = outcomes
    .filter(({ outcome }) => GOOD_OUTCOMES.has(outcome) && outcome !== 'skipped')
    .reduce((sum, { count }) => sum + count, 0);
  const inCampaign = countOf(live, 'enqueued');

  return (
    <section class={good > 0 ? 'success' : 'success none'} aria-label={t('Finished')}>
      <h2>
        {inCampaign > 0
          ? t('Done: {1:person|people} can be called', inCampaign)
          : t('Done: {1:row|rows} ended well', good)}
      </h2>
      <p>{t('It took {1}.', duration(seconds))}</p>
      <OutcomeBar
        shares={outcomes.map(({ outcome, count: rows }) => ({
          ...{ outcome, rows, label: outcomeName(outcome) },
        }))}
      />
      <p class="hidden" role="status">
        {t('Finished')}
      </p>
    </section>
  );
}

/** What can be done next: what did not end well is mended, or another list is brought. */
function NextSteps({ live, list }: { readonly live: Live; readonly list: string }): JSX.Element {
  const rejected = countOf(live, 'rejected');
  const refused = countOf(live, 'failed');
  return (
    <section aria-label={t('What to do next')}>
      <h2>{t('What to do next')}</h2>
      <ul class="next-steps">
        {rejected > 0 && (
          <li class="side">
            <h3>{t('Mend {1:row|rows}', rejected)}</h3>
            <p class="soft">{t('They were not sent. What was sent is not sent twice.')}</p>
            <Link class="button" to={{ kind: 'list', list, step: 'result' }}>
              {t('Mend {1:row|rows}', rejected)}
            </Link>
          </li>
        )}
        {refused > 0 && (
          <li class="side">
            <h3>{t('Look at {1:refused client|refused clients}', refused)}</h3>
            <p class="soft">{t('The contact center said no, and why.')}</p>
            <Link class="button" to={{ kind: 'run', run: live.run }} search={{ outcome: 'failed' }}>
              {t('Show them')}
            </Link>
          </li>
        )}
        <li class="side">
          <h3>{t('Bring the next list')}</h3>
          <p class="soft">{t('The same columns are known again.')}</p>
          <Link class="button" to={{ kind: 'start' }}>
            {t('Choose a list')}
          </Link>
        </li>
      </ul>
    </section>
  );
}

/** What is to be known before the numbers: why it does not go on, and what to do. */
function RunNotice({ live }: { readonly live: Live }): JSX.Element | null {
  const { state, elsewhere, problem } = live;
  if (problem) return <ProblemNote problem={problem} />;
  const text = elsewhere
    ? 'Another process works on this run, perhaps in a terminal. It is shown here every few seconds, and can be stopped there with Ctrl-C.'
    : state === 'broken_off'
      ? 'cardline ended in the middle of this run. What was sent is on record: continuing looks up what was under way, and sends nothing twice.'
      : state === 'paused'
        ? 'Nothing is sent until you continue.'
        : null;
  return text && <p class="notice">{t(text)}</p>;
}

const Outcomes = ({ live: { outcomes, waiting } }: { readonly live: Live }): JSX.Element => (
  <section>
    <h2>{t('Rows by outcome')}</h2>
    <Table
      class="tally"
      heads={[titles(t('Outcome')), numbers(t('Rows'))]}
      rows={[
        ...outcomes.map(({ outcome, count }) => ({
          key: outcome,
          cells: [<OutcomeName outcome={outcome} />, count],
        })),
        ...(waiting > 0 ? [{ key: 'waiting', cells: [t('waiting'), waiting] }] : []),
      ]}
    />
  </section>
);

const ENDED: readonly Live['state'][] = ['finished', 'open', 'stopped', 'failed', 'broken_off'];
const HELD: readonly Live['state'][] = ['pausing', 'paused'];

function Controls({
  live,
  control,
}: Pick<FollowedRunProps, 'control'> & { readonly live: Live }): JSX.Element | null {
  const { state, elsewhere } = live;
  if (elsewhere || about.value?.readOnly !== false) return null;
  if (ENDED.includes(state) || state === 'stopping') return null;
  const isHeld = HELD.includes(state);
  return (
    <p class="buttons">
      <Button
        onClick={() => void control(isHeld ? 'continue' : 'pause')}
        label={t(isHeld ? 'Continue' : 'Pause')}
      />
      <Button onClick={() => void control('stop')} label={t('Stop')} />
    </p>
  );
}

/** How far a run is. What is read out changes with every tenth alone. */
function Progress({ live }: { readonly live: Live }): JSX.Element {
  const { state, share, elsewhere, rows, of, rowsPerSecond, secondsLeft, seconds } = live;
  const heading = t(stateText[state]);
  const isKnown = !elsewhere && state !== 'broken_off';
  const total = of === null ? null : live.estimated ? t('about {1}', of) : number(of);
  const facts = [total === null ? t('{1:row|rows}', rows) : t('{1} of {2}', rows, total)];
  const isAtWork = ['running', 'pausing', 'stopping'].includes(state) && !elsewhere;
  if (isAtWork && rowsPerSecond > 0) facts.push(t('{1} rows/s', Math.round(rowsPerSecond)));
  if (state === 'running' && secondsLeft !== null) facts.push(t('{1} left', duration(secondsLeft)));
  if (isAtWork) facts.push(t('{1:request in flight|requests in flight}', live.inFlight));
  if (['finished', 'open', 'stopped'].includes(state) && seconds > 0)
    facts.push(t('in {1}', duration(seconds)));
  return (
    <section class="progress" aria-label={heading}>
      <h2>{heading}</h2>
      {isKnown && (
        <progress max={1} value={state === 'opening' ? undefined : share} aria-label={heading} />
      )}
      <Pace live={live} />
      <p class="meter">
        {facts.map((fact) => (
          <span>{fact}</span>
        ))}
      </p>
      <p class="hidden" role="status">
        {heading} {isKnown && percent(Math.floor(share * 10) / 10)}
      </p>
    </section>
  );
}

/** Bars that are shown: one for each time that the server has told of the run. */
const MAX_BARS = 60;

/** Rows a second by then, and the rows of each outcome that have ended since the time before. */
interface Bar {
  readonly speed: number;
  readonly ended: Live['outcomes'];
}

/** Rows a second and how they ended, as they went. The numbers stand beside it in words. */
function Pace({ live }: { readonly live: Live }): JSX.Element | null {
  const bars = useRef<Bar[]>([]);
  const last = useRef<Live | null>(null);
  if (live.state === 'running' && last.current !== live) {
    // Before the first rows of a run that goes on, nothing is known of those before.
    const before = last.current?.outcomes.length ? last.current : null;
    const ended = live.outcomes.map(({ outcome, count }) => ({
      ...{ outcome, count: before ? Math.max(0, count - countOf(before, outcome)) : 0 },
    }));
    bars.current = [...bars.current, { speed: live.rowsPerSecond, ended }].slice(-MAX_BARS);
    last.current = live;
  }
  const top = Math.max(...bars.current.map(({ speed }) => speed), 1);
  if (bars.current.length < 2) return null;
  return (
    <div class="pace" aria-hidden="true">
      {bars.current.map(({ speed, ended }) => (
        <span style={{ height: `${Math.max(2, (100 * speed) / top)}%` }}>
          {ended.map(({ outcome, count }) => (
            <span style={{ flexGrow: String(count), background: `var(--outcome-${outcome})` }} />
          ))}
        </span>
      ))}
    </div>
  );
}

function Reasons({ live }: { readonly live: Live }): JSX.Element | null {
  const { reasons, warnings } = live;
  if (reasons.length === 0 && warnings.length === 0) return null;
  return (
    <section>
      {reasons.length > 0 && (
        <>
          <h2>{t('Why rows did not end well, the latest first')}</h2>
          <Table
            class="tally"
            heads={[titles(t('Reason')), t('Outcome'), numbers(t('Rows'))]}
            rows={reasons.map((reason) => ({
              key: `${reason.outcome} ${columnMessage(reason)}`,
              cells: [columnMessage(reason), <OutcomeName outcome={reason.outcome} />, reason.rows],
            }))}
          />
        </>
      )}
      {warnings.length > 0 && (
        <>
          <h2>{t('Remarks')}</h2>
          <ul class="notes">
            {warnings.map((warning) => (
              <li>{warning}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const stateText = {
  opening: 'Getting ready',
  running: 'Running',
  pausing: 'Pausing: what is in flight ends',
  paused: 'Paused',
  stopping: 'Stopping: what is in flight ends',
  finished: 'Finished',
  open: 'Finished, with rows of which it is not known how they ended',
  stopped: 'Stopped',
  failed: 'Failed',
  broken_off: 'Broken off',
} as const satisfies Record<Live['state'], string>;
