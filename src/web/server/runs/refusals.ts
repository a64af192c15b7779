import { InputError, UsageError } from '../../../core/errors.js';
import type { Live } from '../../shared/run.js';
import { Refusal } from '../refusal.js';

/** What is thrown where a run could not be looked up. */
export function noSuchRun(error: unknown): unknown {
  const isMissing =
    error instanceof UsageError || (error instanceof InputError && error.code === 'no_such_file');
  if (!isMissing) return error;
  return new Refusal(404, {
    code: 'no_such_run',
    sentence: 'There is no such run.',
    next: 'The History lists those that there are.',
  });
}

/** A run of another process, or of none, cannot be paused or stopped. */
export const notHere = ({ run, elsewhere }: Live): Refusal =>
  elsewhere
    ? new Refusal(409, {
        code: 'works_elsewhere',
        sentence: 'Another process works on this run.',
        next: 'Stop it there with Ctrl-C, or wait until it has ended.',
        values: { run },
      })
    : new Refusal(409, {
        code: 'not_at_work',
        sentence: 'This run is not at work any more.',
        values: { run },
      });

/** What is asked for has to wait for what this server does with the run. */
export const worksHere = (run: string): Refusal =>
  new Refusal(409, {
    code: 'works_here',
    sentence: 'This page works on this run at the moment.',
    next: 'Wait until it has ended, or stop it: the History leads to it.',
    values: { run },
  });

/** A run on another contact center than the page's cannot be worked on from here. */
export const otherCenter = (run: string): Refusal =>
  new Refusal(409, {
    code: 'other_center',
    sentence: 'This run was on another contact center than the one that this page is for.',
    next: 'Start "cardline ui" with the installation that the run was made with.',
    values: { run },
  });
