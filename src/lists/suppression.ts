import type { Listed, NumberCheck, Scope } from '../core/problem.js';

/** A list of numbers that must not be called. */
interface SuppressionList {
  readonly name: string;
  readonly scope: Scope;
  /** Whether a number is on it: E.164 without the plus. */
  has(number: number): boolean;
}

/** All lists of numbers that must not be called. */
export class Suppression implements NumberCheck {
  constructor(private readonly lists: readonly SuppressionList[]) {}

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
