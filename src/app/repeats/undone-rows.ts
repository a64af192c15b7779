import { type Fact, foldChunk } from '../../core/facts.js';

/** Reads the facts of a run, chunk by chunk in their order. */
export type FactsOf = (
  run: string,
) => Promise<Iterable<readonly [number: number, facts: readonly Fact[]]>>;

/** Which rows of a run undos took back, chunk by chunk in their order: an undo has the chunks of its run. */
export async function undoneRows(
  undos: readonly string[],
  factsOf: FactsOf,
): Promise<(chunk: number) => ReadonlySet<number>> {
  const begun = undos.map(async (undo) => {
    const chunks = (await factsOf(undo))[Symbol.iterator]();
    return { chunks, next: chunks.next() };
  });
  const readers = await Promise.all(begun);
  return (chunk) => {
    const undone = new Set<number>();
    for (const reader of readers) {
      while (!reader.next.done && reader.next.value[0] < chunk) reader.next = reader.chunks.next();
      if (reader.next.done || reader.next.value[0] > chunk) continue;
      for (const [at, { stage, changedTo }] of foldChunk(reader.next.value[1])?.states.entries() ??
        [])
        if (stage === 'changed' && changedTo === 'undone') undone.add(at);
    }
    return undone;
  };
}
