import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { List, Preview } from '../../../src/web/page/state/answers.js';
import { Lists } from '../../../src/web/server/lists/lists.js';
import { root } from '../../kit/cardline.js';
import { compoundFile } from '../../kit/compound-file.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../../kit/small-disk.js';
import { zip } from '../../kit/zip.js';
import { recordRuns } from '../past-runs.js';
import { openPageBench, type PageBench } from '../harness.js';

let bench: PageBench;
beforeEach(async () => {
  bench = await openPageBench();
});
afterEach(() => bench.close());

const create = (name: string, content: Buffer | string) => bench.list(content, name);
const begun = async (bytes: number, name = 'leads.csv'): Promise<string> =>
  (await bench.api<List>('POST /api/lists', { name, bytes })).id;
const listsOf = (folder: string): string => join(folder, 'cardline.lists');
const foldersIn = async (lists: string): Promise<string[]> =>
  (await readdir(lists)).filter((name) => !name.startsWith('open-'));
/** What is answered to a file that is refused. No list of it is kept. */
const refusalOf = async (name: string, content: Buffer | string): Promise<object> => {
  const { status, text } = await bench.upload(
    await begun(Buffer.byteLength(content), name),
    content,
  );
  expect(status).toBe(422);
  expect(await bench.api('GET /api/lists')).toEqual({ lists: [] });
  expect(await foldersIn(listsOf(bench.folder))).toEqual([]);
  return JSON.parse(text) as object;
};
/** How far the rows of a file go, once all are counted. */
const extentOf = async (id: string): Promise<unknown> =>
  (await bench.events(`/api/lists/${id}/extent`)).at(-1);
/** The file can be chosen again, and is read. */
async function expectUploadable(): Promise<void> {
  expect(await preview(await bench.list('Name;City\nAnn;Ufa\n'))).toMatchObject({ count: 1 });
}
const fileOf = (id: string): string => join(bench.folder, 'cardline.lists', id, 'file/leads.csv');
const preview = (id: string) => bench.api<Preview>(`GET /api/lists/${id}/preview`);
const read = (id: string, source: object) =>
  bench.api<Preview>(`PATCH /api/lists/${id}/source`, source);

describe('an upload', () => {
  it('is shown as an import reads it', async () => {
    const id = await create('leads.csv', await readFile(join(root, 'samples/leads-1251.csv')));
    expect(await preview(id)).toMatchObject({
      list: { name: 'leads.csv', complete: true, command: `cardline rows ${fileOf(id)}` },
      formatName: 'CSV',
      encoding: 'windows-1251',
      delimiter: ';',
      headerRow: 3,
      rows: expect.objectContaining({ length: 20 }) as Preview['rows'],
      headerProblem: null,
    });
  });

  it('lies in a private folder, byte by byte', async () => {
    const rows = Array.from({ length: 30_000 }, (_, row) => `Ann ${row};Ufa\n`);
    const content = Buffer.from(`name;city\n${rows.join('')}`);
    const id = await create('leads.csv', content);
    const folder = listsOf(bench.folder);
    for (const path of [folder, join(folder, id), join(folder, id, 'file')])
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    for (const name of ['list.json', 'file/leads.csv'])
      expect((await stat(join(folder, id, name))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, id, 'file/leads.csv'))).toEqual(content);
  });

  it.each([
    ['../../leads.csv', '_.._leads.csv'],
    ['C:\\lists\\leads.csv', 'C__lists_leads.csv'],
    ['.csv', 'csv'],
    ['...', 'list'],
    [`${'ж'.repeat(200)}.csv`, `${'ж'.repeat(98)}.csv`],
  ])('named %s stays in its folder', async (name, file) => {
    const id = await create(name, 'a;b\n1;2\n');
    const folder = join(bench.folder, 'cardline.lists', id, 'file');
    expect(await readdir(folder)).toEqual([file]);
    expect((await preview(id)).list.name).toBe(name);
  });

  it('is not taken twice', async () => {
    const id = await create('leads.csv', 'a;b\n1;2\n');
    expect((await bench.upload(id, 'other')).status).toBe(409);
    expect((await preview(id)).header).toEqual(['a', 'b']);
  });

  it('is deleted with its list', async () => {
    const id = await create('leads.csv', 'a;b\n1;2\n');
    await bench.api(`DELETE /api/lists/${id}`);
    expect(await preview(id)).toMatchObject({ code: 'no_such_list' });
    expect(await readdir(listsOf(bench.folder))).not.toContain(id);
  });
});

const MiB = 2 ** 20;
type Refused = [string, name: string, Buffer | string, problem: object, RegExp, RegExp];
const parts = ['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml'];
const bomb = zip(parts.map((name) => ({ name, data: Buffer.alloc(80 * MiB, ' ') })));
const torn = zip([{ name: 'xl/workbook.xml', data: randomBytes(500).toString('hex') }]);

describe('what cannot be read is said in a sentence with the next step', () => {
  it.each([
    ['a PDF', 'leads.pdf', '%PDF-1.7\n%âãÏÓ\n', { code: 'not_a_spreadsheet' }, /PDF/, /Save it as/],
    ['nothing', 'leads.csv', '', { code: 'empty_file' }, /empty/, /saved whole/],
    [
      ...['an encrypted workbook', 'leads.xlsx', compoundFile('EncryptedPackage')],
      ...[{ code: 'encrypted' }, /encrypted/, /password/],
    ],
    [
      'half a workbook',
      'leads.xlsx',
      torn.subarray(0, -300),
      { code: 'truncated_zip' },
      /cut off/,
      /again/,
    ],
    ['a bomb', 'leads.xlsx', bomb, { code: 'too_large' }, /unpack|larger|more than/, /./],
    [
      ...['half a gzip file', 'leads.csv.gz', Buffer.from('1f8b0800', 'hex')],
      ...[{ code: 'truncated_gzip' }, /cut off/, /again/],
    ],
    [
      ...['a broken line', 'leads.jsonl', '{"name": "Ada"}\n{"name": \n{"name": "Milo"}\n'],
      ...[{ code: 'broken_json', place: { line: 2 } }, /^The line is no JSON object\.$/, /./],
    ],
  ] as Refused[])('%s', async (_, name, content, expected, said, advice) => {
    const problem = await refusalOf(name, content);
    expect(problem).toMatchObject(expected);
    const { sentence, next } = problem as { sentence: string; next: string };
    expect(sentence).toMatch(said);
    expect(next).toMatch(advice);
    expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
    expect(next).toMatch(/\.$/);
    expect(sentence + next).not.toMatch(/internal error|cardline\.lists|cardline-page-/);
  });

  it('a file that the disk has no room for', async () => {
    const body = { name: 'leads.csv', bytes: 2 ** 52 };
    expect(await bench.api('POST /api/lists', body)).toMatchObject({ code: 'no_room' });
    expect(await bench.api('GET /api/lists')).toEqual({ lists: [] });
  });
});

describe('how a file is read', () => {
  it('can be changed, and found out again', async () => {
    const id = await create('leads.csv', 'Имя;Город\nАнна;Уфа\nОлег;Тверь\n');
    expect(await read(id, { delimiter: ',' })).toMatchObject({ header: ['Имя;Город'] });
    expect(await read(id, { delimiter: null, headerRow: 'none' })).toMatchObject({
      header: ['A', 'B'],
      rows: [{ row: 1 }, { row: 2 }, { row: 3 }],
    });
    expect(await read(id, { headerRow: 2 })).toMatchObject({
      header: ['Анна', 'Уфа'],
      above: [{ row: 1 }, { row: 2 }],
      rows: [{ row: 3, cells: ['Олег', 'Тверь'] }],
      count: 1,
    });
    expect(await read(id, { headerRow: null })).toMatchObject({ headerRow: 1, count: 2 });
  });

  it('keeps all else that was chosen when another row is the header', async () => {
    const id = await create('leads.csv', 'Leads\nName;City\nAnn;Ufa\n');
    await read(id, { delimiter: ';', encoding: 'windows-1251' });
    expect(await read(id, { headerRow: 2 })).toMatchObject({
      header: ['Name', 'City'],
      list: { source: { delimiter: ';', encoding: 'windows-1251', headerRow: 2 } },
    });
  });

  it('stays as it was when it cannot be read so', async () => {
    const id = await create('leads.csv', 'name;city\nAnn;Ufa\n');
    expect(await read(id, { encoding: 'no-such' })).toMatchObject({ code: 'refused' });
    expect(await preview(id)).toMatchObject({ list: { source: { encoding: null } } });
  });

  it('begins with the first sheet that is not empty, names the others, and lets one be chosen', async () => {
    const workbook = new ExcelJS.Workbook();
    for (const name of ['Cover', 'Leads', 'Notes']) workbook.addWorksheet(name);
    workbook.getWorksheet('Leads')?.addRows([
      ['name', 'city'],
      ['Ann', 'Ufa'],
    ]);
    const content = Buffer.from(await workbook.xlsx.writeBuffer());
    const id = await create('leads.xlsx', content);
    const sheets = (read: string) =>
      ['Cover', 'Leads', 'Notes'].map((name) => ({ name, isHidden: false, isRead: name === read }));
    const leads = { headerProblem: null, header: ['name', 'city'], count: 1 };
    expect(await preview(id)).toMatchObject({ ...leads, sheets: sheets('Leads') });
    expect(await read(id, { sheet: 'Cover' })).toMatchObject({
      ...{ sheets: sheets('Cover'), header: [], rows: [] },
      headerProblem: expect.stringMatching(/^Sheet "Cover" is empty\./) as string,
    });
    expect(await read(id, { sheet: 'Leads' })).toMatchObject(leads);
  });

  it('is followed by the number of all rows, and by where the list goes on', async () => {
    const workbook = new ExcelJS.Workbook();
    const people = Array.from({ length: 300 }, (_, at) => [`Ann ${at}`, 'Ufa', String(at), 'yes']);
    const head = ['name', 'city', 'number', 'agreed'];
    workbook.addWorksheet('Q4').addRows([['Leads'], head, ...people, ['Total', null, '300']]);
    workbook.addWorksheet('Q3').addRows([head, ...people]);
    workbook.addWorksheet('Old', { state: 'hidden' }).addRows([head, ...people]);
    const id = await create('leads.xlsx', Buffer.from(await workbook.xlsx.writeBuffer()));
    expect(await preview(id)).toMatchObject({
      ...{ headerRow: 2, count: null, above: [{ row: 1 }, { row: 2 }] },
      sheets: [{ name: 'Q4' }, { name: 'Q3', isHidden: false }, { name: 'Old', isHidden: true }],
    });
    expect(await extentOf(id)).toEqual({
      ...{ rows: 301, isWhole: true, totals: [303] },
      continuation: { sheets: ['Q3'], sheet: 'all' },
    });
    await read(id, { sheet: 'all' });
    expect(await extentOf(id)).toEqual({
      ...{ rows: 601, isWhole: true, totals: [], continuation: null },
    });
  });

  it('names what the page has, and no option or key', async () => {
    const id = await create('leads.csv', 'name;city\nAnn;Ufa\n');
    const shown = await read(id, { headerRow: 9 });
    expect(shown.headerProblem).toMatch(/Choose another row or sheet\.$/);
    await bench.api(`DELETE /api/lists/${id}`);
    expect(await refusalOf('empty.csv', '\n\n')).toMatchObject({
      code: 'no_header',
      next: 'Choose another row or sheet.',
    });
  });

  it('shows columns that are named twice by their letters, also where another header is chosen', async () => {
    const id = await create('leads.csv', 'name;name;city\nAnn;Bob;Ufa\nEve;Eve;Tver\n');
    const byLetter = { header: ['A', 'B', 'city'], headerProblem: null, count: 2 };
    expect(await read(id, { headerRow: 1 })).toMatchObject(byLetter);
    expect(await read(id, { headerRow: 2 })).toMatchObject({ header: ['Ann', 'Bob', 'Ufa'] });
    expect(await read(id, { headerRow: 3 })).toMatchObject({ header: ['A', 'B', 'Tver'] });
  });
});

it('shows no value of a cell with --mask', async () => {
  const hiding = await openPageBench({ mask: true, file: join(root, 'samples/leads.csv') });
  const open = await hiding.opened();
  const { header, rows } = await hiding.api<Preview>(`GET /api/lists/${open}/preview`);
  expect(header.join('')).toMatch(/\p{L}/u);
  expect(rows.flatMap(({ cells }) => cells).join('')).not.toMatch(/[\p{L}\p{N}]/u);
  const asked = await hiding.api(`PATCH /api/lists/${open}/source`, { headerRow: 3 });
  expect(asked, 'a row of a client as header').toMatchObject({ code: 'header_hidden' });
  await hiding.close();
});

describe('lists', () => {
  it('are there for another server of the same ledger', async () => {
    const id = await create('leads.csv', 'a;b\n1;2\n');
    const other = await openPageBench({ ledger: join(bench.folder, 'cardline.db') });
    expect(await other.api('GET /api/lists')).toMatchObject({ lists: [{ id }] });
    await other.close();
  });

  it('are deleted when nobody has looked at them for a day', async () => {
    const lists = new Lists(listsOf(bench.folder));
    const [old, young] = [await create('old.csv', 'a\n'), await create('young.csv', 'a\n')];
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await utimes(lists.partOf(old, 'list.json'), yesterday, yesterday);
    await lists.sweep();
    expect((await lists.all()).map(({ id }) => id)).toEqual([young]);
  });

  it('stay while their run can be continued, however old they are', async () => {
    const ledger = join(bench.folder, 'cardline.db');
    const ids = [await create('stopped.csv', 'a\n'), await create('finished.csv', 'a\n')];
    const lists = new Lists(listsOf(bench.folder));
    const runs = await recordRuns(
      ledger,
      (['stopped', 'finished'] as const).map((state) => ({
        file: `${state}.csv`,
        rows: ['created'],
        state,
      })),
    );
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const [index, id] of ids.entries()) {
      await lists.change(id, { run: runs[index] ?? '' });
      await utimes(lists.partOf(id, 'list.json'), yesterday, yesterday);
    }
    const next = await openPageBench({ ledger });
    await next.close();
    expect((await lists.all()).map(({ name }) => name)).toEqual(['stopped.csv']);
  });

  it('stay with --read-only, however old they are', async () => {
    const id = await create('old.csv', 'a\n');
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    const lists = new Lists(listsOf(bench.folder));
    await utimes(lists.partOf(id, 'list.json'), yesterday, yesterday);
    const ledger = join(bench.folder, 'cardline.db');
    await (await openPageBench({ ledger, readOnly: true })).close();
    expect(await bench.api('GET /api/lists')).toMatchObject({ lists: [{ id }] });
  });

  it('never lead to another place', async () => {
    await mkdir(join(bench.folder, 'outside'));
    await writeFile(join(bench.folder, 'outside/list.json'), '{}');
    for (const id of ['..%2Foutside', '..', '%2e%2e', 'a%00b'])
      expect(await bench.api(`GET /api/lists/${id}/preview`)).toMatchObject({
        code: 'no_such_page',
      });
  });

  it('of a file on the command line reads it where it is', async () => {
    const file = join(root, 'samples/leads.csv');
    const named = await openPageBench({ file });
    const open = await named.opened();
    const shown = await named.api<Preview>(`GET /api/lists/${open}/preview`);
    expect(shown.list.command).toBe('cardline rows samples/leads.csv');
    await named.api(`DELETE /api/lists/${open}`);
    expect((await stat(file)).size).toBe(shown.list.bytes);
    await named.close();
  });
});

describe('an upload that breaks off', () => {
  const lists = (): string => listsOf(bench.folder);
  /** Sends the beginning of an upload, and waits until it lies on the disk. @returns what breaks it off */
  async function sendBeginning(framing: string, beginning: string): Promise<() => void> {
    const id = await begun(MiB);
    const socket = connect(bench.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const head = [
      `PUT /api/lists/${id}/file HTTP/1.1`,
      `Host: 127.0.0.1:${bench.port}`,
      `X-Cardline-Session: ${await bench.session()}`,
      'Content-Type: application/octet-stream',
      framing,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${beginning}`);
    await expect.poll(() => readdir(join(lists(), id, 'file'))).toEqual(['leads.csv']);
    return () => void socket.destroy();
  }

  it.each([
    ['of known length', `Content-Length: ${MiB}`, 'Name;City\n'],
    ['in chunks', 'Transfer-Encoding: chunked', 'a\r\nName;City\n\r\n'],
  ])('%s, leaves nothing behind and can be begun again', async (_, framing, beginning) => {
    const breakOff = await sendBeginning(framing, beginning);
    breakOff();
    await expect.poll(() => foldersIn(lists())).toEqual([]);
    expect(await bench.api('GET /api/lists')).toEqual({ lists: [] });
    await expectUploadable();
  });

  it('by its own end, before all of it has come', async () => {
    expect(await bench.upload(await begun(5), 'a;b')).toMatchObject({ status: 400 });
    expect(await foldersIn(lists())).toEqual([]);
    await expectUploadable();
  });

  it('is none where another one to the same list was first', async () => {
    const id = await begun(MiB);
    const both = ['a', 'b'].map((letter) => bench.upload(id, Buffer.alloc(MiB, `${letter}\n`)));
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
    const text = await readFile(join(lists(), id, 'file/leads.csv'), 'utf8');
    expect(new Set(text.split('\n')).size).toBe(2);
  });

  it('because the server ends, leaves nothing behind either', async () => {
    await sendBeginning(`Content-Length: ${MiB}`, 'Name;City\n');
    await bench.stop();
    expect(await foldersIn(lists())).toEqual([]);
  });
});

// Only who may mount file systems can have a full one.
describe.skipIf(!canMount)('a disk that gets full in the middle of an upload', () => {
  let disk: string;
  beforeEach(async () => {
    disk = await mkdtemp(join(tmpdir(), 'cardline-disk-'));
    await mountDisk(disk, 300 * MiB);
    await bench.close();
    bench = await openPageBench({ ledger: join(disk, 'cardline.db') });
  });
  afterEach(async () => {
    await bench.close();
    await unmountDisk(disk);
    await rm(disk, { recursive: true });
  });

  it('is said with the next step; nothing is left behind, and it can be begun again', async () => {
    const id = await begun(MiB);
    await resizeDisk(disk, MiB / 2);
    const { status, text } = await bench.upload(id, Buffer.alloc(4 * MiB, 'Ann;Ufa\n'));
    expect(status).toBe(507);
    expect(JSON.parse(text)).toMatchObject({ code: 'disk_full', sentence: 'The disk is full.' });
    expect(await foldersIn(listsOf(disk))).toEqual([]);
    await resizeDisk(disk, 300 * MiB);
    await expectUploadable();
  });

  it('is said where a list is begun', async () => {
    // The file that opens the page has all of it.
    await resizeDisk(disk, 4096);
    const body = { name: 'leads.csv', bytes: 1 };
    expect(await bench.api('POST /api/lists', body)).toMatchObject({ code: 'disk_full' });
    expect(await foldersIn(listsOf(disk))).toEqual([]);
  });

  it('is no reason to lose a list that is there', async () => {
    const id = await bench.list('Name;City\nAnn;Ufa\n');
    // The file, its list.json and the file that opens the page have a block each.
    await resizeDisk(disk, 3 * 4096);
    expect(await read(id, { delimiter: ',' })).toMatchObject({ code: 'disk_full' });
    expect(await preview(id)).toMatchObject({
      delimiter: ';',
      list: { source: { delimiter: null } },
    });
    expect((await readdir(join(listsOf(disk), id))).sort()).toEqual(['file', 'list.json']);
  });
});
