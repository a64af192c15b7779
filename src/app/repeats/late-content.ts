import { randomUUID } from 'node:crypto';
import { type ChangedInput, changedText } from '../../core/report.js';
import { codeOf, LedgerError, interruption } from '../../core/errors.js';
import type { RunIdentity } from '../../core/ledger.js';
import type { RunMode } from '../../core/mode.js';
import { momentNow, systemClock } from '../../core/time.js';
import type { Ledger, OpenedRun, RunRequest } from '../../ledger/ledger.js';
import type { Content } from './content.js';

/**
 * Opens a run, with the digest of large inputs where it decides what is done: whether an earlier run is continued, or
 * has been finished. Else nobody needs to wait for it.
 */
export async function openWithContent(
  ledger: Ledger,
  request: RunRequest,
  content: Content | undefined,
  waiting: Waiting = {},
): Promise<Exclude<OpenedRun, { kind: 'digest' | 'wait' }> & { readonly identity: RunIdentity }> {
  const opened = await openAfterOthers(ledger, request, waiting);
  if (opened.kind !== 'digest') return { ...opened, identity: request.identity };
  const digest = (await content?.digest()) ?? null;
  const identity = { ...request.identity, ...(digest === null ? {} : { content: digest }) };
  const decided = await openAfterOthers(
    ledger,
    { ...request, identity, isContentFinal: true },
    waiting,
  );
  if (decided.kind === 'digest') throw new Error('The ledger asks for a digest that it has.');
  return { ...decided, identity };
}

/** How often it is looked whether other runs have ended, in milliseconds. */
const LOOK_AGAIN_MS = 1000;

/** Who waits for other runs. */
export interface Waiting {
  /** Aborted when the person does not want to wait. */
  readonly signal?: AbortSignal | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Opens a run, where it is to wait for others when these have ended: nothing that was found out before counts then.
 * @throws StopRun when the signal is aborted meanwhile
 */
async function openAfterOthers(
  ledger: Ledger,
  request: RunRequest,
  { signal, onWarning }: Waiting,
): Promise<Exclude<OpenedRun, { kind: 'wait' }>> {
  let announced = '';
  let { begun } = request;
  for (;;) {
    const opened = await ledger.openRun({ ...request, begun });
    if (opened.kind !== 'wait') return opened;
    if (signal?.aborted) throw interruption(signal);
    const runs = opened.runs.join(', ');
    if (runs !== announced)
      onWarning?.(`Waiting until other runs on this contact center have ended: ${runs}.`);
    announced = runs;
    await systemClock.sleep(LOOK_AGAIN_MS, signal).catch((error: unknown) => {
      throw signal?.aborted ? interruption(signal) : error;
    });
    // Whoever waits in order to send anew knows of the others. One that goes on with a run is to see why it stopped.
    if (request.again === true) begun &&= momentNow();
  }
}

/** The digest that is made beside a run and put on record. */
export interface LateContent {
  /** Begins it, if it has not begun: not before the first answer, so that it does not hold up the first request. */
  begin(): void;
  /**
   * The same, and looks whether the inputs are still what they were: for the end of a run. `isOver`: it is not to be
   * continued.
   * @returns the inputs that are not, each of them said
   */
  finish(isOver: boolean): Promise<readonly ChangedInput[]>;
  /** Resolves when what has begun is on record, or cannot be. */
  recorded(): Promise<void>;
  /** Gives it up, if it is not there yet: the run is known by what large inputs show at once. */
  stop(): void;
}

/** Digests large inputs while they are imported. `warn` is called when that cannot be done, and for changed inputs. */
export function createLateContent(
  run: Pick<Extract<OpenedRun, { kind: 'open' }>, 'identify' | 'keep'>,
  { identity, mode }: { readonly identity: RunIdentity; readonly mode: RunMode },
  content: Content | undefined,
  warn: (message: string) => void,
): LateContent {
  const over = new AbortController();
  let recording: Promise<void> | undefined;
  const record = async ({ digest, changed }: Content): Promise<void> => {
    try {
      const found = await digest(over.signal);
      if (over.signal.aborted) return;
      if (found !== null) await run.identify(found);
    } catch (error) {
      if ((await changed()).length > 0) return;
      const reason = codeOf(error) || 'unknown';
      warn(`The content of the inputs could not be put on record (${reason}).`);
    }
  };
  const begin = (): void => {
    if (content && identity.content === identity.fingerprint?.content)
      recording ??= record(content);
  };
  const putChangedOnRecord = async (
    changed: readonly ChangedInput[],
    isOver: boolean,
  ): Promise<void> => {
    for (const input of changed) warn(changedText(input, mode));
    if (isOver) {
      // Nobody can say what the run has read: no later import is the same one.
      if (changed.some(({ wasRead }) => !wasRead)) await run.identify(`changed ${randomUUID()}`);
      await run.keep({ changedInputs: changed });
      return;
    }
    try {
      await run.keep({ changedInputs: changed });
    } catch (error) {
      // Of a run that stopped since its ledger cannot be written, the summary alone says it.
      if (!(error instanceof LedgerError)) throw error;
    }
  };
  return {
    begin,
    recorded: async () => recording,
    finish: async (isOver) => {
      if (isOver) begin();
      else over.abort();
      await recording;
      const changed = (await content?.changed()) ?? [];
      if (changed.length > 0) await putChangedOnRecord(changed, isOver);
      return changed;
    },
    stop: () => {
      over.abort();
    },
  };
}
