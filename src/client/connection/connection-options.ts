import type { Environment } from '../../files/placeholders.js';

/** Apart from the pool, whose types need those of undici and of Node: a program that imports the package may have neither. */
export interface ConnectionOptions {
  /** Address to use in place of the installation's. */
  readonly baseUrl?: string | undefined;
  /** Environment for `${NAME}` in the installation's headers and proxy. @default {} */
  readonly env?: Environment | undefined;
  /** Maximum connections at a time. @default the installation's `limits.concurrency`, else as many as requests */
  readonly connections?: number | undefined;
}
