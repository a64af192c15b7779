import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import { onTerminal } from '../kit/on-terminal.js';
import { leadsFolder } from './leads-folder.js';

const { at } = leadsFolder({
  'good.csv': 'Id;Phone\n1;79160000001\n2;79160000002\n',
  'bad.csv': 'Id\tPhone\n1\t79160000001\nfour\t79160000004\nfive\t79160000005\n',
});

const checking = (file: string, ...options: string[]): string[] => [
  ...['check', at(file), '-m', at('mapping.yaml'), '--out', at(`out-${file}`)],
  ...options,
];

it('ends with 0 and shows the first clients when no row is rejected', async () => {
  const { code, stdout, stderr } = await onTerminal(checking('good.csv', '--show', '1'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('good.csv: CSV, utf-8, delimiter ";"');
  expect(stdout).toContain('"offerId": "1"');
  expect(stdout).not.toContain('79160000002');
  expect(stdout).toContain('2 rows: 2 would be sent, 0 rejected, 0 skipped');
  expect(existsSync(at('out-good.csv'))).toBe(false);
});

it('ends with 2, counts the problems and writes the rejects', async () => {
  const { code, stdout } = await cardline(checking('bad.csv'));
  expect(code).toBe(2);
  expect(stdout).toContain('delimiter tab');
  expect(stdout).toMatch(/^ {2}2 {2}Id: .*\n +rows 3, 4$/m);
  const rejects = /^rejects {2}(.*)$/m.exec(stdout)?.[1];
  expect(readFileSync(rejects!, 'utf8')).toContain('four\t79160000004');
});

it('leaves nothing half-written when the file breaks off', async () => {
  await writeFile(at('broken.csv'), `Id;Phone\n${'bad;none\n'.repeat(20_000)}1;"`);
  const { code, stderr } = await cardline(checking('broken.csv'));
  expect(code).toBe(64);
  expect(stderr).toContain('broken.csv, line 20002');
  expect(readdirSync(at('out-broken.csv'))).toEqual([]);
});

it('prints all of it as JSON for scripts', async () => {
  const { code, stdout } = await cardline(checking('bad.csv', '--json', '--quiet'));
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    rows: 3,
    clients: 1,
    rejected: 2,
    sample: [{ fields: { offerId: '1' } }],
    problems: [{ column: 'Id', code: 'not_a_number', count: 2, firstRow: 3 }],
  });
});

it('names the faults of a mapping with line and column, and ends with 64', async () => {
  await writeFile(at('wrong.yaml'), 'client:\n  clientRole: { value: 1 }\n');
  const { code, stdout, stderr } = await cardline([
    'check',
    at('good.csv'),
    '-m',
    at('wrong.yaml'),
  ]);
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr).toMatch(/wrong\.yaml:2:3: /);
});

it('shows the clients in a pipe where they are asked for', async () => {
  const asked = await cardline(checking('good.csv', '--show', '1'));
  expect(asked.stdout).toContain('"offerId": "1"');
  expect((await cardline(checking('good.csv'))).stdout).not.toContain('First clients');
});

it('says what it found before it says that the rejects cannot be written', async () => {
  mkdirSync(at('taken/rejects.csv'), { recursive: true });
  const { code, stdout, stderr } = await cardline([
    ...['check', at('bad.csv'), '-m', at('mapping.yaml'), '--out', at('taken')],
  ]);
  expect(code).toBe(3);
  expect(stdout).toContain('3 rows: 1 would be sent, 2 rejected');
  expect(stdout).not.toContain('rejects  ');
  expect(stderr).toContain(`${at('taken/rejects.csv')}: cannot be written`);
  expect(readdirSync(at('taken'))).toEqual(['rejects.csv']);
});

it('tells remarks on what is sent from values that are left out', async () => {
  const fields = '  fields: { offerId: { column: Id, transform: [number] }, fullName: Name }';
  const mapping = (await readFile(at('mapping.yaml'), 'utf8')).replace(/^ {2}fields: .*$/m, fields);
  await writeFile(at('names.yaml'), mapping);
  await writeFile(at('short.csv'), 'Id;Phone;Name\n1;79160000001;Ann\n2;79160000002\n');
  const { stdout } = await cardline([
    ...['check', at('short.csv'), '-m', at('names.yaml'), '--out', at('out-short')],
  ]);
  expect(stdout).toContain('1 remark on what was sent: Name 1.');
  expect(stdout).not.toContain('left out: Name');
});

it('speaks of one row where there is one', async () => {
  await writeFile(at('one.csv'), 'Id;Phone\n1;79160000001\n');
  expect((await cardline(checking('one.csv'))).stdout).toMatch(/^1 row: 1 would be sent/m);
});
