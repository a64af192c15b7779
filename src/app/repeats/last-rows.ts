import { z } from 'zod';
import type { RunRecord } from '../../core/ledger.js';
import type { Ledger } from '../../ledger/ledger.js';
import { sourceOf } from '../../report/compare/trend.js';
import { mappingOf } from '../runs/run-trend.js';

/**
 * How many rows the files of the same source had when they were last worked through by the same mapping, as the trend
 * shows sources and mappings apart; `null`: never before.
 */
export async function lastRows(ledger: Ledger, run: string): Promise<number | null> {
  const runs = await ledger.runs();
  const own = runs.find((one) => one.run === run);
  const settings = await ledger.settingsOf(run);
  const mapping = mappingOf(settings);
  if (!own || mapping === null || isTrial(settings)) return null;
  const earlier = runs
    // A file without rows, or one that could not be read, says nothing of how many there are.
    .filter((one) => (one.rows ?? 0) > 0)
    .filter((one) => one.run !== run && HAS_ENDED.has(one.state) && isSameSource(one, own))
    .toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
  for (const one of earlier) {
    const its = await ledger.settingsOf(one.run);
    if (mappingOf(its) === mapping && !isTrial(its)) return one.rows;
  }
  return null;
}

/** How many rows a part of a file had says nothing of the file. */
const isTrial = (kept: unknown): boolean => trial.safeParse(kept).success;
const trial = z.union([z.object({ limit: z.number() }), z.object({ rows: z.object({}) })]);

const HAS_ENDED: ReadonlySet<RunRecord['state']> = new Set(['finished', 'open']);

const isSameSource = (one: RunRecord, other: RunRecord): boolean =>
  sourcesOf(one) === sourcesOf(other);

const sourcesOf = ({ inputs }: RunRecord): string => inputs.map(sourceOf).sort().join('\n');
