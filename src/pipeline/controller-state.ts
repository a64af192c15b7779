/** What some requests showed that were sent at one concurrency. */
export interface Epoch {
  readonly concurrency: number;
  readonly answers: number;
  /** Requests that were turned away or had no answer in time. */
  readonly refused: number;
  /** Time of the answers, in shares of what the same requests take with little load; `null` without answers. */
  readonly slowdown: number | null;
  /** Whether there always was another request waiting: else nobody knows what more in flight would bring. */
  readonly full: boolean;
}

export interface Scored {
  readonly concurrency: number;
  readonly score: number;
}

/** Rising quickly at first; then holding, with a try at one more or one fewer now and then; or just turned down. */
export type Phase =
  | { readonly name: 'rising'; readonly last: Scored | null }
  | {
      readonly name: 'holding';
      readonly scores: readonly number[];
      /** Epochs to hold before the next try, and which way that goes. */
      readonly epochs: number;
      readonly direction: 1 | -1;
    }
  | {
      readonly name: 'trying';
      readonly from: Scored;
      readonly epochs: number;
      readonly direction: 1 | -1;
    };

export interface ConcurrencyState {
  readonly concurrency: number;
  /** How many requests may be in flight at most. */
  readonly max: number;
  readonly phase: Phase;
  /** The best score so far, and the best per request in flight: how the contact center does with little load. */
  readonly best: number;
  readonly unit: number;
  /** Share of requests that is refused whatever the concurrency. */
  readonly background: number;
  /** Where there were more refusals than that. */
  readonly ceiling: Ceiling | null;
}

/** A concurrency at which more was refused than usual, and whether that came of it. */
export interface Ceiling {
  readonly concurrency: number;
  /** Where it all began, and whether it was still rising then. */
  readonly from: number;
  readonly rising: boolean;
  readonly above: Tally;
  readonly below: Tally;
  /** Epochs to hold before it is tried again. */
  readonly patience: number;
}

/** A change of the concurrency and why. */
export interface Decision {
  readonly state: ConcurrencyState;
  /** `null`: nothing has changed. */
  readonly reason: string | null;
}

/** Epochs to hold before the first try. */
export const FIRST_HOLD = 1;
export const LONGEST_HOLD = 64;

/** Holds for so many epochs, and then tries that way. */
export const hold = (direction: 1 | -1, epochs = FIRST_HOLD): Phase => ({
  name: 'holding',
  scores: [],
  epochs,
  direction,
});

/** The concurrency that may be tried at most after holding for so many epochs. */
export function highest({ max, ceiling }: ConcurrencyState, held: number): number {
  if (!ceiling || held >= ceiling.patience) return max;
  return Math.max(1, Math.min(max, ceiling.concurrency - 1));
}

/** A decision for another concurrency, within what is permitted. */
export function change(state: ConcurrencyState, wanted: number, reason: string): Decision {
  const concurrency = Math.max(1, Math.min(wanted, state.max));
  const isOther = concurrency !== state.concurrency;
  return { state: { ...state, concurrency }, reason: isOther ? reason : null };
}

/** Requests, and how many of them were turned away or had no answer in time. */
export interface Tally {
  readonly requests: number;
  readonly refused: number;
}
