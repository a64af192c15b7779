import { codeOf, CardlineError, EXIT, LedgerError } from '../../core/errors.js';

/** The file in which a watcher keeps its state is not one, cannot be used, or belongs to a newer version. */
export class StateError extends CardlineError {
  readonly exitCode = EXIT.usage;
}

type Kind = new (message: string, options: ErrorOptions) => CardlineError;

/** What stands in the way, by the codes of SQLite and of the file system. A LedgerError passes, and is waited for. */
const REASONS: readonly (readonly [pattern: RegExp, why: string, kind: Kind])[] = [
  [
    /SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT/,
    'the disk is full. Free some space; nothing is lost, and the next start goes on',
    LedgerError,
  ],
  [/SQLITE_IOERR/, 'the disk reports an error. Nothing is lost; look after the disk', LedgerError],
  [
    /SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM|EACCES|EPERM|EROFS|ENOENT|ENOTDIR/,
    'it cannot be opened and written to. Check the rights of the file and of its folder for the user of the watcher',
    StateError,
  ],
  [
    /SQLITE_NOTADB|SQLITE_CORRUPT|EISDIR/,
    'it is not a file in which "cardline watch" keeps its state. Move it away; files that were imported are not imported again',
    StateError,
  ],
];

/** An error of the state in words that say what to do; what has none stays as it is. */
export function asStateError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (error instanceof CardlineError || code === '') return error;
  const found = REASONS.find(([pattern]) => pattern.test(code));
  if (!found) return error;
  const [, why, StateProblem] = found;
  return new StateProblem(`${path}: ${why} (${code}).`, { cause: error });
}
