import { OUTCOMES } from '../core/outcome.js';

interface MetricTraits {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** All of them bounded: names of files and runs are none. Each metric has `pickup` too, where there is one. */
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
  /** What has it: every run, or a watcher alone. */
  readonly of: 'run' | 'watch';
  /** Whether a file of metrics keeps the value of a process before, until there is a new one. @default false */
  readonly lasts?: true;
}

/** From an answer out of a cache to one that a request hardly waits for any more. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Every metric, by its name. Names and units are by the convention of Prometheus. */
export const METRICS = {
  cardline_build_info: {
    ...{ type: 'gauge', of: 'run', labels: ['version'] },
    help: 'Always 1; the version is in the label.',
  },
  cardline_rows_total: {
    ...{ type: 'counter', of: 'run', labels: ['outcome'] },
    help: 'Rows that have ended, by how they did.',
  },
  cardline_rows_waiting: {
    ...{ type: 'gauge', of: 'run', labels: [] },
    help: 'Rows of the run under way that were read and have not ended.',
  },
  cardline_requests_total: {
    ...{ type: 'counter', of: 'run', labels: ['operation', 'status'] },
    help: 'Requests to the contact center, by HTTP status; none where no whole answer came.',
  },
  cardline_request_retries_total: {
    ...{ type: 'counter', of: 'run', labels: [] },
    help: 'Requests that were sent once more.',
  },
  cardline_request_duration_seconds: {
    ...{ type: 'histogram', of: 'run', labels: ['operation'], buckets: SECONDS },
    help: 'Time from a request to the end of its answer.',
  },
  cardline_requests_in_flight: {
    ...{ type: 'gauge', of: 'run', labels: [] },
    help: 'Requests that have left and are not answered yet.',
  },
  cardline_limiter_requests: {
    ...{ type: 'gauge', of: 'run', labels: [] },
    help: 'Requests that may be in flight at once, as found out so far.',
  },
  cardline_limiter_batch_clients: {
    ...{ type: 'gauge', of: 'run', labels: [] },
    help: 'Clients that travel in one request, as found out so far.',
  },
  cardline_breaker_open: {
    ...{ type: 'gauge', of: 'run', labels: [] },
    help: '1 while requests are kept back after failures in a row, else 0.',
  },
  cardline_run_active: {
    ...{ type: 'gauge', of: 'run', labels: [] },
    help: '1 while a run is under way, else 0.',
  },
  cardline_run_progress_ratio: {
    ...{ type: 'gauge', of: 'run', labels: [] },
    help: 'Share of the input of the run under way that was read.',
  },
  cardline_runs_total: {
    ...{ type: 'counter', of: 'run', labels: ['result'] },
    help: 'Runs that have ended, by how they did.',
  },
  cardline_last_run_timestamp_seconds: {
    ...{ type: 'gauge', of: 'run', labels: [], lasts: true },
    help: 'When the last run ended.',
  },
  cardline_last_run_duration_seconds: {
    ...{ type: 'gauge', of: 'run', labels: [], lasts: true },
    help: 'How long the last run took.',
  },
  cardline_last_run_rows: {
    ...{ type: 'gauge', of: 'run', labels: ['outcome'], lasts: true },
    help: 'Rows of the last run, by how they ended.',
  },
  cardline_last_success_timestamp_seconds: {
    ...{ type: 'gauge', of: 'run', labels: [], lasts: true },
    help: 'When a run last ended with all rows well.',
  },
  cardline_list_score_ratio: {
    ...{ type: 'gauge', of: 'run', labels: [], lasts: true },
    help: 'How good the last list was, from 0 to 1.',
  },
  cardline_pickup_up: {
    ...{ type: 'gauge', of: 'watch', labels: [] },
    help: '1 when the place of the pickup answered the last look, else 0.',
  },
  cardline_pickup_files_waiting: {
    ...{ type: 'gauge', of: 'watch', labels: [] },
    help: 'Files that have come and are not put away yet.',
  },
  cardline_pickup_lag_seconds: {
    ...{ type: 'gauge', of: 'watch', labels: [] },
    help: 'How long the file that waits longest has been seen.',
  },
  cardline_pickup_files_total: {
    ...{ type: 'counter', of: 'watch', labels: ['shelf'] },
    help: 'Files that were put away, by where.',
  },
  cardline_pickup_late: {
    ...{ type: 'gauge', of: 'watch', labels: [] },
    help: '1 while a file that is expected has not come in time, else 0.',
  },
  cardline_notices_total: {
    ...{ type: 'counter', of: 'watch', labels: ['kind', 'result'] },
    help: 'Notices by what came of an attempt to send them.',
  },
} as const satisfies Record<string, MetricTraits>;

export type MetricName = keyof typeof METRICS;

/** How runs end, for metrics. */
export const RUN_RESULTS = ['finished', 'bad', 'stopped', 'repeated', 'failed'] as const;

/** Values of labels that are there from the start, so that the first of their kind is an increase. */
export const FIRST_VALUES = {
  cardline_rows_total: OUTCOMES.map((outcome) => ({ outcome })),
  cardline_runs_total: RUN_RESULTS.map((result) => ({ result })),
  cardline_request_retries_total: [{}],
  cardline_pickup_files_total: [{ shelf: 'good' }, { shelf: 'bad' }],
} as const satisfies Partial<Record<MetricName, readonly Record<string, string>[]>>;
