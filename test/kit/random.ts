/** Random numbers in [0, 1) that a seed repeats (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * That of the environment, to repeat a failure; another one each time in the long variants; else always the same, so that
 * what `npm test` says of a change does not hang on chance.
 */
export function chosenSeed(): number {
  const isLong = process.env['PROOF'] === 'full';
  return Number(process.env['PROOF_SEED'] ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 1));
}

/** The seed to use. It is printed. */
export function seedOf(test: string): number {
  const seed = chosenSeed();
  console.log(`${test}: PROOF_SEED=${seed}`);
  return seed;
}
