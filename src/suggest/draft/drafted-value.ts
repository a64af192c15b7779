import type { Plain } from '../../config/yaml-text.js';

/** A value of the mapping, with what a person should know of it. */
export interface DraftedValue {
  /** Keys beside the column: `transform`, `map`, … */
  readonly keys: Readonly<Record<string, Plain>>;
  /** Values of the column that the map lacks. */
  readonly unknown?: ReadonlyMap<string, number>;
  /** What only a person can decide. */
  readonly decision?: Decision;
  readonly note?: string;
  /** Cells that the transform rejects, and what they should be. */
  readonly odd?: { readonly count: number; readonly what: string };
}

/** Two ways to read a column, between which its cells do not decide. */
export interface Decision {
  readonly sentence: string;
  readonly choices: readonly {
    readonly note: string;
    readonly keys: Readonly<Record<string, Plain>>;
  }[];
}

export const plainValue: DraftedValue = { keys: {} };
