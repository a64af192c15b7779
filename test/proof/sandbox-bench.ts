import { expect } from 'vitest';
import {
  type Bench,
  type Imported,
  TRANSPORT,
  countOutcomes,
  csv,
  identityIn,
  identityOf,
  installation,
  lead,
  leads,
  openBench,
} from '../runs/harness.js';
import { type SandboxProcess, startSandboxProcess } from '../kit/sandbox.js';
import { type TcpProxy, startTcpProxy } from '../kit/tcp-proxy.js';

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
  options: readonly string[] = [],
  transport = TRANSPORT,
): Promise<SandboxBench> {
  const bench = await openBench();
  const file = await bench.write('leads.csv', csv(leads(rows)));
  const own = await bench.write('sandbox.yaml', installation('http://127.0.0.1:9'));
  const sandbox = await startSandboxProcess(own, bench.at('sandbox.db'));
  const proxy = await startTcpProxy(sandbox.port);
  await bench.write('center.yaml', installation(proxy.url, '{}', transport));
  return {
    bench,
    sandbox,
    proxy,
    start: () => bench.start('run', [file], ['--campaign', '1', ...options]),
    everythingOnce: (run) => {
      expect(run.code, run.stderr).toBe(0);
      const books = sandbox.books(['offerId', 'offerDomain']);
      expect(books.size).toBe(rows);
      const report = run.report();
      expect(countOutcomes(report)).toEqual({ enqueued: rows });
      expect(run.summary()).toMatchObject({
        rows,
        outcomes: { enqueued: rows },
        state: 'finished',
      });
      for (const [index, line] of report.entries()) {
        const card = books.get(identityIn(line));
        expect(line['row']).toBe(String(index + 2));
        expect(identityIn(line)).toBe(identityOf(lead(index + 1)));
        expect([line['createdClientId'], card?.campaigns]).toEqual([String(card?.id), [1]]);
      }
    },
    close: async () => {
      await proxy.close();
      await sandbox.close();
      await bench.close();
    },
  };
}
