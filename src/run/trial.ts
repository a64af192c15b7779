import { InputError } from '../core/errors.js';
import { PartFilter, type RowPart, type SourceOptions } from '../core/table.js';
import { openWithinLimits } from '../prepare/inputs/open.js';
import type { InputFile, OpenedInput } from '../prepare/plan.js';

/** Rows after which nobody needs to know how many more there are: counting them takes longer than the trial. */
const MAX_ROWS = 1_000_000;

/** What a trial has read of its inputs, and what it has left. */
export interface Trial {
  /** Data rows that it was about. */
  readonly rows: number;
  /** Number of the first and the last of them, in the input where they stand; `null` where there are none. */
  readonly first: number | null;
  readonly last: number | null;
  /** Data rows that were left out. */
  readonly left: number;
  /** Whether there may be more of them. */
  readonly hasMore: boolean;
}

/** Whether a trial was about all rows there are. */
export const isWhole = ({ rows, left, hasMore }: Trial): boolean =>
  rows > 0 && left === 0 && !hasMore;

interface TrialRequest {
  readonly files: readonly InputFile[];
  readonly inputs: readonly Pick<OpenedInput, 'headerRow' | 'sheet' | 'furtherHeaders'>[];
  readonly source: SourceOptions;
  readonly part: RowPart;
  readonly signal?: AbortSignal | undefined;
}

/** Counts the rows of a trial, and those that it has left. A file that breaks off after them is none of its concern. */
export async function countTrial(request: TrialRequest): Promise<Trial> {
  const { files, inputs, source, part, signal } = request;
  const filter = new PartFilter(part);
  const found = { first: null as number | null, last: null as number | null, all: 0 };
  let hasMore = false;
  for (const [index, { path }] of files.entries()) {
    const input = inputs[index];
    if (!input) continue;
    try {
      for await (const batch of (await openWithinLimits(path, source)).batches()) {
        for (const { row, sheet } of batch) {
          const header =
            sheet === input.sheet ? input.headerRow : (input.furtherHeaders.get(sheet ?? '') ?? 0);
          if (row <= header) continue;
          found.all++;
          if (!filter.takes(row)) continue;
          found.first ??= row;
          found.last = row;
        }
        hasMore = found.all >= MAX_ROWS || signal?.aborted === true;
        if (hasMore) break;
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      hasMore = true;
    }
    if (hasMore) break;
  }
  const { all, first, last } = found;
  return { rows: filter.taken, first, last, left: all - filter.taken, hasMore };
}
