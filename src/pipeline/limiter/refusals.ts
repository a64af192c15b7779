/** Requests, and how many of them were turned away or had no answer in time. */
export interface Tally {
  readonly requests: number;
  readonly refused: number;
}

export const NOTHING: Tally = { requests: 0, refused: 0 };

/** Of more than this share of refusals, none is taken for chance. */
export const MAX_BACKGROUND = 0.5;
/** How far above the usual share chance may take refusals, in standard deviations. */
const SIGMAS = 3;
/** Fewer refusals than these are never more than usual where some are usual. */
const CLUSTER = 4;
/** For how many requests the usual share of refusals stands. */
const USUAL = 30;
/** How far two shares may differ by chance, in standard deviations. */
const LIKELY = 1.3;

export const shareOf = ({ requests, refused }: Tally): number =>
  requests === 0 ? 0 : refused / requests;

export const sumOf = (one: Tally, other: Tally): Tally => ({
  requests: one.requests + other.requests,
  refused: one.refused + other.refused,
});

/** Whether more were refused than chance makes of the usual share. */
export function isMoreThanUsual({ requests, refused }: Tally, usualShare: number): boolean {
  const usual = usualShare * requests;
  const isMore = refused > usual + SIGMAS * Math.sqrt(usual);
  return isMore && (usualShare === 0 || refused >= CLUSTER);
}

/** The share of refusals that is most likely: few requests say little against what is usual. */
export function likelyShare({ requests, refused }: Tally, usualShare: number): number {
  return (refused + usualShare * USUAL) / (requests + USUAL);
}

/** Whether one share falls short of the other by no more than chance makes likely. */
export function isAsOften(one: Tally, other: Tally): boolean {
  const both = shareOf(sumOf(one, other));
  const deviation = Math.sqrt(both * (1 - both) * (1 / one.requests + 1 / other.requests));
  return shareOf(one) <= MAX_BACKGROUND && shareOf(other) - shareOf(one) <= LIKELY * deviation;
}
