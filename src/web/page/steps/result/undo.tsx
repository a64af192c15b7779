import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { UndoPreview } from '../../../shared/result.js';
import { resultText } from '../../messages/result.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Waiting } from '../../parts/waiting.js';
import { call } from '../../state/call.js';
import { t } from '../../state/language.js';
import { useLoaded } from '../../state/loaded.js';

interface UndoProps {
  readonly run: string;
  readonly onUndo: (rows: number) => void;
  readonly onCancel: () => void;
}

/** Says what would be taken back, and asks for the number of rows. */
export function Undo({ run, onUndo, onCancel }: UndoProps): JSX.Element {
  const load = (signal: AbortSignal): Promise<UndoPreview> =>
    call('GET /api/runs/:run/undo', { params: { run }, signal });
  const found = useLoaded(load, run).value;
  const shown = useRef<HTMLDivElement>(null);
  // It opens at the end of a page, behind the bar.
  useEffect(() => shown.current?.scrollIntoView({ block: 'center' }), [found.state]);
  return (
    <div class="undo notice" ref={shown}>
      {found.state === 'loading' && <Waiting />}
      {found.state === 'failed' && <ProblemNote problem={found.problem} />}
      {found.state === 'ready' && found.value.rows === 0 && <p>{t(resultText.nothingToUndo)}</p>}
      {found.state === 'ready' && found.value.rows > 0 && (
        <Confirm preview={found.value} onUndo={onUndo} />
      )}
      <button type="button" onClick={onCancel}>
        {t(resultText.cancel)}
      </button>
    </div>
  );
}

interface ConfirmProps extends Pick<UndoProps, 'onUndo'> {
  readonly preview: UndoPreview;
}

function Confirm({ preview, onUndo }: ConfirmProps): JSX.Element {
  const typed = useSignal('');
  const { rows } = preview;
  // People type numbers with the separators that they see.
  const isTyped = typed.value.replaceAll(/[\s.,'’]/g, '') === String(rows);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isTyped) onUndo(rows);
  };
  return (
    <form onSubmit={submit}>
      <ul>
        {consequences(preview).map((line) => (
          <li>{line}</li>
        ))}
      </ul>
      {preview.cards > 0 && <p>{t(resultText.undoKept)}</p>}
      <p class="soft">{t(resultText.undoWhat)}</p>
      <label class="field">
        <span>{t(resultText.type, rows)}</span>
        <input
          type="text"
          inputMode="numeric"
          autoComplete="off"
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      <p>
        <button type="submit" class="primary" aria-disabled={!isTyped} aria-describedby="undo-why">
          {t(resultText.undoRows, rows)}
        </button>{' '}
        <span id="undo-why" class="why">
          {!isTyped && t(resultText.typeFirst)}
        </span>
      </p>
    </form>
  );
}

const consequences = ({ cards, applications, fields, remaining }: UndoPreview): string[] => [
  ...(cards > 0 ? [t(resultText.cards, cards)] : []),
  ...(applications > 0 ? [t(resultText.applications, applications)] : []),
  ...(fields > 0 ? [t(resultText.fields, fields)] : []),
  ...(remaining > 0 ? [t(resultText.remaining, remaining)] : []),
];
