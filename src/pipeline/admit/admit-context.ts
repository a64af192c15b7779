import type { PreparedClients } from '../../core/prepared.js';
import type { KnownRows } from '../../core/duplicates.js';
import type { Fact } from '../../core/facts.js';
import type { RunLedger } from '../../core/ledger.js';
import type { RunMode } from '../../core/mode.js';
import type { Outcome } from '../../core/outcome.js';
import type { BatchLimits } from '../batch/batch.js';
import type { OpenStage } from '../execute-batch.js';
import type { Screen } from './screen.js';

/** What admitting the rows of a run needs. */
export interface AdmitContext extends Screen {
  readonly ledger: RunLedger;
  readonly mode: RunMode;
  readonly limits: BatchLimits;
  /** Whether clients are added to a campaign. */
  readonly campaign: boolean;
  /** Whether clients travel together in a request; else each has requests of its own. */
  readonly together: boolean;
  /** The stage of a row that may have been sent, although nothing of it is on record. */
  readonly unsure: OpenStage;
  /** Whether the mode can look up what became of a change. */
  readonly settles: boolean;
  /** What earlier runs did with the rows; absent where nobody asks. */
  readonly known?: KnownRows | undefined;
  /** Whether others send what is on record already, and record what becomes of it. @default false */
  readonly isForOthers?: boolean;
  readonly onOutcome: (outcome: Outcome, count: number, earlier?: boolean) => void;
  /** Called with the clients that go on, before they are put on record. */
  readonly onPassed?: ((passed: readonly number[]) => void) | undefined;
  /** Called with clients of an earlier part of the run, with its facts. */
  readonly onContinued?:
    | ((clients: PreparedClients, members: readonly number[], facts: readonly Fact[]) => void)
    | undefined;
}
