import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more, the longest first. One that begins last would keep all others waiting. */
const LONGEST: readonly string[] = [
  'test/proof/late.test.ts',
  'test/proof/kills/sandbox.test.ts',
  'test/proof/kills/modes.test.ts',
  'test/proof/kills/import.test.ts',
  'test/app/stopping.test.ts',
  'test/app/large-inputs.test.ts',
  'test/app/continue.test.ts',
  'test/app/failures.test.ts',
  'test/app/misbehaviour.test.ts',
  'test/library/package.test.ts',
  'test/report/report-html.test.ts',
  'test/report/kinds.test.ts',
  'test/docs/commands.test.ts',
  'test/source/xlsx/properties.test.ts',
  'test/cli/template.test.ts',
  'test/proof/faults.test.ts',
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
