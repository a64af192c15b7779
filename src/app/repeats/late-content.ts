import { randomUUID } from 'node:crypto';
import { codeOf } from '../../core/errors/error-code.js';
import type { RunIdentity } from '../../core/ledger.js';
import type { RunMode } from '../../core/mode.js';
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
): Promise<Exclude<OpenedRun, { kind: 'digest' }> & { readonly identity: RunIdentity }> {
  const opened = await ledger.openRun(request);
  if (opened.kind !== 'digest') return { ...opened, identity: request.identity };
  const digest = (await content?.digest()) ?? null;
  const identity = { ...request.identity, ...(digest === null ? {} : { content: digest }) };
  const decided = await ledger.openRun({ ...request, identity, isContentFinal: true });
  if (decided.kind === 'digest') throw new Error('The ledger asks for a digest that it has.');
  return { ...decided, identity };
}

/** The digest that is made beside a run and put on record. */
export interface LateContent {
  /** Begins it, if it has not begun: not before the first answer, so that it does not hold up the first request. */
  begin(): void;
  /** The same, and makes sure that small inputs are still what they were: for the end of a run. */
  finish(): Promise<void>;
  /** Resolves when what has begun is on record, or cannot be. */
  recorded(): Promise<void>;
  /** Whether an input was found to have changed since the run began. */
  hasChanged(): boolean;
  /** Gives it up, if it is not there yet: the run is known by what large inputs show at once. */
  stop(): void;
}

const NOT_ALL_AGAIN =
  'Import those that the report lacks, and only those: the others would be scheduled a second time.';

/** Digests large inputs while they are imported. `warn` is called when that cannot be done. */
export function createLateContent(
  run: Pick<Extract<OpenedRun, { kind: 'open' }>, 'identify'>,
  { identity, mode }: { readonly identity: RunIdentity; readonly mode: RunMode },
  content: Content | undefined,
  warn: (message: string) => void,
): LateContent {
  const over = new AbortController();
  let recording: Promise<void> | undefined;
  let hasChanged = false;
  const changed = async (): Promise<void> => {
    // Nobody can say what the run has read: no later import is the same one.
    await run.identify(`changed ${randomUUID()}`);
    hasChanged = true;
    warn(
      `An input was changed while it was being imported: rows may be missing. ${mode === 'callbacks' ? NOT_ALL_AGAIN : 'Import it again.'}`,
    );
  };
  const record = async ({ digest }: Content): Promise<void> => {
    try {
      const found = await digest(over.signal);
      if (over.signal.aborted) return;
      if (found !== null) await run.identify(found);
      else await changed();
    } catch (error) {
      const reason = codeOf(error) || 'unknown';
      warn(`The content of the inputs could not be put on record (${reason}).`);
    }
  };
  const begin = (): void => {
    if (content && identity.content === identity.fingerprint?.content)
      recording ??= record(content);
  };
  return {
    begin,
    recorded: async () => recording,
    finish: async () => {
      begin();
      await recording;
      // Of large inputs, the digest has told.
      if (content && !identity.fingerprint && !(await content.isUnchanged())) await changed();
    },
    hasChanged: () => hasChanged,
    stop: () => {
      over.abort();
    },
  };
}
