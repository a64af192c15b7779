import type { Earlier } from '../../core/center.js';
import { ContactCenterError, RefusedError } from '../../core/errors.js';
import { hasEnded, isFailureOfServer } from '../sending/refused-batch.js';
import type { Sender } from '../sending/sender.js';
import type { LostRequest } from '../settle/settle-schedule.js';
import { StopRun } from '../../core/errors.js';
import type { ChangeRule, Step, Subject } from './rule.js';

/** How far the requests for one client have come: what was answered is not sent again. */
export interface Progress {
  /** Steps that were answered. */
  readonly done: number;
  /** Steps that took effect: the others were fulfilled already. */
  readonly effects: number;
  /** Contacts that were added. */
  readonly added: number;
  /** Contacts that are on the card, and that a request whose answer was lost may have added. */
  readonly maybeAdded: number;
  readonly refusals: readonly string[];
  /** How often the answer to the next step was lost. */
  readonly lost: number;
  /** The last request that was; `null`: none. */
  readonly request: LostRequest | null;
  /** Whether the contact center answered that it failed at the next step. */
  readonly failed: boolean;
}

export const NO_PROGRESS: Progress = {
  ...{
    done: 0,
    effects: 0,
    added: 0,
    maybeAdded: 0,
    refusals: [],
    lost: 0,
    request: null,
    failed: false,
  },
};

/** What became of the requests for one client. */
export type ChainEnd =
  | { readonly kind: 'changed'; readonly progress: Progress }
  | { readonly kind: 'refused'; readonly message: string; readonly progress: Progress }
  /** An answer was lost. */
  | { readonly kind: 'lost'; readonly reason: string; readonly progress: Progress }
  /** The run was stopped; `begun`: something may have left. */
  | { readonly kind: 'stopped'; readonly begun: boolean; readonly stop: StopRun };

export interface ChainContext {
  readonly sender: Sender;
  /** A request that is lost now; `ended`: the contact center's work on it is over. */
  readonly lostNow: (ended: boolean) => LostRequest;
  readonly rule: ChangeRule;
  /** Whether an earlier part of the run may have sent these requests. */
  readonly doubtful: boolean;
}

/**
 * Sends the requests for one client, one after the other, from where they have come. A refusal of one does not keep
 * the others back; a lost answer does, since what follows may build on it.
 */
export async function runChain(
  context: ChainContext,
  subject: Subject,
  earlier: Earlier,
  from: Progress,
): Promise<ChainEnd> {
  const { steps: usual, stepsInDoubt } = context.rule;
  const steps = (context.doubtful && stepsInDoubt?.(subject)) || usual(subject, earlier);
  let progress = from;
  for (const step of steps.slice(from.done)) {
    const end = await sendStep(context, step, progress, steps.length === 1);
    if ('kind' in end) return end;
    progress = { ...end, done: progress.done + 1, lost: 0, request: null, failed: false };
  }
  const refusals = new Set(progress.refusals);
  if (earlier.remark !== undefined) refusals.add(earlier.remark);
  return refusals.size === 0
    ? { kind: 'changed', progress }
    : { kind: 'refused', message: [...refusals].join('; '), progress };
}

type Unfinished = Extract<ChainEnd, { readonly kind: 'lost' | 'stopped' }>;

async function sendStep(
  { sender, lostNow, rule, doubtful }: ChainContext,
  step: Step,
  progress: Progress,
  isOnly: boolean,
): Promise<Progress | Unfinished> {
  let begun = progress.done > 0;
  const refused = (message: string): Progress => ({
    ...progress,
    refusals: [...progress.refusals, isOnly ? message : labelled(step, message)],
  });
  try {
    await sender.send({
      kind: step.operation,
      clients: 1,
      // The intent is on record for the whole group; this says that the request is not to be sent again unasked.
      before: () => Promise.resolve(),
      request: () => {
        begun = true;
        return rule.send(step);
      },
      undone: () => {
        begun = progress.done > 0;
        return Promise.resolve();
      },
    });
    const effects = progress.effects + 1;
    return { ...progress, effects, added: progress.added + (step.adds ? 1 : 0) };
  } catch (error) {
    if (error instanceof StopRun) return { kind: 'stopped', begun, stop: error };
    if (!(error instanceof ContactCenterError)) throw error;
    const failed = isFailureOfServer(error);
    // What the contact center fails at twice fails for a reason of its own.
    if (failed && progress.failed) return refused(error.message);
    if (failed || !(error instanceof RefusedError)) {
      const request = lostNow(hasEnded(error));
      const lost = { ...progress, lost: progress.lost + 1, request, failed };
      return { kind: 'lost', reason: error.message, progress: lost };
    }
    const wasLost = doubtful || progress.lost > 0;
    if (wasLost && step.doneBefore?.test(error.errorMessage))
      return { ...progress, effects: progress.effects + 1 };
    if (!step.fulfilledBy?.test(error.errorMessage)) return refused(error.errorMessage);
    const isOurs = step.adds === true && wasLost;
    return isOurs ? { ...progress, maybeAdded: progress.maybeAdded + 1 } : progress;
  }
}

/** The contact center's words about one among several requests, with what it was about. */
function labelled({ label }: Step, message: string): string {
  return label === '' ? message : `${label}: ${message}`;
}
