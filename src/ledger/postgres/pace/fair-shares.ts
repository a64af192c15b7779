/** Who wants a share of something. */
export interface Claim {
  readonly want: number;
  readonly weight: number;
}

/**
 * Divides whole units by weight. Nobody gets more than is wanted, and what one does not want is divided among the others.
 */
export function fairShares(units: number, claims: readonly Claim[]): number[] {
  const shares = claims.map(() => 0);
  let open = claims.map((_, index) => index);
  let left = units;
  for (;;) {
    const weights = open.reduce((sum, index) => sum + weightOf(claims, index), 0);
    const level = weights === 0 ? 0 : left / weights;
    const content = open.filter(
      (index) => wantOf(claims, index) <= level * weightOf(claims, index),
    );
    if (content.length === 0) return withRest(shares, claims, open, left, level);
    for (const index of content) {
      shares[index] = wantOf(claims, index);
      left -= wantOf(claims, index);
    }
    open = open.filter((index) => !content.includes(index));
  }
}

/** Those who want more get whole parts, and what is left over goes to the largest fractions. */
function withRest(
  shares: number[],
  claims: readonly Claim[],
  open: readonly number[],
  units: number,
  level: number,
): number[] {
  let left = units;
  const fractions = open.map((index) => {
    const exact = level * weightOf(claims, index);
    shares[index] = Math.floor(exact);
    left -= Math.floor(exact);
    return { index, fraction: exact - Math.floor(exact) };
  });
  fractions.sort((one, other) => other.fraction - one.fraction || one.index - other.index);
  for (const { index } of fractions.slice(0, Math.max(0, Math.round(left))))
    shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

const weightOf = (claims: readonly Claim[], index: number): number => claims[index]?.weight ?? 0;
const wantOf = (claims: readonly Claim[], index: number): number =>
  Math.floor(claims[index]?.want ?? 0);
