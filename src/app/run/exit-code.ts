import { type CardlineError, EXIT, type ExitCode } from '../../core/errors.js';
import { GOOD_OUTCOMES, OUTCOMES } from '../../core/outcome.js';
import type { ImportResult } from '../requests.js';

/** `lacksRows`: whether some may never have been read. */
export function exitCodeFor(
  outcomes: ImportResult['summary']['outcomes'],
  lacksRows = false,
): ExitCode {
  const allWell = OUTCOMES.every(
    (outcome) => GOOD_OUTCOMES.has(outcome) || outcomes[outcome] === 0,
  );
  return allWell && !lacksRows ? EXIT.ok : EXIT.rows;
}

/** A broken input ends a run for good; everything else can be continued. */
export function exitCodeOf(stopped: CardlineError): ExitCode {
  return stopped.exitCode === EXIT.usage ? EXIT.usage : EXIT.stopped;
}
