import { CardlineError, EXIT } from '../../core/errors/errors.js';

/** A file cannot be unpacked or decrypted. Nothing of it was sent. */
export class UnpackError extends CardlineError {
  constructor(
    message: string,
    /** Whether it is the file's own fault, and not one of this machine. */
    isOfFile: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.exitCode = isOfFile ? EXIT.usage : EXIT.stopped;
  }
  readonly exitCode: typeof EXIT.usage | typeof EXIT.stopped;
}
