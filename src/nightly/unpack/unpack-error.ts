import { CardlineError, EXIT } from '../../core/errors.js';

/** A file cannot be unpacked or decrypted. Nothing of it was sent. */
export class UnpackError extends CardlineError {
  constructor(
    message: string,
    /** Whether the file is wrong, and not this machine. */
    isOfFile: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.exitCode = isOfFile ? EXIT.usage : EXIT.stopped;
  }
  readonly exitCode: typeof EXIT.usage | typeof EXIT.stopped;
}
