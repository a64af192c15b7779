import { modeWord } from '../history/run-words.js';
import type { JSX } from 'preact';
import { StepFrame, type PrimaryAction, type StepProps } from '../../frame/step-frame.js';
import {
  Link,
  ProblemNote,
  Waiting,
  ListFacts,
  mendedRows,
  RejectsNote,
  LocalTime,
  OutcomeName,
  outcomeWords,
  numbers,
  Table,
  titles,
} from '../../parts/parts.js';
import { go } from '../../state/address.js';
import { call, useAttempt, useLoaded, usePolled } from '../../state/call.js';
import { t, percent } from '../../state/language.js';
import { shownList, about } from '../../state/about.js';
import type { Result } from '../../state/answers.js';
import { First, Reasons, RowLink, Rows } from './reasons.js';
import { type RunWork, useRunWork, Undo } from './run-work.js';
import { FollowedRun, useFollowed } from '../import/followed-run.js';
import { useSignal } from '@preact/signals';

/** The last step of a list: how its run went. */
export function ResultView({ list }: StepProps): JSX.Element {
  const found = useLoaded(async (signal) => {
    const known = await call('GET /api/lists/:list', { params: { list }, signal });
    shownList.value = known;
    return known.run;
  }, list).value;
  if (found.state === 'ready' && found.value !== null)
    return <RunResult run={found.value} back={() => go({ kind: 'list', list, step: 'import' })} />;
  return (
    <StepFrame title={t('Result')}>
      {found.state === 'loading' && <Waiting />}
      {found.state === 'failed' && <ProblemNote problem={found.problem} />}
      {found.state === 'ready' && (
        <>
          <p class="notice">{t('Nothing of this list has been sent yet.')}</p>
          <p>
            <Link to={{ kind: 'list', list, step: 'import' }}>{t('To the import')}</Link>
          </p>
        </>
      )}
    </StepFrame>
  );
}

/** The result of any run, at an address of its own. */
export const RunResultView = ({ run }: { readonly run: string }): JSX.Element => (
  <RunResult run={run} back={() => go({ kind: 'history', run: null })} />
);

interface RunResultProps {
  readonly run: string;
  readonly back?: (() => void) | undefined;
}

/** How a run went: what to do first, its rows by outcome and reason, its files, and what can be done with it. */
function RunResult({ run, back }: RunResultProps): JSX.Element {
  const {
    found: result,
    problem,
    again,
  } = usePolled(
    (signal) => call('GET /api/runs/:run/result', { params: { run }, signal }),
    run,
    // Of one that goes on right here the stream tells.
    ({ state, isHere }) => state === 'running' && !isHere,
  );
  const work = useRunWork(run, again);
  if (!result)
    return (
      <StepFrame title={t('Result')} back={back}>
        {problem ? (
          <ProblemNote problem={problem}>
            <button type="button" onClick={again}>
              {t('Try again')}
            </button>
          </ProblemNote>
        ) : (
          <p class="waiting soft" role="status">
            {t('Reading what is on record of this run…')}
          </p>
        )}
      </StepFrame>
    );
  const changes = about.value?.readOnly === false;
  return (
    <StepFrame
      title={titleOf(result)}
      command={result.command}
      back={back}
      primary={changes ? primaryOf(result, work) : undefined}
    >
      <Facts result={result} />
      <RejectsNote name={result.inputs.join(', ')} from={result.rejectsOf} />
      <First result={result} />
      {work.problem.value && <ProblemNote problem={work.problem.value} />}
      {result.isHere ? (
        <UnderWay run={run} onEnd={again} />
      ) : (
        <>
          <Outcomes result={result} />
          <Reasons result={result} />
          <ListFacts facts={result.facts} />
          <Rows result={result} />
          <Files result={result} onMend={work.mend} />
        </>
      )}
      {changes && result.state !== 'running' && !result.isUndoing && (
        <Work result={result} work={work} />
      )}
    </StepFrame>
  );
}

/** The files of a run that works on another one are those of that one. */
function titleOf({ about: other, mode, inputs: [first, ...others], rejectsOf }: Result): string {
  const what = mode === 'undo' ? 'What was taken back' : 'Comparison with the contact center';
  const files = [rejectsOf ? mendedRows(rejectsOf) : first, ...others].filter(Boolean).join(', ');
  return [...(other === null ? [] : [t(what)]), files].filter(Boolean).join(': ');
}

/** What the first sentence says. */
function primaryOf({ next, rejects, list }: Result, work: RunWork): PrimaryAction | undefined {
  const blocked = work.isStarting.value ? t('Starting…') : null;
  const [file] = rejects;
  switch (next.kind) {
    case 'wait':
      return undefined;
    case 'resume':
      return { label: t('Go on with this run'), run: work.resume, blocked };
    case 'recover':
      if (list === null) return undefined;
      return { label: t('Restore deleted clients…'), run: () => work.recover(list), blocked };
    case 'mend':
      if (file === undefined) return undefined;
      return { label: t('Mend {1:row|rows}', next.bad), run: () => work.mend(file.id), blocked };
    case 'look':
      return { label: t('Choose another spreadsheet'), run: () => go({ kind: 'start' }), blocked };
  }
}

/** A run that this server works on, as the step Import shows it. Once it has ended, its result is on record. */
const UnderWay = ({ run, onEnd }: { readonly run: string; readonly onEnd: () => void }) => (
  <FollowedRun {...useFollowed(run, onEnd)} list={null} onAnew={onEnd} />
);

/** What the run is, in one line, and the runs that have to do with it. */
function Facts({ result }: { readonly result: Result }): JSX.Element {
  const { mode, campaign, sandbox, startedAt, run, about, undos, checks } = result;
  return (
    <>
      <p class="facts soft">
        {modeWord(mode)} · {campaign !== null && `${t('campaign {1}', campaign)} · `}
        {sandbox && `${t('sandbox')} · `}
        <LocalTime iso={startedAt} /> · {t('run {1}', run)}
      </p>
      {about !== null && (
        <Others label={t(mode === 'undo' ? 'This takes back' : 'This checks')} runs={[about]} />
      )}
      {undos.length > 0 && <Others label={t('Taken back by')} runs={undos} />}
      {checks.length > 0 && <Others label={t('Compared by')} runs={checks} />}
    </>
  );
}

interface OthersProps {
  readonly label: string;
  readonly runs: readonly string[];
}

const Others = ({ label, runs }: OthersProps): JSX.Element => (
  <p>
    {label}{' '}
    {runs.map((run, at) => (
      <>
        {at > 0 && ', '}
        <Link to={{ kind: 'run', run }}>{run}</Link>
      </>
    ))}
  </p>
);

interface WorkProps {
  readonly result: Result;
  readonly work: RunWork;
}

/** What else can be done with the run: each is a run of its own. */
function Work({ result, work }: WorkProps): JSX.Element {
  const asks = useSignal(false);
  const { canResume, canReconcile, isTakenBack, notUndoable } = result;
  const isAny = canResume || canReconcile || (notUndoable !== null && !isTakenBack);
  return (
    <>
      {isAny && <h2>{t('What else')}</h2>}
      {canResume && (
        <p class="buttons">
          <button type="button" onClick={work.resume}>
            {t('Go on with this run')}
          </button>
        </p>
      )}
      {canReconcile && (
        <p class="buttons">
          <button type="button" onClick={work.reconcile}>
            {t('Compare with the contact center')}
          </button>
          <span class="soft">
            {t('Looks up whether everything is there that this run claims. Changes nothing.')}
          </span>
        </p>
      )}
      {notUndoable !== null && !isTakenBack && (
        <p class="soft">{t('It cannot be taken back: {1}.', notUndoable)}</p>
      )}
      {notUndoable === null && (
        <section class="danger" aria-label={t('Take back…')}>
          <p class="buttons">
            <button
              type="button"
              aria-expanded={asks.value}
              onClick={() => (asks.value = !asks.value)}
            >
              {t('Take back…')}
            </button>
            <span class="soft">{t('Undoes what this run did, after it was shown to you.')}</span>
          </p>
          {asks.value && (
            <Undo run={result.run} onUndo={work.undo} onCancel={() => (asks.value = false)} />
          )}
        </section>
      )}
    </>
  );
}

interface FilesProps {
  readonly result: Result;
  readonly onMend: (file: string) => void;
}

/** The rejects, to download or to mend right here, and the reports in all formats. */
function Files({ result, onMend }: FilesProps): JSX.Element {
  const { run, rejects, reports, isTakenBack } = result;
  const { problem, attempt } = useAttempt();
  const take = (file: string): void =>
    void attempt(() => download(`/api/runs/${run}/files/${file}`));
  if (about.value?.mask === true)
    return (
      <p class="soft hidden-files">
        {t('Files hold personal data, which this page hides (--mask).')}
      </p>
    );
  return (
    <>
      {problem.value && <ProblemNote problem={problem.value} />}
      {rejects.length > 0 && (
        <section>
          <h2>{t('Rows to correct')}</h2>
          <p class="soft">
            {t(
              'The rows as they stand in the file, with the reason. What ended well is not sent twice.',
            )}
          </p>
          {rejects.map(({ id, name, bytes }) => (
            <p class="buttons" key={id}>
              <button type="button" onClick={() => take(id)}>
                {t('Download {1} ({2:size})', name, bytes ?? 0)}
              </button>
              {about.value?.readOnly === false && !isTakenBack && (
                <button type="button" onClick={() => onMend(id)}>
                  {t('Mend them here')}
                </button>
              )}
            </p>
          ))}
        </section>
      )}
      <section>
        <h2>{t('Reports')}</h2>
        <p class="soft">
          {t(
            'Every row with its outcome and the reason. The HTML report can be printed and passed on.',
          )}
        </p>
        <p class="buttons">
          {reports.map(({ id, name }) => (
            <button type="button" key={id} title={name} onClick={() => take(id)}>
              {id.replace(/^report\./, '').toUpperCase()}
            </button>
          ))}
        </p>
      </section>
    </>
  );
}

/** Downloads a file: a link cannot send the session's token, so that a ticket stands in its address. */
async function download(path: string): Promise<void> {
  const { ticket } = await call('POST /api/tickets', { body: { path } });
  const link = document.createElement('a');
  link.href = `${path}?ticket=${ticket}`;
  link.download = '';
  link.click();
}

/** Rows by outcome: each count leads to its rows. */
function Outcomes({ result }: { readonly result: Result }): JSX.Element {
  const { outcomes, rows, waiting } = result;
  return (
    <section>
      <h2 id="outcomes">{t('How the rows ended')}</h2>
      {rows + waiting.rows === 0 && <p class="soft">{t('The file has no rows.')}</p>}
      {rows + waiting.rows > 0 && (
        <Table
          class="result-counts"
          labelledBy="outcomes"
          heads={[
            titles(t('Outcome')),
            numbers(t('Rows')),
            numbers(t('Share')),
            { name: t('Meaning'), look: 'wide soft' },
          ]}
          rows={[
            ...outcomes.map(({ outcome, count }) => ({
              key: outcome,
              cells: [
                <RowLink filter={{ kind: 'outcome', of: outcome }}>
                  <OutcomeName outcome={outcome} />
                </RowLink>,
                ...[count, percent(count / rows, 1), outcomeWords(outcome).meaning],
              ],
            })),
            // Their rows have no outcome yet: going on with the run sends them.
            ...(waiting.rows > 0
              ? [{ cells: [t('yet to be sent'), waiting.rows, '', waitingWords(waiting)] }]
              : []),
            {
              look: 'sum',
              cells: [
                <RowLink filter={{ kind: 'all', of: '' }}>{t('All rows')}</RowLink>,
                rows + waiting.rows,
              ],
            },
          ]}
        />
      )}
    </section>
  );
}

const waitingWords = ({ withCard }: Result['waiting']): string =>
  t('sent when the run goes on') +
  (withCard === 0 ? '' : `; ${t('{1:row|rows} of them have a card already', withCard)}`);
