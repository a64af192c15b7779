import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { Mode } from '../../../src/core/outcome.js';
import { cardline, type Ended, startCardline } from '../../kit/cardline.js';
import { type Sandbox, startSandbox } from '../../kit/sandbox.js';
import { type Line, type Summary, useOpened } from '../../kit/bench.js';
import { type Books, copyBooks, readBooks } from './books.js';
import {
  SANDBOX_INSTALLATION,
  SITTING,
  baseOf,
  hasCallback,
  identifiersOf,
  installationOf,
  isDeleted,
  isInCampaign,
  oldClient,
  phoneOf,
} from './clients.js';
import { type Gate, startGate } from './gate.js';
import { csvOf, sheetOf } from './rows.js';

/** A contact center in which the clients of the seed are. */
export interface Center {
  readonly url: string;
  readonly port: number;
  books(): Books;
  /** A request of the test's own. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
  close(): Promise<void>;
}

/** How a command ended, with what it left behind. */
export interface Run extends Ended {
  readonly report: () => Promise<Line[]>;
  readonly summary: () => Promise<Summary>;
}

/** A folder with the spreadsheets of some modes, and contact centers that are equal at first. */
export interface World {
  readonly rows: number;
  readonly before: Books;
  at(name: string): string;
  write(name: string, content: string): Promise<string>;
  /** Another contact center that is as the seed left it. */
  center(name: string): Promise<Center>;
  /** Arguments of the import of a mode's spreadsheet; ledger, installation and reports have this name. */
  importOf(mode: Mode, name: string, url: string, more?: readonly string[]): Promise<string[]>;
  start(args: readonly string[]): ReturnType<typeof startCardline>;
  /** `signal` ends it gently. */
  run(args: readonly string[], signal?: AbortSignal): Promise<Run>;
  ended(args: readonly string[], ended: Ended): Run;
  close(): Promise<void>;
}

/** Few clients in a batch, so that a run has a middle. */
export const BATCH = 20;
export const OPTIONS = ['--batch-size', String(BATCH), '--concurrency', '4'];

/** Makes the clients of these modes, each for so many rows. */
export async function openWorld(modes: readonly Mode[], rows: number): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'cardline-modes-test-'));
  const at = (name: string): string => join(folder, name);
  const write = async (name: string, content: string): Promise<string> => {
    await writeFile(at(name), content);
    return at(name);
  };
  const own = await write('sandbox.yaml', SANDBOX_INSTALLATION);
  const open = async (name: string): Promise<Center> => {
    const sandbox = await startSandbox(own, at(`${name}.sandbox.db`));
    return centerOf(sandbox, at(`${name}.sandbox.db`));
  };
  const seed = await open('seed');
  for (const mode of modes) await plant(seed, baseOf(mode), rows);
  await seed.close();
  const before = readBooks(at('seed.sandbox.db'));
  const idOf = (offerId: number): number => before.get(offerId)?.id ?? 0;
  for (const mode of modes) {
    const sheet = sheetOf(mode, rows);
    await write(`${mode}.csv`, csvOf(sheet, rows, idOf));
    await write(`${mode}.yaml`, sheet.mapping);
  }
  const start: World['start'] = (args) => {
    const running = startCardline(args, { cwd: folder });
    running.child.stdin.end();
    return running;
  };
  const ended: World['ended'] = (args, how) => {
    const out = args[args.indexOf('--out') + 1] ?? '';
    return {
      ...how,
      report: async () =>
        parse(await readFile(join(out, 'report.csv'), 'utf8'), { columns: true, bom: true }),
      summary: async () => JSON.parse(await readFile(join(out, 'summary.json'), 'utf8')) as Summary,
    };
  };
  return {
    rows,
    before,
    at,
    write,
    center: (name) => {
      copyBooks(at('seed.sandbox.db'), at(`${name}.sandbox.db`));
      return open(name);
    },
    importOf: async (mode, name, url, more = []) => {
      const places = ['--ledger', at(`${name}.db`), '--out', at(name)];
      const center = await write(`${name}.center.yaml`, installationOf(url));
      const files = [at(`${mode}.csv`), '-m', at(`${mode}.yaml`), '-i', center];
      return ['import', ...files, ...places, ...OPTIONS, ...sheetOf(mode, rows).options, ...more];
    },
    start,
    run: async (args, signal) => ended(args, await cardline(args, { cwd: folder, signal })),
    ended,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A world with a contact center, and a gate before that. */
export interface Stage {
  readonly world: World;
  readonly center: Center;
  readonly gate: Gate;
}

/** What the tests of a group work on: the world once, the others too, unless each test is to have its own. */
export function useWorld(modes: readonly Mode[], rows: number, { each = false } = {}): Stage {
  const world = useOpened(() => openWorld(modes, rows), true, 600_000);
  let centers = 0;
  const center = useOpened(() => world.center(`center-${++centers}`), !each);
  return { world, center, gate: useOpened(() => startGate(center.port), !each) };
}

/** Starts a command, and ends it when so many requests have been carried out. */
export async function brokenOff(
  { world, gate }: Pick<Stage, 'world' | 'gate'>,
  args: readonly string[],
  after: number,
  signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL',
): Promise<void> {
  const stop = new AbortController();
  const running = signal === 'SIGKILL' ? world.start(args) : undefined;
  let carriedOut = 0;
  gate.onCarriedOut = () => {
    if (++carriedOut !== after) return;
    if (running) running.child.kill(signal);
    else stop.abort();
  };
  const { code } = await (running?.ended ?? world.run(args, stop.signal));
  gate.onCarriedOut = () => undefined;
  expect(code).toBe(signal === 'SIGKILL' ? null : 3);
}

/** Requests that arrive from now on. */
export function counted(gate: Gate): () => number {
  let requests = 0;
  gate.behave = () => {
    requests++;
    return undefined;
  };
  return () => requests;
}

function centerOf(sandbox: Sandbox, file: string): Center {
  return {
    url: sandbox.url,
    port: sandbox.port,
    books: () => readBooks(file),
    ask: async (method, path, body) => {
      const response = await fetch(`${sandbox.url}/api/v1${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      if (response.status >= 300)
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    close: () => sandbox.close(),
  };
}

/** Makes a mode's clients, through the interface. */
async function plant({ ask }: Center, base: number, rows: number): Promise<void> {
  const all = Array.from({ length: rows + SITTING }, (_, index) => index + 1);
  const clientIdentifiers = (i: number) => identifiersOf(base, i);
  await ask('POST', '/clients/exec.do', { clients: all.map((i) => oldClient(base, i)) });
  const inCampaign = all.filter(isInCampaign);
  await ask('POST', '/tacs/campaigns/1/exec.do', {
    maxCallCount: 3,
    clients: inCampaign.map((i) => ({ clientIdentifiers: clientIdentifiers(i) })),
  });
  const single = [
    ...all.filter(hasCallback).map(
      (i) => () =>
        ask('POST', '/callbacks/exec.do?type=tm', {
          ...{ name: 'Earlier', description: 'From before', operatorId: 1, campaignId: 1 },
          clientIdentifiers: clientIdentifiers(i),
          phone: phoneOf(base, i),
          callAt: '2095-01-01T10:00:00+03:00',
          callAutomatically: i % 8 !== 0,
        }),
    ),
    ...all
      .filter(isDeleted)
      .map(
        (i) => () => ask('DELETE', '/clients/exec.do', { syncIdentifiers: clientIdentifiers(i) }),
      ),
  ];
  for (let from = 0; from < single.length; from += 8)
    await Promise.all(single.slice(from, from + 8).map((request) => request()));
}
