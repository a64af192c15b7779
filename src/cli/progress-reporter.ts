import type { Progress } from '../core/report.js';

/** Shows the person where the work stands, on stderr. */
export interface ProgressReporter {
  update(progress: Progress): void;
  /** A line that stays. */
  note(text: string): void;
  /** Ends the showing; what was drawn goes away. */
  stop(): void;
}
