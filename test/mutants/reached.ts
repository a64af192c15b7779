import { join } from 'node:path';

/** Before each test file: whoever comes by a mutant says so in a file of that test. */
const state = globalThis as {
  __vitest_worker__?: { filepath?: string };
  __reachedMutants?: boolean[];
};
const folder = process.env['MUTANTS_FOLDER'];
const test = state.__vitest_worker__?.filepath;
if (folder !== undefined && test !== undefined) {
  process.env['MUTANTS_REACHED'] = join(folder, encodeURIComponent(test));
  state.__reachedMutants = [];
}
