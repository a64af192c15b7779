import { type ContactCenterError, RefusedError } from '../../core/errors.js';
import { type StatusMeaning, isServerError, meaningOf } from '../../core/errors.js';

/** Refusals of a batch that may be due to some of its clients only. */
const MAY_BE_SOME: ReadonlySet<StatusMeaning> = new Set(['invalid', 'too_large']);

/** An error of the server itself, in the interface's form or not: not a lost answer, which says nothing of a client. */
export function isFailureOfServer(error: ContactCenterError): boolean {
  if (error instanceof RefusedError) return isServerError(error.status);
  return error.status !== undefined && meaningOf(error.status) === 'failed';
}

/**
 * Whether the contact center's work on a request that failed has surely ended: who answers in the interface's own form
 * is the application itself. Before a gateway, or a server that gave its application up, it may go on.
 */
export function hasEnded(error: ContactCenterError): boolean {
  return error instanceof RefusedError;
}

/** Clients that are to be sent together. */
export interface Piece {
  readonly members: readonly number[];
  /** Sent again as it is after a server error, which may have been a passing one. */
  readonly again?: boolean;
}

/**
 * What to do about a piece that was refused whole: send these pieces in its place, or, when there are none, take the
 * refusal for each client's own. Halving finds one bad client among n with about 2 log2(n) requests.
 */
export function piecesAfterRefusal({ members, again }: Piece, status: number | undefined): Piece[] {
  const mayBeSome = status !== undefined && MAY_BE_SOME.has(meaningOf(status));
  if (!isServerError(status)) {
    if (!mayBeSome) return [];
  } else if (!again) return [{ members, again: true }];
  if (members.length === 1) return [];
  const middle = Math.ceil(members.length / 2);
  const halves = [members.slice(0, middle), members.slice(middle)];
  // What was tried again need not be once more as a half, until it comes to the single client.
  return halves.map((half) => ({ members: half, again: again === true && half.length > 1 }));
}

/** What is left of a refused piece goes again as it is: the refusal was not of these clients alone. */
export function piecesAfterLookup(absent: readonly number[]): Piece[] {
  return absent.length > 0 ? [{ members: absent, again: absent.length > 1 }] : [];
}
