import { randomFrom } from '../kit/random.js';

/** Draws the same for the same seed. */
export interface Random {
  next(): number;
  whole(from: number, to: number): number;
  of<T>(values: readonly T[]): T;
  digits(count: number): string;
}

export function randomOf(seed: number): Random {
  const next = randomFrom(seed);
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    of: <T>(values: readonly T[]): T => values[whole(0, values.length - 1)] as T,
    digits: (count) => Array.from({ length: count }, () => whole(0, 9)).join(''),
  };
}
