import type { Problem } from '../../../core/problem.js';
import { FrequentValues, type ValueCount } from './frequent-values.js';

/** Rows that are rejected for the same reason. A row with several problems is in several groups. */
export interface ProblemGroup {
  /** Its number among the groups of a check, in the order of their first rows. */
  readonly id: number;
  /** Header of the column, or of several with commas; `null` where the whole row is meant. */
  readonly column: string | null;
  /** Code of the problem; `null` for the group that has what is too much for groups of its own. */
  readonly code: string | null;
  /** In the words for its first row. */
  readonly message: string;
  readonly rows: number;
  /** Rows in which nothing else is wrong. */
  readonly alone: number;
  /** The most frequent values, at most 20. Personal data. */
  readonly values: readonly ValueCount[];
  readonly hasMoreValues: boolean;
}

interface Group extends Omit<ProblemGroup, 'rows' | 'alone' | 'values' | 'hasMoreValues'> {
  rows: number;
  alone: number;
  readonly values: FrequentValues;
}

/** Groups of their own; more come of a file that was read in a wrong way. */
const MAX_GROUPS = 500;
/** Values that are counted: many in the first groups, which are those of nearly every mapping. */
const MAX_VALUES = { usual: 500, further: 50 } as const;
const USUAL_GROUPS = 50;
const SHOWN_VALUES = 20;

const OTHERS = 'Further problems, of too many different kinds to be told apart.';

/** Groups the problems of rejected rows. Memory does not grow with their number. */
export class ProblemGroups {
  readonly #groups = new Map<string, Group>();
  readonly #byId: Group[] = [];

  /** Counts the problems of a row; returns the ids of its groups, each once, in the order of the problems. */
  add(problems: readonly Problem[]): number[] {
    const found = new Map<Group, Problem>();
    for (const problem of problems) {
      const group = this.#groupOf(problem);
      if (!found.has(group)) found.set(group, problem);
    }
    for (const [group, { value }] of found) {
      group.rows++;
      if (found.size === 1) group.alone++;
      if (value !== null) group.values.add(value, found.size === 1);
    }
    return [...found.keys()].map(({ id }) => id);
  }

  get(id: number): ProblemGroup | undefined {
    const group = this.#byId[id];
    return group && shown(group);
  }

  /** How often a value occurs in a group. */
  value(id: number, value: string): ValueCount | undefined {
    return this.#byId[id]?.values.get(value);
  }

  /** The largest first; equally large ones in the order of their first rows. */
  list(): ProblemGroup[] {
    return this.#byId.map(shown).sort((a, b) => b.rows - a.rows);
  }

  #groupOf({ column, code, message }: Problem): Group {
    const found = this.#groups.get(keyOf(column, code));
    if (found) return found;
    return this.#byId.length < MAX_GROUPS
      ? this.#begin(column, code, message)
      : (this.#groups.get(keyOf(null, null)) ?? this.#begin(null, null, OTHERS));
  }

  #begin(column: string | null, code: string | null, message: string): Group {
    const id = this.#byId.length;
    const max = id < USUAL_GROUPS ? MAX_VALUES.usual : MAX_VALUES.further;
    const group = { id, column, code, message, rows: 0, alone: 0, values: new FrequentValues(max) };
    this.#groups.set(keyOf(column, code), group);
    this.#byId.push(group);
    return group;
  }
}

const keyOf = (column: string | null, code: string | null): string =>
  JSON.stringify([column, code]);

const shown = ({ values, ...group }: Group): ProblemGroup => ({
  ...group,
  values: values.top(SHOWN_VALUES),
  hasMoreValues: values.hasMoreThan(SHOWN_VALUES),
});
