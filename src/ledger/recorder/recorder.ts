import type { Fact } from '../../core/facts.js';
import type { CardlineError } from '../../core/errors.js';

/** A fact as it stands in the ledger. */
export interface StoredFact {
  readonly run: string;
  readonly chunk: number;
  readonly kind: string;
  /** JSON text, as bytes of UTF-8 where it is at hand so. */
  readonly data: string | Uint8Array;
  /** As the run is for as long as it is this process's: another one that opens it changes that. @default not compared */
  readonly openedAt?: number | undefined;
}

/** Writes facts, all of a call or none. Everything that waits at the same time shares one flush to the disk. */
export interface Recorder {
  /**
   * Resolves when the facts are on the disk.
   * @param openedAt when the run was opened, as the ledger has it: nothing is recorded for one that is another's by now
   * @throws LedgerError; then nothing is recorded any more, since a gap in the facts would be worse than a stop.
   */
  record(run: string, chunk: number, facts: readonly Fact[], openedAt?: number): Promise<void>;
  close(): Promise<void>;
}

/** Facts with whoever waits for them. */
export interface Waiting {
  readonly facts: readonly StoredFact[];
  readonly done: () => void;
  readonly failed: (error: CardlineError) => void;
}

export function storedFacts(
  run: string,
  chunk: number,
  facts: readonly Fact[],
  openedAt?: number,
): StoredFact[] {
  return facts.map((fact) => ({ run, chunk, kind: fact.kind, data: dataOf(fact), openedAt }));
}

function dataOf(fact: Fact): string | Uint8Array {
  if (fact.kind === 'read') return fact.data;
  const { kind: _, ...data } = fact;
  return JSON.stringify(data);
}
