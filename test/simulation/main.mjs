import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * npm run sim -- [--seeds N] [--from SEED] [--seed SEED] [--processes N] [--only runs|around|delta|takeover|fleet]
 * Simulates N imports, as many stories of what happens around runs, as many of nights of lists, of runs that processes take
 * from each other, and of shared runs, each from a seed of its own; --seed replays one.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    only: { type: 'string' },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
});

const root = fileURLToPath(new URL('../../', import.meta.url));
const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', `file://${root}`));

/** What is simulated: one import, what happens around runs, nights of lists, an import that several begin, or one shared. */
const PARTS = ['runs', 'around', 'delta', 'takeover', 'fleet'];
if (values.only !== undefined && !PARTS.includes(values.only)) {
  console.error(`--only needs one of ${PARTS.join(', ')}.`);
  process.exit(64);
}

function whole(name) {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  console.error(`--${name} needs a whole number from 1 on.`);
  process.exit(64);
}

/** One process; resolves with its exit code. */
function simulate(env) {
  return new Promise((resolve, reject) => {
    const args = ['run', 'test/simulation/simulation.test.ts', '--disable-console-intercept'];
    const child = spawn(process.execPath, [vitest, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function shares() {
  if (values.seed !== undefined) return [{ SIM_SEED: values.seed }];
  const [seeds, from, processes] = [whole('seeds'), whole('from'), whole('processes')];
  const share = Math.ceil(seeds / processes);
  return Array.from({ length: Math.ceil(seeds / share) }, (_, index) => ({
    SIM_FROM: String(from + index * share),
    SIM_SEEDS: String(Math.min(share, seeds - index * share)),
  }));
}

const started = performance.now();
const codes = [];
for (const SIM_ONLY of values.only === undefined ? PARTS : [values.only])
  codes.push(...(await Promise.all(shares().map((env) => simulate({ ...env, SIM_ONLY })))));
console.log(`${Math.round((performance.now() - started) / 1000)} s`);
process.exitCode = Math.max(...codes);
