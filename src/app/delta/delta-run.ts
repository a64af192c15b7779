import { UsageError } from '../../core/errors.js';
import type { EarlierRun, RunLedger } from '../../core/ledger.js';
import type { KnownRows, SeenKeys } from '../../core/duplicates.js';
import { whole } from '../../core/text.js';
import { createSeenKeys } from '../../dedup/seen.js';
import type { Ledger } from '../../ledger/ledger.js';
import { exceeds, limitText } from '../../pipeline/failures.js';
import { knownClients } from '../repeats/known-clients.js';
import { type ListComparison, compareList } from './compare-list.js';
import type { DeltaPlan } from './delta-plan.js';
import { type KeptIssue, lastIssue } from './last-issue.js';
import type { MissingRows } from './missing-rows.js';
import { removalOf } from './removal-run.js';

/** What a run over an issue of a list needs. */
export interface DeltaParts {
  readonly ledger: Ledger;
  readonly run: RunLedger;
  /** Earlier runs that say something of the clients, the latest first. */
  readonly relies: readonly EarlierRun[];
  readonly identifierNames: readonly string[];
  readonly warn: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** A list beside the ones before it, while its run is under way. */
export interface DeltaRun {
  /** What earlier runs did with the rows. @throws UsageError where too many clients are missing, StopRun */
  known(): Promise<KnownRows | undefined>;
  /** Clients of earlier lists that are to be removed from the campaign; `null`: none. To be called after `known`. */
  missing(): MissingRows | null;
  close(): void;
}

export function createDeltaRun(plan: DeltaPlan, parts: DeltaParts): DeltaRun {
  const list = createSeenKeys();
  const keys = createSeenKeys();
  let missing: MissingRows | null = null;
  return {
    known: async () => {
      if (parts.relies.length === 0) return undefined;
      const { ledger, relies: runs, run, signal } = parts;
      const { campaignId, rule } = plan;
      const factsOf = (id: string): ReturnType<Ledger['factsOf']> => ledger.factsOf(id);
      const last = await lastIssue(ledger, runs, campaignId);
      const isEnough = plan.missing === 'dequeue' && rule.skipsChanged !== true;
      const known = await knownClients({
        ...{ runs, rule, campaignId, factsOf, keys, signal },
        last: last ? { run: last.run, isEnough } : undefined,
      });
      const found = await compare(plan, parts, last, () =>
        compareList(plan.readList(signal), known, list, signal),
      );
      if (found && plan.missing === 'dequeue' && plan.issue.isWhole) {
        const total = known.present - found.again;
        // A removal that has begun was allowed, and goes on: who was erased since counts on neither side.
        const removal = run.continued ? await removalOf(ledger, run.run) : undefined;
        if (!removal) refuseTooMany(plan, known.present, total);
        const { identifierNames } = parts;
        if (total > 0 || removal) missing = { runs, known, list, factsOf, identifierNames, total };
      }
      // What is not on record of this run may have been sent: nothing counts as sent as it is.
      return {
        find: (identifiers, ordinal, print) =>
          known.find(identifiers, ordinal, run.settlesAll ? undefined : print),
        close: () => undefined,
      };
    },
    missing: () => missing,
    close: () => {
      closeAll(list, keys);
    },
  };
}

function closeAll(...all: readonly SeenKeys[]): void {
  for (const keys of all) keys.close();
}

/** Reads the list once, where clients may be missing from it or another mapping may have changed all of its rows. */
async function compare(
  { missing, issue }: DeltaPlan,
  { warn }: DeltaParts,
  last: KeptIssue | null,
  read: () => Promise<ListComparison>,
): Promise<ListComparison | null> {
  const isOther = last !== null && last.issue.mapping !== issue.mapping;
  if (missing === 'keep' && !isOther) return null;
  const found = await read();
  const changed = found.rows - found.unchanged;
  if (isOther)
    warn(
      `The mapping was changed since run ${last.run} sent this list: ${whole(changed)} of ${whole(found.rows)} rows are not as they were sent.`,
    );
  return found;
}

/** @throws UsageError */
function refuseTooMany({ maxMissing }: DeltaPlan, present: number, missing: number): void {
  if (!exceeds(missing, maxMissing, present)) return;
  throw new UsageError(
    `${whole(missing)} of ${whole(present)} clients of the lists before are not in this one, more than the ${limitText(maxMissing)} that "delta: maxMissing" allows, so that nothing was sent. Is the file whole, and is it of the same list? If it is, raise maxMissing in the mapping, or keep the clients with "missing: keep".`,
  );
}
