/** Draws the same for the same seed. */
export interface Random {
  next(): number;
  whole(from: number, to: number): number;
  of<T>(values: readonly T[]): T;
  digits(count: number): string;
}

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    of: <T>(values: readonly T[]): T => values[whole(0, values.length - 1)] as T,
    digits: (count) => Array.from({ length: count }, () => whole(0, 9)).join(''),
  };
}
