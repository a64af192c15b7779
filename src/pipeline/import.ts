import { CardlineError } from '../core/errors.js';
import { interruption } from '../core/errors.js';
import { executeChunks } from './execute-chunks.js';
import type { ImportPorts, ImportSettings, ImportEnd } from './import-ports.js';
import { openImport } from './open-import.js';

/**
 * Screens, records and sends every chunk. A continued run goes the same way: what its facts say is done is left alone.
 * Internal errors are thrown; how the import ended otherwise is the result.
 */
export async function runImport(ports: ImportPorts, settings: ImportSettings): Promise<ImportEnd> {
  const running = openImport(ports, settings);
  const { queue, sender, state } = running;
  ports.onOpen?.(state);
  try {
    await executeChunks(running);
  } catch (error) {
    queue.fail(error);
  }
  const failure = await queue.end();
  ports.onProgress?.(state);
  return { ...endOf(failure, ports.signal), ...sender.counts };
}

function endOf(failure: unknown, signal: AbortSignal): { stopped?: CardlineError } {
  if (failure instanceof CardlineError) return { stopped: failure };
  if (failure !== undefined)
    throw failure instanceof Error ? failure : new Error('A batch failed.', { cause: failure });
  return signal.aborted ? { stopped: interruption(signal) } : {};
}
