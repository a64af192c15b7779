/**
 * npm run mutants [-- --only FILE --mutants N --seed N --tests TEST --seconds N]
 * Breaks the files that decide most in small ways, one at a time, and tells of which of them some test takes notice. It works
 * on a copy: all mutants of the sample are built into it asleep, the tests run once to see which of them comes by which
 * mutant, and then those run for each mutant, awake, the quickest first, until one fails.
 *
 * --only     files whose path has this in it; may be given several times
 * --mutants  how many a file (20)
 * --seed     which (1)
 * --tests    only tests whose path has this in it; may be given several times
 * --seconds  how long the tests of a mutant may take in sum, as they took before (60)
 */
import { execFileSync, fork } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { parse } from 'yaml';
import { compiling } from './compiling.mjs';
import { mutantsOf, mutated, switched } from './mutations.mjs';

/** The files, and what is in the paths of the tests that look on from near. */
const FILES = {
  'src/core/facts.ts': ['/ledger/', '/delivery/', '/report/states'],
  'src/delivery/attempt.ts': ['/delivery/', '/simulation/simulation', '/modes/'],
  'src/delivery/limiter.ts': ['/delivery/'],
  'src/delivery/sender.ts': ['/delivery/', '/simulation/outage'],
  'src/delivery/sending.ts': ['/delivery/', '/simulation/simulation', '/modes/'],
  'src/ledger/store.ts': ['/ledger/'],
  'src/mapping/compile.ts': ['/mapping/', '/cases/', '/delivery/lists/'],
  'src/mapping/transforms/phone/read-phone.ts': ['/mapping/'],
  'src/run/run.ts': ['/runs/', '/commands/counts', '/library/functions'],
  'src/source/csv/rows.ts': ['/csv/'],
};
const ASKED = 85;

const EQUAL = parse(readFileSync(join(import.meta.dirname, 'equal.yaml'), 'utf8'));
const isEqual = (mutant) =>
  EQUAL.some(
    ({ file, on = '', was, becomes }) =>
      file === mutant.file &&
      mutant.on.includes(on) &&
      was === mutant.was &&
      becomes === mutant.becomes,
  );

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: {
    only: { ...text, multiple: true, default: [''] },
    tests: { ...text, multiple: true, default: [] },
    mutants: { ...text, default: '20' },
    seed: { ...text, default: '1' },
    seconds: { ...text, default: '60' },
  },
});

const root = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'cardline-mutants-'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const files = Object.keys(FILES).filter((file) => options.only.some((part) => file.includes(part)));
const mutants = chooseMutants();
makeCopy();
const tests = await tryTests();
let runner;
for (const mutant of mutants) await tryMutant(mutant);
runner?.end();
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

function makeCopy() {
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
  execFileSync('node_modules/.bin/rolldown', ['-c'], { cwd: copy, stdio: 'pipe' });
}

/** Each test file that passes: how long it takes, and which mutants it comes by. */
async function tryTests() {
  const near = options.tests.length > 0 ? options.tests : files.flatMap((file) => FILES[file]);
  const folder = join(copy, 'reached');
  const runner = await startRunner({ MUTANTS_FOLDER: folder });
  const { outcomes } = await runner.run({ mutant: -1, files: [...new Set(near)] }, 3600);
  runner.end();
  const left = outcomes.flatMap(([file, { passed }]) => (passed ? [] : [file]));
  console.log(`${outcomes.length - left.length} test files pass on the copy.`);
  if (left.length > 0) console.log(`Left out, since they do not: ${left.join(', ')}`);
  return outcomes
    .filter(([, { passed }]) => passed)
    .map(([file, { seconds }]) => {
      const reached = join(folder, encodeURIComponent(join(copy, file)));
      const ids = existsSync(reached) ? readFileSync(reached, 'utf8').trim().split('\n') : [];
      for (const line of ids) {
        const [id, loads] = line.split(' ');
        if (loads) mutants[Number(id)].isOfAll = true;
      }
      return { file, seconds, reached: new Set(ids.map((line) => Number.parseInt(line, 10))) };
    })
    .sort((one, other) => one.seconds - other.seconds);
}

/** Runs the tests that come by a mutant until one fails, those of its own room first. */
async function tryMutant(mutant) {
  const started = Date.now();
  const own = new Set(mutants.filter(({ file }) => file === mutant.file).map(({ id }) => id));
  const room = `/${mutant.file.split('/')[1]}/`;
  let seconds = 0;
  const those = tests
    .filter(({ reached }) =>
      mutant.isOfAll ? [...reached].some((id) => own.has(id)) : reached.has(mutant.id),
    )
    .sort((one, other) => Number(other.file.includes(room)) - Number(one.file.includes(room)))
    .filter((test, at) => (seconds += test.seconds) <= Number(options.seconds) || at === 0);
  mutant.isReached = those.length > 0;
  if (mutant.isReached) {
    runner ??= await startRunner({});
    const asked = { mutant: mutant.id, files: those.map(({ file }) => file) };
    const answer = await runner.run(asked, 60 + 3 * Math.min(seconds, Number(options.seconds)));
    // A mutant that does not come to an end is noticed by everybody.
    mutant.by = answer ? answer.failures[0] : 'a time limit';
    mutant.isFound = mutant.by !== undefined;
    if (!answer) runner = undefined;
  }
  const took = Math.round((Date.now() - started) / 1000);
  const became = mutant.isFound ? `found by ${mutant.by.slice(0, 100)}` : 'SURVIVES';
  console.log(`${textOf(mutant)}: ${became} (${took} s)`);
}

function textOf({ file, line, was, becomes, isReached }) {
  const short = (part) => part.replaceAll(/\s+/g, ' ').slice(0, 70);
  const by = isReached ? '' : ' (no test comes by)';
  return `${file}:${line}  ${short(was)}  →  ${short(becomes) || 'nothing'}${by}`;
}

/** Starts what runs tests on the copy. `run` resolves with nothing where it took too long, and has ended it then. */
async function startRunner(env) {
  const child = fork('test/mutants/runner.mjs', {
    cwd: copy,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // A group of its own, so that what it starts ends with it.
    detached: true,
  });
  const end = () => {
    process.off('exit', end);
    if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', end);
  let settle;
  child.on('message', (answer) => settle(answer));
  child.on('exit', () => settle(undefined));
  const said = async (seconds) => {
    const answer = new Promise((resolve) => (settle = resolve));
    const timer = setTimeout(settle, seconds * 1000);
    return answer.finally(() => clearTimeout(timer));
  };
  if (!(await said(600))) throw new Error('What runs the tests does not start.');
  const run = async (asked, seconds) => {
    child.send(asked);
    const answer = await said(seconds);
    if (!answer) end();
    return answer;
  };
  return { run, end };
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
  for (const mutant of survivors) console.log(`- ${textOf(mutant)}`);
}
