import type { Lease } from '../lease.js';
import type { PieceLease } from './piece-lease.js';

/** A piece is taken fewer times than this: every 30 seconds, that is a year. */
const TAKINGS = 2 ** 20;

/**
 * The epoch with which a piece is handed over. A run that was taken back may be handed over again, and whoever had a
 * piece of the same number before must not be taken for its holder: each lease of the run has epochs of its own.
 */
export const firstEpoch = ({ epoch }: Lease): number => epoch * TAKINGS;

/** Whether nobody has had the piece before. */
export const isFirstTaking = ({ epoch }: PieceLease): boolean => epoch % TAKINGS === 1;
