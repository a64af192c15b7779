import { CardlineError, EXIT } from './errors/errors.js';

/** Why a run ends before its input does. Nothing is lost: the same command continues it. */
export class StopRun extends CardlineError {
  readonly exitCode = EXIT.stopped;
  override readonly saysHowToContinue = true;
}

/** The first clients of a run did not pass, so that the others were not sent. */
export class CanaryStop extends StopRun {}

/** More rows ended badly than the person allowed: going on takes a decision. */
export class TooManyStop extends StopRun {}

/** The time has come at which the run was to stop. */
export class DeadlineStop extends StopRun {}

/** The person, or the system, asked the run to end; perhaps before it began. */
export const INTERRUPTED = 'Interrupted; the same command goes on from here.';

/** The person, or the program, asked for it. */
class Interruption extends StopRun {
  constructor(options?: ErrorOptions) {
    super(INTERRUPTED, options);
  }
}

/** Why a run ends whose signal was aborted. */
export const interruption = (signal: AbortSignal | undefined, options?: ErrorOptions): StopRun =>
  signal?.reason instanceof DeadlineStop ? signal.reason : new Interruption(options);

/** Whether somebody, or the clock, has ended what could have gone on. */
export const isInterruption = (error: unknown): error is StopRun =>
  error instanceof Interruption || error instanceof DeadlineStop;
