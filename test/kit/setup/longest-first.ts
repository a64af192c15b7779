import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, the longest first. One that begins last would keep all others waiting. */
const LONGEST = readFileSync(join(import.meta.dirname, 'longest-first.txt'), 'utf8').split('\n');

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
