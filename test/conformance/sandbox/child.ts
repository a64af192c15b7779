import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { INSTALLATION } from './harness.js';

/** The sandbox as it is built. */
const PROGRAM = `
import { startSandbox } from ${JSON.stringify(new URL('../../../dist/sandbox/sandbox.js', import.meta.url).href)};
const [database] = process.argv.slice(1);
const installation = ${JSON.stringify(INSTALLATION)};
const { url } = await startSandbox({ installation, port: 0, database });
process.stdout.write(url + '\\n');
`;

export interface Child {
  readonly url: string;
  /** Ends the process at once, as kill -9 does. */
  kill(): Promise<void>;
}

/** Runs a sandbox in a process of its own. */
export async function runSandbox(database: string): Promise<Child> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the sandbox ended before it was ready');
  });
  const [url] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  ended.catch(() => undefined);
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
