/**
 * npm run mutants [-- --only FILE --mutants N --seed N --tests TEST --seconds N --jobs N]
 * Breaks the files that decide most in small ways, one at a time, and tells of which of them some test takes notice. It works
 * on a copy: all mutants of the sample are built into it asleep, the tests run once to see which of them comes by which
 * mutant, and then those run for each mutant, awake, the quickest first, until one fails.
 *
 * --only     files whose path has this in it; may be given several times
 * --mutants  how many a file (20)
 * --seed     which (1)
 * --tests    only tests whose path has this in it; may be given several times
 * --seconds  how long the tests of a mutant may take in sum, as they took before (60)
 * --jobs     how many mutants at a time (1)
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import ts from 'typescript';
import { compiling } from './compiling.mjs';
import { isEqual } from './equal.mjs';
import { mutantsOf, mutated, switched } from './mutations.mjs';

/** The files, and what is in the paths of the tests that look on from near. */
const FILES = {
  'src/core/facts.ts': ['/ledger/', '/delivery/', '/report/states'],
  'src/delivery/attempt.ts': ['/delivery/', '/simulation/simulation', '/modes/'],
  'src/delivery/limiter.ts': ['/delivery/'],
  'src/delivery/sender.ts': ['/delivery/', '/simulation/outage'],
  'src/delivery/sending.ts': ['/delivery/', '/simulation/simulation', '/modes/'],
  'src/ledger/store.ts': ['/ledger/'],
  'src/mapping/compile.ts': ['/mapping/'],
  'src/mapping/transforms/phone/read-phone.ts': ['/mapping/'],
  'src/run/run.ts': ['/app/', '/runs/'],
  'src/source/csv/rows.ts': ['/csv/', '/source/'],
};
const ASKED = 85;

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: {
    only: { ...text, multiple: true, default: [''] },
    tests: { ...text, multiple: true, default: [] },
    mutants: { ...text, default: '20' },
    seed: { ...text, default: '1' },
    seconds: { ...text, default: '60' },
    jobs: { ...text, default: '1' },
  },
});

const root = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'cardline-mutants-'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const files = Object.keys(FILES).filter((file) => options.only.some((part) => file.includes(part)));
const mutants = chooseMutants();
await makeCopy();
const tests = await tryTests();
const limit = pLimit(Number(options.jobs));
await Promise.all(mutants.map((mutant) => limit(() => tryMutant(mutant))));
tell();

/** So many of each file, at different places, that the compiler lets pass and that are not known to change nothing. */
function chooseMutants() {
  const wanted = Number(options.mutants);
  const sourceOf = (file) => readFileSync(join(root, file), 'utf8');
  const some = files.flatMap((file) => {
    const places = new Map();
    for (const mutant of shuffled(mutantsOf(file, sourceOf(file))))
      if (!isEqual(mutant)) places.set(`${mutant.start}-${mutant.end}`, mutant);
    // Half of them compile at least.
    return [...places.values()].slice(0, 2 * wanted);
  });
  const passes = compiling(
    root,
    some.map((mutant) => ({ file: mutant.file, text: mutated(sourceOf(mutant.file), mutant) })),
  );
  const passing = some.filter((_, at) => passes[at]);
  const chosen = files.flatMap((file) =>
    passing.filter((mutant) => mutant.file === file).slice(0, wanted),
  );
  return chosen.map((mutant, id) => ({ ...mutant, id }));
}

function shuffled(list) {
  let state = Number(options.seed);
  // mulberry32
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const keyed = list.map((value) => ({ value, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

async function makeCopy() {
  const isLeftOut = /^(?:node_modules|\.git)$/;
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !isLeftOut.test(relative(root, path)),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'reached'));
  for (const file of files) {
    const own = mutants.filter((mutant) => mutant.file === file);
    const source = switched(readFileSync(join(root, file), 'utf8'), own);
    writeFileSync(join(copy, file), source);
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
    const built = ts.transpileModule(source, { compilerOptions });
    writeFileSync(join(copy, file.replace(/^src(.*)\.ts$/, 'dist$1.js')), built.outputText);
  }
  const { code, output } = await run(['node_modules/rolldown/bin/cli.mjs', '-c'], {}, 600);
  if (code !== 0) throw new Error(`The copy cannot be built:\n${output}`);
}

/** Each test file that passes: how long it takes, and which mutants it comes by. */
async function tryTests() {
  const outcome = join(copy, 'outcome.json');
  const named = options.tests.length > 0 ? options.tests : files.flatMap((file) => FILES[file]);
  const near = [...new Set(named)];
  const args = ['--tags-filter', '!depth', '--reporter=json', `--outputFile=${outcome}`];
  const env = { MUTANTS_FOLDER: join(copy, 'reached') };
  await vitest([...args, ...near], env, 3 * 3600);
  const { testResults } = JSON.parse(readFileSync(outcome, 'utf8'));
  const passed = testResults.filter(({ status }) => status === 'passed');
  const left = testResults.filter(({ status }) => status !== 'passed');
  console.log(`${passed.length} test files pass on the copy; others are left out:`);
  for (const { name } of left) console.log(`- ${relative(copy, name)}`);
  return passed
    .map(({ name, startTime, endTime }) => {
      const reached = join(copy, 'reached', encodeURIComponent(name));
      const ids = existsSync(reached) ? readFileSync(reached, 'utf8').split('\n') : [];
      const took = (endTime - startTime) / 1000;
      return { file: relative(copy, name), took, reached: new Set(ids.map(Number)) };
    })
    .sort((a, b) => a.took - b.took);
}

/** Runs the tests that come by a mutant until one fails. */
async function tryMutant(mutant) {
  const own = new Set(mutants.filter(({ file }) => file === mutant.file).map(({ id }) => id));
  const comesBy = ({ reached }) =>
    mutant.isOfAll ? [...reached].some((id) => own.has(id)) : reached.has(mutant.id);
  let seconds = 0;
  const room = `/${mutant.file.split('/')[1]}/`;
  const isNear = ({ file }) => (file.includes(room) ? 0 : 1);
  const those = tests
    .filter(comesBy)
    .sort((a, b) => isNear(a) - isNear(b))
    .filter(({ took }, at) => (seconds += took) <= Number(options.seconds) || at === 0);
  const named = those.map(({ file }) => file);
  const started = Date.now();
  mutant.tests = named.length;
  if (named.length > 0) {
    const env = { MUTANT: String(mutant.id), MUTANTS_ORDER: named.join() };
    const most = 3 * Math.min(seconds, Number(options.seconds)) + 60;
    const args = ['--bail', '1', '--tags-filter', '!depth', ...named];
    const { code, output } = await vitest(args, env, most);
    mutant.isFound = code !== 0;
    mutant.by = / FAIL .*/.exec(output)?.[0] ?? (code === null ? 'time' : '');
  }
  const took = ((Date.now() - started) / 1000).toFixed(0);
  console.log(
    `${mutant.isFound ? 'found   ' : 'SURVIVED'} ${said(mutant)} (${took} s) ${mutant.by ?? ''}`,
  );
}

function said({ file, line, was, becomes, tests }) {
  const short = (part) => part.replaceAll(/\s+/g, ' ').slice(0, 70);
  const of = tests === 0 ? ' – no test comes by' : '';
  return `${file}:${line}  ${short(was)}  →  ${short(becomes) || 'nothing'}${of}`;
}

function vitest(args, env, seconds) {
  const config = ['--config', 'test/mutants/vitest.config.ts'];
  return run(['node_modules/vitest/vitest.mjs', 'run', ...config, ...args], env, seconds);
}

/** `code` is `null` where it did not end in time. */
function run(args, env, seconds) {
  return new Promise((resolve) => {
    // A group of its own, so that what it starts ends with it.
    const child = spawn(process.execPath, args, {
      cwd: copy,
      env: { ...process.env, NO_COLOR: '1', ...env },
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (more) => (output = (output + more).slice(-100_000)));
    const end = () => process.kill(-child.pid, 'SIGKILL');
    const timer = setTimeout(end, seconds * 1000);
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

function tell() {
  console.log(`\n| file | mutants | found | share |\n| --- | ---: | ---: | ---: |`);
  for (const file of files) {
    const own = mutants.filter((mutant) => mutant.file === file);
    const found = own.filter(({ isFound }) => isFound).length;
    const share = Math.round((found / own.length) * 100);
    console.log(`| \`${file.slice(4)}\` | ${own.length} | ${found} | ${share} % |`);
    if (share < ASKED) process.exitCode = 1;
  }
  const survivors = mutants.filter(({ isFound }) => !isFound);
  console.log(`\n${survivors.length} survived:`);
  for (const mutant of survivors) console.log(`- ${said(mutant)}`);
}
