import type { JSX } from 'preact';
import type { PastRun } from '../../../shared/history.js';
import { historyText } from '../../messages/history.js';
import { t } from '../../state/language.js';
import { stateWord } from './run-words.js';

/** A sign beside the word, so that colour says nothing alone. */
const SIGNS = {
  running: '▶',
  finished: '✓',
  open: '?',
  stopped: '❚❚',
  broken_off: '!',
} as const satisfies Record<PastRun['state'], string>;

/** How a run stands, and whether somebody else works on it. */
export const RunStateBadge = ({ run }: { readonly run: PastRun }): JSX.Element => (
  <>
    <span class={`state ${run.state}`}>
      <span aria-hidden="true">{SIGNS[run.state]}</span> {stateWord(run.state)}
    </span>
    {(run.isUndoing || (run.state === 'running' && !run.isHere)) && (
      <span class="under soft">
        {t(run.isUndoing ? historyText.undoing : historyText.elsewhere)}
      </span>
    )}
  </>
);
