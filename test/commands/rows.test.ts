import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cardline, executable, printed, startCardline } from '../kit/cardline.js';

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: a }
  phones: [{ column: b, type: MOB }]
`;
const INSTALLATION = `name: test
baseUrl: http://127.0.0.1:9
card:
  offerId: { type: Number, sync: true }
`;

let folder: string;
const at = (name: string): string => join(folder, name);
const parsed = (stdout: string): unknown[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-test-'));
  await writeFile(at('leads.csv'), 'Имя;Note\nИван;"two\nlines"\n\n;x\n');
  await writeFile(at('unclosed.csv'), 'a,b\n1,2\n3,"4');
  await writeFile(at('long.csv'), `a,b\n${'some text,and more\n'.repeat(200_000)}`);
  await writeFile(at('mapping.yaml'), MAPPING);
  await writeFile(at('center.yaml'), INSTALLATION);
  const workbook = new ExcelJS.Workbook();
  workbook.addWorksheet('Leads').addRows([
    ['Name', 'Phone'],
    ['Ann', 79161234567],
  ]);
  workbook.addWorksheet('2024').addRow(['of a year']);
  workbook.addWorksheet('Old', { state: 'hidden' }).addRow([new Date(Date.UTC(2024, 1, 29)), true]);
  await workbook.xlsx.writeFile(at('leads.xlsx'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('rows of a CSV file', () => {
  const rows = [
    { sheet: null, row: 1, cells: ['Имя', 'Note'] },
    { sheet: null, row: 2, cells: ['Иван', 'two\nlines'] },
    { sheet: null, row: 4, cells: [null, 'x'] },
  ];

  it('are printed as JSON lines, header included', async () => {
    const { code, stdout, stderr } = await cardline(['rows', at('leads.csv')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(parsed(stdout)).toEqual(rows);
  });

  it('come from standard input too', async () => {
    const input = Buffer.from('п,q\n1,2\n', 'utf16le');
    const { code, stdout } = await cardline(['rows', '-', '--encoding', 'utf-16le'], { input });
    expect(code).toBe(0);
    expect(parsed(stdout)[0]).toEqual({ sheet: null, row: 1, cells: ['п', 'q'] });
  });

  it('end at the limit', async () => {
    expect(parsed((await cardline(['rows', at('leads.csv'), '--limit', '2'])).stdout)).toEqual(
      rows.slice(0, 2),
    );
  });

  it('are split as the person says', async () => {
    const { stdout } = await cardline([
      'rows',
      at('leads.csv'),
      '--delimiter',
      '|',
      '--limit',
      '1',
    ]);
    expect(parsed(stdout)).toEqual([{ sheet: null, row: 1, cells: ['Имя;Note'] }]);
  });
});

describe('rows of a workbook', () => {
  const visible = [
    { sheet: 'Leads', row: 1, cells: ['Name', 'Phone'] },
    { sheet: 'Leads', row: 2, cells: ['Ann', '79161234567'] },
  ];
  const year = { sheet: '2024', row: 1, cells: ['of a year'] };
  const hidden = { sheet: 'Old', row: 1, cells: ['2024-02-29', 'true'] };

  it.each([
    ['the first visible sheet', [], visible],
    ['a sheet by its number', ['--sheet', '3'], [hidden]],
    ['a sheet by its name', ['--sheet', 'Old'], [hidden]],
    ['a sheet named like a year', ['--sheet', '2024'], [year]],
    ['every sheet', ['--all-sheets'], [...visible, year, hidden]],
  ])('%s', async (_which, options, expected) => {
    const { code, stdout, stderr } = await cardline(['rows', at('leads.xlsx'), ...options]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(parsed(stdout)).toEqual(expected);
  });

  it('are refused with the names that there are', async () => {
    const { code, stderr } = await cardline(['rows', at('leads.xlsx'), '--sheet', 'Leds']);
    expect(code).toBe(64);
    expect(stderr).toContain('Leads');
  });
});

describe('what can go wrong', () => {
  it('a missing file', async () => {
    const { code, stdout, stderr } = await cardline(['rows', at('missing.csv')]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('missing.csv');
  });

  it('a file that breaks off: its good rows are printed first', async () => {
    const { code, stdout, stderr } = await cardline(['rows', at('unclosed.csv')]);
    expect(code).toBe(64);
    expect(parsed(stdout)).toHaveLength(2);
    expect(stderr).toMatch(/unclosed\.csv, line 3: /);
  });

  it('a broken standard input, which is not named after a file of ours', async () => {
    const { code, stderr } = await cardline(['rows', '-'], { input: 'a,b\n3,"4' });
    expect(code).toBe(64);
    expect(stderr).toMatch(/^standard input, line 2: /);
    expect(stderr).not.toContain(tmpdir());
  });

  it('a reader that goes away early, as head does', async () => {
    const running = startCardline(['rows', at('long.csv')]);
    await printed(running, /\n/);
    running.child.stdout.destroy();
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
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
    const temporary = await mkdtemp(join(folder, 'tmp-'));
    const files = command === 'rows' ? [] : ['-m', at('mapping.yaml'), '-i', at('center.yaml')];
    const running = startCardline([command, '-', ...files], { env: { TMPDIR: temporary } });
    running.child.stdin.write('a,b\n');
    await vi.waitFor(() => expect(readdirSync(temporary)).toHaveLength(1), 20_000);
    running.child.kill(signal);
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr: `${said}\n` });
    expect(readdirSync(temporary)).toEqual([]);
  });
});
