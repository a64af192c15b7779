import type { Fact } from '../../core/facts.js';
import { printAt } from '../../core/prepared.js';
import { identifiersOf } from '../../core/prepared.js';
import type { Known, KnownKind, KnownRows } from '../../core/duplicates.js';
import type { PreparedChunk } from '../../core/prepared.js';

type KnownRow = readonly [at: number, Known];

/** What is put on record of rows of which earlier runs did something; nothing where there are none. */
export function knownFacts(
  known: KnownRows | undefined,
  { clients, first }: PreparedChunk,
  passed: readonly number[],
): Fact[] {
  if (!known) return [];
  const rows = new Map<KnownKind, KnownRow[]>();
  for (const index of passed) {
    const at = clients.at[index] ?? 0;
    const print = clients.prints && printAt(clients.prints, index);
    const found = known.find(identifiersOf(clients, index), first + at, print);
    if (!found) continue;
    const alike = rows.get(found.kind);
    if (alike) alike.push([at, found]);
    else rows.set(found.kind, [[at, found]]);
  }
  if (rows.size === 0) return [];
  const of = (kind: KnownKind): readonly KnownRow[] => rows.get(kind) ?? [];
  const skipped = of('done').map(([at, { by }]) => [at, by] as const);
  const created = [...of('created'), ...of('enqueue_unknown')].map(
    ([at, { clientId, by }]) => [at, clientId, by] as const,
  );
  const changed = of('change_unknown').map(([at]) => [at, {}] as const);
  return [
    ...(skipped.length + created.length > 0 ? [{ kind: 'known', skipped, created } as const] : []),
    ...unchangedFacts(of('unchanged')),
    ...(changed.length > 0 ? [{ kind: 'looked_up', found: changed } as const] : []),
    ...UNKNOWN.flatMap(([kind, as]) => unknownFacts(as, of(kind))),
  ];
}

/** One fact for each earlier run that sent the rows as they are. */
function unchangedFacts(rows: readonly KnownRow[]): Fact[] {
  return [...groupedBy(rows, ({ by }) => by.run).values()].flatMap((alike) => {
    const by = alike[0]?.[1].by;
    return by ? [{ kind: 'unchanged', rows: alike.map(([at]) => at), by } as const] : [];
  });
}

/** What is put on record of rows of which an earlier run never learned what became of them. */
const UNKNOWN = [
  ['create_unknown', 'create_unknown'],
  ['enqueue_unknown', 'enqueue_unknown'],
  ['change_unknown', 'change_unknown'],
  // Nothing was looked up: that is done once no lost request can arrive any more.
  ['lost', 'change_unknown'],
] as const;

/** One fact for each earlier run: its name is a part of the reason. */
function unknownFacts(
  kind: 'create_unknown' | 'enqueue_unknown' | 'change_unknown',
  rows: readonly KnownRow[],
): Fact[] {
  return [...groupedBy(rows, ({ run }) => run)].map(([run, alike]) => ({
    kind,
    rows: alike.map(([at]) => at),
    reason: `Run ${run} did not learn what became of its request for this client.`,
  }));
}

function groupedBy(
  rows: readonly KnownRow[],
  key: (known: Known) => string,
): Map<string, KnownRow[]> {
  const groups = new Map<string, KnownRow[]>();
  for (const row of rows) {
    const name = key(row[1]);
    const others = groups.get(name);
    if (others) others.push(row);
    else groups.set(name, [row]);
  }
  return groups;
}
