import { mkdir, open, readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { useBench } from '../kit/bench.js';
import { randomFrom, seedOf } from '../kit/random.js';
import { isFull } from './harness.js';
import { hostileFiles, selection } from './hostile/files.js';
import type { HostileFile } from './hostile/make.js';
import { faultsOf, measured, type Verdicts } from './hostile/verdicts.js';
import { tablesIn } from '../kit/tables.js';

const random = randomFrom(seedOf('hostile'));
const files = isFull ? hostileFiles(random) : selection(random);

/** Mappings by the kind of a table: of any one, all rows are the same client, so that one is sent and the others are not. */
const MAPPINGS = tablesIn(import.meta.dirname, 'hostile.yaml') as { leads: string; any: string };

const bench = useBench({
  prepare: async () => {
    await bench.write('leads.yaml', MAPPINGS.leads);
    await bench.write('any.yaml', MAPPINGS.any);
    await mkdir(bench.at('temporary'));
  },
});

async function verdictsOn({ name, content, table = 'leads' }: HostileFile): Promise<Verdicts> {
  const plain = `${name.replaceAll(/[^\w.-]+/g, '-')}.file`;
  const path = bench.at(plain);
  const handle = await open(path, 'w');
  try {
    for (const piece of content()) await handle.writeFile(piece);
  } finally {
    await handle.close();
  }
  const mapping = ['-m', bench.at(`${table}.yaml`), '-i', bench.at('center.yaml')];
  const env = { ...bench.environment, TMPDIR: bench.at('temporary') };
  const run = (...args: string[]) => measured(args, env, bench.at('usage.json'));
  const rows = await run('rows', path);
  const check = await run('check', path, '--json', '--out', bench.at('check'), ...mapping);
  const places = ['--ledger', bench.at('import.db'), '--out', bench.at('import')];
  const imported = await run('import', path, ...places, ...mapping);
  const sent = bench.center.requests.reduce((sum, { clients }) => sum + clients, 0);
  return { rows, check, import: imported, sent, names: [plain, '.yaml'] };
}

it.each(files)(
  '$name: rows, check and import end with a clear error or the right result',
  async (hostile) => {
    const verdicts = await verdictsOn(hostile);
    expect(faultsOf(verdicts)).toEqual([]);
    expect(bench.center.violations).toEqual([]);
    expect(await readdir(bench.at('temporary'))).toEqual([]);
    for (const folder of ['check', 'import']) {
      const left = await readdir(bench.at(folder)).catch(() => []);
      expect(left.filter((name) => name.endsWith('.part'))).toEqual([]);
    }
  },
  600_000,
);

it('no name stands for two files', () => {
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
});
