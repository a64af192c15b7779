import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, the longest first. One that begins last would keep all others waiting. */
const LONGEST: readonly string[] = [
  'test/runs/stopping.test.ts',
  'test/runs/run/beside.test.ts',
  'test/runs/fleet/shared-import.test.ts',
  'test/runs/inputs.test.ts',
  'test/runs/misbehaviour.test.ts',
  'test/runs/run/lost-lease.test.ts',
  'test/page/browser/uploads.test.ts',
  'test/runs/report/report-html.test.ts',
  'test/page/browser/columns.test.ts',
  'test/simulation/simulation.test.ts',
  'test/runs/fleet/shared-limits.test.ts',
  'test/ledger/conformance/conformance.test.ts',
  'test/runs/changed-inputs.test.ts',
  'test/page/browser/check.test.ts',
  'test/page/server/import.test.ts',
  'test/simulation/sabotage.test.ts',
  'test/runs/fleet/shared-changes.test.ts',
  'test/commands/rows.test.ts',
  'test/runs/fleet/after.test.ts',
  'test/page/browser/import.test.ts',
  'test/runs/modes/undo-choice.test.ts',
  'test/runs/failures.test.ts',
  'test/runs/fleet/shared-delta.test.ts',
  'test/commands/ledger.test.ts',
  'test/commands/docs/library.test.ts',
  'test/runs/run/relisted.test.ts',
  'test/reading/csv/conformance.test.ts',
  'test/page/server/columns.test.ts',
  'test/page/browser/flow.test.ts',
  'test/page/browser/result.test.ts',
  'test/commands/docs/commands.test.ts',
  'test/page/browser/history.test.ts',
  'test/page/server/lists.test.ts',
  'test/runs/modes/again.test.ts',
  'test/commands/ui.test.ts',
  'test/conformance/sandbox/lifetime.test.ts',
  'test/runs/corrections.test.ts',
  'test/page/browser/server-gone.test.ts',
  'test/reading/xlsx/errors.test.ts',
  'test/reading/prepare/threads.test.ts',
  'test/ledger/conformance/copy.test.ts',
  'test/nightly/steps.test.ts',
  'test/simulation/quiet.test.ts',
  'test/nightly/places/sftp.test.ts',
  'test/runs/reconcile/reconcile.test.ts',
  'test/runs/fleet/init-jobs.test.ts',
  'test/delivery/calling/zones/zones.test.ts',
  'test/suggest/exports.test.ts',
  'test/reading/xlsx/properties.test.ts',
  'test/runs/stored-numbers.test.ts',
  'test/ledger/postgres/postgres.test.ts',
  'test/library/package.test.ts',
  'test/runs/duplicates.test.ts',
  'test/nightly/metrics.test.ts',
  'test/commands/import.test.ts',
  'test/page/browser/file.test.ts',
  'test/cases/structure.test.ts',
  'test/runs/report/rejects.test.ts',
  'test/ledger/postgres/shared.test.ts',
  'test/runs/rejects-again.test.ts',
  'test/commands/postgres.test.ts',
  'test/nightly/notices.test.ts',
  'test/runs/check/start-check.test.ts',
  'test/runs/reconcile/many-rows.test.ts',
  'test/commands/operations/usage.test.ts',
  'test/runs/modes/order.test.ts',
  'test/nightly/watch.test.ts',
  'test/page/language/languages.test.ts',
  'test/reading/open.test.ts',
  'test/page/server/shared-lists.test.ts',
  'test/commands/places.test.ts',
  'test/runs/modes/foreign.test.ts',
  'test/runs/remarks.test.ts',
  'test/delivery/calling/phone-zones-sample.test.ts',
  'test/commands/template.test.ts',
  'test/commands/docs/tables.test.ts',
  'test/proof/names.test.ts',
  'test/proof/other-files.test.ts',
  'test/proof/pauses.test.ts',
  'test/proof/disk.test.ts',
];

/**
 * Within a project, the longest files first, also where nothing is known of earlier runs, as on a clean clone. Those of
 * pages come before all others: a page waits more than it computes, and at the end nothing would be left to fill that.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = new Map<string, TestSpecification[]>([['browser', []]]);
    for (const file of sorted) {
      const name = file.project.name;
      projects.set(name, [...(projects.get(name) ?? []), file]);
    }
    return [...projects.values()].flatMap((those) =>
      those.toSorted(byLength(this.ctx.config.root)),
    );
  }
}

const byLength =
  (root: string) =>
  (one: TestSpecification, other: TestSpecification): number =>
    placeOf(root, one) - placeOf(root, other);

function placeOf(root: string, { moduleId }: TestSpecification): number {
  const at = LONGEST.indexOf(relative(root, moduleId));
  return at === -1 ? LONGEST.length : at;
}
