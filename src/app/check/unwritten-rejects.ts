import { OutputError } from '../../report/files/output-error.js';
import type { CheckResult } from '../requests.js';

/** The rejects of a check could not be written; everything else was found out. */
export class UnwrittenRejects extends OutputError {
  constructor(
    { file, cause }: OutputError,
    readonly result: CheckResult,
  ) {
    super(file, cause);
  }
}
