import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import { testFolder } from '../kit/folder.js';

const INSTALLATION = `name: test
baseUrl: http://127.0.0.1:9
card:
  offerId: { type: Number, sync: true }
  fullName: { type: TextField, required: true }
  comment: { type: TextField }
`;

const folder = testFolder();
const run = (...args: string[]) => cardline(args, { cwd: folder });

interface Json {
  readonly columns: readonly { readonly column: string; readonly target: string | null }[];
  readonly missing: readonly string[];
}

beforeAll(async () => {
  const rows = Array.from(
    { length: 40 },
    (_, row) => `${row + 100};Анна Ландыш;8 (999) 000-10-${10 + row};заметка`,
  );
  await writeFile(
    join(folder, 'leads.csv'),
    ['Номер предложения;ФИО;Телефон;Прочее', ...rows].join('\n'),
  );
  await writeFile(join(folder, 'partial.csv'), 'ФИО;Телефон\nАнна Ландыш;8 (999) 000-10-10\n');
  await writeFile(join(folder, 'center.yaml'), INSTALLATION);
});

describe('cardline suggest', () => {
  it('writes a mapping that check accepts, and says what comes next', async () => {
    const ended = await run('suggest', 'leads.csv', '-i', 'center.yaml', '-o', 'leads.yaml');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('The first 40 rows with this mapping: 40 would be sent');
    const next = 'cardline check leads.csv -m leads.yaml -i center.yaml';
    expect(ended.stdout.trimEnd().split('\n').at(-1)?.trim()).toBe(next);
    expect(await run(...next.split(' ').slice(1))).toMatchObject({ code: 0 });
  });

  it('refuses rows of data above the header as an import does', async () => {
    const [header = '', ...rows] = (await readFile(join(folder, 'leads.csv'), 'utf8')).split('\n');
    const [first = '', second = '', ...others] = rows;
    const lines = [first, second, header, ...others];
    await writeFile(join(folder, 'above.csv'), lines.join('\n'));
    const { code, stderr } = await run('suggest', 'above.csv', '-i', 'center.yaml');
    expect(code).toBe(64);
    expect(stderr).toMatch(/above\.csv.*2 rows \(1 to 2\) above the header in row 3 look like/);
  });

  it('prints the mapping alone to standard output where no file is named', async () => {
    const ended = await run('suggest', 'leads.csv', '-i', 'center.yaml');
    expect(ended.stdout).toMatch(/^# Drafted by/);
    expect(ended.stdout).not.toContain('The first 40 rows');
    expect(ended.stderr).toContain('The first 40 rows');
  });

  it('prints JSON of a fixed shape', async () => {
    const { stdout } = await run('suggest', 'leads.csv', '-i', 'center.yaml', '--json');
    const found = JSON.parse(stdout) as Json;
    expect(Object.keys(found)).toEqual(['source', 'columns', 'mapping', 'missing', 'trial']);
    expect(found).toMatchObject({
      source: { encoding: 'utf-8', delimiter: ';', sheet: null, headerRow: 1 },
      missing: [],
    });
    expect(found.columns).toMatchObject([
      { column: 'Номер предложения', target: 'fields.offerId' },
      { column: 'ФИО', target: 'fields.fullName' },
      { column: 'Телефон', target: 'phones', phoneType: 'MOB' },
      { column: 'Прочее', target: null },
    ]);
  });

  it('lists what is missing', async () => {
    const { code, stdout } = await run(
      'suggest',
      'partial.csv',
      '-i',
      'center.yaml',
      '-o',
      'p.yaml',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('Without a column: offerId.');
    const json = await run('suggest', 'partial.csv', '-i', 'center.yaml', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ missing: ['offerId'] });
  });

  it('replaces a draft that nobody changed, and nothing else', async () => {
    const draft = ['suggest', 'leads.csv', '-i', 'center.yaml', '-o', 'again.yaml'];
    expect(await run(...draft)).toMatchObject({ code: 0 });
    expect(await run(...draft)).toMatchObject({ code: 0 });
    const text = await readFile(join(folder, 'again.yaml'), 'utf8');
    await writeFile(join(folder, 'again.yaml'), text.replace('offerId', 'offerid'));
    const refused = await run(...draft);
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain('no draft that was left as it was');
  });

  it('leaves out the totals of a file that is too large to be read to its end', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `${row + 100};Анна;8 (999) 000-10-10`);
    const lines = ['Номер предложения;ФИО;Телефон', ...rows, 'Итого;;'];
    await writeFile(join(folder, 'large.csv'), lines.join('\n'));
    const { stdout } = await run('suggest', 'large.csv', '-i', 'center.yaml');
    expect(stdout).toContain('until: { column: Номер предложения, startsWith: Итого }');
  });

  it('says which sheet and header were read, where reading stops, and what the signs mean', async () => {
    const book = new ExcelJS.Workbook();
    const rows = Array.from({ length: 30 }, (_, row) => [
      row + 100,
      'Anna Fernhill',
      '+79990001010',
    ]);
    book
      .addWorksheet('Leads')
      .addRows([['Export'], [], ['Offer ID', 'Full name', 'Phone'], ...rows, ['RAZEM']]);
    book.addWorksheet('Contacts').addRows([['Name'], ['Anna Fernhill']]);
    await book.xlsx.writeFile(join(folder, 'sheets.xlsx'));
    const { stderr } = await run('suggest', 'sheets.xlsx', '-i', 'center.yaml');
    expect(stderr).toContain('The sheet "Leads" was read; there are also: Contacts. Choose one');
    expect(stderr).toContain('The header is in row 3.');
    expect(stderr).toContain('Rows are read up to the one with "RAZEM" in Offer ID');
    expect(stderr).toContain('Columns: "+" stands in the mapping');
    const { stdout } = await run('suggest', 'sheets.xlsx', '-i', 'center.yaml', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ source: { otherSheets: ['Contacts'] } });
  });

  it('does as an earlier import of such a file did', async () => {
    const other = 'client:\n  clientRoleId: { value: 1 }\n  timeZone: { value: Europe/Moscow }\n';
    const fields = '  fields: { offerId: Номер предложения, fullName: ФИО, comment: Прочее }\n';
    const phones =
      '  phones: [{ column: Телефон, type: WORK, transform: [{ phone: { country: RU } }] }]\n';
    await writeFile(join(folder, 'other.yaml'), other + fields + phones);
    const imported = await run(
      'import',
      'leads.csv',
      '-m',
      'other.yaml',
      '-i',
      'center.yaml',
      '--sandbox',
    );
    expect(imported.code, imported.stderr).toBe(0);
    const { stdout } = await run('suggest', 'leads.csv', '-i', 'center.yaml', '--json');
    const found = JSON.parse(stdout) as Json;
    expect(found.columns.at(-1)).toMatchObject({ target: 'fields.comment' });
    expect(stdout).toContain('other.yaml took it from here before');
  });
});
