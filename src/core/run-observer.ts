import type { OutcomeCounts } from './outcome.js';
import type { Summary } from './report.js';

/** What a run is at, in this order: what is not needed is left out. */
export const RUN_PHASES = ['open', 'count', 'send', 'report'] as const;

export type RunPhase = (typeof RUN_PHASES)[number];

/** Where the sending of a run stands. It lives on, and is looked at whenever somebody wants to know. */
export interface SendingState {
  /** Data rows that have been read. */
  readonly rows: number;
  /** Share of the input that has been read, 0 to 1. */
  readonly share: number;
  /** Rows that have ended, and those among them that did so in an earlier part of the run. */
  readonly outcomes: OutcomeCounts;
  readonly earlier: OutcomeCounts;
  readonly inFlight: number;
  readonly retries: number;
  /** What the limiter permits. */
  readonly concurrency: number;
  readonly batchSize: number;
  /** Whether the circuit breaker keeps requests back. */
  readonly isHeld: boolean;
}

/** One request that has ended. */
export interface EndedRequest {
  readonly operation: string;
  /** HTTP status; absent where no whole answer came. */
  readonly status?: number;
  readonly milliseconds: number;
}

/** How a run ended: with a result, or with an error that kept it from having one. */
export type ObservedEnd =
  | {
      readonly result: {
        readonly exitCode: number;
        readonly summary: Summary;
        readonly already?: true;
      };
    }
  | { readonly error: unknown };

/**
 * Takes figures of a run while it is at work. It is called in the thread that sends, once a request and seldom else:
 * whatever it does has to be quick, and must not throw.
 */
export interface RunObserver {
  onPhase?(phase: RunPhase): void;
  /** The run is open. */
  onRun?(run: { readonly run: string; readonly mode: string; readonly continued: boolean }): void;
  onSending?(state: SendingState): void;
  onRequest?(request: EndedRequest): void;
  onEnd?(end: ObservedEnd): void;
}
