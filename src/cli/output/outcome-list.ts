import { UsageError } from '../../core/errors.js';
import { type Outcome, OUTCOMES } from '../../core/outcome.js';
import { nearest } from '../../config/nearest.js';

/** Reads outcomes with commas between them. @throws UsageError for one that there is not. */
export function outcomeList(value: unknown): Outcome[] {
  return [
    ...new Set(
      String(value)
        .split(',')
        .map((word) => outcomeNamed(word.trim())),
    ),
  ];
}

function outcomeNamed(word: string): Outcome {
  const found = OUTCOMES.find((outcome) => outcome === word.toLowerCase());
  if (found) return found;
  const near = nearest(word, OUTCOMES);
  throw new UsageError(
    `--outcome: there is no outcome "${word}".${near === undefined ? '' : ` Did you mean ${near}?`} There is: ${OUTCOMES.join(', ')}.`,
  );
}
