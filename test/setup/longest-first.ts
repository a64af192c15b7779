import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, the longest first. One that begins last would keep all others waiting. */
const LONGEST: readonly string[] = [
  'test/app/run/lost-lease.test.ts',
  'test/app/run/beside.test.ts',
  'test/fleet/shared-import.test.ts',
  'test/ledger/conformance/conformance.test.ts',
  'test/app/misbehaviour.test.ts',
  'test/web/page/columns.test.ts',
  'test/modes/undo-choice.test.ts',
  'test/app/stopping.test.ts',
  'test/web/page/file.test.ts',
  'test/fleet/shared-delta.test.ts',
  'test/cli/ledger.test.ts',
  'test/fleet/shared-changes.test.ts',
  'test/fleet/shared-limits.test.ts',
  'test/library/package.test.ts',
  'test/ledger/conformance/copy.test.ts',
  'test/web/page/check.test.ts',
  'test/web/server/columns.test.ts',
  'test/web/server/check.test.ts',
  'test/source/xlsx/errors.test.ts',
  'test/web/server/import.test.ts',
  'test/report/report-html.test.ts',
  'test/app/large-inputs.test.ts',
  'test/source/xlsx/properties.test.ts',
  'test/web/page/history.test.ts',
  'test/app/failures.test.ts',
  'test/app/run/relisted.test.ts',
  'test/web/page/flow.test.ts',
  'test/fleet/after.test.ts',
  'test/nightly/watch.test.ts',
  'test/web/page/uploads.test.ts',
  'test/app/continue.test.ts',
  'test/app/changed-inputs.test.ts',
  'test/fleet/pace/machines.test.ts',
  'test/cli/ui.test.ts',
  'test/web/page/interrupted.test.ts',
  'test/web/page/import.test.ts',
  'test/fleet/init-jobs.test.ts',
  'test/reconcile/reconcile.test.ts',
  'test/docs/library.test.ts',
  'test/app/inputs.test.ts',
  'test/ledger/postgres/postgres.test.ts',
  'test/nightly/places/sftp.test.ts',
  'test/docs/commands.test.ts',
  'test/prepare/threads.test.ts',
  'test/suggest/exports.test.ts',
  'test/web/page/result.test.ts',
  'test/simulation/simulation.test.ts',
  'test/source/csv/conformance.test.ts',
  'test/cases/structure.test.ts',
  'test/modes/continue.test.ts',
  'test/conformance/interface/lifetime.test.ts',
  'test/calling/zones/zones.test.ts',
  'test/calling/phone-zones-sample.test.ts',
  'test/app/stored-numbers.test.ts',
  'test/report/rejects.test.ts',
  'test/web/page/server-gone.test.ts',
  'test/cli/counts.test.ts',
  'test/cli/import.test.ts',
  'test/report/kinds.test.ts',
  'test/cli/rows-in-thread.test.ts',
  'test/ledger/postgres/shared.test.ts',
  'test/proof/around/names.test.ts',
  'test/proof/other-files.test.ts',
  'test/proof/pauses.test.ts',
  'test/proof/disk.test.ts',
];

/** Within a project, the longest files first, also where nothing is known of earlier runs, as on a clean clone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = new Map<unknown, TestSpecification[]>();
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
