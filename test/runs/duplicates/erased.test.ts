import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type * as Erase from '../../../src/history/history.js';
import type * as Library from '../../../src/index.js';
import type { RunningSandbox } from '../../../src/index.js';
import { root } from '../../kit/cardline.js';
import { POSTGRES, type SharedPostgres, startPostgres, WITHOUT } from '../../kit/postgres.js';

const built = (name: string): string => new URL(`../../../dist/${name}`, import.meta.url).href;
const library = (await import(built('index.js'))) as typeof Library;
const { checkFiles, importFiles, runRows, startSandbox, undoRun } = library;
const { erasePerson } = (await import(built('history/history.js'))) as typeof Erase;

/** Lists of two vendors in a sandbox, on one ledger. */
let folder: string;
let sandbox: RunningSandbox;
let ledger: string;
let server: SharedPostgres | undefined;
const at = (name: string): string => join(folder, name);
const shared = () => ({ installation: at('center.yaml'), ledger, env: sandbox.env });

beforeAll(async () => {
  if (POSTGRES !== undefined) server = await startPostgres();
}, 60_000);
afterAll(() => {
  server?.remove();
}, 60_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-duplicates-'));
  const described = await readFile(join(root, 'mappings/installation.yaml'), 'utf8');
  const headers = `headers: { Authorization: 'Bearer \${TOKEN_OF_NOBODY}' }\n`;
  await writeFile(at('center.yaml'), described + headers);
  sandbox = await startSandbox({
    installation: at('center.yaml'),
    campaigns: ['Autumn leads'],
  });
  const here = described.replace(/baseUrl:.*/, `baseUrl: ${sandbox.url}`);
  await writeFile(at('center.yaml'), here + headers);
  for (const name of ['vendor-a', 'vendor-b']) {
    await cp(join(root, `samples/${name}.csv`), at(`${name}.csv`));
    await cp(join(root, `mappings/${name}.yaml`), at(`${name}.yaml`));
  }
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

let runs = 0;
const send = (list: string) =>
  importFiles({
    files: [at(`${list}.csv`)],
    mapping: at(`${list}.yaml`),
    out: at(`out-${++runs}`),
    ...shared(),
  });

/** Row number to how it ended: its outcome, or the codes of its problems. */
async function endsOf({ run }: { readonly run: string }): Promise<Record<number, string>> {
  const ends: Record<number, string> = {};
  for await (const { row, outcome, problems } of runRows({ run, ledger }))
    ends[row] = problems.length === 0 ? outcome : problems.map(({ code }) => code).join(' ');
  return ends;
}

/** Codes of duplicates that a check of the second list finds. */
async function foundIn(list: string): Promise<Record<string, number>> {
  const { installation } = shared();
  const { summary } = await checkFiles({
    ...{ files: [at(`${list}.csv`)], mapping: at(`${list}.yaml`), installation, ledger },
    out: at(`check-${++runs}`),
  });
  return Object.fromEntries(summary.duplicates.map(({ code, count }) => [code, count]));
}

const kinds = [
  { kind: 'in a file', missing: false, address: () => Promise.resolve(at('cardline.db')) },
  {
    kind: `in PostgreSQL${WITHOUT}`,
    missing: POSTGRES === undefined,
    address: () => server?.database() ?? Promise.reject(new Error('There is no server.')),
  },
] as const;

describe.each(kinds)('a person that is erased from a ledger $kind', ({ missing, address }) => {
  beforeEach(async () => {
    if (!missing) ledger = await address();
  });

  it.skipIf(missing)(
    'is found by a second phone, however it is spelled, and is no duplicate any more',
    async () => {
      const lists = [await send('vendor-a'), await send('vendor-b')];
      // The rows that were sent, and those that were left out for them.
      expect(await foundIn('vendor-b')).toEqual({ duplicate_of_run: 3, duplicate_phone_of_run: 2 });
      const erased = await erasePerson({ phone: '+7 (999) 000-20-11' }, ledger);
      const places = new Map(
        erased.runs.map(({ run, rows }) => [run, rows.map(({ row }) => row)] as const),
      );
      for (const { run } of lists) expect(places.get(run)).toEqual([2]);
      for (const list of lists) expect((await endsOf(list))[2]).toContain('erased');
      expect((await erasePerson({ phone: '+79990002011' }, ledger)).runs).toEqual([]);
      expect(await foundIn('vendor-b')).toEqual({ duplicate_of_run: 3, duplicate_phone_of_run: 1 });
      for (const { run } of lists.reverse())
        await undoRun({ run, out: at(`out-${++runs}`), ...shared() });
      expect(await foundIn('vendor-b')).toEqual({ duplicate_phone: 1 });
    },
  );
});
