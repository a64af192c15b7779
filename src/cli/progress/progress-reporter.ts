import type { Progress } from '../../core/report.js';

/** Shows the person where the work stands, on stderr. */
export interface ProgressReporter {
  readonly update: (progress: Progress) => void;
  /** A line that stays. */
  readonly note: (text: string) => void;
  /** Ends the showing; what was drawn goes away. May be called again. */
  readonly stop: () => void;
}
