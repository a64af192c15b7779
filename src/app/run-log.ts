import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Logger, destination, pino, symbols } from 'pino';
import { makeFolder } from '../report/folder.js';

/** A run's log: JSON lines in a file for its owner alone. Nothing that names a client or a credential goes in. */
export interface RunLog {
  readonly logger: Logger;
  close(): void;
}

/**
 * A line for each answer is a write for each answer, where a client takes a request of its own. So many bytes wait for
 * each other, and no longer than so many milliseconds: that much is lost when the process is killed.
 */
const WAITING = { minLength: 8192, periodicFlush: 500 };

/** Opens the log for appending. Warnings are written at once, with all before them. */
export function openRunLog(
  file: string,
  run: string,
  onWarning: (message: string) => void = () => undefined,
): RunLog {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
  const sink = destination({ dest: file, append: true, sync: true, ...WAITING });
  // A log that cannot be written is no reason to stop: what must survive is in the ledger.
  sink.once('error', (error: Error & { code?: string }) => {
    sink.on('error', () => undefined);
    onWarning(
      `The log ${file} cannot be written (${error.code ?? 'unknown reason'}); the run goes on without it.`,
    );
  });
  return {
    logger: pino(
      { base: { run }, timestamp: () => `,"time":"${new Date().toISOString()}"` },
      warningsAtOnce(sink),
    ),
    close: () => {
      sink.end();
    },
  };
}

const INFO = 30;

function warningsAtOnce(sink: ReturnType<typeof destination>) {
  const stream = {
    // Asks for the level of each line.
    [symbols.needsMetadataGsym]: true as const,
    lastLevel: INFO,
    write: (line: string): void => {
      sink.write(line);
      if (stream.lastLevel > INFO) sink.flush();
    },
  };
  return stream;
}
