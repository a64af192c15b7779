import { PassThrough } from 'node:stream';
import type * as CommandLine from '../../../src/cli/run.js';
import { type Ended, printed, startCardline } from '../../kit/cardline.js';

/** `cardline ui` as a process of its own. */
export interface ServedPage {
  readonly address: string;
  readonly port: string;
  readonly token: string;
  /** Sends a signal; `SIGKILL` leaves no time for anything. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it with Ctrl-C. */
  end(): Promise<Ended>;
  /** Resolves once it has ended. */
  readonly ended: Promise<Ended>;
}

const ADDRESS = /^The page is at (http:\/\/127\.0\.0\.1:(\d+)\/#([\w-]{43}))\n$/;

/** Starts `cardline ui` in a folder. */
export async function servePage(
  folder: string,
  args: readonly string[] = ['--sandbox'],
  env: Readonly<Record<string, string>> = {},
): Promise<ServedPage> {
  const running = startCardline(['ui', ...args, '--no-open'], { cwd: folder, env });
  const [, address = '', port = '', token = ''] = await printed(running, ADDRESS);
  return {
    ...{ address, port, token },
    signal: (signal) => void running.child.kill(signal),
    end: () => {
      running.child.kill('SIGINT');
      return running.ended;
    },
    ended: running.ended,
  };
}

/** The same within this process, for a page that is not killed: what it runs is loaded once for all of a file. */
export async function servePageHere(
  folder: string,
  args: readonly string[] = ['--sandbox'],
  env: Readonly<Record<string, string>> = {},
): Promise<Pick<ServedPage, 'address' | 'end'>> {
  const built = new URL('../../../dist/command/cli.js', import.meta.url).href;
  const { run } = (await import(built)) as typeof CommandLine;
  const stop = new AbortController();
  const before = process.cwd();
  process.chdir(folder);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const output = { stdout: '', stderr: '' };
  for (const [name, stream] of Object.entries({ stdout, stderr }))
    stream.setEncoding('utf8').on('data', (text: string) => {
      output[name as keyof typeof output] += text;
    });
  const ended = run(['ui', ...args, '--no-open'], {
    ...{ stdin, stdout, stderr, env: { ...process.env, ...env }, signal: stop.signal },
    ...{ interactive: false, columns: undefined },
  }).finally(() => process.chdir(before));
  const address = await Promise.race([
    new Promise<string>((resolve) => {
      stdout.on('data', () => {
        const [, found] = ADDRESS.exec(output.stdout) ?? [];
        if (found !== undefined) resolve(found);
      });
    }),
    ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${output.stderr}`))),
  ]);
  return {
    address,
    end: async () => {
      stop.abort();
      return { code: await ended, ...output };
    },
  };
}
