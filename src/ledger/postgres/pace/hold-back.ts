import type { Beat, HoldBack } from './pace-state.js';

/** Longest time for which one answer holds everybody back, in milliseconds. */
const LONGEST_MS = 60_000;
/** After a change, what follows from it has to be seen first, in milliseconds. */
const SETTLE_MS = 1000;
/** Answers without which nothing is concluded. */
const ENOUGH = 5;
/** A contact center that refuses more than this share is asked less. */
const TOO_MANY = 0.2;
const [DOWN, UP, MIN_SHARE] = [0.7, 1.15, 0.05];

/** What a member's answers bring about for all: a pause where it was asked for, a slower pace where much is refused. */
export function heldBack(state: HoldBack, beat: Beat, now: number): HoldBack {
  const asked = Math.min(beat.retryAfterMs, LONGEST_MS);
  const seen = {
    ...state,
    until: asked > 0 ? Math.max(state.until, now + asked) : state.until,
    answers: state.answers + beat.answers,
    refused: state.refused + beat.refused,
  };
  if (now - seen.changed < SETTLE_MS || seen.answers < ENOUGH) return seen;
  const isTooMuch = seen.refused > seen.answers * TOO_MANY;
  const share = isTooMuch ? Math.max(MIN_SHARE, seen.share * DOWN) : Math.min(1, seen.share * UP);
  return { until: seen.until, share, changed: now, answers: 0, refused: 0 };
}
