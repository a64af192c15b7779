import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type * as Import from '../../../src/run/import.js';
import type { WorkerRequest } from '../../../src/run/shared.js';
import type { ImportRequest } from '../../../src/run/requests.js';
import type { LeaseTimes } from '../../../src/ledger/port.js';
import type { Bench, Imported, Line } from '../../kit/bench.js';
import { type Ended, startCardline } from '../../kit/cardline.js';

const scriptOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A process that was started. */
export type Running = ReturnType<typeof startCardline>;

/** Machines that share a ledger, played by processes. */
export interface Machines {
  readonly ledger: string;
  /** Shares the import of a file; what it writes gets this name. */
  submit(
    name: string,
    file: string,
    options?: Partial<ImportRequest>,
    environment?: Readonly<Record<string, string>>,
  ): Running;
  /** The same within this process, for a machine that nobody stops and that does nothing beside another submission. */
  submitHere(name: string, file: string, options?: Partial<ImportRequest>): Promise<Ended>;
  worker(...options: readonly string[]): Running;
  /** A worker with more in its environment, which may reach the ledger by another way. */
  workerWith(
    environment: Readonly<Record<string, string>>,
    ledger?: string,
    options?: Partial<WorkerRequest>,
  ): Running;
  imported(name: string, ended: Ended): Imported;
}

/** `lease`: short ones where a test waits for them to lapse. */
export function machinesOf(
  bench: Bench,
  ledger: string,
  pieceRows = 1000,
  lease?: LeaseTimes,
): Machines {
  const env = bench.environment;
  const requestOf = (name: string, file: string, options: Partial<ImportRequest>) => ({
    ...{ files: [file], ledger, pieceRows, campaign: { id: 42 } },
    ...{ mapping: bench.at('mapping.yaml'), installation: bench.at('center.yaml') },
    ...{ out: bench.at(name), ...(lease && { lease }), ...options },
  });
  return {
    ledger,
    submit: (name, file, options = {}, environment = {}) =>
      start(scriptOf('submit.mjs'), requestOf(name, file, options), { ...env, ...environment }),
    submitHere: (name, file, options = {}) => submitHere(requestOf(name, file, options), env),
    worker: (...options) =>
      lease
        ? start(scriptOf('work.mjs'), { ledger, lease }, env)
        : startCardline(['worker', '--ledger', ledger, ...options], { env }),
    workerWith: (environment, way = ledger, options = {}) =>
      start(scriptOf('work.mjs'), { ledger: way, lease, ...options }, { ...env, ...environment }),
    imported: (name, ended) => bench.imported(name, ended),
  };
}

/** Shares an import. */
export const startSubmitter = (
  request: Partial<ImportRequest>,
  environment: Readonly<Record<string, string>> = {},
): Running => start(scriptOf('submit.mjs'), request, environment);

/** What `submit.mjs` does, within this process. */
export async function submitHere(
  request: Partial<ImportRequest>,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const built = new URL('../../../dist/run/import.js', import.meta.url).href;
  const { importFiles } = (await import(built)) as typeof Import;
  let told = '';
  try {
    const { exitCode, summary, already, detached, stopped } = await importFiles({
      ...{ shared: true, signal: new AbortController().signal },
      onWarning: (message: string) => (told += `${message}\n`),
      env: { ...process.env, ...env },
      ...(request as ImportRequest),
    });
    const stdout = JSON.stringify({ summary, already, detached, stopped });
    return { code: exitCode, stdout, stderr: told };
  } catch (error) {
    if (!(error instanceof Error && 'exitCode' in error)) throw error;
    return { code: Number(error.exitCode), stdout: '', stderr: `${told}${error.message}\n` };
  }
}

function start(script: string, request: object, env: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, [script, JSON.stringify(request)], {
    env: { ...process.env, ...env },
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => (output[stream] += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, ...output }));
  });
  return { child, ended };
}

/** A report without what differs from one import of the same rows to the next: ids. */
export const withoutIds = (report: readonly Line[]): Line[] =>
  report.map(({ run: _, createdClientId, ...line }) => ({
    ...line,
    createdClientId: createdClientId === '' ? '' : 'ID',
  }));
