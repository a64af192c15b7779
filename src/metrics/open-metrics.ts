import type { RunObserver } from '../core/report.js';
import { UsageError } from '../core/errors.js';
import { mayBecomeMetrics, NO_METRICS } from '../files/place.js';
import { packageVersion } from '../files/package-version.js';
import { systemClock } from '../core/time.js';
import { keepMetricsFile } from './metrics-file.js';
import { serveMetrics } from './metrics-server.js';
import { Metrics } from './registry.js';
import { RunMetrics } from './run-metrics.js';

export interface MetricsRequest {
  /** File that holds the metrics. @default none */
  readonly file?: string | undefined;
  /** Address and port that serve them. @default none */
  readonly listen?: string | undefined;
  /** What has metrics: a single run, or a watcher with those of its pickups. @default 'run' */
  readonly of?: 'run' | 'watch';
  /** Called with what does not stop the work, in words for a person. */
  readonly onWarning: (message: string) => void;
}

/** Metrics that are kept in a file, served, or both. */
export interface OpenMetrics {
  readonly metrics: Metrics;
  /** Where they are served. */
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
  const { contentType } = metrics;
  const text = (): Promise<string> => metrics.text();
  const server =
    listen === undefined
      ? undefined
      : await serveMetrics(listen, { text, contentType, isHealthy: () => isHealthy });
  const kept = file === undefined ? undefined : await keepMetricsFile(file, text, onWarning);
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
