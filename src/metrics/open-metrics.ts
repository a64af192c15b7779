import { OUTCOMES, rowsIn } from '../core/outcome.js';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RunObserver, EndedRequest, ObservedEnd, SendingState } from '../core/report.js';
import { codeOf, UsageError, EXIT } from '../core/errors.js';
import {
  mayBecomeMetrics,
  NO_METRICS,
  packageVersion,
  refuseOtherPlace,
} from '../files/regular-file.js';
import { systemClock, type Clock } from '../core/time.js';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

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

type MetricName = keyof typeof METRICS;

/** How runs end, for metrics. */
const RUN_RESULTS = ['finished', 'bad', 'stopped', 'repeated', 'failed'] as const;

/** Values of labels that are there from the start, so that the first of their kind is an increase. */
const FIRST_VALUES = {
  cardline_rows_total: OUTCOMES.map((outcome) => ({ outcome })),
  cardline_runs_total: RUN_RESULTS.map((result) => ({ result })),
  cardline_request_retries_total: [{}],
  cardline_pickup_files_total: [{ shelf: 'good' }, { shelf: 'bad' }],
} as const satisfies Partial<Record<MetricName, readonly Record<string, string>[]>>;

type OfType<T extends string> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];

type Labels = Readonly<Record<string, string>>;

const PICKUP = 'pickup';

/** The metrics of a process: those of the table, each with its values by labels. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram>();
  readonly #collect: (() => void)[] = [];

  /** `of`: `watch` has those of runs too. */
  constructor(of: 'run' | 'watch') {
    for (const [name, traits] of Object.entries(METRICS)) {
      if (traits.of === 'watch' && of === 'run') continue;
      const { type, help, labels } = traits;
      const names = of === 'watch' ? [PICKUP, ...labels] : [...labels];
      const settings = { name, help, labelNames: names, registers: [this.#registry] };
      if (type === 'counter') this.#counters.set(name, new Counter(settings));
      else if (type === 'gauge') {
        const gauge = new Gauge(settings);
        // Without labels, the package has a gauge begin at 0, which of a time is an untruth.
        gauge.remove({});
        this.#gauges.set(name, gauge);
      } else {
        const buckets = [...traits.buckets];
        this.#histograms.set(name, new Histogram({ ...settings, buckets }));
      }
    }
  }

  /** Puts the counters of a pickup there, at 0. */
  begin(labels: Labels): void {
    for (const [name, values] of Object.entries(FIRST_VALUES))
      for (const value of values) this.#counters.get(name)?.inc({ ...labels, ...value }, 0);
  }

  add(name: OfType<'counter'>, labels: Labels, value = 1): void {
    this.#counters.get(name)?.inc(labels, value);
  }

  set(name: OfType<'gauge'>, labels: Labels, value: number): void {
    this.#gauges.get(name)?.set(labels, value);
  }

  observe(name: OfType<'histogram'>, labels: Labels, value: number): void {
    this.#histograms.get(name)?.observe(labels, value);
  }

  /** Calls `collect` each time before the values are read: what costs nothing until somebody looks. */
  beforeRead(collect: () => void): void {
    this.#collect.push(collect);
  }

  text(): Promise<string> {
    for (const collect of this.#collect) collect();
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}

interface MetricsRequest {
  /** File that holds the metrics. @default none */
  readonly file?: string | undefined;
  readonly listen?: string | undefined;
  /** What has metrics: a single run, or a watcher with those of its pickups. @default 'run' */
  readonly of?: 'run' | 'watch';
  /** Called with what does not stop the work, in words for a person. */
  readonly onWarning: (message: string) => void;
}

/** Metrics that are kept in a file, served, or both. */
export interface OpenMetrics {
  readonly metrics: Metrics;
  readonly url: string | undefined;
  /** Who takes the figures of runs, of one pickup where there are several. */
  ofRuns(pickup?: string): RunObserver;
  /** Says to who asks after its health that the process is about to end. */
  ending(): void;
  close(): Promise<void>;
}

/** @throws UsageError where the address cannot be listened at, and where something else than metrics is at the file's place */
export async function openMetrics(request: MetricsRequest): Promise<OpenMetrics> {
  const { file, listen, of = 'run', onWarning } = request;
  if (file !== undefined && !mayBecomeMetrics(file))
    throw new UsageError(`${file} ${NO_METRICS}. Give another path.`);
  const metrics = new Metrics(of);
  metrics.set('cardline_build_info', { version: packageVersion() }, 1);
  let isHealthy = true;
  const server =
    listen === undefined ? undefined : await serveMetrics(listen, metrics, () => isHealthy);
  const kept = file === undefined ? undefined : await keepMetricsFile(file, metrics, onWarning);
  return {
    metrics,
    url: server?.url,
    ofRuns: (pickup) =>
      new RunMetrics(metrics, pickup === undefined ? {} : { pickup }, systemClock),
    ending: () => {
      isHealthy = false;
    },
    close: async () => {
      isHealthy = false;
      await kept?.close();
      await server?.close();
    },
  };
}

/** A collector asks for little. */
const LIMITS = { requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 8192 };
const MAX_CONNECTIONS = 32;

/** `127.0.0.1:9464` or `[::1]:9464`. */
const LISTEN_FORM = /^(?:\[([^\]]+)\]|([^:\s[\]]+)):(\d{1,5})$/;

/** Serves `/metrics` and `/healthz`. @throws UsageError where it cannot listen there */
async function serveMetrics(listen: string, metrics: Metrics, isHealthy: () => boolean) {
  const [, six, other, digits] = LISTEN_FORM.exec(listen) ?? [];
  const [host = other, port] = [six, Number(digits)];
  if (host === undefined || port > 65_535)
    throw new UsageError(`"${listen}" is no address and port. Write it like 127.0.0.1:9464.`);
  const server = createServer(LIMITS, answer(metrics, isHealthy));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      const reason = error.code ?? error.message;
      reject(
        new UsageError(`Metrics cannot be served at ${listen} (${reason}).`, { cause: error }),
      );
    });
    server.listen(port, host, resolve);
  });
  // A run does not wait for whoever looks on.
  server.unref();
  return {
    url: urlOf(server.address()),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return '';
  const host = isIPv6(address.address) ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

const answer =
  (metrics: Metrics, isHealthy: () => boolean): RequestListener =>
  ({ url = '', method = '' }, response) => {
    const reply = (status: number, body: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, { 'content-type': type }).end(method === 'HEAD' ? '' : body);
    };
    const [path] = url.split('?');
    if (method !== 'GET' && method !== 'HEAD') reply(405, 'Only GET.\n');
    else if (path === '/healthz') reply(isHealthy() ? 200 : 503, isHealthy() ? 'ok\n' : 'ending\n');
    else if (path !== '/metrics') reply(404, 'There are /metrics and /healthz.\n');
    else
      metrics.text().then(
        (body) => reply(200, body, metrics.contentType),
        () => reply(500, 'The metrics could not be put together.\n'),
      );
  };

interface Counted {
  readonly state: SendingState;
  readonly rows: Map<string, number>;
  retries: number;
}

/**
 * Figures of the runs of one pickup, one run after the other. What changes with every row is looked at when somebody
 * reads the metrics, and at the end of the run.
 */
class RunMetrics implements RunObserver {
  #sending: Counted | undefined;
  #began = 0;

  /** `labels`: of the pickup, where there is one. */
  constructor(
    private readonly metrics: Metrics,
    private readonly labels: Labels,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    metrics.begin(labels);
    this.#rest();
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
    this.#rest();
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

  /** No run is under way. */
  #rest(): void {
    const idle = ['run_active', 'breaker_open', 'requests_in_flight'] as const;
    for (const name of idle) this.metrics.set(`cardline_${name}`, this.labels, 0);
  }

  #collect(): void {
    if (!this.#sending) return;
    const { metrics, labels } = this;
    const { state } = this.#sending;
    this.#countRows(this.#sending);
    metrics.add('cardline_request_retries_total', labels, state.retries - this.#sending.retries);
    this.#sending.retries = state.retries;
    metrics.set('cardline_rows_waiting', labels, state.rows - rowsIn(state.outcomes));
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

function resultOf(end: ObservedEnd): (typeof RUN_RESULTS)[number] {
  if ('error' in end) return 'failed';
  const { exitCode, summary, already } = end.result;
  if (summary.state === 'stopped') return 'stopped';
  if (already) return 'repeated';
  return exitCode === EXIT.ok ? 'finished' : 'bad';
}

/** How often the file is written while a run is under way, in milliseconds. */
const EVERY_MS = 10_000;
/** Whoever collects metrics is another user. */
const MODE = 0o644;

/**
 * Keeps metrics in a file, for a collector of text files: it is replaced as a whole, now and then and at the end. A
 * file that cannot be written is no reason to stop, and is told of once.
 */
async function keepMetricsFile(
  file: string,
  metrics: Metrics,
  onWarning: (message: string) => void,
) {
  const before = await readFile(file, 'utf8').catch(() => '');
  let isWarned = false;
  const write = async (): Promise<void> => {
    try {
      await replaceFile(file, carriedOver(await metrics.text(), before));
    } catch (error) {
      const why = codeOf(error) || (error instanceof Error ? error.message : String(error));
      if (!isWarned) onWarning(`The metrics cannot be written to ${file} (${why}).`);
      isWarned = true;
    }
  };
  let writing = write();
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, EVERY_MS);
  timer.unref();
  return {
    close: async (): Promise<void> => {
      clearInterval(timer);
      // The last state is written, too.
      await writing;
      await write();
    },
  };
}

/** Beside its place and renamed, so that nobody reads a half. */
async function replaceFile(file: string, text: string): Promise<void> {
  refuseOtherPlace(file);
  if (!mayBecomeMetrics(file)) throw new Error(`it ${NO_METRICS}`);
  const part = `${file}.${process.pid}.part`;
  try {
    await writeFile(part, text, { mode: MODE, flag: 'wx' });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** A line of the text format that holds a value: its name with labels, and the value. */
const SAMPLE = /^([a-z_]+)(\{.*\})? (\S+)$/;
/** What the lines of a histogram are called beside its name. */
const PARTS = /_(?:bucket|sum|count)$/;

/** How the value of a process before goes on: counters add up, some gauges stay until there is a new value. */
function howCarried(name: string): 'adds' | 'lasts' | 'no' {
  const [known, traits] =
    Object.entries(METRICS).find(([one]) => one === name || one === name.replace(PARTS, '')) ?? [];
  if (known === undefined || !traits) return 'no';
  if (traits.type !== 'gauge') return 'adds';
  return 'lasts' in traits ? 'lasts' : 'no';
}

/**
 * The metrics of this process, with those that a process before left in the same file: without them, counters would
 * begin anew with each run, and the time of the last success would be gone after a run without one. Pure.
 */
export function carriedOver(text: string, before: string): string {
  const earlier = samplesIn(before);
  const seen = new Set<string>();
  const lines = text.split('\n').map((line) => {
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    const key = name + labels;
    const old = earlier.get(key);
    seen.add(key);
    if (old === undefined || howCarried(name) !== 'adds') return line;
    return `${key} ${Number(value) + old.value}`;
  });
  const left = [...earlier].filter(
    ([key, { name }]) => !seen.has(key) && howCarried(name) !== 'no',
  );
  return lines.flatMap((line) => [line, ...linesBelow(line, left)]).join('\n');
}

function samplesIn(text: string) {
  const samples = text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || !Number.isFinite(Number(value))) return [];
    return [[name + labels, { name, value: Number(value) }] as const];
  });
  return new Map(samples);
}

/** The earlier lines of a metric follow the line that names its type: all lines of one stand together. */
function linesBelow(
  line: string,
  left: readonly (readonly [string, { readonly name: string; readonly value: number }])[],
): string[] {
  const [, metric] = /^# TYPE (\S+) /.exec(line) ?? [];
  if (metric === undefined) return [];
  return left
    .filter(([, { name }]) => name === metric || name.replace(PARTS, '') === metric)
    .map(([key, { value }]) => `${key} ${value}`);
}
