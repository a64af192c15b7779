import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * npm run proof [-- FOLDER …]
 * The long variants of the proofs with real processes; by default those of what happens around a run, of faults and of
 * the modes.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', `file://${root}`));
const named = process.argv.slice(2);
const folders = named.length > 0 ? named : ['test/proof', 'test/modes'];

const child = spawn(process.execPath, [vitest, 'run', ...folders], {
  cwd: root,
  env: { ...process.env, PROOF: 'full' },
  stdio: 'inherit',
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
