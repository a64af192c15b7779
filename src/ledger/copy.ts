import { createHash } from 'node:crypto';
import { LedgerError, UsageError } from '../core/errors.js';
import type { RunDigest, CopiedRun, CopiedRuns } from './port.js';
import { lookupOfCopy } from './other-runs.js';
import {
  inUse,
  RUN_COLUMNS,
  type RunColumn,
  type RunOnRecord,
  type RunRow,
  type Store,
  type Write,
} from './store.js';

/**
 * Of runs over the same files or content, the last word counts, and a copied run is put behind those that are there.
 * @throws UsageError when one of these began later than a run that would be copied
 */
function refuseOrder(
  there: readonly RunRow[],
  coming: readonly RunRow[],
  files: { readonly from: string; readonly to: string },
): void {
  const latest = new Map<string, RunRow>();
  for (const run of there)
    for (const source of sourcesOf(run))
      if (run.created_at > (latest.get(source)?.created_at ?? -Infinity)) latest.set(source, run);
  for (const run of coming)
    for (const source of sourcesOf(run)) {
      const later = latest.get(source);
      if (later && later.created_at >= run.created_at)
        throw new UsageError(
          `Run ${run.id} of ${files.from} began before run ${later.id} of ${files.to}, which was over the same file or content, and would come after it there. Nothing was copied; copy both into a ledger that has no runs, the earlier ledger first.`,
        );
    }
}

const sourcesOf = ({ inputs, content }: RunRow): string[] => [
  content,
  ...(JSON.parse(inputs) as string[]),
];

/** What may differ between two copies of one run: who worked on it last, and how it is continued. */
const OWN: ReadonlySet<RunColumn> = new Set(['worker', 'settles_all']);

async function digestOf({ row, facts: read }: RunOnRecord): Promise<RunDigest> {
  const hash = createHash('sha256');
  const compared = RUN_COLUMNS.filter((column) => !OWN.has(column));
  hash.update(JSON.stringify(compared.map((column) => row[column])));
  let facts = 0;
  for await (const chunk of read()) {
    facts += chunk.length;
    for (const { chunk: number, kind, data } of chunk)
      hash.update(`\n${number} ${kind} ${data.length} `).update(data);
  }
  return { facts, digest: hash.digest('hex') };
}

/**
 * Copies all runs of a ledger into another one, each in a transaction of its own and checked by digest before that
 * ends. Runs that are there already are compared.
 * @throws UsageError when a run is there with other facts, or would come after one that began later; LedgerInUseError
 * when a process works on one; LedgerError when the copy differs
 */
export async function copyAll(
  from: Store,
  to: Store,
  onRun?: (run: CopiedRun) => void,
): Promise<CopiedRuns> {
  const files = { from: from.file, to: to.file };
  if (files.from === files.to) throw new UsageError(`${files.from} is both ledgers.`);
  const { rows: all } = await from.list();
  const { rows: there } = await to.list();
  const known = new Set(there.map(({ id }) => id));
  const own = new Set(all.map(({ id }) => id));
  const coming = all.filter(({ id }) => !known.has(id));
  refuseOrder(
    there.filter(({ id }) => !own.has(id)),
    coming,
    files,
  );
  const same = all.filter(({ id }) => known.has(id)).map(({ id }) => id);
  for (const run of same) await refuseOther(from, to, run);
  const copied: CopiedRun[] = [];
  for (const row of coming) {
    const one = { run: row.id, finished: row.state === 'finished', ...(await copy(from, to, row)) };
    copied.push(one);
    onRun?.(one);
  }
  return { copied, there: same };
}

function copy(from: Store, to: Store, { id }: RunRow): Promise<RunDigest> {
  return lent(from, id, async (run) => {
    const before = await digestOf(run);
    await to.receive(run, async (stored) => {
      const after = await digestOf(stored);
      if (after.digest !== before.digest)
        throw new LedgerError(
          `Run ${id} was not copied: ${to.file} gives back other facts than ${from.file} has. Run the same command again; if it fails again, look at the disks of both.`,
        );
    });
    return before;
  });
}

/**
 * Gives a run away, and keeps other processes from it meanwhile. One that can still be continued has from then on all
 * looked up before it is sent, here and where it is copied to: the other ledger may have sent it.
 * @throws LedgerInUseError, LostFactsError
 */
async function lent<T>(
  store: Store,
  id: string,
  use: (run: RunOnRecord) => Promise<T>,
): Promise<T> {
  const { result: settles, held } = await store.decide((view) => {
    const row = view.runs.find((run) => run.id === id);
    if (!row) throw new Error(`Run ${id} is not on record.`);
    if (view.isTaken(id)) {
      view.refuseShared(row);
      throw inUse(row);
    }
    const lookup = lookupOfCopy(view, row);
    const settle: readonly Write[] =
      lookup === 'here and there' ? [{ kind: 'settle', run: id }] : [];
    return { result: lookup !== 'nowhere', writes: [{ kind: 'take', run: id }, ...settle] };
  });
  if (!held) throw new Error(`Run ${id} was not taken.`);
  try {
    const { row, facts } = await onRecord(store, id);
    return await use({ row: settles ? { ...row, settles_all: 1 } : row, facts });
  } finally {
    await held.release();
  }
}

async function onRecord(store: Store, id: string): Promise<RunOnRecord> {
  const row = await store.row(id);
  if (!row) throw new Error(`Run ${id} is not on record.`);
  return { row, facts: () => store.stored(row) };
}

async function refuseOther(from: Store, to: Store, run: string): Promise<void> {
  const [here, there] = [await onRecord(from, run), await onRecord(to, run)];
  if ((await digestOf(here)).digest === (await digestOf(there)).digest) return;
  throw new UsageError(
    `Run ${run} is in both ledgers, and more is on record of it in one of them: it was continued after it was copied. Nothing was copied now; go on with that ledger, or copy into another one.`,
  );
}
