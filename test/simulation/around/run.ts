import type { CardlineError } from '../../../src/core/errors.js';
import type { RunIdentity } from '../../../src/core/ledger.js';
import type { Mode, RunMode } from '../../../src/core/outcome.js';
import type { RowReport } from '../../../src/core/report.js';
import type { Row } from './rows.js';
import type { Version } from './story.js';

export const FILE = '/leads.csv';

/** An import as a person asks for it. */
export interface ImportCommand {
  readonly kind: 'import';
  readonly mode: Mode;
  readonly version: Version;
  readonly campaignId: number | null;
  readonly again: boolean;
}

interface UndoCommand {
  readonly kind: 'undo';
  readonly undoes: string;
}

export type Command = ImportCommand | UndoCommand;

/** What is known of a run from the command that began it, for whoever checks what it says. */
export interface BegunRun {
  readonly id: string;
  readonly command: Command;
  readonly identity: RunIdentity;
  /** Rows of its file; of an undo those of the run that is taken back. */
  readonly rows: readonly Row[];
  readonly mode: RunMode;
  readonly campaignId: number | null;
}

/** What the reports of a run say at its end. */
export interface Report {
  readonly rows: readonly RowReport[];
  readonly state: 'finished' | 'open' | 'stopped';
  readonly stopped?: CardlineError | undefined;
  readonly waiting: number;
}
