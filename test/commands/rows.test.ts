import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as SheetJs from '@e965/xlsx';
import ExcelJS from 'exceljs';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { executable, printed, startCardline } from '../kit/cardline.js';
import { words, wordsIn } from '../kit/words.js';
import { useFolder } from './folder.js';

const { at, write, run, runWith } = useFolder({
  'leads.csv': 'Имя;Note\nИван;"two\nlines"\n\n;x\n',
  'unclosed.csv': 'a,b\n1,2\n3,"4',
  'long.csv': `a,b\n${'some text,and more\n'.repeat(20_000)}`,
});

const parsed = (stdout: string): unknown[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
/** What a command that ends well prints. */
async function rows(line: string): Promise<unknown[]> {
  const { code, stdout, stderr } = await run`rows ${wordsIn(line)}`;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return parsed(stdout);
}

describe('rows of a CSV file', () => {
  const all = [
    { sheet: null, row: 1, cells: ['Имя', 'Note'] },
    { sheet: null, row: 2, cells: ['Иван', 'two\nlines'] },
    { sheet: null, row: 4, cells: [null, 'x'] },
  ];

  it.each([
    ['are printed as JSON lines, header included', '', all],
    [
      'are split as the person says',
      '--delimiter | --limit 1',
      [{ sheet: null, row: 1, cells: ['Имя;Note'] }],
    ],
  ])('%s', async (_, options, expected) => {
    expect(await rows(`leads.csv ${options}`)).toEqual(expected);
  });

  it('come from standard input too', async () => {
    const input = Buffer.from('п,q\n1,2\n', 'utf16le');
    const { code, stdout } = await runWith({ input })`rows - --encoding utf-16le`;
    expect(code).toBe(0);
    expect(parsed(stdout)[0]).toEqual({ sheet: null, row: 1, cells: ['п', 'q'] });
  });
});

describe('rows of a workbook', () => {
  beforeAll(async () => {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('Leads').addRows([
      ['Name', 'Phone'],
      ['Ann', 79161234567],
    ]);
    workbook.addWorksheet('2024').addRow(['of a year']);
    const old = workbook.addWorksheet('Old', { state: 'hidden' });
    old.addRow([new Date(Date.UTC(2024, 1, 29)), true]);
    await workbook.xlsx.writeFile(at('leads.xlsx'));
  });
  const visible = [
    { sheet: 'Leads', row: 1, cells: ['Name', 'Phone'] },
    { sheet: 'Leads', row: 2, cells: ['Ann', '79161234567'] },
  ];
  const year = { sheet: '2024', row: 1, cells: ['of a year'] };
  const hidden = { sheet: 'Old', row: 1, cells: ['2024-02-29', 'true'] };

  it.each([
    ['a sheet by its number', '--sheet 3', [hidden]],
    ['a sheet named like a year', '--sheet 2024', [year]],
    ['every sheet', '--all-sheets', [...visible, year, hidden]],
  ])('%s', async (_which, options, expected) => {
    expect(await rows(`leads.xlsx ${options}`)).toEqual(expected);
  });
});

// What is read into memory whole is read in a thread, which the built program alone starts.
describe('rows that are read in a thread', () => {
  const table = Array.from({ length: 1_000 }, (_, n) => [`Name ${n}`, 79_160_000_000 + n] as const);
  beforeAll(async () => {
    const workbook = SheetJs.utils.book_new();
    const sheet = SheetJs.utils.aoa_to_sheet([['Name', 'Mobile'], ...table.map((row) => [...row])]);
    SheetJs.utils.book_append_sheet(workbook, sheet, 'Leads');
    const bytes = SheetJs.write(workbook, { type: 'buffer', bookType: 'xlsb' }) as Buffer;
    await write('leads.xlsb', new Uint8Array(bytes));
    const columnData = ['Name', 'Mobile'].map((name, column) => ({
      ...{ name, data: table.map((row) => String(row[column])), type: 'STRING' as const },
    }));
    await write('leads.parquet', new Uint8Array(parquetWriteBuffer({ columnData })));
  });

  it.each(['leads.xlsb', 'leads.parquet'])('prints all rows of %s', async (name) => {
    const cells = (await rows(name)).map((row) => (row as { cells: string[] }).cells);
    expect(cells).toEqual([['Name', 'Mobile'], ...table.map((row) => row.map(String))]);
  });

  it('ends when no more rows are wanted', async () => {
    expect(await rows('leads.xlsb --limit 2')).toHaveLength(2);
  });
});

describe('what can go wrong', () => {
  it.each([
    ['missing.csv', 'missing.csv'],
    ['leads.xlsb --sheet Nowhere', 'there is no sheet "Nowhere". Its sheets are: "Leads".'],
    ['leads.parquet --sheet 1', 'has no sheets'],
  ])('%s', async (line, told) => {
    const { code, stdout, stderr } = await run`rows ${wordsIn(line)}`;
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(told);
  });

  it('a file that breaks off: its good rows are printed first', async () => {
    const { code, stdout, stderr } = await run`rows unclosed.csv`;
    expect(code).toBe(64);
    expect(parsed(stdout)).toHaveLength(2);
    expect(stderr).toMatch(/unclosed\.csv, line 3: /);
  });

  it('a broken standard input, which is not named after a file of ours', async () => {
    const { code, stderr } = await runWith({ input: 'a,b\n3,"4' })`rows -`;
    expect(code).toBe(64);
    expect(stderr).toMatch(/^standard input, line 2: /);
    expect(stderr).not.toContain(tmpdir());
  });

  it('a reader that goes away early, as head does', async () => {
    const running = startCardline(['rows', at('long.csv')]);
    await printed(running, /\n/);
    running.child.stdout.destroy();
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('a full disk (needs /dev/full)', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [executable, 'rows', at('leads.csv')], {
      stdio: ['ignore', full, 'pipe'],
    });
    let stderr = '';
    child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    closeSync(full);
    expect(code).toBe(3);
    expect(stderr).toContain('The output cannot be written: ENOSPC');
  });

  it.each([
    ['rows', 'SIGINT', 'Stopped.'],
    ['check', 'SIGTERM', 'The check was stopped.'],
    ['import', 'SIGINT', 'Interrupted; the same command goes on from here.'],
  ] as const)('%s waits for standard input, and %s comes', async (command, signal, said) => {
    const temporary = await mkdtemp(at('tmp-'));
    const files = command === 'rows' ? [] : words`-m mapping.yaml -i center.yaml`;
    const running = startCardline([command, '-', ...files], {
      ...{ cwd: at(), env: { TMPDIR: temporary } },
    });
    running.child.stdin.write('Id,Phone\n');
    await vi.waitFor(() => expect(readdirSync(temporary)).toHaveLength(1), 20_000);
    running.child.kill(signal);
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr: `${said}\n` });
    expect(readdirSync(temporary)).toEqual([]);
  });
});
