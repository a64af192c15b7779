import { createHash } from 'node:crypto';
import type { Corrections } from '../../core/table.js';

/** The same for corrections that make the same rows, in whatever order their lines stand. */
export function correctionsDigest({ cells }: Corrections): string {
  const texts = cells
    .map(({ input, sheet, row, column, becomes }) =>
      JSON.stringify([input, sheet, row, column, becomes]),
    )
    .sort();
  return createHash('sha256').update(texts.join('\n')).digest('hex');
}
