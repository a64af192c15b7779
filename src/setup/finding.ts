import type { EXIT } from '../core/errors.js';

/** What is checked before an import, in the order in which the checks depend on each other. */
export const CHECKS = [
  'installation',
  'mapping',
  'file',
  'ledger',
  'disk',
  'environment',
  'limits',
  'hours',
  'address',
  'connection',
  'path',
  'credentials',
  'clock',
  'campaign',
] as const;

export type CheckName = (typeof CHECKS)[number];

/** Whose it is to do something: the person's, whose files are wrong, or the contact center's and the machine's. */
type FailureCode = typeof EXIT.usage | typeof EXIT.stopped;

/** What one check came to. */
export type Diagnosis =
  | {
      /** `warning`: an import would go on, but somebody should know. */
      readonly state: 'ok' | 'warning';
      readonly text: string;
    }
  | { readonly state: 'failed'; readonly text: string; readonly exitCode: FailureCode };

/** What is reported of one check. */
export interface Finding {
  readonly check: CheckName;
  /** `skipped`: it could not be made, because an earlier one failed. */
  readonly state: Diagnosis['state'] | 'skipped';
  /** What was found, and what to do. For a person; holds no credentials and no data of clients. */
  readonly text: string;
}

export const ok = (text: string): Diagnosis => ({ state: 'ok', text });

export const warning = (text: string): Diagnosis => ({ state: 'warning', text });

export const failed = (text: string, exitCode: FailureCode): Diagnosis => ({
  ...{ state: 'failed', text, exitCode },
});
