import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import { folderOfTest } from '../kit/folder.js';

const ROWS = 60;
/** The n-th of some texts, again from the first. */
const of = (texts: readonly string[], row: number): string => texts[row % texts.length] ?? '';

/** An export of a Russian CRM: titles, a total at the end, second phones and addresses that are wrong. */
const deals = (): string =>
  [
    'Выгрузка из CRM: сделки;;;;;;;',
    'Сформировано: 20.11.2026 09:15;;;;;;;',
    '',
    '№ сделки;ФИО клиента;Моб. телефон;Доп. телефон;Эл. почта;Бюджет, руб.;Стадия;Дата рождения',
    ...Array.from({ length: ROWS }, (_, row) =>
      [
        String(90_000 + row),
        of(['Ландыш Анна Львовна', 'Дубок Егор Петрович'], row),
        `8 (916) 123-45-${row + 10}`,
        of(['', 'нет', '-', '8 (495) 123-45-67', 'спросить'], row),
        of([`lead${row}@example.com`, `a${row}@example.com`, 'нет', 'kk@'], row),
        `${row + 10} 500,${row + 10}`,
        of(['Новая', 'В работе', 'Отказ'], row),
        `${of(['01', '18', '27'], row)}.05.1980`,
      ].join(';'),
    ),
    'Итого:;;;;;2 345 678,90;;',
  ].join('\r\n');

/** The bytes of a Russian text in windows-1251. */
function windows1251(text: string): Buffer {
  const decoder = new TextDecoder('windows-1251');
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  );
  return Buffer.from(Array.from(text, (letter) => bytes.get(letter) ?? 0x3f));
}

async function leads(file: string): Promise<void> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Export');
  sheet.addRow([
    ...['Contact ID', 'First Name', 'Last Name', 'Mobile Phone', 'Other Phone', 'Email Address'],
    ...['Lead Rating', 'Annual Revenue', 'Created Date', 'Lead Owner'],
  ]);
  for (let row = 0; row < ROWS; row++)
    sheet.addRow([
      ...[`003A${row}`, of(['Ada', 'Milo'], row), of(['Fernhill', 'Oakley', 'Rivers'], row)],
      `(202) 555-01${row + 10}`,
      of(['', 'n/a', '213-555-0123', '213-555-0145', 'unknown', '12'], row),
      of([`a${row}@example.com`, `b${row}@example.com`, 'none', 'bad@'], row),
      of(['Hot', 'Warm', 'Cold', ''], row),
      1000 * row,
      `2026-11-0${(row % 9) + 1}T16:05:00.000+0000`,
      of(['Sam Seller', 'Kim Agent'], row),
    ]);
  await book.xlsx.writeFile(file);
}

const URL = ['--url', 'https://cc.example.com'];
const CASES = [
  {
    file: 'сделки.csv',
    write: (path: string) => writeFile(path, windows1251(deals())),
    init: [
      ...['--id', 'dealId', '--field', 'dealId:Number', '--field', 'fullName'],
      ...['--field', 'budget:Number', '--field', 'stage:ComboBox', '--field', 'birthDate'],
    ],
  },
  {
    file: 'Q4 leads.xlsx',
    write: leads,
    init: [
      ...['--id', 'contactId', '--field', 'fullName', '--field', 'rating:ComboBox'],
      ...['--field', 'revenue:Number', '--field', 'created'],
    ],
  },
];

it.each(CASES)('$file is imported with four commands, and no YAML by hand', async (each) => {
  const { file, write, init } = each;
  const folder = folderOfTest();
  await write(join(folder, file));
  const run = async (...args: string[]) => {
    const ended = await cardline(args, { cwd: folder });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    return ended.stdout;
  };
  const files = ['-m', 'mapping.yaml', '-i', 'installation.yaml'];
  await run('init', ...URL, ...init);
  const suggested = await run('suggest', file, '-i', 'installation.yaml', '-o', 'mapping.yaml');
  expect(suggested).toContain(`${ROWS} would be sent, 0 rejected, `);
  expect(suggested).not.toContain('Fill in:');
  await run('check', file, ...files);
  const imported = await run('import', file, ...files, '--sandbox', '--json');
  const { rows, outcomes } = JSON.parse(imported) as {
    rows: number;
    outcomes: Record<string, number>;
  };
  // A row of totals at the end is skipped.
  expect([outcomes['created'], rows - (outcomes['skipped'] ?? 0)]).toEqual([ROWS, ROWS]);
});
