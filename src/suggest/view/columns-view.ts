import type { ConfigMistake } from '../../core/errors.js';
import type { FieldType } from '../../installation/installation.js';
import type { Problem } from '../../core/problem.js';
import type { Path } from '../../config/document.js';
import type { MappingEdit, ValueKeys } from '../../mapping/edit/edit.js';
import type { ColumnTarget } from '../../mapping/edit/places.js';
import type { TransformName } from '../../mapping/transforms/registry.js';
import type { PhoneType } from '../suggestion.js';

/** A mapping over the columns of a file, for a person. */
export type ColumnsView =
  /** The text is no YAML: what is wrong, with its lines. */
  | { readonly kind: 'broken'; readonly mistakes: readonly ConfigMistake[] }
  | {
      readonly kind: 'columns';
      readonly columns: readonly ColumnView[];
      /** What a client must have and nothing fills. */
      readonly missing: readonly MissingTarget[];
      /** What a column may become, for a list that can be searched. */
      readonly targets: readonly TargetChoice[];
      /** What is wrong with the mapping, each with its line; empty where it can be used. */
      readonly mistakes: readonly ConfigMistake[];
      /** The first rows as they would be sent; none as long as something is missing or wrong. */
      readonly cards: readonly CardView[];
      /** Rows that were looked at. */
      readonly sampled: number;
      /** Rows of the file, where they are known. */
      readonly rows: number | null;
      /** How many of the first rows those are from that were looked at; `null`: they are from the whole file. */
      readonly beginning: number | null;
    };

/** One column of the file. */
export interface ColumnView {
  readonly index: number;
  readonly header: string;
  /** Cells that hold something. */
  readonly filled: number;
  /** Values that differ. */
  readonly distinct: number;
  /** The most frequent values where few differ, else the first ones. */
  readonly examples: readonly ValueCount[];
  /** What the mapping makes of it; empty: it is not imported. */
  readonly uses: readonly UseView[];
  readonly suggested: SuggestedUse;
}

export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

/** A value of the mapping that a column is part of. */
export interface UseView {
  readonly target: ColumnTarget;
  /** Its place, for edits. */
  readonly at: Path;
  /** All columns that it is made of, this one included. */
  readonly columns: readonly string[];
  readonly phoneType: string | null;
  readonly steps: readonly StepView[];
  /** Pairs of its map, each with how often the value occurs. */
  readonly map: readonly MapPair[];
  /** Words that count as an empty cell. */
  readonly blank: readonly string[];
  readonly invalid: 'reject' | 'drop';
  readonly required: boolean;
  readonly default: string | null;
  /** How many of the cells that were looked at can be used; `null` where the value cannot be tried. */
  readonly good: GoodMessage | null;
  /** What is wrong with the others, the most frequent first. */
  readonly problems: readonly UseProblem[];
}

/** A transform, with its options as they are written. */
export interface StepView {
  readonly name: TransformName;
  /** Absent: it is written as a bare name. */
  readonly options: unknown;
}

export interface MapPair {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

interface UseProblem {
  /** As in reports, such as `not_a_phone`. */
  readonly code: string;
  /** In English. */
  readonly message: string;
  readonly count: number;
  /** The most frequent values that have it. */
  readonly values: readonly ValueCount[];
}

/** What `suggest` says of a column. */
interface SuggestedUse {
  readonly target: ColumnTarget | null;
  readonly phoneType: PhoneType | null;
  /** From 0 to 1. */
  readonly score: number;
  /** In English. */
  readonly why: string;
  /** What stands beside the column there: transforms, a map, words for empty cells. */
  readonly keys: ValueKeys;
}

/** A row as it would be sent. Numbers that must not be called are still in it. */
export interface CardView {
  /** As a spreadsheet program shows it. */
  readonly row: number;
  /** Identifiers first; empty for a row that becomes nothing. */
  readonly parts: readonly CardPart[];
  /** Why it becomes nothing. */
  readonly problems: readonly Pick<Problem, 'column' | 'code' | 'message'>[];
}

export interface CardPart {
  /** What a column becomes to fill it, or what the interface calls it. */
  readonly target: string;
  readonly text: string;
  /** Type and marks of a contact, such as `MOB` and `active: false`. */
  readonly marks: readonly string[];
}

/** What a client must have, and what is proposed for it. */
export interface MissingTarget {
  readonly target: ColumnTarget;
  /** Whether it is a synchronization identifier. */
  readonly isIdentifier: boolean;
  /** Columns that are proposed, such as a surname and a first name; empty where nothing is like it. */
  readonly columns: readonly string[];
  /** The edits that do it, in order; empty where nothing is proposed. */
  readonly edits: readonly MappingEdit[];
}

/** One thing that a column may become. */
export interface TargetChoice {
  readonly target: ColumnTarget;
  /** Name of the card field and what people call it; `null` for parts that every client has. */
  readonly name: string | null;
  readonly title: string | null;
  readonly aliases: readonly string[];
  readonly type: FieldType | null;
  /** Values that are allowed; empty: any. */
  readonly values: readonly string[];
  readonly isRequired: boolean;
  readonly isIdentifier: boolean;
  /** Columns that fill it now. */
  readonly columns: readonly string[];
  /** What all rows have where no column fills it; `null`: nothing, or it is found in another way. */
  readonly constant: string | null;
  /** Whether the mapping says something of it. */
  readonly isFilled: boolean;
}

/** What the view of columns says in words of its own, by code, with what the words need. */
interface ViewMessages {
  /** `47,902 of 48,231 are valid numbers`, by what the value becomes. */
  readonly good_phones: Counted;
  readonly good_emails: Counted;
  readonly good_numbers: Counted;
  readonly good_dates: Counted;
  readonly good_values: Counted;
}

interface Counted {
  readonly good: number;
  readonly filled: number;
}

/** How many of the cells that were looked at can be used: a code with what its words need, for a page in any language. */
export type GoodMessage = {
  [Code in keyof ViewMessages]: { readonly code: Code; readonly params: ViewMessages[Code] };
}[keyof ViewMessages];
