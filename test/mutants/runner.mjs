import { relative } from 'node:path';
import { createVitest } from 'vitest/node';

/**
 * Runs tests whenever it is told to, on the copy that it is started in: those of these files, or with these words in their
 * path, while `mutant` is awake. Where one is, the first test that fails is the last. What it has read of the sources stays
 * at hand for the next time.
 */
const PROJECTS = ['unit', 'process', 'postgres'];

/** By file, those of this run: what vitest gives at its end are also those of earlier ones. */
const outcomes = new Map();
const noteEnd = (module) => {
  const { duration, collectDuration } = module.diagnostic();
  const passed = module.state() === 'passed';
  outcomes.set(nameOf(module), { passed, seconds: (duration + collectDuration) / 1000 });
};
const noteResult = (test) => {
  if (test.result().state === 'failed') failures.push(`${nameOf(test.module)} > ${test.fullName}`);
};
const nameOf = ({ moduleId }) => relative(process.cwd(), moduleId);
let failures = [];

const vitest = await createVitest('test', {
  config: 'test/mutants/vitest.config.ts',
  watch: false,
  reporters: [{ onTestModuleEnd: noteEnd, onTestCaseResult: noteResult }],
  tagsFilter: ['!depth'],
  bail: process.env.MUTANTS_FOLDER === undefined ? 1 : 0,
});

process.on('message', async ({ mutant, files }) => {
  process.env.MUTANT = String(mutant);
  process.env.MUTANTS_ORDER = files.join();
  outcomes.clear();
  failures = [];
  const those = (await vitest.globTestSpecifications(files)).filter(({ project }) =>
    PROJECTS.includes(project.name),
  );
  const { unhandledErrors } = await vitest.runTestSpecifications(those);
  for (const [file, { passed }] of outcomes) if (!passed) failures.push(file);
  for (const { message } of unhandledErrors) failures.push(message);
  process.send({ outcomes: [...outcomes], failures });
});
process.send('ready');
