import { CardlineError, EXIT } from '../../core/errors.js';
import { NotRegularError } from '../../files/regular-file.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'there is no permission to write here',
  EPERM: 'there is no permission to write here',
  EROFS: 'the disk is read-only',
  ENOENT: 'its folder does not exist and cannot be made',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'a folder has this name',
  EEXIST: 'a file is where a folder should be',
};

/** A report or rejects file cannot be written. The run's ledger is intact: the run can be continued. */
export class OutputError extends CardlineError {
  readonly exitCode = EXIT.stopped;
  constructor(
    readonly file: string,
    cause: unknown,
  ) {
    super(`${file}: cannot be written, ${reasonOf(cause)}. Choose another folder or make room.`, {
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'for an unknown reason';
  if (cause instanceof NotRegularError) return cause.message;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  return (code === undefined ? undefined : REASONS[code]) ?? code ?? cause.message;
}
