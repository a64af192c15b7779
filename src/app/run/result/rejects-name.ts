import { join } from 'node:path';
import type { OpenedInput } from '../../../prepare/plan.js';
import { traitsOf } from '../../../source/formats.js';

/** Path of the rejects of an input: `rejects.csv`, or `rejects-1.csv`, `rejects-2.xlsx`, … for several inputs. */
export function rejectsPath(out: string, input: OpenedInput, index: number, count: number): string {
  const number = count > 1 ? `-${index + 1}` : '';
  return join(out, `rejects${number}.${traitsOf(input.info.format).rejects}`);
}
