/**
 * What was found out about a list beside its single rows. `doubt`: a part of it may not be what it is taken for; `note`: it
 * is not as it should be, and what it means is certain all the same.
 */
export interface ListObservation {
  readonly kind: 'doubt' | 'note';
  /** What tells it from others: it counts once, however often it is found. */
  readonly about: string;
}

/** What is to be said to the person; one with an observation says something of the list. */
export interface Warning {
  readonly message: string;
  readonly observation?: ListObservation['kind'];
}

/** What observations cost of the 100 points: each doubt its own, up to a limit, and all notes together theirs. */
export const OBSERVATION_POINTS = { doubt: 5, allDoubts: 25, notes: 1 } as const;

/** What the observations come to. */
export interface ObservationScore {
  readonly doubts: number;
  readonly notes: number;
  /** Points that they cost together. */
  readonly points: number;
}

/** `undefined` where nothing was found. */
export function observationScore(found: readonly ListObservation[]): ObservationScore | undefined {
  const all = distinct(found);
  if (all.length === 0) return undefined;
  const doubts = all.filter(({ kind }) => kind === 'doubt').length;
  const notes = all.length - doubts;
  const { doubt, allDoubts, notes: forNotes } = OBSERVATION_POINTS;
  const points = Math.min(doubts * doubt, allDoubts) + (notes > 0 ? forNotes : 0);
  return { doubts, notes, points };
}

/** Each observation once. */
export function distinct(found: readonly ListObservation[]): ListObservation[] {
  const all = new Map(found.map((one) => [JSON.stringify([one.kind, one.about]), one]));
  return [...all.values()];
}
