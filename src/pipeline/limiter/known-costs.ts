import type { BatchSizeRange } from './batch-size.js';
import {
  type Cost,
  type Costs,
  NO_COSTS,
  answersOf,
  costOf,
  isKnown,
  isOfSeveralSizes,
  withAnswer,
} from './costs.js';

/** Answers of a kind after which its cost is known well enough. */
const MAX_LEARNED = 64;

/** What requests of each kind cost with little load, as far as the answers of a run have shown. */
export class KnownCosts {
  private costs: Costs = NO_COSTS;
  /** Kinds of requests whose clients could travel in batches of other sizes. */
  private readonly batched = new Set<string>();

  /** `size`: the sizes that batches may have. `adapts`: whether the concurrency is found out. */
  constructor(
    private readonly size: BatchSizeRange,
    private readonly adapts: boolean,
  ) {}

  /** `null` while it is not known. */
  of(kind: string): Cost | null {
    return costOf(this.costs, kind);
  }

  /**
   * Learns from an answer. `isFirst`: the concurrency is still the one that the run began with, so that the answer shows
   * a cost with little load; later ones are learned from only until the kind is known. Returns whether the size of
   * batches may be decided anew.
   */
  learn(
    request: { readonly kind: string; readonly clients: number; readonly batched: boolean },
    milliseconds: number,
    isFirst: boolean,
  ): boolean {
    const { kind, clients, batched } = request;
    if (batched) this.batched.add(kind);
    if (!this.isNew(kind, isFirst)) return false;
    this.costs = withAnswer(this.costs, kind, clients, milliseconds);
    return batched && isKnown(this.costs, kind) && this.hasSizes();
  }

  /** What all kinds of batched requests cost together; `null` while one of them is not known in both its parts. */
  ofBatches(): Cost | null {
    const kinds = [...this.batched].filter((kind) => isOfSeveralSizes(this.costs, kind));
    const parts = kinds.map((kind) => this.of(kind)).filter((cost) => cost !== null);
    if (parts.length === 0 || parts.length < this.batched.size) return null;
    return {
      perRequest: parts.reduce((sum, { perRequest }) => sum + perRequest, 0),
      perClient: parts.reduce((sum, { perClient }) => sum + perClient, 0),
    };
  }

  private isNew(kind: string, isFirst: boolean): boolean {
    if (!this.adapts && !this.hasSizes()) return false;
    return isFirst ? answersOf(this.costs, kind) < MAX_LEARNED : !isKnown(this.costs, kind);
  }

  private hasSizes(): boolean {
    return this.size.min < this.size.max;
  }
}
