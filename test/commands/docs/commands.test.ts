import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import type * as CommandLine from '../../../src/cli/run.js';
import { type Ended, printed, startCardline } from '../../kit/cardline.js';
import { examplesByPage, wordsOf } from './examples.js';
import { openWorkplace, type Workplace } from './workplace.js';

const RUN_ID = /\b\d{8}-\d{6}-[0-9a-f]{4}\b/g;
/** Rows of the sample are bad on purpose, and what is compared may differ: 2 is as good as 0. */
const GOOD_CODES: readonly (number | null)[] = [0, 2];

/** Built, since some commands start threads, which begin with files of their own. */
const { run } = (await import(
  new URL('../../../dist/command/cli.js', import.meta.url).href
)) as typeof CommandLine;

const home = process.cwd();
afterEach(() => {
  process.chdir(home);
});

/** The lines of a page are run in order, in a folder of its own. */
it.each(examplesByPage)(
  '$name shows commands that work',
  { timeout: 300_000 },
  async ({ text, lines }) => {
    const workplace = await openWorkplace();
    try {
      /** Runs by the ids that the page shows. */
      const runs = new Map<string, string>();
      const shown = new Set(text.match(RUN_ID));
      for (const id of [...shown].sort()) runs.set(id, await workplace.anotherRun());
      const failed: string[] = [];
      for (const { line } of lines.filter(({ isRun }) => isRun)) {
        const ran = line.replaceAll(RUN_ID, (id) => runs.get(id) ?? id);
        const isServer = ran.startsWith('cardline sandbox ');
        const way = isServer ? startAndStop : NEEDS_A_SHELL.test(ran) ? shell : here;
        const { code, stderr } = await way(ran, workplace);
        if (!GOOD_CODES.includes(code)) failed.push(`${line}: ${code} ${stderr}`);
      }
      expect(failed).toEqual([]);
    } finally {
      await workplace.close();
    }
  },
);

/** Anything but `cardline` with plain words: pipes, redirections, variables, standard input, other programs. */
const NEEDS_A_SHELL = /^(?!cardline )|[|<>&;$`*~()]| -(?: |$)/;

/** Runs a line without a process of its own, as nearly all are meant. */
async function here(line: string, { folder, env }: Workplace): Promise<Ended> {
  process.chdir(folder);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const stdin = new PassThrough();
  stdin.end();
  const code = await run(wordsOf(line), {
    ...{ stdin, stdout, stderr, env: { ...process.env, ...env }, interactive: false },
    ...{ columns: undefined, signal: new AbortController().signal },
  });
  stdout.end();
  stderr.end();
  const [out, told] = await printed;
  return { code, stdout: out, stderr: told };
}

/** Runs a line as a person's shell does. */
function shell(line: string, { folder, env }: Workplace): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', line], { cwd: folder, env: { ...process.env, ...env } });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (more: string) => (output[name] += more));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
    child.stdin.end();
  });
}

/** Runs a command that does not end by itself. */
async function startAndStop(line: string, { folder }: Workplace): Promise<Ended> {
  const running = startCardline(wordsOf(line), { cwd: folder });
  await printed(running, /listening/);
  running.child.kill('SIGTERM');
  return running.ended;
}
