import { mkdir, open, readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../runs/harness.js';
import { randomFrom, seedOf } from '../kit/random.js';
import { isFull } from './harness.js';
import type { HostileFile } from './hostile/file.js';
import { hostileFiles, selection } from './hostile/files.js';
import { faultsOf, type Verdicts } from './hostile/judge.js';
import { ANY_MAPPING, LEADS_MAPPING } from './hostile/leads.js';
import { measured } from './hostile/measured.js';
import { lineOf, tableOf } from './hostile/table.js';

const random = randomFrom(seedOf('hostile'));
const files = isFull ? hostileFiles(random) : selection(random);
const all = new Map<string, Verdicts>();

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  await bench.write('leads.yaml', LEADS_MAPPING);
  await bench.write('any.yaml', ANY_MAPPING);
  await mkdir(bench.at('temporary'));
});
afterEach(() => bench.close());
afterAll(() => console.log(tableOf(all)));

async function written({ content }: HostileFile, name: string): Promise<string> {
  const handle = await open(bench.at(name), 'w');
  try {
    for (const piece of content()) await handle.writeFile(piece);
  } finally {
    await handle.close();
  }
  return bench.at(name);
}

async function verdictsOn(hostile: HostileFile): Promise<Verdicts> {
  const name = `${hostile.name.replaceAll(/[^\w.-]+/g, '-')}.file`;
  const path = await written(hostile, name);
  const mapping = [
    '-m',
    bench.at(`${hostile.table ?? 'leads'}.yaml`),
    '-i',
    bench.at('center.yaml'),
  ];
  const env = { ...bench.environment, TMPDIR: bench.at('temporary') };
  const run = (args: readonly string[]) => measured(args, env, bench.at('usage.json'));
  const rows = await run(['rows', path]);
  const check = await run(['check', path, '--json', '--out', bench.at('check'), ...mapping]);
  const ledger = ['--ledger', bench.at('import.db'), '--out', bench.at('import')];
  const imported = await run(['import', path, ...ledger, ...mapping]);
  const sent = bench.center.requests.reduce((sum, { clients }) => sum + clients, 0);
  return { rows, check, import: { ...imported, sent }, names: [name, '.yaml'] };
}

it.each(files)(
  '$name: rows, check and import end with a clear error or the right result',
  async (hostile) => {
    const verdicts = await verdictsOn(hostile);
    all.set(hostile.name, verdicts);
    console.log(lineOf(hostile.name, verdicts));
    expect(faultsOf(verdicts)).toEqual([]);
    expect(bench.center.violations).toEqual([]);
    expect(await readdir(bench.at('temporary'))).toEqual([]);
    for (const name of ['check', 'import'])
      expect(
        (await readdir(bench.at(name)).catch(() => [])).filter((left) => left.endsWith('.part')),
      ).toEqual([]);
  },
  600_000,
);

it('no name stands for two files', () => {
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
});
