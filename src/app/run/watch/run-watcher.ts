import type { PreparedChunk } from '../../../core/prepared.js';
import type { RunLedger } from '../../../core/ledger.js';
import type { ReadSoFar } from '../../../pipeline/failures.js';
import type { ImportState } from '../../../pipeline/import-ports.js';
import type { PausePort } from '../../../pipeline/sending.js';

/** Who looks on while a run is at work, and may hold it back. */
export interface RunWatcher {
  readonly pause: PausePort;
  /** Called when the run is open; `out`: folder of its report. */
  onRun(run: Pick<RunLedger, 'run' | 'continued'>, out: string): void;
  /** Called with each chunk before it is sent. */
  onChunk(chunk: Pick<PreparedChunk, 'problems'>): void;
  /** The ledger of the run, with an eye on the facts. */
  watched(ledger: RunLedger): RunLedger;
  /** Called while rows end; the object is one and the same each time. `counted`: rows that were counted before. */
  onState(state: ImportState, counted: ReadSoFar | undefined): void;
}
