import type { Problem } from '../problem.js';

/** Rows of a comparison that are not alone with their client. */
export interface Repeated {
  /** Rows whose synchronization identifiers stand in an earlier row, too. */
  readonly identifiers: number;
  /** Rows with identifiers of their own that belong to the card of an earlier row. */
  readonly cards: number;
}

/** Code of the problem of a row that is held back, since it has the identifiers of an earlier one. */
export const DUPLICATE = 'duplicate';
/** The same of a row that is not held back. */
export const REPEATED_IDENTIFIERS = 'repeated_identifiers';
/** Code of the problem of a row that comes to the card of an earlier one. */
export const SHARED_CARD = 'shared_card';

const KINDS = new Map<string, keyof Repeated>([
  [DUPLICATE, 'identifiers'],
  [REPEATED_IDENTIFIERS, 'identifiers'],
  [SHARED_CARD, 'cards'],
]);

/** What there is to know of a row for this. */
interface WithProblems {
  readonly problems: readonly Problem[];
}

/** Whether a row repeats the identifiers of an earlier one, or comes to its card; `null`: neither. */
export function repeatOf({ problems }: WithProblems): keyof Repeated | null {
  for (const { code } of problems) {
    const kind = KINDS.get(code);
    if (kind) return kind;
  }
  return null;
}

/** Counts rows that repeat others as they go by. */
export class RepeatTally {
  private readonly counts = { identifiers: 0, cards: 0 };

  add(row: WithProblems): void {
    const kind = repeatOf(row);
    if (kind) this.counts[kind]++;
  }

  get repeated(): Repeated {
    return { ...this.counts };
  }
}
