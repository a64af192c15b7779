import { dirname } from 'node:path';
import { type Logger, destination, pino } from 'pino';
import { makeFolder } from '../../files/folder.js';
import { openToAppend } from '../../files/own-file.js';
import { NotRegularError } from '../../files/regular-file.js';

/** A run's log: JSON lines in a file for its owner alone. Nothing that names a client or a credential goes in. */
export interface RunLog {
  readonly logger: Logger;
  close(): void;
}

/** What every line of a log says of where it belongs. */
export interface RunNames {
  readonly run: string;
  readonly pickup?: string;
}

/**
 * Opens the log for appending. Lines are written at once: the last ones before a crash are the ones that matter. A log
 * that cannot be written is no reason to stop, since what must survive is in the ledger; nor is one whose name leads to
 * somebody else's file, or to a pipe, which is left alone.
 * @throws what the file system says of the folder, in which the reports would find no place either
 */
export function openRunLog(
  file: string,
  names: RunNames,
  onWarning: (message: string) => void = () => undefined,
): RunLog {
  makeFolder(dirname(file));
  const withoutIt = (reason: string): void =>
    onWarning(`The log ${file} cannot be written (${reason}); the run goes on without it.`);
  const descriptor = openUnlessOther(file, withoutIt);
  if (descriptor === undefined) return noLog();
  const sink = destination({ fd: descriptor, sync: true });
  sink.once('error', (error: Error & { code?: string }) => {
    sink.on('error', () => undefined);
    withoutIt(error.code ?? 'unknown reason');
  });
  return {
    logger: pino({ base: names, timestamp: () => `,"time":"${new Date().toISOString()}"` }, sink),
    close: () => {
      sink.end();
    },
  };
}

/** In place of a log, for work that has none of its own. */
export const noLog = (): RunLog => ({
  logger: pino({ enabled: false }),
  close: () => undefined,
});

function openUnlessOther(file: string, onOther: (reason: string) => void): number | undefined {
  try {
    return openToAppend(file);
  } catch (error) {
    if (!(error instanceof NotRegularError)) throw error;
    onOther(error.message);
    return undefined;
  }
}
