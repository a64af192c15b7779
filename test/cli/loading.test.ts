import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, csv, leads, openBench } from '../app/harness.js';
import { cardline, startCardline } from '../helpers/cardline.js';

/** What takes time to start is loading: nothing may be loaded that is not needed yet. */
let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const RECORDER = new URL('../helpers/record-loading.mjs', import.meta.url).href;
const environment = () => ({
  ...bench.environment,
  NODE_OPTIONS: `--import ${RECORDER}`,
  RECORD_LOADING: bench.at('loaded'),
});

/** What has been loaded so far, by thread: files of the command, and packages. */
function loaded(): Record<string, { files: string[]; packages: string[] }> {
  const threads: Record<string, { files: string[]; packages: string[] }> = {};
  for (const line of readFileSync(bench.at('loaded'), 'utf8').trimEnd().split('\n')) {
    const [, thread = '', path = ''] = /^(\d+) (.*)$/.exec(line) ?? [];
    const { files, packages } = (threads[thread] ??= { files: [], packages: [] });
    const [, file] = /\/dist\/command\/([^/]+)\.js$/.exec(path) ?? [];
    const [, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
    if (file !== undefined) files.push(file);
    else if (name === undefined)
      throw new Error(`${path} is neither the command's nor a package's.`);
    else if (!packages.includes(name)) packages.push(name);
  }
  return threads;
}

/** More files than an import is made of, and far fewer than its sources. */
const FEW = 16;

it('asks no other part of the command and no package for its version', async () => {
  await cardline(['--version'], { env: environment() });
  expect(Object.keys(loaded())).toEqual(['0']);
  expect(loaded()['0']).toMatchObject({ packages: [] });
  expect(loaded()['0']?.files).toContain('main');
  expect(loaded()['0']?.files.length).toBeLessThan(5);
});

it('prints its help without what reads, sends or reports', async () => {
  await cardline(['import', '--help'], { env: environment() });
  expect(Object.keys(loaded())).toEqual(['0']);
  expect(loaded()['0']).toMatchObject({ packages: [] });
  expect(loaded()['0']?.files).toContain('arguments');
  for (const file of ['reading', 'sending', 'common'])
    expect(loaded()['0']?.files).not.toContain(file);
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
  // One thread sends, one reads; the one that records is not waited for.
  const [before = {}] = atFirst;
  expect(Object.keys(before).sort()).toEqual(['0', '1']);
  const { 0: sending, 1: reading } = before;
  expect(sending?.files).toEqual(expect.arrayContaining(['main', 'sending']));
  expect(sending?.files).not.toContain('reading');
  expect(sending?.files.length).toBeLessThan(FEW);
  for (const name of sending?.packages ?? []) expect(NEEDED).toContain(name);
  expect(reading?.files).toEqual(expect.arrayContaining(['worker', 'reading']));
  expect(reading?.files).not.toContain('sending');
  expect(reading?.files.length).toBeLessThan(FEW);
  expect(reading?.packages).toEqual([]);
});

/** The packages that send and record, with theirs. */
const NEEDED = ['better-sqlite3', 'bindings', 'file-uri-to-path', 'undici'];
