import {
  type CardlineError,
  type ContactCenterError,
  NotAuthorizedError,
  TryLaterError,
} from '../../core/errors.js';
import { StopRun } from '../../core/errors.js';
import type { Clock } from '../../core/time.js';
import { createBreaker } from './breaker.js';
import { foreignStop } from './foreign.js';
import { isAnswer } from './retry-decision.js';

/** So many failures without one answer between are hardly chance any more. */
const OUTAGE = 2;

export interface CenterStatePorts {
  readonly clock: Clock;
  /** Whether the contact center has answered others in the interface's own form. @default it has not */
  readonly isKnown?: (() => boolean) | undefined;
  /** Called when the contact center gives trouble, once until it answers again; for the person. */
  readonly onTrouble?: ((message: string) => void) | undefined;
}

/** What all requests of a run have learned of the contact center. */
export class CenterState {
  readonly started: number;
  /** When the last answer came, in milliseconds since the epoch; `null` before the first one. */
  lastSuccess: number | null = null;
  /** Why no request may leave any more. */
  halted: CardlineError | undefined;
  private readonly breaker = createBreaker();
  private inTrouble = false;
  private failures = 0;

  constructor(private readonly ports: CenterStatePorts) {
    this.started = ports.clock.now();
  }

  /** How long the circuit breaker keeps the next request back, in milliseconds; 0: not at all. */
  wait(): number {
    return this.breaker.wait(this.ports.clock.now());
  }

  /** Whether the circuit breaker is open. */
  get isHeld(): boolean {
    return this.breaker.isOpen;
  }

  /** Keeps every further request back. The first reason stays. */
  halt(stop: CardlineError): CardlineError {
    return (this.halted ??= stop);
  }

  /** Notes an answer, whatever it says. */
  answered(): void {
    this.breaker.succeeded();
    this.lastSuccess = this.ports.clock.now();
    this.inTrouble = false;
    this.failures = 0;
  }

  /** Notes a failed request. A refusal is an answer; being busy is none, but it ends the test of an open breaker. */
  failed(error: ContactCenterError, readsOnly: boolean): void {
    if (error instanceof NotAuthorizedError)
      this.halt(new StopRun(wrongCredentials(error), { cause: error }));
    if (error.seen && !this.isKnown()) this.halt(foreignStop(error, error.seen, readsOnly));
    else if (isAnswer(error)) this.answered();
    else if (error instanceof TryLaterError) this.breaker.succeeded();
    else this.breaker.failed(this.ports.clock.now());
  }

  /** Why the run ends with this error: the credentials are wrong, or this is no contact center. */
  stopAfter(error: ContactCenterError): CardlineError | undefined {
    const endsRun = error instanceof NotAuthorizedError || (error.seen && !this.isKnown());
    return endsRun ? this.halted : undefined;
  }

  /** Reports an error to the person, unless there has been no answer since the last one. */
  reportTrouble(error: ContactCenterError): void {
    if (!this.inTrouble) this.ports.onTrouble?.(`${error.message}; trying on.`);
    this.inTrouble = true;
  }

  /** Counts a retry. Returns whether there were so many without an answer that others would only fail too. */
  countRetry(): boolean {
    return ++this.failures >= OUTAGE;
  }

  private isKnown(): boolean {
    return this.lastSuccess !== null || (this.ports.isKnown?.() ?? false);
  }
}

function wrongCredentials({ status }: NotAuthorizedError): string {
  return `The contact center did not accept the credentials (HTTP ${status ?? '?'}); check the installation's headers. The same command goes on from here.`;
}
