/** What becomes of a row with a number on a list: the number is left out, or the whole row. */
export const SCOPES = ['phone', 'row'] as const;
export type Scope = (typeof SCOPES)[number];

/** A list of numbers that must not be called. */
export interface SuppressionList {
  readonly name: string;
  readonly scope: Scope;
  /** Whether a number is on it: E.164 without the plus. */
  has(number: number): boolean;
}

/** The lists that a number is on. */
export interface Listed {
  readonly names: readonly string[];
  /** `row` where one of them leaves out whole rows. */
  readonly scope: Scope;
}

/** All lists of numbers that must not be called. */
export class Suppression {
  constructor(private readonly lists: readonly SuppressionList[]) {}

  /** The lists that a number is on, E.164 without the plus; `null` where it is on none. */
  check(number: number): Listed | null {
    let names: string[] | null = null;
    let scope: Scope = 'phone';
    for (const list of this.lists) {
      if (!list.has(number)) continue;
      (names ??= []).push(list.name);
      if (list.scope === 'row') scope = 'row';
    }
    return names && { names, scope };
  }
}
