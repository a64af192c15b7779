const ALPHABETS = [
  ['a', '"', ',', '\n'],
  ['a', '"', ',', '\r', '\n'],
  ['a', 'b', '"', '""', ',', '\r\n', '\n', ' '],
  ['я', '😀', '"', ',', '\r', '\n', '\ufeff', ' ', 'a'],
  ['"a"', '"b\n"', ',', ',,', '\r\n', 'c'],
  ['a', ',', '\n', '\r', 'bc'],
  ['"', '\r', '\n'],
  ['a', '"', ',', '\n', '\0', '\t', ';'],
];

export interface RandomText {
  readonly pieces: readonly string[];
  readonly delimiter: string;
}

/** Short texts full of what decides how CSV is read, cut at random; the same for the same seed. */
export function* randomTexts(count: number, seed: number): Generator<RandomText> {
  const below = random(seed);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  for (let index = 0; index < count; index++) {
    const alphabet = pick(ALPHABETS);
    const delimiter = pick([',', ',', ',', ';', 'я', '\t']);
    const pieces: string[] = [];
    for (let left = below(5) + 1; left > 0; left--) {
      let piece = '';
      for (let length = below(10); length > 0; length--) piece += pick(alphabet);
      if (piece !== '') pieces.push(delimiter === ',' ? piece : piece.replaceAll(',', delimiter));
    }
    yield { pieces, delimiter };
  }
}

/** Mulberry32: small, fast, and the same everywhere. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
