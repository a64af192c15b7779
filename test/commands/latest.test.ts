import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import { leadsFolder } from './leads-folder.js';

const { at, run } = leadsFolder({
  'one.csv': 'Id,Phone\n1,79160000001\n',
  'two.csv': 'Id,Phone\n2,79160000002\n3,79160000003\n',
});

interface Listed {
  run: string;
  mode: string;
  rows: number;
  out: string;
}
const listed = async (): Promise<Listed[]> =>
  JSON.parse((await run('runs', '--json')).stdout) as Listed[];

const importing = (file: string) =>
  run('import', file, '-m', 'mapping.yaml', '-i', 'center.yaml', '--sandbox', '-q');

beforeAll(async () => {
  expect((await importing('one.csv')).code).toBe(0);
  expect((await importing('two.csv')).code).toBe(0);
});

it('shows and reports the latest run where none is named', async () => {
  const [latest] = await listed();
  expect(latest?.rows).toBe(2);
  expect((await run('runs', 'show')).stdout).toMatch(new RegExp(`^run +${latest!.run}$`, 'm'));
  const report = await run('report');
  expect(report).toMatchObject({ code: 0, stderr: `Run ${latest!.run}, the latest.\n` });
  expect(report.stdout).toBe(await readFile(join(latest!.out, 'report.csv'), 'utf8'));
});

it('opens the page of the report', async () => {
  if (process.platform === 'win32' || process.platform === 'darwin') return;
  await mkdir(at('bin'));
  await writeFile(at('bin', 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${at('opened')}'\n`);
  await chmod(at('bin', 'xdg-open'), 0o755);
  const env = { PATH: at('bin') };
  const opened = await cardline(['report', '--open'], { cwd: at(), env });
  expect(opened.code, opened.stderr).toBe(0);
  const page = await readFile(at('opened'), 'utf8');
  expect(opened.stdout).toBe(`${page}\n`);
  expect(dirname(page)).toBe((await listed())[0]?.out);
  expect(await readFile(page, 'utf8')).toContain('<html');
});

it('says where the page is when there is no browser', async () => {
  if (process.platform === 'win32' || process.platform === 'darwin') return;
  const env = { PATH: at('nothing') };
  const { code, stdout, stderr } = await cardline(['report', '--open'], { cwd: at(), env });
  expect(code).toBe(64);
  expect(stderr).toContain(`Open ${stdout.trim()} yourself`);
});

it('takes back the latest import, and not the one before when it is asked again', async () => {
  const [latest, first] = await listed();
  const undone = await run('undo', '--yes', '-q', '--json');
  expect(undone.code, undone.stderr).toBe(0);
  expect(undone.stderr).toContain(`latest run that an undo is for: ${latest!.run} of `);
  expect(JSON.parse(undone.stdout)).toMatchObject({ rows: 2, outcomes: { undone: 2 } });
  const again = await run('undo', '--yes', '-q');
  expect(again.stderr).toContain(`latest run that an undo is for: ${latest!.run} of `);
  expect(again.stderr).toContain('nothing was done');
  expect((await listed()).map(({ mode }) => mode)).toEqual(['undo', 'create', 'create']);
  expect((await run('undo', first!.run, '--yes', '-q')).code).toBe(0);
});

it('says so where there is no run', async () => {
  await mkdir(at('empty'));
  const empty = await cardline(['report'], { cwd: at('empty') });
  expect(empty.code).toBe(64);
  expect(empty.stderr).toContain('--ledger');
});
