import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type * as Check from '../../src/run/check.js';
import { cardline, root } from '../kit/cardline.js';
import { testFolder } from '../kit/folder.js';

/** The built one: its threads are loaded from beside it. */
const BUILT = new URL('../../dist/run/check.js', import.meta.url).href;
const { checkFiles } = (await import(BUILT)) as typeof Check;

const folder = testFolder();

let files = 0;

function write(content: string | Buffer, extension = 'csv'): string {
  const file = join(folder, `${++files}.${extension}`);
  writeFileSync(file, content);
  return file;
}

async function workbook(sheets: Record<string, readonly (readonly unknown[])[]>): Promise<string> {
  const book = new ExcelJS.Workbook();
  for (const [name, rows] of Object.entries(sheets))
    for (const row of rows) (book.getWorksheet(name) ?? book.addWorksheet(name)).addRow([...row]);
  return write(Buffer.from(await book.xlsx.writeBuffer()), 'xlsx');
}

const mapping = (source: string, columns = ['Id', 'Phone']): string =>
  write(
    `${source}client:\n  fields:\n    offerId: { column: "${columns[0]}" }\n    offerDomain: { value: shop.example }\n    fullName: { value: Ann Lee }\n  phones:\n    - { column: "${columns[1]}", type: MOB }\n  timeZone: { value: Europe/Moscow }\n  clientRoleId: { value: 1 }\n`,
    'yaml',
  );

/** What a check finds, as the clients' identifiers and the notes. */
async function check(file: string, map: string, options = {}) {
  const warnings: string[] = [];
  const result = await checkFiles({
    files: [file],
    mapping: map,
    out: join(folder, `out-${++files}`),
    show: 100,
    onWarning: (text) => warnings.push(text),
    ...options,
  });
  const text = JSON.stringify(result.sample);
  const ids = Array.from({ length: 9 }, (_, id) => String(id)).filter((id) =>
    text.includes(`"${id}"`),
  );
  return { result, ids, warnings };
}

const DATA = '1,+79161234561\n2,+79161234562\n3,+79161234563\n';

describe('the header of an input', () => {
  it('is the first row with all columns, below a title', async () => {
    const file = write(`Leads of May\n\nMade by,Ann\nId,Phone\n${DATA}`);
    const { ids, warnings, result } = await check(file, mapping(''));
    expect(ids).toEqual(['1', '2', '3']);
    expect(result.rows).toBe(3);
    expect(warnings.join()).toContain('the header was found in row 4');
  });

  it('is no row in the midst of the data: a second table below has a header of its own', async () => {
    const file = write(`Id,Name\n1,Ann\n2,Bob\n3,Eve\nId,Phone\n${DATA}`);
    await expect(check(file, mapping(''))).rejects.toThrow(/no column "Phone"/);
  });

  it('may be far down: only the first rows above it are kept, and rejects have it in its row', async () => {
    const above = Array.from({ length: 20_000 }, (_, at) => `note ${at + 1}\n`).join('');
    const file = write(`${above}Id,Phone\n1,+79161234561\n2,none\n`);
    const map = mapping('source: { headerRow: 20001 }\n');
    const { result } = await check(file, map);
    expect(result).toMatchObject({ rows: 2, clients: 1, rejected: 1 });
    const rejects = readFileSync(result.rejects[0]!, 'utf8').split(/\r?\n/);
    expect(rejects[999]).toContain('note 1000');
    expect(rejects.slice(1000, 20_000).filter((line) => line.includes('note'))).toEqual([]);
    expect(rejects[20_000]).toContain('Id,Phone');
    expect((await check(result.rejects[0]!, map)).result).toMatchObject({ rows: 1, rejected: 1 });
  });

  it('may be of two rows', async () => {
    const file = write(`Client,,Phones\nId,Name,Work\n1,Ann,+79161234561\n2,Bob,+79161234562\n`);
    const { ids, warnings } = await check(file, mapping('', ['Client Id', 'Phones Work']));
    expect(ids).toEqual(['1', '2']);
    expect(warnings.join()).toContain('rows 1 and 2');
  });

  it.each([
    ['letter', ['A', 'B']],
    ['number', ['1', '2']],
  ])(
    'may be missing: columns by %s, and the rejects are read by the same mapping',
    async (_, columns) => {
      const map = mapping('source: { headerRow: none }\n', columns);
      const { ids, result } = await check(write(`${DATA}4,nonsense\n`), map);
      expect(ids).toEqual(['1', '2', '3']);
      expect(result.rejected).toBe(1);
      const [rejects = ''] = result.rejects;
      expect(readFileSync(rejects, 'utf8')).toMatch(/^4,nonsense,rejected,/);
      expect((await check(rejects, map)).result).toMatchObject({ rows: 1, rejected: 1 });
    },
  );

  it('of a workbook is found likewise, and what is missing names row, sheet and other sheets', async () => {
    const file = await workbook({
      Leads: [['Leads of May'], [], ['Id', 'Phone'], ['1', '+79161234561']],
      Old: [['x']],
    });
    expect((await check(file, mapping(''))).ids).toEqual(['1']);
    const error = await check(file, mapping('', ['Id', 'Mobile'])).catch(
      (failure: unknown) => failure,
    );
    expect(String(error)).toContain('has no column "Mobile"');
    expect(String(error)).toMatch(/row \d of sheet "Leads" was taken for the header/);
    const other = await check(file, mapping('', ['Deal', 'Mobile'])).catch(
      (failure: unknown) => failure,
    );
    expect(String(other)).toContain('has no column "Deal"');
    expect(String(other)).toContain('has no column "Mobile"');
    expect(String(other).match(/There is: "Id", "Phone"/g)).toHaveLength(1);
    expect(String(error)).toContain('Other sheets: "Old"');
  });

  it('is none of records: what they lack is told by name alone', async () => {
    const file = write('{"Id":"1","Phone":"+79161234561"}\n', 'jsonl');
    expect((await check(file, mapping(''))).ids).toEqual(['1']);
    const error = await check(file, mapping('', ['Id', 'Mobile'])).catch(
      (failure: unknown) => failure,
    );
    expect(String(error)).toContain('has no column "Mobile"');
    expect(String(error)).not.toContain('header');
  });
});

describe('rows at the end of a table', () => {
  it.each([
    ['is: empty', '"",+79161234569\n,total\n'],
    ['startsWith: total', 'Total 3,\nTotals,+7\n'],
  ])('are left out: %s', async (rule, end) => {
    const map = mapping(`source: { until: { column: Id, ${rule} } }\n`);
    const { result } = await check(write(`Id,Phone\n${DATA}${end}`), map);
    expect(result).toMatchObject({ rows: 5, rejected: 0, skipped: 2 });
  });

  it('stay where others follow', async () => {
    const map = mapping('source: { until: { column: Id, is: empty } }\n');
    const { result } = await check(
      write(`Id,Phone\n1,+79161234561\n,x\n2,+79161234562\n,y\n`),
      map,
    );
    expect(result).toMatchObject({ rows: 4, rejected: 1, skipped: 1 });
  });

  it('need a column that is there', async () => {
    const map = mapping('source: { until: { column: Nr, is: empty } }\n');
    await expect(check(write(`Id,Phone\n${DATA}`), map)).rejects.toThrow('no column "Nr"');
  });
});

describe('what does not suit an input', () => {
  it('a sheet of a CSV', async () => {
    const file = write(`Id,Phone\n${DATA}`);
    const asked = check(file, mapping(''), { source: { sheet: 'Leads' } });
    await expect(asked).rejects.toThrow('has no sheets. Leave --sheet out');
  });

  it('an encoding that is not sure is shown with a word, and not imported unwatched', async () => {
    const file = write(iconv.encode('Id,Phone,Note\n1,+79161234561,Да\n', 'windows-1251'));
    const { result } = await check(file, mapping(''));
    expect(result.inputs[0]?.info.encodingDoubt).toMatchObject({ word: 'Да' });
    const rows = await cardline(['rows', file]);
    expect(rows.stderr).toMatch(/the encoding is not sure: "Да" \(windows-1251\) or ".+" \(.+\)\?/);
    const args = [
      'import',
      file,
      '-i',
      join(root, 'mappings/installation.yaml'),
      '--sandbox',
      '-m',
    ];
    const run = await cardline([...args, mapping('')], { cwd: folder });
    expect(run.code).toBe(64);
    expect(run.stderr).toContain('Name the right one with --encoding');
  });
});

it('has no rows of totals in rejects of a run', async () => {
  const source = 'source: { until: { column: Phone, is: empty } }\n';
  const content = `Id,Phone\n${DATA}9,\n`;
  const own = join(folder, 'rejects.csv');
  writeFileSync(own, content);
  expect((await check(write(content), mapping(source))).result).toMatchObject({ skipped: 1 });
  expect((await check(own, mapping(source))).result).toMatchObject({ skipped: 0, rejected: 1 });
});
