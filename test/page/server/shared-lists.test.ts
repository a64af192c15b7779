import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.js';
import { Lists, withLockFile } from '../../../src/web/server/lists/lists.js';
import type { Columns } from '../../../src/web/page/state/answers.js';
import { root } from '../../kit/cardline.js';
import { openPageBench, type PageBench, startBuiltPage } from '../harness.js';
import { folderOfTest } from '../../kit/folder.js';

// Threads are files of their own, which only the built server has.
const start = await startBuiltPage();

const CSV = 'Offer id,Offer domain,Full name,Phone\n1,a.example,Ann Ax,+7 999 000-10-00\n';

let folder: string;
let bench: PageBench;
beforeEach(async () => {
  folder = folderOfTest();
  bench = await another();
});
afterEach(async () => {
  await bench.close();
});

/** A server of the same ledger. */
const another = (settings: Parameters<typeof openPageBench>[0] = {}): Promise<PageBench> =>
  openPageBench({ start, demo: true, ledger: join(folder, 'cardline.db'), ...settings });

const upload = () => bench.list(CSV, 'own.csv');

/** All that lies below the ledger's folder, but for what leads a browser to a page, and when each was changed. */
async function all(): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const kept = names.filter((name) => !/open-\d+\.html$/.test(name)).sort();
  return Promise.all(
    kept.map(async (name) => {
      const found = await stat(join(folder, name));
      return found.isDirectory() ? name : `${name} ${found.mtimeMs} ${found.size}`;
    }),
  );
}

describe('a page that only shows', () => {
  it('suggests a mapping for a list without one, checks it, and writes nothing', async () => {
    const id = await upload();
    const before = await all();
    const reading = await another({ readOnly: true, file: join(root, 'samples/leads.csv') });
    const open = await reading.opened();
    for (const list of [id, open]) {
      await reading.api(`GET /api/lists/${list}/preview`);
      const { columns, yaml } = await reading.api<Columns>(`GET /api/lists/${list}/columns`);
      expect(columns.length).toBeGreaterThan(0);
      expect(yaml).toContain('fields');
      const checked = await reading.events(`/api/lists/${list}/check`);
      expect(checked).toContainEqual(expect.objectContaining({ hasFirstRows: true }));
      const plan = await reading.events(`/api/lists/${list}/import`);
      expect(plan).toContainEqual(expect.objectContaining({ blocker: 'read_only' }));
    }
    expect(await all()).toEqual(before);
    await reading.close();
    expect(await all()).toEqual(before);
    expect(await bench.api('GET /api/lists')).toMatchObject({ lists: [{ id, step: 'file' }] });
  });
});

describe('several servers of one ledger', () => {
  it('begin the mapping of a list once', async () => {
    const id = await upload();
    const other = await another();
    const shown = await Promise.all(
      [bench, other, bench, other].map((one) => one.api<Columns>(`GET /api/lists/${id}/columns`)),
    );
    expect(new Set(shown.map(({ revision }) => revision)).size).toBe(1);
    await other.close();
  });

  it('do not delete a list that another one imports', async () => {
    const id = await upload();
    const ledger = await openLedger(join(folder, 'cardline.db'), { thread: false });
    const identity = { inputs: ['own.csv'], content: 'x', mapping: 'm', campaignId: null };
    const open = await ledger.openRun({
      identity: { ...identity, installation: 'cc https://cc.example' },
      settings: {},
      out: () => '/out',
    });
    if (open.kind !== 'open') throw new Error('The run is done already.');
    await new Lists(join(folder, 'cardline.lists')).change(id, { run: open.ledger.run });
    const refused = { code: 'list_at_work' };
    expect(await bench.api(`DELETE /api/lists/${id}`)).toMatchObject(refused);
    await open.close();
    await ledger.close();
    expect(await bench.api(`DELETE /api/lists/${id}`)).toEqual({});
  });
});

describe('a lock file', () => {
  it('lets one in after the other, and goes with the last', async () => {
    const [file, counter] = [join(folder, 'lock'), join(folder, 'counter')];
    await writeFile(counter, '0');
    const count = async (): Promise<void> => {
      const before = Number(await readFile(counter, 'utf8'));
      await sleep(1);
      await writeFile(counter, String(before + 1));
    };
    await Promise.all(Array.from({ length: 20 }, () => withLockFile(file, count)));
    expect(await readFile(counter, 'utf8')).toBe('20');
    await expect(withLockFile(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  it('of a process that was killed keeps nobody out', async () => {
    const file = join(folder, 'lock');
    await writeFile(file, '');
    const past = new Date(Date.now() - 60_000);
    await utimes(file, past, past);
    expect(await withLockFile(file, () => Promise.resolve('done'))).toBe('done');
  });
});
