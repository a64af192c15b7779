import type { Mode } from '../../core/mode.js';
import type { Installation } from '../../installation/installation.js';
import type { Assigned } from '../choose/assign.js';
import type { ChosenCountry } from '../choose/country.js';
import type { Column, Candidate } from '../choose/columns.js';
import type { Totals } from '../contents.js';
import type { TableSource } from '../suggestion.js';
import type { Language } from '../words.js';
import type { Lines } from './lines.js';
import type { DayOrder } from './value.js';

/** Everything that the sections of the draft are written from. */
export interface DraftContext {
  readonly lines: Lines;
  readonly assigned: readonly Assigned[];
  readonly installation: Pick<Installation, 'card' | 'clientRoles'>;
  readonly mode: Mode;
  readonly country: ChosenCountry;
  readonly language: Language;
  readonly source: TableSource;
  readonly dayOrder: DayOrder;
  /** Whether all rows of the table were looked at. */
  readonly isWhole: boolean;
  /** Rows of totals at the end of the table. */
  readonly totals: Totals | null;
  /** How many dates, or the like, a column has, in words: those of all rows, or of the sample. */
  readonly countOf: (column: Column, what: string) => string;
  /** Adds a sentence for the end: what a person should decide. */
  readonly decide: (sentence: string) => void;
  /** Adds what has to be filled in. */
  readonly fillIn: (what: string) => void;
}

/** The columns that a target has, those that are sure or those that are only likely. */
export function usesOf({ assigned }: DraftContext, target: string): Candidate[] {
  return assigned.flatMap(({ use }) => (use?.target === target ? [use] : []));
}
