import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Logger, destination, pino } from 'pino';

/** A run's log: JSON lines in a file for its owner alone. Nothing that names a client or a credential goes in. */
export interface RunLog {
  readonly logger: Logger;
  close(): void;
}

/** Opens the log for appending. Lines are written at once: the last ones before a crash are the ones that matter. */
export function openRunLog(
  file: string,
  run: string,
  onWarning: (message: string) => void = () => undefined,
): RunLog {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  const sink = destination({ dest: file, append: true, sync: true });
  // A log that cannot be written is no reason to stop: what must survive is in the ledger.
  sink.once('error', (error: Error & { code?: string }) => {
    sink.on('error', () => undefined);
    onWarning(
      `The log ${file} cannot be written (${error.code ?? 'unknown reason'}); the run goes on without it.`,
    );
  });
  return {
    logger: pino({ base: { run }, timestamp: () => `,"time":"${new Date().toISOString()}"` }, sink),
    close: () => {
      sink.end();
    },
  };
}
