import { CardlineError, codeOf, EXIT, type ExitCode } from '../../core/errors.js';

interface Explanation {
  readonly exitCode: ExitCode;
  readonly text: string;
}

const SYSTEM_REASONS: Readonly<Record<string, readonly [reason: string, exitCode: ExitCode]>> = {
  ENOENT: ['There is no such file or folder', EXIT.usage],
  ENOTDIR: ['A part of this path is a file, not a folder', EXIT.usage],
  EISDIR: ['This is a folder, not a file', EXIT.usage],
  EACCES: ['You may not open this', EXIT.usage],
  EPERM: ['You may not do this', EXIT.usage],
  EROFS: ['Nothing can be written here', EXIT.usage],
  EADDRINUSE: ['Another program listens here already; choose another port', EXIT.usage],
  EADDRNOTAVAIL: ['This machine does not have this address', EXIT.usage],
  ENOTFOUND: ['There is no such address', EXIT.usage],
  ENOSPC: ['The disk is full', EXIT.stopped],
  EMFILE: ['Too many files are open', EXIT.stopped],
};

/** Puts any error into words. `debug` adds the stack of unexpected ones, which may hold personal data. */
export function explain(error: unknown, debug: boolean): Explanation {
  if (isAbort(error)) return { exitCode: EXIT.stopped, text: 'Stopped.' };
  if (error instanceof CardlineError) return { exitCode: error.exitCode, text: error.message };
  const known = explainSystemError(error);
  return known && !debug ? known : explainInternalError(error, debug);
}

/** What a stream or a timer rejects with when the person stops the command. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

function explainSystemError(error: unknown): Explanation | undefined {
  if (!(error instanceof Error && 'errno' in error)) return undefined;
  const known = SYSTEM_REASONS[codeOf(error)];
  if (!known) return undefined;
  const [reason, exitCode] = known;
  return { exitCode, text: `${reason} (${error.message}).` };
}

function explainInternalError(error: unknown, debug: boolean): Explanation {
  const kind = error instanceof Error ? error.name : typeof error;
  const lines = [
    `This is an internal error of cardline (${kind}), not of your files. Sorry.`,
    'Nothing that was recorded in the ledger is lost.',
  ];
  // The message of an unexpected error may quote a row, so it is shown only on demand.
  if (debug) lines.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  else lines.push('Set CARDLINE_DEBUG=1 and run it again to see the details.');
  return { exitCode: EXIT.internal, text: lines.join('\n') };
}
