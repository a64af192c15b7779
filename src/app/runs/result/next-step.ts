import { basename } from 'node:path';
import type { RunRecord } from '../../../core/ledger.js';
import { MODE_TRAITS, type RunMode } from '../../../core/mode.js';
import { GOOD_OUTCOMES, OUTCOMES } from '../../../core/outcome.js';
import { headline } from '../../../report/html/headline.js';
import { areAllThere, isRecoverable } from '../../../report/recoverable.js';
import { stateText } from '../../../report/run-facts.js';
import { NEXT_STEPS, NOT_SENT_TWICE, TAKEN_BACK, waitingSentence } from '../../../report/text/next-step.js';
import type { Reason } from '../../../report/reasons.js';
import type { RunIndex } from './run-index.js';

/**
 * What to do first: `wait` for a run under way, `resume` one that is not at its end, `recover` deleted clients, `mend` its
 * rejects.
 */
export type NextKind = 'wait' | 'resume' | 'recover' | 'mend' | 'look';

export interface NextStep {
  readonly kind: NextKind;
  /** In English, as reports and the command line say it. */
  readonly sentence: string;
  readonly more: string;
  /** The same as numbers, for other languages. */
  readonly bad: number;
  readonly top: Reason | null;
}

/**
 * What a person has to know of a run first, and to do. `rejects`: its files of rows to correct; of a run that was taken
 * back nobody corrects a part. `recovers`: whether it restored deleted clients already.
 */
export function nextStep(
  run: RunRecord,
  { tally, waiting }: Pick<RunIndex, 'tally' | 'waiting'>,
  rejects: readonly string[],
  { isTakenBack, recovers }: { readonly isTakenBack: boolean; readonly recovers: boolean },
): NextStep {
  const bad = OUTCOMES.filter((outcome) => !GOOD_OUTCOMES.has(outcome)).reduce(
    (sum, outcome) => sum + tally.outcomes[outcome],
    0,
  );
  const top = tally.reasons.list().find(({ outcome }) => !GOOD_OUTCOMES.has(outcome)) ?? null;
  if (isTakenBack) return { kind: 'look', bad, top, sentence: TAKEN_BACK, more: '' };
  // Of clients that are there already nobody has to correct a row.
  const toMend = MODE_TRAITS[run.mode].creates && areAllThere(tally.reasons.list()) ? 0 : bad;
  const canRecover =
    !recovers && MODE_TRAITS[run.mode].creates && tally.reasons.list().some(isRecoverable);
  const kind = canRecover && run.state === 'finished' ? 'recover' : kindOf(run, toMend, rejects);
  const text = `${headline({ run, only: null }, tally).replace(/\.$/, '')}.`;
  const [first] = rejects;
  const which = rejects.length === 1 && first !== undefined ? basename(first) : 'the rejects';
  switch (kind) {
    case 'wait':
      return { kind, bad, top, sentence: `The run is ${stateText({ ...run, state: 'running' })}.`, more: '' };
    case 'resume':
      return { kind, bad, top, ...toResume(run.mode, waiting.rows, text) };
    case 'recover':
      return {
        ...{ kind, bad, top, sentence: text },
        more: `${NEXT_STEPS.recover}. ${NOT_SENT_TWICE}`,
      };
    case 'mend':
      return {
        ...{ kind, bad, top, sentence: text },
        more: `${NEXT_STEPS.mend(which)}. ${NOT_SENT_TWICE}`,
      };
    case 'look':
      return { kind, bad, top, sentence: text, more: bad > 0 ? `${NEXT_STEPS.look}.` : '' };
  }
}

function kindOf({ state }: RunRecord, bad: number, rejects: readonly string[]): NextKind {
  if (state === 'running') return 'wait';
  if (state !== 'finished') return 'resume';
  return bad > 0 && rejects.length > 0 ? 'mend' : 'look';
}

function toResume(
  mode: RunMode,
  waiting: number,
  text: string,
): Pick<NextStep, 'sentence' | 'more'> {
  const go = `${NEXT_STEPS.resume}.`;
  return waiting > 0
    ? { sentence: `${waitingSentence(waiting, mode)}. ${go}`, more: text }
    : { sentence: go, more: text };
}
