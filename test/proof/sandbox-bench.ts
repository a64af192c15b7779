import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type Imported, TRANSPORT, installation, openBench } from '../kit/bench.js';
import { type SandboxProcess, startSandboxProcess } from '../kit/sandbox.js';
import { type Phase, type TcpProxy, startTcpProxy } from '../kit/tcp-proxy.js';
import { everythingIn } from './harness.js';

/** An importer, a sandbox in a process of its own, and a proxy between the two. */
export interface SandboxBench {
  readonly bench: Bench;
  readonly sandbox: SandboxProcess;
  readonly proxy: TcpProxy;
  /** The same command each time. */
  readonly start: () => ReturnType<Bench['start']>;
  /** Every row was created and enqueued once, by the sandbox's own books, and the report says so. */
  everythingOnce(run: Imported): void;
  close(): Promise<void>;
}

/** `transport`: the installation's, as YAML. */
export async function openSandboxBench(
  rows: number,
  options: readonly string[],
  transport = TRANSPORT,
): Promise<SandboxBench> {
  const bench = await openBench();
  const file = await bench.list(rows);
  const own = await bench.write('sandbox.yaml', installation('http://127.0.0.1:9'));
  const sandbox = await startSandboxProcess(own, bench.at('sandbox.db'));
  const proxy = await startTcpProxy(sandbox.port);
  await bench.write('center.yaml', installation(proxy.url, '{}', transport));
  return {
    ...{ bench, sandbox, proxy },
    start: () => bench.start('run', [file], ['--campaign', '1', ...options]),
    everythingOnce: (run) => everythingIn(sandbox.books(['offerId', 'offerDomain']), 1, run, rows),
    close: async () => {
      await proxy.close();
      await sandbox.close();
      await bench.close();
    },
  };
}

export const CREATE = /^POST \/api\/v1\/clients\/exec\.do/;
export const ENQUEUE = /^POST \/api\/v1\/tacs\/campaigns\//;
export const CAMPAIGNS = /^GET \/api\/v1\/telemarketing\//;

/** The k-th request or answer of an operation, from 1. */
export interface Moment {
  readonly line: RegExp;
  readonly phase: Phase;
  readonly k: number;
  /** Before its first bytes are passed on, or after. */
  readonly when: 'before' | 'after';
}

/** Resolves when the proxy has the first bytes of what is meant. */
export function arrives(proxy: TcpProxy, { line, phase, k, when }: Moment): Promise<void> {
  const seen = new Set<number>();
  return new Promise((resolve) => {
    proxy.watch = async (arrival) => {
      if (arrival.phase !== phase || !line.test(arrival.line)) return;
      seen.add(arrival.exchange);
      if (seen.size !== k) return;
      proxy.watch = () => undefined;
      resolve();
      // What is held up arrives after the kill, if at all.
      if (when === 'before') await sleep(300);
    };
  });
}
