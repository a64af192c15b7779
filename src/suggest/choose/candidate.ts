import type { PhoneType, Target } from '../suggestion.js';
import type { Concept } from '../words/concepts.js';
import type { Column } from './columns.js';

/** One way to use a column. */
export interface Candidate {
  readonly column: Column;
  readonly target: Target;
  readonly score: number;
  readonly why: string;
  readonly phoneType?: PhoneType;
  /** What it is of a name or an address that several columns make up. */
  readonly part?: Concept;
  /** Columns of one address have one group. */
  readonly group?: string;
  readonly addressType?: 'HOME' | 'WORK';
}

/** A share for a person, rounded down: only all of them are 100 %. */
export const percent = (share: number): string => `${Math.floor(share * 100)} %`;
