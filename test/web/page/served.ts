import { printed, startCardline } from '../../helpers/cardline.js';

/** `cardline ui` as a process of its own. */
export interface ServedPage {
  readonly address: string;
  readonly port: string;
  readonly token: string;
  readonly pid: number;
  /** Sends a signal; `SIGKILL` leaves no time for anything. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it with Ctrl-C. @returns what it has printed */
  end(): Promise<{
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
  /** Resolves once it has ended. */
  readonly ended: Promise<unknown>;
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
    pid: running.child.pid ?? 0,
    signal: (signal) => void running.child.kill(signal),
    end: () => {
      running.child.kill('SIGINT');
      return running.ended;
    },
    ended: running.ended,
  };
}
