import type { JSX } from 'preact';
import type { Result } from '../../../shared/result.js';
import { headlineRu, resultText } from '../../messages/result.js';
import { language, t } from '../../state/language.js';
import { reasonWords } from './reasons.js';

/** What to do next, before anything else. */
export function First({ result }: { readonly result: Result }): JSX.Element {
  const { sentence, more } = language === 'ru' ? inRussian(result) : inEnglish(result);
  return (
    <div class={`first ${result.next.kind}`}>
      <p role="status">
        <strong>{result.isUndoing ? t(resultText.undoing) : sentence}</strong>{' '}
        {!result.isUndoing && more}
      </p>
      {result.state === 'broken_off' && <p>{t(resultText.brokenOff)}</p>}
      {result.state === 'running' && !result.isHere && !result.isUndoing && (
        <p>{t(resultText.elsewhere)}</p>
      )}
    </div>
  );
}

interface Words {
  readonly sentence: string;
  readonly more: string;
}

/** As the server says it; a file need not be corrected where the rows can be mended right here. */
function inEnglish({ next }: Result): Words {
  const { kind, sentence } = next;
  if (kind === 'recover') return { sentence, more: t(resultText.recoverNext) };
  return kind === 'mend' ? { sentence, more: t(resultText.mendNext) } : next;
}

/** The same as the server says in English. */
function inRussian(result: Result): Words {
  const { next, waiting } = result;
  const text = headline(result);
  switch (next.kind) {
    case 'wait':
      return { sentence: headlineRu.underWay, more: '' };
    case 'resume': {
      const yet = waiting.rows > 0 ? `${headlineRu.waiting(waiting.rows)} ` : '';
      return { sentence: yet + headlineRu.resume, more: text };
    }
    case 'recover':
      return { sentence: text, more: t(resultText.recoverNext) };
    case 'mend':
      return { sentence: text, more: t(resultText.mendNext) };
    case 'look':
      return { sentence: text, more: '' };
  }
}

function headline(result: Result): string {
  const { next, rows, outcomes, mode, isTakenBack } = result;
  const { bad, top } = next;
  if (isTakenBack) return headlineRu.takenBack;
  const isComparison = mode === 'reconcile';
  const count = (one: string): number =>
    outcomes.find(({ outcome }) => outcome === one)?.count ?? 0;
  if (bad === 0)
    return isComparison
      ? headlineRu.allMatch(rows - count('skipped'), count('skipped'))
      : noneNeeded(result, count('undone'), count('skipped'));
  const start = headlineRu.bad(bad, isComparison);
  if (top === null) return `${start}.`;
  const why = reasonWords(top).replace(/[.:]$/, '');
  if (top.rows === bad) return `${start}, ${headlineRu.oneReason(bad, why)}.`;
  return `${start}; ${headlineRu.top(top.rows, why)}.`;
}

function noneNeeded({ rows, state, mode }: Result, undone: number, skipped: number): string {
  if (rows === 0) return headlineRu.noRows(state === 'finished');
  if (rows === skipped) return headlineRu.allSkipped(rows, mode === 'undo');
  return headlineRu.allGood(rows - undone - skipped, undone, skipped);
}
