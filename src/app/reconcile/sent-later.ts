import { resolve } from 'node:path';
import type { PreparedChunk, RowRecord } from '../../core/prepared.js';
import { readFactOf } from '../../core/facts.js';
import type { RunMode } from '../../core/mode.js';
import { GOOD_OUTCOMES } from '../../core/outcome.js';
import type { Problem } from '../../core/problem.js';
import type { Ledger } from '../../ledger/ledger.js';
import { originFinder } from '../runs/origin-of-rejects.js';
import type { RunPlan } from '../run/run-plan.js';

/** Modes that bring nobody to the contact center. */
const OTHERS: ReadonlySet<RunMode> = new Set<RunMode>(['undo', 'reconcile', 'delete', 'dequeue']);

/**
 * A comparison that knows which rows of its files were rejected once, and were sent later from the rejects of that run:
 * such a row ends as `skipped`, and names the run that sent it. Rows are known again by uuid or by all identifiers.
 */
export async function withRowsSentLater(plan: RunPlan, ledger: Ledger): Promise<RunPlan> {
  const sent = await rowsFromRejects(ledger, new Set(plan.inputs.map((path) => resolve(path))));
  if (sent.size === 0) return plan;
  return {
    ...plan,
    async *chunks() {
      for await (const chunk of plan.chunks())
        yield chunk.rejected > 0 ? marked(chunk, sent) : chunk;
    },
  };
}

/** The run that sent each row of rejects of these files. */
async function rowsFromRejects(
  ledger: Ledger,
  files: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const runs = await ledger.runs();
  const originOf = originFinder(runs);
  const takenBack = new Set(
    runs.filter(({ mode }) => mode === 'undo').flatMap(({ inputs }) => inputs),
  );
  const sent = new Map<string, string>();
  for (const { run, mode, inputs } of runs) {
    if (OTHERS.has(mode) || takenBack.has(`run ${run}`)) continue;
    if (!inputs.some((path) => files.has(originOf(path)?.file ?? ''))) continue;
    for (const { uuid, identifiers, outcome } of await ledger.rowsOf(run))
      if (GOOD_OUTCOMES.has(outcome) && outcome !== 'skipped')
        for (const key of keysOf(uuid, identifiers)) sent.set(key, run);
  }
  return sent;
}

function marked(chunk: PreparedChunk, sent: ReadonlyMap<string, string>): PreparedChunk {
  const read = readFactOf(chunk.read);
  let moved = 0;
  const rows = read.rows.map((record): RowRecord => {
    const [row, uuid, identifiers, status, , ...more] = record;
    if (status !== REJECTED) return record;
    const run = keysOf(uuid, identifiers).flatMap((key) => sent.get(key) ?? [])[0];
    if (run === undefined) return record;
    moved++;
    return [row, uuid, identifiers, SKIPPED, [sentLater(run)], ...more];
  });
  if (moved === 0) return chunk;
  return {
    ...chunk,
    read: Buffer.from(JSON.stringify({ ...read, rows })),
    rejected: chunk.rejected - moved,
    skipped: chunk.skipped + moved,
  };
}

/** Statuses of a `RowRecord`. */
const [REJECTED, SKIPPED] = [1, 2] as const;

const sentLater = (run: string): Problem => ({
  column: null,
  code: 'sent_later',
  message: `This row was rejected, and run ${run} sent it from the rejects.`,
  value: null,
});

function keysOf(uuid: string | null, identifiers: readonly (string | number | null)[]): string[] {
  const keys = uuid === null ? [] : [`uuid ${uuid}`];
  if (identifiers.length > 0 && !identifiers.includes(null))
    keys.push(JSON.stringify(identifiers.map(String)));
  return keys;
}
