import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * npm run proof [-- FOLDER …]
 * The long variants of the proofs with real processes: by default those of what happens around a run, of faults and of
 * the modes, then all tests that `npm test` leaves out, and those of single parts with random values of other seeds.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', `file://${root}`));
const named = process.argv.slice(2);
const runs =
  named.length > 0
    ? [named]
    : [
        ['test/proof', 'test/runs/modes'],
        ['--tags-filter', 'depth'],
        ['--project', 'unit'],
      ];

for (const run of runs) {
  const child = spawn(process.execPath, [vitest, 'run', ...run], {
    cwd: root,
    env: { ...process.env, PROOF: 'full' },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = code ?? 1;
}
