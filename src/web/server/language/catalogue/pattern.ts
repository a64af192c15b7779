/** An English sentence with holes, such as `the card has no field "{}".` */
export interface Pattern {
  /** What stands around the holes: one more than these. */
  readonly texts: readonly string[];
  /** Letters that have to be there: of two patterns that fit, the one with more says more. */
  readonly weight: number;
}

export function patternOf(sentence: string): Pattern {
  const texts = sentence.split('{}');
  return { texts, weight: texts.join('').length };
}

/**
 * What fills the holes of a sentence; `undefined` where it is another one. Each text is taken where it comes first, which
 * finds a way where there is one, in time that grows with the sentence alone.
 */
export function holesIn({ texts }: Pattern, sentence: string): readonly string[] | undefined {
  const [first = '', ...others] = texts;
  const last = others.pop();
  if (last === undefined) return sentence === first ? [] : undefined;
  const end = sentence.length - last.length;
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return undefined;
  const holes: string[] = [];
  let from = first.length;
  for (const text of others) {
    const at = sentence.indexOf(text, from);
    if (at < 0) return undefined;
    holes.push(sentence.slice(from, at));
    from = at + text.length;
  }
  if (from > end) return undefined;
  return [...holes, sentence.slice(from, end)];
}
