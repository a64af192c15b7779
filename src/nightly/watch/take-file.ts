import type { ImportResult } from '../../app/requests.js';
import { CardlineError, EXIT } from '../../core/errors/errors.js';
import { failuresIn } from '../../core/outcome.js';
import type { Event } from '../notices/notice.js';
import type { ClaimedFile, Shelf } from '../places/place.js';
import type { TakenFile } from '../state/state.js';
import type { WatcherPorts } from './ports.js';
import { COMPARED_FILES, unexpectedRows, unusualIn } from './unusual.js';
import { type Attempt, companionsOf, requestFor, verdictOn } from './verdict.js';

/** How it went with a file. `stopped`: it stays, and is tried again; `interrupted`: so does the next watcher. */
export type Taken = Shelf | 'stopped' | 'interrupted';

/**
 * Imports a file that was claimed, keeps the notices of it, and puts it away, in this order: whoever is ended in
 * between does the rest again, and the ledger sees to it that nothing is sent twice.
 */
export async function takeFile(
  ports: WatcherPorts,
  file: ClaimedFile,
  isRetry: boolean,
  signal: AbortSignal,
): Promise<Taken> {
  const attempt = await attemptOn(ports, file, signal);
  if (signal.aborted && !('error' in attempt) && attempt.result.summary.state === 'stopped')
    return 'interrupted';
  const { event, shelf } = verdictOn(ports.pickup, file.name, attempt);
  if (shelf === null) {
    ports.onNote(event.sentence);
    if (!isRetry) ports.outbox.add([event]);
    return 'stopped';
  }
  keepNotices(ports, file, attempt, event, isRetry);
  const beside = companionsOf(attempt, ports.pickup.after.report === 'beside');
  const where = await ports.place.putAway(file, shelf, beside);
  ports.onNote(`${event.sentence} The file is now ${where}.`);
  return shelf;
}

async function attemptOn(
  { pickup, ledger, env, execute, observer, onNote }: WatcherPorts,
  file: ClaimedFile,
  signal: AbortSignal,
): Promise<Attempt> {
  const onWarning = (message: string): void => {
    onNote(`${file.name}: ${message}`);
  };
  try {
    const request = requestFor(pickup, file, ledger);
    const { name } = pickup;
    const seen = { pickup: name, ...(observer && { observer }) };
    return { result: await execute({ ...request, ...seen, env, signal, onWarning }) };
  } catch (error) {
    if (!(error instanceof CardlineError) || error.exitCode === EXIT.internal) throw error;
    return { error };
  }
}

function keepNotices(
  { pickup, state, outbox, clock }: WatcherPorts,
  file: ClaimedFile,
  attempt: Attempt,
  event: Event,
  isRetry: boolean,
): void {
  const result = 'error' in attempt ? undefined : attempt.result;
  const run = result?.summary.run ?? null;
  // Ended between the notice and the putting away: the notice is kept.
  if (run !== null && result?.already && state.hasNoticeOf(pickup.name, file.name, run)) return;
  const taken = takenFile(pickup.name, file.name, event.kind, result, clock.now());
  const unusual = result?.already
    ? null
    : unusualEvent(pickup, taken, state.latest(pickup.name, COMPARED_FILES));
  const recovered: Event | null =
    isRetry && event.kind !== 'bad'
      ? {
          kind: 'recovered',
          pickup: pickup.name,
          file: file.name,
          sentence: `The import of ${file.name} went on.`,
        }
      : null;
  outbox.add(
    [recovered, event, unusual].filter((one) => one !== null),
    taken,
  );
}

function takenFile(
  pickup: string,
  file: string,
  kind: string,
  result: ImportResult | undefined,
  at: number,
): TakenFile {
  const { run = null, rows = 0, outcomes } = result?.summary ?? {};
  return { pickup, file, run, at, kind, rows, badRows: outcomes ? failuresIn(outcomes) : 0 };
}

function unusualEvent(
  { name: pickup, expect }: WatcherPorts['pickup'],
  taken: TakenFile,
  last: readonly TakenFile[],
): Event | null {
  if (taken.run === null) return null;
  const words = unexpectedRows(taken.rows, expect?.rows) ?? unusualIn(taken, last);
  if (words === null) return null;
  const { file, run, rows } = taken;
  return { kind: 'unusual', pickup, file, run, rows, sentence: `${file} is unusual: ${words}.` };
}
