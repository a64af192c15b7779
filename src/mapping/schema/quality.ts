import { z } from 'zod';
import { QUALITY_PARTS, type QualityPart } from '../../core/quality-parts.js';

const weight = z.number().min(0).max(100).optional();

const weights = z.strictObject({
  phones: weightOf('phones'),
  unique: weightOf('unique'),
  suppressed: weightOf('suppressed'),
  zone: weightOf('zone'),
  fresh: weightOf('fresh'),
  complete: weightOf('complete'),
} satisfies Record<QualityPart, z.ZodType>);

function weightOf(part: QualityPart) {
  const { meaning, weight: usual } = QUALITY_PARTS[part];
  return weight.describe(`${meaning} Default: ${usual}.`);
}

/** How the score of a list is made up. */
export const quality = z
  .strictObject({
    weights: weights.describe(
      'What each part counts for, in relation to the others; 0: not at all.',
    ),
  })
  .describe('How the score of the list, from 0 to 100, is made up.');
