import type { Fact } from '../core/facts/facts.js';
import { identifiersOf } from '../core/client/identities.js';
import type { Known, KnownKind, KnownRows } from '../core/duplicates/known.js';
import type { PreparedChunk } from '../core/client/prepared.js';

/** What is put on record of rows of which earlier runs did something; nothing where there are none. */
export function knownFacts(
  known: KnownRows | undefined,
  { clients, first }: PreparedChunk,
  passed: readonly number[],
): Fact[] {
  if (!known) return [];
  const rows = new Map<KnownKind, (readonly [at: number, Known])[]>();
  for (const index of passed) {
    const at = clients.at[index] ?? 0;
    const found = known.find(identifiersOf(clients, index), first + at);
    if (!found) continue;
    const alike = rows.get(found.kind);
    if (alike) alike.push([at, found]);
    else rows.set(found.kind, [[at, found]]);
  }
  if (rows.size === 0) return [];
  const of = (kind: KnownKind) => rows.get(kind) ?? [];
  const skipped = of('done').map(([at, { by }]) => [at, by] as const);
  const created = [...of('created'), ...of('enqueue_unknown')].map(
    ([at, { clientId, by }]) => [at, clientId, by] as const,
  );
  const changed = of('change_unknown').map(([at]) => [at, {}] as const);
  return [
    { kind: 'known', skipped, created },
    ...(changed.length > 0 ? [{ kind: 'looked_up', found: changed } as const] : []),
    ...(['create_unknown', 'enqueue_unknown', 'change_unknown'] as const).flatMap((kind) =>
      unknownFacts(kind, of(kind)),
    ),
  ];
}

/** One fact for each earlier run: its name is a part of the reason. */
function unknownFacts(
  kind: 'create_unknown' | 'enqueue_unknown' | 'change_unknown',
  rows: readonly (readonly [at: number, Known])[],
): Fact[] {
  const byRun = new Map<string, number[]>();
  for (const [at, { run }] of rows) {
    const others = byRun.get(run);
    if (others) others.push(at);
    else byRun.set(run, [at]);
  }
  return [...byRun].map(([run, ats]) => ({
    kind,
    rows: ats,
    reason: `Run ${run} did not learn what became of its request for this client.`,
  }));
}
