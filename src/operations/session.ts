import { createContactCenter, type ContactCenter } from '../client/contact-center.js';
import type { Installation } from '../installation/installation.js';
import { loadInstallation } from '../installation/load.js';
import { systemClock } from '../core/time.js';
import { withRetries, type Ask } from './with-retries.js';

export interface SessionOptions {
  /** Path of the installation file. */
  readonly installation: string;
  /** Environment for `${NAME}` in the installation's headers. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Aborted to stop at once. */
  readonly signal: AbortSignal;
}

/** One contact center, asked for single operations. */
export interface Session {
  readonly installation: Installation;
  /** Connects when it is called for the first time. */
  readonly ask: Ask;
  close(): Promise<void>;
}

/** @throws ConfigurationError when the installation is wrong; a missing variable of the environment at the first call */
export async function openSession(options: SessionOptions): Promise<Session> {
  const installation = await loadInstallation(options.installation);
  let center: ContactCenter | undefined;
  return {
    installation,
    ask: withRetries({
      center: () => (center ??= createContactCenter(installation, { env: options.env })),
      clock: systemClock,
      random: Math.random,
      signal: options.signal,
    }),
    close: async () => center?.close(),
  };
}
