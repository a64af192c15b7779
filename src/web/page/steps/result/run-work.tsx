import { useSignal } from '@preact/signals';
import type { UndoPreview } from '../../state/answers.js';
import { go } from '../../state/address.js';
import { call, useAsked, useAttempt } from '../../state/call.js';
import { ANEW, numberIn } from '../import/plan-state.js';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { TextField, Loaded, Button } from '../../parts/parts.js';
import { t } from '../../state/language.js';

/** What can be started from a result. What is wrong with it is shown beside it. */
export type RunWork = ReturnType<typeof useRunWork>;

/** `onResumed`: the run itself has changed. */
export function useRunWork(run: string, onResumed: () => void) {
  const { problem, attempt } = useAttempt();
  const isStarting = useSignal(false);
  const params = { run };
  // One thing at a time: a second click is none.
  const begin = (work: () => Promise<void>) => (): void => {
    if (isStarting.value) return;
    isStarting.value = true;
    void attempt(work).then(() => (isStarting.value = false));
  };
  const toRun = async (started: Promise<{ readonly run: string }>): Promise<void> =>
    go({ kind: 'run', run: (await started).run });
  return {
    problem,
    isStarting,
    resume: begin(async () => {
      await call('POST /api/runs/:run/resume', { params });
      onResumed();
    }),
    reconcile: begin(() => toRun(call('POST /api/runs/:run/reconcile', { params }))),
    undo: (rows: number) =>
      begin(() => toRun(call('POST /api/runs/:run/undo', { params, body: { rows } })))(),
    mend: (file: string) =>
      begin(async () => {
        const { list } = await call('POST /api/runs/:run/mend', { params, body: { file } });
        go({ kind: 'list', list, step: 'check' });
      })(),
    /** Plans the import of this list anew, with deleted clients restored. */
    recover: (list: string) =>
      begin(async () => {
        await call('PATCH /api/lists/:list/import', { params: { list }, body: { recovery: true } });
        go({ kind: 'list', list, step: 'import' }, { [ANEW]: '' });
      })(),
  };
}

interface UndoProps {
  readonly run: string;
  readonly onUndo: (rows: number) => void;
  readonly onCancel: () => void;
}

/** Says what would be taken back, and asks for the number of rows. */
export function Undo({ run, onUndo, onCancel }: UndoProps): JSX.Element {
  const preview = useAsked(
    (signal) => call('GET /api/runs/:run/undo', { params: { run }, signal }),
    run,
  );
  const typed = useSignal('');
  const shown = useRef<HTMLDivElement>(null);
  // It opens at the end of a page, behind the bar.
  useEffect(() => shown.current?.scrollIntoView({ block: 'center' }), [preview.isLoading]);
  const form = ({ rows, cards, applications, fields, remaining }: UndoPreview): JSX.Element => {
    const isTyped = numberIn(typed.value) === rows;
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped) onUndo(rows);
        }}
      >
        <ul>
          {cards > 0 && <li>{t('{1:client|clients} would be deleted', cards)}</li>}
          {applications > 0 && (
            <li>
              {t(
                '{1:call application|call applications} would be removed from the campaign',
                applications,
              )}
            </li>
          )}
          {fields > 0 && (
            <li>{t('{1:client|clients} would get the earlier values back', fields)}</li>
          )}
          {remaining > 0 && (
            <li>
              {t(
                'of {1:row|rows} something stays, or is not known: the report of the undo says what',
                remaining,
              )}
            </li>
          )}
        </ul>
        {cards > 0 && (
          <p>
            {t(
              'Where the contact center keeps deleted clients, their identifiers cannot be created again without “recovery: true”.',
            )}
          </p>
        )}
        <p class="soft">{t('What somebody has changed since is left as it is.')}</p>
        <TextField
          label={t('Type {1} to take back', String(rows))}
          text={typed}
          inputMode="numeric"
          autoComplete="off"
        />
        <p>
          <button
            type="submit"
            class="primary"
            aria-disabled={!isTyped}
            aria-describedby="undo-why"
          >
            {t('Take back {1:row|rows}', rows)}
          </button>{' '}
          <span id="undo-why" class="why">
            {!isTyped && t('Type the number first')}
          </span>
        </p>
      </form>
    );
  };
  return (
    <div class="undo notice" ref={shown}>
      <Loaded of={preview}>
        {(found) =>
          found.rows === 0 ? (
            <p>{t('This run did nothing that could be taken back.')}</p>
          ) : (
            form(found)
          )
        }
      </Loaded>
      <Button onClick={onCancel} label={t('Do not take back')} />
    </div>
  );
}
