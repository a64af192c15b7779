import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Result } from '../../../shared/result.js';
import { resultText } from '../../messages/result.js';
import { t } from '../../state/language.js';
import type { RunWork } from './run-work.js';
import { Undo } from './undo.js';

interface WorkProps {
  readonly result: Result;
  readonly work: RunWork;
}

/** What else can be done with the run: each is a run of its own. */
export function Work({ result, work }: WorkProps): JSX.Element {
  const asks = useSignal(false);
  const { canResume, canReconcile, isTakenBack, notUndoable } = result;
  return (
    <section>
      <h2>{t(resultText.more)}</h2>
      {canResume && (
        <p class="buttons">
          <button type="button" onClick={work.resume}>
            {t(resultText.resume)}
          </button>
        </p>
      )}
      {canReconcile && (
        <p class="buttons">
          <button type="button" onClick={work.reconcile}>
            {t(resultText.reconcile)}
          </button>
          <span class="soft">{t(resultText.reconcileWhat)}</span>
        </p>
      )}
      {notUndoable === null && (
        <p class="buttons">
          <button
            type="button"
            aria-expanded={asks.value}
            onClick={() => (asks.value = !asks.value)}
          >
            {t(resultText.undo)}
          </button>
        </p>
      )}
      {notUndoable !== null && !isTakenBack && (
        <p class="soft">{t(resultText.notUndoable, notUndoable)}</p>
      )}
      {asks.value && (
        <Undo run={result.run} onUndo={work.undo} onCancel={() => (asks.value = false)} />
      )}
    </section>
  );
}
