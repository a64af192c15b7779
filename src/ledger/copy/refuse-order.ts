import { UsageError } from '../../core/errors.js';
import type { RunRow } from '../runs/run-table.js';

/**
 * Of runs over the same files or content, the last word counts, and a copied run is put behind those that are there.
 * @throws UsageError when one of these began later than a run that would be copied
 */
export function refuseOrder(
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
