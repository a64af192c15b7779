import { EXIT } from '../core/errors.js';
import { type OutcomeCounts, OUTCOMES } from '../core/outcome.js';
import type { EndedRequest, ObservedEnd, RunObserver, SendingState } from '../core/report.js';
import type { Clock } from '../core/time.js';
import type { Labels, Metrics } from './registry.js';
import type { RUN_RESULTS } from './table.js';

type RunResult = (typeof RUN_RESULTS)[number];

/** What of a state has been counted. */
interface Counted {
  readonly state: SendingState;
  readonly rows: Map<string, number>;
  retries: number;
}

/**
 * Figures of the runs of one pickup, one run after the other. What changes with every row is looked at when somebody
 * reads the metrics, and at the end of the run.
 */
export class RunMetrics implements RunObserver {
  #sending: Counted | undefined;
  #began = 0;

  /** `labels`: of the pickup, where there is one. */
  constructor(
    private readonly metrics: Metrics,
    private readonly labels: Labels,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    metrics.begin(labels);
    metrics.set('cardline_run_active', labels, 0);
    metrics.set('cardline_breaker_open', labels, 0);
    metrics.set('cardline_requests_in_flight', labels, 0);
    metrics.beforeRead(() => this.#collect());
  }

  onPhase(phase: string): void {
    if (phase !== 'open') return;
    this.#began = this.clock.now();
    this.metrics.set('cardline_run_active', this.labels, 1);
  }

  onSending(state: SendingState): void {
    this.#collect();
    this.#sending = { state, rows: new Map(), retries: 0 };
  }

  onRequest({ operation, status, milliseconds }: EndedRequest): void {
    const { metrics, labels } = this;
    const named = { ...labels, operation };
    metrics.add('cardline_requests_total', { ...named, status: String(status ?? 'none') });
    if (status !== undefined)
      metrics.observe('cardline_request_duration_seconds', named, milliseconds / 1000);
  }

  onEnd(end: ObservedEnd): void {
    const { metrics, labels } = this;
    const now = this.clock.now() / 1000;
    this.#collect();
    this.#sending = undefined;
    for (const name of ['cardline_run_active', 'cardline_breaker_open'] as const)
      metrics.set(name, labels, 0);
    metrics.set('cardline_requests_in_flight', labels, 0);
    metrics.set('cardline_rows_waiting', labels, 0);
    const result = resultOf(end);
    metrics.add('cardline_runs_total', { ...labels, result });
    metrics.set('cardline_last_run_timestamp_seconds', labels, now);
    metrics.set('cardline_last_run_duration_seconds', labels, now - this.#began / 1000);
    if (result === 'finished') metrics.set('cardline_last_success_timestamp_seconds', labels, now);
    if ('error' in end) return;
    const { outcomes, quality } = end.result.summary;
    for (const outcome of OUTCOMES)
      metrics.set('cardline_last_run_rows', { ...labels, outcome }, outcomes[outcome]);
    if (quality) metrics.set('cardline_list_score_ratio', labels, quality.score / 100);
  }

  #collect(): void {
    if (!this.#sending) return;
    const { metrics, labels } = this;
    const { state } = this.#sending;
    this.#countRows(this.#sending);
    metrics.add('cardline_request_retries_total', labels, state.retries - this.#sending.retries);
    this.#sending.retries = state.retries;
    metrics.set('cardline_rows_waiting', labels, state.rows - sumOf(state.outcomes));
    metrics.set('cardline_requests_in_flight', labels, state.inFlight);
    metrics.set('cardline_limiter_requests', labels, state.concurrency);
    metrics.set('cardline_limiter_batch_clients', labels, state.batchSize);
    metrics.set('cardline_breaker_open', labels, state.isHeld ? 1 : 0);
    metrics.set('cardline_run_progress_ratio', labels, state.share);
  }

  /** Rows that ended since the last look; those of an earlier part of the run were counted then. */
  #countRows({ state, rows }: Counted): void {
    for (const outcome of OUTCOMES) {
      const ended = state.outcomes[outcome] - state.earlier[outcome];
      const since = ended - (rows.get(outcome) ?? 0);
      if (since <= 0) continue;
      this.metrics.add('cardline_rows_total', { ...this.labels, outcome }, since);
      rows.set(outcome, ended);
    }
  }
}

const sumOf = (counts: OutcomeCounts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

function resultOf(end: ObservedEnd): RunResult {
  if ('error' in end) return 'failed';
  const { exitCode, summary, already } = end.result;
  if (summary.state === 'stopped') return 'stopped';
  if (already) return 'repeated';
  return exitCode === EXIT.ok ? 'finished' : 'bad';
}
