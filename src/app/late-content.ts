import type { RunIdentity } from '../core/ledger.js';
import type { Ledger, OpenedRun } from '../ledger/ledger.js';
import type { Content } from './content.js';
import type { RunOptions } from './requests.js';

/**
 * The identity with the digest of large inputs, where it decides what is done: whether an earlier run is continued, or
 * has been finished. Else nobody needs to wait for it.
 */
export async function decidedIdentity(
  ledger: Ledger,
  identity: RunIdentity,
  content: Content,
  { again, run }: Pick<RunOptions, 'again' | 'run'>,
): Promise<RunIdentity> {
  if (!identity.glance || again || !ledger.asksContent(identity, run)) return identity;
  return { ...identity, content: (await content.digest()) ?? identity.content };
}

/** The digest that is made beside a run and put on record. */
export interface LateContent {
  /** Begins it, if it has not begun: not before the first answer, so that it does not hold up the first request. */
  begin(): void;
  /** Resolves when what has begun is on record, or cannot be. */
  recorded(): Promise<void>;
  /** Gives it up, if it is not there yet: the run is known by what large inputs show at once. */
  stop(): void;
}

/** Digests large inputs while they are imported. `warn` is told when that cannot be done. */
export function createLateContent(
  run: Pick<Extract<OpenedRun, { kind: 'open' }>, 'identify'>,
  identity: RunIdentity,
  content: Content | undefined,
  warn: (message: string) => void,
): LateContent {
  const over = new AbortController();
  let recording: Promise<void> | undefined;
  const record = async ({ digest }: Content): Promise<void> => {
    try {
      const found = await digest(over.signal);
      if (over.signal.aborted) return;
      if (found !== null) run.identify(found);
      else warn('An input was changed while it was being imported.');
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      warn(`The content of the inputs could not be put on record (${reason}).`);
    }
  };
  return {
    begin: () => {
      if (content && identity.content === identity.glance?.content) recording ??= record(content);
    },
    recorded: async () => recording,
    stop: () => {
      over.abort();
    },
  };
}
