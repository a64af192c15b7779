import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import usual from '../../vitest.config.js';

/** The usual tests, in the order that `MUTANTS_ORDER` says, one after the other where it says one. */
const root = process.cwd();
const order = (process.env['MUTANTS_ORDER'] ?? '').split(',').filter(Boolean);
const isOrdered = order.length > 0;

class AsSaid extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
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
    ...(isOrdered ? { sequence: { sequencer: AsSaid } } : {}),
    experimental: { fsModuleCache: true, fsModuleCachePath: join(root, '.modules') },
    projects: projects.flatMap((project) => {
      if (typeof project !== 'object' || !('test' in project)) return [];
      const { setupFiles = [], ...one } = project.test;
      const setup = [setupFiles, join(root, 'test/mutants/reached.ts')].flat();
      return [{ test: { ...one, setupFiles: setup, ...(isOrdered ? { maxWorkers: 1 } : {}) } }];
    }),
  },
});
