import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { List, Preview } from '../../../src/web/shared/list.js';
import { Lists } from '../../../src/web/server/lists/lists.js';
import { root } from '../../kit/cardline.js';
import { recordRuns } from '../past-runs.js';
import { openPageBench, type PageBench } from '../harness.js';

let bench: PageBench;
beforeEach(async () => {
  bench = await openPageBench();
});
afterEach(() => bench.close());

const create = async (name: string, content: Buffer | string): Promise<string> => {
  const { id } = (await bench.api('POST /api/lists', {
    name,
    bytes: Buffer.byteLength(content),
  })) as List;
  await bench.upload(id, content);
  return id;
};
/** What is answered to a file that is refused. No list of it is kept. */
const refusalOf = async (name: string, content: Buffer | string): Promise<unknown> => {
  const bytes = Buffer.byteLength(content);
  const { id } = (await bench.api('POST /api/lists', { name, bytes })) as List;
  const { status, text } = await bench.upload(id, content);
  expect(status).toBe(422);
  expect(await bench.api('GET /api/lists')).toEqual({ lists: [] });
  expect(await readdir(join(bench.folder, 'cardline.lists'))).not.toContain(id);
  return JSON.parse(text) as unknown;
};
/** How far the rows of a file go, once all are counted. */
const extentOf = async (id: string): Promise<unknown> => {
  const headers = { 'x-cardline-session': await bench.session() };
  const { text } = await bench.ask(`/api/lists/${id}/extent`, { headers });
  return JSON.parse(text.split('data: ').at(-1) ?? '') as unknown;
};
const fileOf = (id: string): string => join(bench.folder, 'cardline.lists', id, 'file/leads.csv');
const preview = (id: string) => bench.api(`GET /api/lists/${id}/preview`) as Promise<Preview>;
const read = (id: string, source: object) => bench.api(`PATCH /api/lists/${id}/source`, source);

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

  it('that cannot be read says in which line', async () => {
    const content = '{"name": "Ada"}\n{"name": \n{"name": "Milo"}\n';
    expect(await refusalOf('leads.jsonl', content)).toMatchObject({
      code: 'broken_json',
      sentence: 'The line is no JSON object.',
      place: { line: 2 },
    });
  });

  it('lies in a private folder, byte by byte', async () => {
    const rows = Array.from({ length: 30_000 }, (_, row) => `Ann ${row};Ufa\n`);
    const content = Buffer.from(`name;city\n${rows.join('')}`);
    const id = await create('leads.csv', content);
    const folder = join(bench.folder, 'cardline.lists');
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
    expect(await readdir(join(bench.folder, 'cardline.lists'))).not.toContain(id);
  });
});

describe('what cannot be read is said in a sentence with the next step', () => {
  it.each([
    ['a PDF', '%PDF-1.7\n%âãÏÓ\n', 'not_a_spreadsheet'],
    ['nothing', '', 'empty_file'],
    ['a torn workbook', Buffer.from('504b03041400000008', 'hex'), 'truncated_zip'],
  ])('%s', async (_, content, code) => {
    const problem = await refusalOf('leads.xlsx', content);
    expect(problem).toMatchObject({ code });
    const { sentence, next } = problem as { sentence: string; next: string };
    expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
    expect(next).toMatch(/\.$/);
    expect(sentence + next).not.toContain(bench.folder);
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
    const shown = (await read(id, { headerRow: 9 })) as Preview;
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
  const { open } = (await hiding.api('GET /api/about')) as { open: string };
  const { header, rows } = (await hiding.api(`GET /api/lists/${open}/preview`)) as Preview;
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
    const lists = new Lists(join(bench.folder, 'cardline.lists'));
    const [old, young] = [await create('old.csv', 'a\n'), await create('young.csv', 'a\n')];
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await utimes(lists.partOf(old, 'list.json'), yesterday, yesterday);
    await lists.sweep();
    expect((await lists.all()).map(({ id }) => id)).toEqual([young]);
  });

  it('stay while their run can be continued, however old they are', async () => {
    const ledger = join(bench.folder, 'cardline.db');
    const ids = [await create('stopped.csv', 'a\n'), await create('finished.csv', 'a\n')];
    const lists = new Lists(join(bench.folder, 'cardline.lists'));
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
    const path = join(bench.folder, 'cardline.lists', id, 'list.json');
    await utimes(path, yesterday, yesterday);
    const ledger = join(bench.folder, 'cardline.db');
    const reading = await openPageBench({ ledger, readOnly: true });
    await reading.close();
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
    const { open } = (await named.api('GET /api/about')) as { open: string };
    const shown = (await named.api(`GET /api/lists/${open}/preview`)) as Preview;
    expect(shown.list.command).toBe('cardline rows samples/leads.csv');
    await named.api(`DELETE /api/lists/${open}`);
    expect((await stat(file)).size).toBe(shown.list.bytes);
    await named.close();
  });
});
