import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type * as CommandLine from '../../src/cli/run.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));
/** The built command line. */
export const executable = fileURLToPath(new URL('../../dist/command/main.js', import.meta.url));

export interface Invocation {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that is given the interpreter and its arguments, to set limits. Default: none. */
  readonly command?: readonly string[];
  /** Standard input. Default: empty. */
  readonly input?: string | Buffer;
  /** Has the command end gently, as the first Ctrl-C does. */
  readonly signal?: AbortSignal | undefined;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as a function; built, since its threads begin with files of their own. */
const BUILT = new URL('../../dist/command/cli.js', import.meta.url).href;
/** Variables that commands are given as such. All others are those of a process. */
const GIVEN = /^(?:CARDLINE|CC)_/;
let isAtWork = false;

/**
 * Runs the built command line to its end: within this process, which has loaded it already. One that begins beside another
 * one, or needs what only a process has, gets one of its own.
 */
export async function cardline(
  args: readonly string[],
  invocation: Invocation = {},
): Promise<Ended> {
  const { cwd = root, env = {}, command, input, signal } = invocation;
  const isOwn = command ?? input ?? Object.keys(env).find((name) => !GIVEN.test(name));
  if (isAtWork || isOwn !== undefined) return cardlineProcess(args, invocation);
  isAtWork = true;
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return await here(args, { ...process.env, ...env }, signal);
  } finally {
    process.chdir(before);
    isAtWork = false;
  }
}

async function here(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal = new AbortController().signal,
): Promise<Ended> {
  const { run } = (await import(BUILT)) as typeof CommandLine;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const printed = Promise.all([text(stdout), text(stderr)]);
  const terminal = { stdin, stdout, stderr, env, signal, interactive: false, columns: undefined };
  const code = await run(args, terminal);
  stdout.end();
  stderr.end();
  const [out, told] = await printed;
  return { code, stdout: out, stderr: told };
}

/** Runs the built command line as a process of its own, to its end. */
export async function cardlineProcess(
  args: readonly string[],
  invocation: Invocation = {},
): Promise<Ended> {
  const running = startCardline(args, invocation);
  running.child.stdin.on('error', () => undefined);
  running.child.stdin.end(invocation.input ?? '');
  return running.ended;
}

/** Starts the built command line and leaves it running. */
export function startCardline(
  args: readonly string[],
  { cwd = root, env = {}, command = [], signal }: Invocation = {},
): { readonly child: ChildProcessWithoutNullStreams; readonly ended: Promise<Ended> } {
  const [program = process.execPath, ...rest] = [...command, process.execPath, executable, ...args];
  const child = spawn(program, rest, {
    cwd,
    env: { ...process.env, ...env },
  });
  signal?.addEventListener('abort', () => child.kill('SIGINT'));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
  });
  return { child, ended };
}

/** Resolves with what the process has printed on stdout once it matches. */
export function printed(
  { child, ended }: ReturnType<typeof startCardline>,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (more: string) => {
      text += more;
      const match = pattern.exec(text);
      if (match) resolve(match);
    });
    void ended.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
}
