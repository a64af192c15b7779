import { PLACEHOLDERS } from '../words/values.js';
import { KINDS, type Kind } from './kinds.js';

/** What the cells of a column hold, over the rows that were looked at. */
export interface Profile {
  /** Cells that hold something, placeholders such as `n/a` left out. */
  readonly filled: number;
  readonly rows: number;
  /** Distinct values with how often they occur, in the order of the file. */
  readonly values: ReadonlyMap<string, number>;
  /** Placeholders that occur. */
  readonly placeholders: readonly string[];
  /** Share of the filled cells that look like this; 0 where none is filled. */
  readonly share: (kind: Kind) => number;
  /** Share of the filled cells for which this holds. */
  readonly shareOf: (holds: (text: string) => boolean) => number;
}

/** What is to be known of one column. Kinds are counted when they are first asked for. */
export function profileOf(cells: readonly (string | null)[]): Profile {
  const values = new Map<string, number>();
  const placeholders = new Set<string>();
  let filled = 0;
  for (const cell of cells) {
    const text = cell?.trim() ?? '';
    if (text === '') continue;
    if (PLACEHOLDERS.has(text.toLowerCase())) placeholders.add(text);
    else {
      filled++;
      values.set(text, (values.get(text) ?? 0) + 1);
    }
  }
  const own = withOnlyAnswers(values, placeholders, cells);
  return finished(own.values, own.filled ?? filled, cells.length, own.placeholders);
}

/** A column of yes and `нет` has an answer there, and no placeholder. */
function withOnlyAnswers(
  values: Map<string, number>,
  placeholders: ReadonlySet<string>,
  cells: readonly (string | null)[],
): { values: Map<string, number>; placeholders: string[]; filled?: number } {
  const all = new Map<string, number>();
  if (values.size <= 2 && values.size + placeholders.size <= 4 && placeholders.size > 0) {
    for (const cell of cells) {
      const text = cell?.trim() ?? '';
      if (text !== '') all.set(text, (all.get(text) ?? 0) + 1);
    }
    if ([...all.keys()].every(KINDS.yesNo))
      return {
        values: all,
        placeholders: [],
        filled: [...all.values()].reduce((a, b) => a + b, 0),
      };
  }
  return { values, placeholders: [...placeholders] };
}

function finished(
  values: ReadonlyMap<string, number>,
  filled: number,
  rows: number,
  placeholders: readonly string[],
): Profile {
  const shareOf = (holds: (text: string) => boolean): number => {
    if (filled === 0) return 0;
    let count = 0;
    for (const [text, times] of values) if (holds(text)) count += times;
    return count / filled;
  };
  const known = new Map<Kind, number>();
  return {
    ...{ values, filled, rows, placeholders, shareOf },
    share: (kind) => {
      const share = known.get(kind) ?? shareOf(KINDS[kind]);
      known.set(kind, share);
      return share;
    },
  };
}
