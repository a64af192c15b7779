import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { csv, leads, useBench } from '../kit/bench.js';
import { cardline, executable, startCardline } from '../kit/cardline.js';

/** What takes time to start is loading: nothing may be loaded that is not needed yet. */
const bench = useBench();

const RECORDER = new URL('../kit/record-loading.mjs', import.meta.url).href;
const environment = () => ({
  ...bench.environment,
  NODE_OPTIONS: `--import ${RECORDER}`,
  RECORD_LOADING: bench.at('loaded'),
});

interface Loaded {
  files: number;
  bytes: number;
  packages: string[];
}

/** What has been loaded so far, by thread: files of the command, and packages. */
function loaded(): Record<string, Loaded> {
  const threads: Record<string, Loaded> = {};
  for (const line of readFileSync(bench.at('loaded'), 'utf8').trimEnd().split('\n')) {
    const [, thread = '', path = ''] = /^(\d+) (.*)$/.exec(line) ?? [];
    const one = (threads[thread] ??= { files: 0, bytes: 0, packages: [] });
    const [, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
    if (dirname(path) === dirname(executable)) {
      one.files++;
      one.bytes += statSync(path).size;
    } else if (name === undefined)
      throw new Error(`${path} is neither the command's nor a package's.`);
    else if (!one.packages.includes(name)) one.packages.push(name);
  }
  return threads;
}

/** More files than an import is made of, and far fewer than its hundreds of sources. */
const FEW = 160;
/** The same with what reads, maps and sends a small file. */
const FEW_THAT_READ = 200;

it('asks no other part of the command and no package for its version', async () => {
  await cardline(['--version'], { env: environment() });
  expect(Object.keys(loaded())).toEqual(['0']);
  expect(loaded()['0']).toMatchObject({ packages: [] });
  expect(loaded()['0']?.files).toBeLessThan(6);
  expect(loaded()['0']?.bytes).toBeLessThan(0.05 * commandBytes());
});

it('prints its help without what reads, sends or reports', async () => {
  await cardline(['import', '--help'], { env: environment() });
  expect(Object.keys(loaded())).toEqual(['0']);
  expect(loaded()['0']).toMatchObject({ packages: [] });
  expect(loaded()['0']?.files).toBeLessThan(FEW);
  expect(loaded()['0']?.bytes).toBeLessThan(0.1 * commandBytes());
});

it('loads for the first request of an import what that needs', async () => {
  const file = await bench.write('leads.csv', csv(leads(20)));
  const atFirst: ReturnType<typeof loaded>[] = [];
  bench.center.behave = () => {
    if (atFirst.length === 0) atFirst.push(loaded());
    return undefined;
  };
  const { ended } = startCardline(bench.args('run', [file]), { env: environment() });
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(0);
  // A small file is read where it is sent; the thread that records is not waited for.
  const [before = {}] = atFirst;
  expect(Object.keys(before).sort()).toEqual(['0']);
  const { 0: sending } = before;
  expect(sending?.files).toBeLessThan(FEW_THAT_READ);
  expect(sending?.bytes).toBeLessThan(0.55 * commandBytes());
  for (const name of sending?.packages ?? []) expect(NEEDED).toContain(name);
});

/** What all files of the command hold. */
const commandBytes = (): number =>
  readdirSync(dirname(executable)).reduce(
    (sum, name) =>
      sum + (name.endsWith('.js') ? statSync(join(dirname(executable), name)).size : 0),
    0,
  );

/** The packages that send and record, with theirs. */
const NEEDED = ['better-sqlite3', 'bindings', 'file-uri-to-path', 'undici'];
