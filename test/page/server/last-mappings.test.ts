import { copyFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Lists } from '../../../src/web/server/lists/lists.js';
import type { Columns } from '../../../src/web/shared/columns.js';
import type { List, Preview } from '../../../src/web/shared/list.js';
import { root } from '../../kit/cardline.js';
import { openPageBench, type PageBench } from '../harness.js';

/** The header lies below a title. */
const CSV = `Made by hand,,,
Lead,Web page,Client,Mobile phone
1,a.example,Ann Ax,+7 999 000-10-00
2,b.example,Bo By,+7 999 000-10-01
`;
const NEXT = CSV.replace('Ann Ax', 'Cy Cox').replace('1,a', '7,c');

let bench: PageBench;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-center-'));
  const installation = join(folder, 'center.yaml');
  copyFileSync(join(root, 'mappings/installation.yaml'), installation);
  const center = { name: 'demo', address: 'a:1', kind: 'local', installation } as const;
  bench = await openPageBench({ center });
});
afterEach(async () => {
  await bench.close();
  await rm(folder, { recursive: true });
});

const api = async <T>(name: string, body?: unknown): Promise<T> =>
  (await bench.api(name, body)) as T;
async function uploaded(content: string, name = 'own.csv'): Promise<string> {
  const { id } = await api<List>('POST /api/lists', { name, bytes: Buffer.byteLength(content) });
  await bench.upload(id, content);
  return id;
}
const previewOf = (list: string) => api<Preview>(`GET /api/lists/${list}/preview`);
const columnsOf = (list: string) => api<Columns>(`GET /api/lists/${list}/columns`);
const save = (list: string, name: string, overwrite = false) =>
  api<Columns>(`POST /api/lists/${list}/mapping/save`, { revision: null, name, overwrite });
const edit = async (list: string, ...edits: object[]): Promise<Columns> => {
  const { revision } = await columnsOf(list);
  return api(`POST /api/lists/${list}/columns/edits`, { revision, edits });
};

/** A list that a person has set up: how it is read, what columns become, and what all rows have. */
async function setUp(): Promise<string> {
  const list = await uploaded(CSV);
  const source = { headerRow: 2, encoding: 'utf-8', delimiter: ',' };
  await api(`PATCH /api/lists/${list}/source`, source);
  await edit(
    list,
    { kind: 'become', column: 'Lead', target: 'fields.offerId' },
    { kind: 'become', column: 'Web page', target: 'fields.offerDomain' },
    { kind: 'constant', target: 'timeZone', value: 'Asia/Omsk' },
    { kind: 'constant', target: 'fields.city', value: 'Omsk' },
  );
  return list;
}

describe('a file with the columns of an earlier one', () => {
  it('is read and mapped like that one', async () => {
    const saved = await save(await setUp(), 'leads');
    const list = await uploaded(NEXT);
    expect(await previewOf(list)).toMatchObject({
      ...{ headerRow: 2, header: ['Lead', 'Web page', 'Client', 'Mobile phone'] },
      list: { source: { headerRow: 2, encoding: 'utf-8', delimiter: ',' }, likeLast: true },
    });
    expect(await columnsOf(list)).toMatchObject({
      ...{ yaml: saved.yaml, missing: [], mistakes: [] },
      list: { mapping: 'leads', isUnsaved: false, likeLast: true },
    });
    const other = await uploaded(NEXT.replace('Client', 'Person'));
    expect(await previewOf(other)).toMatchObject({ list: { likeLast: false } });
    const { revision } = await columnsOf(list);
    const suggested = { revision, from: { kind: 'suggested' } };
    expect(await api(`POST /api/lists/${list}/mapping/use`, suggested)).toMatchObject({
      list: { mapping: null, likeLast: false },
    });
  });

  it('begins with what was saved under the name since', async () => {
    const saved = await save(await setUp(), 'leads');
    const file = join(folder, 'mappings/leads.yaml');
    const newer = `# newer\n${saved.yaml ?? ''}`;
    await writeFile(file, newer);
    const { mtimeMs } = await stat(file);
    await utimes(file, new Date(mtimeMs + 5000), new Date(mtimeMs + 5000));
    expect(await columnsOf(await uploaded(NEXT))).toMatchObject({
      ...{ yaml: newer, list: { mapping: 'leads', isUnsaved: false } },
    });
    await rm(file);
    expect(await columnsOf(await uploaded(NEXT))).toMatchObject({
      ...{ yaml: saved.yaml, list: { mapping: null, isUnsaved: true, likeLast: true } },
    });
  });

  it('keeps what was chosen for itself', async () => {
    await save(await setUp(), 'leads');
    const list = await uploaded(NEXT);
    await api(`PATCH /api/lists/${list}/source`, { headerRow: 3 });
    expect(await previewOf(list)).toMatchObject({ headerRow: 3, list: { likeLast: false } });
    expect((await columnsOf(list)).columns[0]?.header).toBe('7');
  });

  it('finds it as long as it takes, in a private folder', async () => {
    await save(await setUp(), 'leads');
    const lists = join(bench.folder, 'cardline.lists');
    const last = join(lists, 'last');
    expect((await stat(last)).mode & 0o777).toBe(0o700);
    await new Lists(lists).sweep(Date.now() + 30 * 24 * 60 * 60 * 1000);
    expect(await readdir(lists)).toEqual(['last']);
    expect(await columnsOf(await uploaded(NEXT))).toMatchObject({ list: { likeLast: true } });
  });
});
