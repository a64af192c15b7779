import type { RunObserver } from '../../../core/report.js';
import { momentNow } from '../../../core/time.js';
import type { ImportResult, RunOptions } from '../../requests.js';
import { untilDeadline } from '../until-deadline.js';
import { allObservers } from './all-observers.js';
import { openTrace } from './trace.js';

/** An observer that has something to close when the run has ended. */
interface OpenObserver {
  readonly observer: RunObserver;
  readonly close: () => Promise<void>;
}

/**
 * Executes a run under the eyes of all who want to know of it: the caller's observer, the metrics that the request
 * names, and traces where an SDK is registered. Without any, nothing is loaded and nothing is called.
 */
export async function observed<R extends RunOptions>(
  asked: R,
  execute: (request: R) => Promise<ImportResult>,
): Promise<ImportResult> {
  const request = { ...asked, begun: asked.begun ?? momentNow() };
  const metrics = await openMetrics(request);
  const trace = await openTrace(request);
  const observers = [request.observer, metrics?.observer, trace].filter((one) => one !== undefined);
  if (observers.length === 0) return untilDeadline(request, execute);
  const observer = allObservers(observers);
  observer.onPhase?.('open');
  try {
    const result = await untilDeadline({ ...request, observer }, execute);
    observer.onEnd?.({ result });
    return result;
  } catch (error) {
    observer.onEnd?.({ error });
    throw error;
  } finally {
    await metrics?.close();
  }
}

async function openMetrics({
  metricsFile: file,
  metricsListen: listen,
  onWarning = () => undefined,
}: RunOptions): Promise<OpenObserver | undefined> {
  if (file === undefined && listen === undefined) return undefined;
  const { openMetrics: open } = await import('../../../metrics/open-metrics.js');
  const metrics = await open({ file, listen, onWarning });
  return { observer: metrics.ofRuns(), close: () => metrics.close() };
}
