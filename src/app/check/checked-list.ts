import { CALL_TIMES, type CallCounts, noCalls } from '../../core/hours.js';
import type { PreparedChunk } from '../../core/prepared.js';
import { addCounts, addDuplicates, noQuality } from '../../core/quality.js';
import type { Preparation } from '../../prepare/plan.js';
import type { Screened } from '../../pipeline/screen.js';
import { partOf } from '../inputs/part-of.js';
import { type ListFacts, listFacts } from '../list/list-facts.js';
import { type ListPlan, listPlan } from '../list/list-plan.js';
import type { CheckRequest } from '../requests.js';

/** What a check finds out about its list as a whole. */
export class CheckedList {
  readonly #plan: ListPlan;
  readonly #quality = noQuality();
  readonly #calls = noCalls();
  readonly #isWhole: boolean;

  constructor(preparation: Preparation, request: CheckRequest) {
    this.#plan = listPlan(preparation, request.leadPrice, preparation.asOf);
    this.#isWhole = partOf(request) === undefined;
  }

  /** `passed`, `duplicates`: what the screen made of the clients of the chunk. */
  add(chunk: PreparedChunk, passed: Screened['passed'], duplicates: Screened['duplicates']): void {
    const { list } = chunk;
    this.#plan.checks.addChunk(chunk);
    this.#plan.observations.addChunk(chunk);
    this.#plan.checks.addDuplicates(chunk, duplicates);
    if (!list) return;
    if (list.quality) addCounts(this.#quality, list.quality);
    addDuplicates(this.#quality, duplicates.length);
    if (chunk.shared) this.#quality.parts.unique.rows += remaining(chunk.shared, duplicates);
    if (list.calls) addCalls(this.#calls, list.calls, passed);
  }

  facts(): ListFacts {
    const isWhole = this.#isWhole;
    return listFacts(this.#plan, { quality: this.#quality, calls: this.#calls, isWhole });
  }
}

/** Rows at these positions that are no duplicates: each row counts once for a part. */
function remaining(shared: readonly number[], duplicates: Screened['duplicates']): number {
  if (duplicates.length === 0) return shared.length;
  const leftOut = new Set(duplicates.map(([at]) => at));
  return shared.filter((at) => !leftOut.has(at)).length;
}

type ChunkCalls = NonNullable<NonNullable<PreparedChunk['list']>['calls']>;

function addCalls(
  calls: CallCounts,
  { clients, leftOut }: ChunkCalls,
  passed: Screened['passed'],
): void {
  for (const index of passed) calls[CALL_TIMES[clients[index] ?? 0] ?? 'now']++;
  for (const time of CALL_TIMES) calls[time] += leftOut[time];
}
