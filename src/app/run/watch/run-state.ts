import type { OutcomeCounts } from '../../../core/outcome.js';
import type { RowTotal } from '../../../pipeline/failures.js';
import type { RecentReason } from './recent-reasons.js';

/** Where a run stands. It holds no personal data but what the contact center puts into its words. */
export interface RunState {
  /**
   * `pausing`, `stopping`: nothing new is sent, and requests in flight are waited for; `stopped`: it can be continued;
   * `failed`: it did not begin, or met an internal error.
   */
  readonly phase:
    'opening' | 'sending' | 'pausing' | 'paused' | 'stopping' | 'finished' | 'stopped' | 'failed';
  /** Its id; `null` before it is open. */
  readonly run: string | null;
  /** Whether it goes on with what an earlier process began. */
  readonly isContinued: boolean;
  /** Folder of its report. */
  readonly out: string | null;
  /** Rows that have ended. */
  readonly rows: number;
  readonly outcomes: OutcomeCounts;
  /** Rows that have been read and have not ended. */
  readonly waiting: number;
  /** Rows of the input; `null` before the first one is read. */
  readonly total: RowTotal | null;
  /** Share of all rows that has ended, 0 to 1. */
  readonly share: number;
  readonly seconds: number;
  /** Rows that ended in a second, of late; 0 while the run is paused. */
  readonly rowsPerSecond: number;
  /** Estimated; `null` as long as nothing can be said. */
  readonly secondsLeft: number | null;
  readonly requests: number;
  readonly retries: number;
  /** Requests that have left and are not answered yet. */
  readonly inFlight: number;
  /** Why rows did not end well, in this process: at most 20, the latest first. */
  readonly reasons: readonly RecentReason[];
  /** What was said to the person, at most the last 20. */
  readonly warnings: readonly string[];
}
