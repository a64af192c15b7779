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

/** The seed to use: that of the environment, to repeat a failure, else another one each time. It is printed. */
export function seedOf(test: string): number {
  const seed = Number(process.env['PROOF_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${test}: PROOF_SEED=${seed}`);
  return seed;
}
