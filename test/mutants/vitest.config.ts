import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import usual from '../../vitest.config.js';

const root = process.cwd();

/** In the order that `MUTANTS_ORDER` says. */
class AsSaid extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = (process.env['MUTANTS_ORDER'] ?? '').split(',');
    const placeOf = ({ moduleId }: TestSpecification): number =>
      order.indexOf(moduleId.slice(root.length + 1));
    return Promise.resolve(files.toSorted((one, other) => placeOf(one) - placeOf(other)));
  }
}

const { projects = [], ...test } = usual.test ?? {};
export default defineConfig({
  root,
  test: {
    ...test,
    sequence: { sequencer: AsSaid },
    projects: projects.flatMap((project) => {
      if (typeof project !== 'object' || !('test' in project)) return [];
      const { setupFiles = [], ...one } = project.test;
      const setup = [setupFiles, join(root, 'test/mutants/reached.ts')].flat();
      return [{ test: { ...one, setupFiles: setup, maxWorkers: 1 } }];
    }),
  },
});
