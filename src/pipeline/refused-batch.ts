/** Statuses of a refusal that may be the fault of some of a batch's clients. */
const MAY_BE_SOME: ReadonlySet<number> = new Set([400, 413, 422, 500]);
const SERVER_ERROR = 500;
export const TOO_LARGE = 413;

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
  if (status === undefined || !MAY_BE_SOME.has(status)) return [];
  if (status === SERVER_ERROR && !again) return [{ members, again: true }];
  if (members.length === 1) return [];
  const middle = Math.ceil(members.length / 2);
  // A half of a piece that was tried again need not be tried again itself.
  const half = { again: again ?? false };
  return [
    { members: members.slice(0, middle), ...half },
    { members: members.slice(middle), ...half },
  ];
}
