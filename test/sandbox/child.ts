import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { INSTALLATION } from './harness.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const PROGRAM = `
import { startSandbox } from './sandbox/sandbox.js';
const [database] = process.argv.slice(2);
const installation = ${JSON.stringify(INSTALLATION)};
const { url } = await startSandbox({ installation, port: 0, database });
process.stdout.write(url + '\\n');
`;

/** Compiles the sandbox into a folder, so that a process of its own can run it. */
export async function compileSandbox(folder: string): Promise<void> {
  for (const room of ['core', 'config', 'contract', 'files', 'installation', 'sandbox']) {
    const from = join(ROOT, 'src', room);
    for (const file of await readdir(from, { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const text = await readFile(join(from, file), 'utf8');
      const { outputText } = ts.transpileModule(text, {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
      });
      const to = join(folder, room, file.replace(/\.ts$/, '.js'));
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, outputText);
    }
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'program.js'), PROGRAM);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

export interface Child {
  readonly url: string;
  /** Ends the process at once, as kill -9 does. */
  kill(): Promise<void>;
}

/** Runs a compiled sandbox in a process of its own. */
export async function runSandbox(folder: string, database: string): Promise<Child> {
  const child = spawn(process.execPath, [join(folder, 'program.js'), database], {
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
