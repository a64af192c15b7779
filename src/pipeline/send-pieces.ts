import type { LostRequest } from './settle/settle-schedule.js';
import type { Piece } from './sending/refused-batch.js';

/** What the request for a piece of a batch came to. */
export interface SentPiece<P extends Piece> {
  /** Members of which it is not known what became of them. */
  readonly unknown: readonly number[];
  /** The request that leaves them open, where it matters. */
  readonly lost?: LostRequest;
  /** Pieces to send in place of this one. */
  readonly pieces: readonly P[];
}

/**
 * Sends a piece of a batch, and what it is split into, until nothing is left. Resolves with the members of which it is
 * not known what became of them, and with the requests that leave them open.
 */
export async function sendPieces<P extends Piece>(
  whole: P,
  send: (piece: P) => Promise<SentPiece<P>>,
): Promise<{ readonly unknown: readonly number[]; readonly lost: readonly LostRequest[] }> {
  const unknown: number[] = [];
  const lost: LostRequest[] = [];
  const pieces = [whole];
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    const sent = await send(piece);
    unknown.push(...sent.unknown);
    if (sent.lost) lost.push(sent.lost);
    pieces.push(...sent.pieces);
  }
  return { unknown, lost };
}
