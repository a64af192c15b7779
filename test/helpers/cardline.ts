import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

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
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line as a process of its own, to its end. */
export async function cardline(
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
  { cwd = root, env = {}, command = [] }: Invocation = {},
): { readonly child: ChildProcessWithoutNullStreams; readonly ended: Promise<Ended> } {
  const [program = process.execPath, ...rest] = [...command, process.execPath, executable, ...args];
  const child = spawn(program, rest, {
    cwd,
    env: { ...process.env, ...env },
  });
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
