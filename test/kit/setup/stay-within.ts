import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/** Tests of the project `unit` start no process: whoever does is told where such a test belongs. */
for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'])
  Object.assign(childProcess, {
    [name]: () => {
      throw new Error(
        'A test of the project "unit" starts a process. Have it import what starts it from test/kit, or its folder taken off UNIT_FOLDERS in vitest.config.ts.',
      );
    },
  });
syncBuiltinESMExports();
