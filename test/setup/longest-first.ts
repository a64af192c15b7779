import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more, the longest first. One that begins last would keep all others waiting. */
const LONGEST: readonly string[] = [
  'test/app/run/beside.test.ts',
  'test/app/run/lost-lease.test.ts',
  'test/fleet/shared-limits.test.ts',
  'test/fleet/after.test.ts',
  'test/fleet/shared-import.test.ts',
  'test/fleet/shared-changes.test.ts',
  'test/simulation/simulation.test.ts',
  'test/source/xlsx/errors.test.ts',
  'test/modes/undo-choice.test.ts',
  'test/library/package.test.ts',
  'test/app/stopping.test.ts',
  'test/simulation/around/sabotage.test.ts',
  'test/proof/around/names.test.ts',
  'test/proof/other-files.test.ts',
  'test/app/misbehaviour.test.ts',
  'test/proof/pauses.test.ts',
  'test/cli/template.test.ts',
  'test/ledger/conformance/conformance.test.ts',
  'test/app/continue.test.ts',
  'test/app/changed-inputs.test.ts',
  'test/cli/ledger.test.ts',
  'test/app/large-inputs.test.ts',
  'test/proof/disk.test.ts',
  'test/nightly/several.test.ts',
  'test/web/page/flow.test.ts',
  'test/web/page/columns.test.ts',
  'test/web/page/check.test.ts',
  'test/report/report-html.test.ts',
  'test/web/page/file.test.ts',
  'test/web/page/import.test.ts',
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
