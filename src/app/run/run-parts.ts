import type { RunIdentity } from '../../core/ledger.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Connection } from '../connect/connect.js';
import type { Content } from '../repeats/content.js';

/** What a run needs beside its request and its plan. */
export interface RunParts {
  readonly ledger: Ledger;
  readonly identity: RunIdentity;
  /** What the inputs hold, where the identity may not know it yet. */
  readonly content?: Content;
  /** Whatever is needed to begin the run again without its command. */
  readonly settings: object;
  readonly connection: Connection;
  /** Requests that were made before the run began. */
  readonly before: () => number;
}
