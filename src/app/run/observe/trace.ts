import type { RunObserver } from '../../../core/report.js';
import type { RunOptions } from '../../requests.js';

/** Where the API keeps what is registered with it, in this and every other copy of its first version. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** Whether an SDK takes spans: looked at once a run, so that the API is not even loaded for nobody. */
function isTraced(): boolean {
  const registered: unknown = Reflect.get(globalThis, REGISTERED);
  return typeof registered === 'object' && registered !== null && 'trace' in registered;
}

/** Makes spans of a run, its phases and its requests; `undefined` where no SDK is registered. */
export async function openTrace(request: RunOptions): Promise<RunObserver | undefined> {
  if (!isTraced()) return undefined;
  const { traceRun } = await import('./trace-run.js');
  return traceRun(request);
}
