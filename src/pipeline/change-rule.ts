import type { Inspection, AbsentClient, Change, Earlier } from '../core/center.js';
import type { Outcome } from '../core/outcome.js';

/** A client that is to be changed. `P`: what its row asks for; by default its JSON text, as batches hold it. */
export interface Subject<P = string> {
  /** JSON text. */
  readonly identifiers: string;
  readonly payload: P;
}

/** One request of several that a client may need. */
export interface Step extends Change {
  /** What the step is about, when a refusal of it has to be distinguished. */
  readonly label: string;
  /** A refusal that says that all is as wanted already. */
  readonly fulfilledBy?: RegExp | undefined;
  /** A refusal that, where an earlier request for it was lost, says that this one was carried out. */
  readonly doneBefore?: RegExp;
  /** Whether it adds a contact, which no operation takes away. */
  readonly adds?: boolean;
}

/**
 * What a lookup says of a change whose answer was lost. `done`: it took effect; `again`: it did not, and is to be sent
 * again once it cannot take effect any more, where the client has come to stand otherwise with that; `open`: it cannot
 * be reported, and why, for the person.
 */
export type Settled = 'done' | 'again' | { readonly again: Earlier } | { readonly open: string };

/** How the clients of a mode are changed. `P`: what a row of the mode asks for; by default its JSON text. */
export interface ChangeRule<P = string> {
  /** The outcome of a client that was changed. */
  readonly outcome: Outcome;
  /** The outcome of a client with which nothing had to be done. @default `outcome` */
  readonly unchanged?: Outcome;
  /**
   * Clients that share an intent. Few, where what a crash leaves in doubt cannot be distinguished. @default 25
   */
  readonly atOnce?: number;
  /** What two rows must not change at a time, and then in their order. @default the identifiers */
  readonly keys?: (subject: Subject<P>) => readonly string[];
  /**
   * Looks at a client before it is changed. Absent where a change that is sent twice does no more than once, and
   * nothing is to be kept of how it was.
   */
  readonly lookUp?: (subject: Subject<P>) => Promise<Earlier | AbsentClient>;
  /** The requests for a client, in order. */
  readonly steps: (subject: Subject<P>, earlier: Earlier) => readonly Step[];
  /**
   * The requests for a client that an earlier part of the run looked up: it may have been changed since. @default `steps`
   */
  readonly stepsInDoubt?: (subject: Subject<P>) => readonly Step[];
  /** Looks whether a lost change took effect. Absent: it is sent again, which does no more than once would. */
  readonly settle?: (subject: Subject<P>, earlier: Earlier) => Promise<Settled>;
  readonly send: (step: Step) => Promise<void>;
}

/**
 * The rule for payloads as batches hold them: as JSON text. The mapping of this run has made it, so its shape is not
 * checked again.
 */
export function onJson<P>(rule: ChangeRule<P>): ChangeRule {
  const parsed = ({ identifiers, payload }: Subject): Subject<P> => ({
    identifiers,
    payload: JSON.parse(payload) as P,
  });
  const { keys, lookUp, steps, stepsInDoubt, settle, ...rest } = rule;
  return {
    ...rest,
    steps: (subject, earlier) => steps(parsed(subject), earlier),
    ...(stepsInDoubt && { stepsInDoubt: (subject) => stepsInDoubt(parsed(subject)) }),
    ...(keys && { keys: (subject) => keys(parsed(subject)) }),
    ...(lookUp && { lookUp: (subject) => lookUp(parsed(subject)) }),
    ...(settle && { settle: (subject, earlier) => settle(parsed(subject), earlier) }),
  };
}

/** Compares a client with the contact center. It only reads. */
export type Inspect = (subject: Subject) => Promise<Inspection>;
