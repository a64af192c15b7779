import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePlaced } from '../../src/config/document.js';
import { ConfigurationError } from '../../src/core/errors.js';
import { words, wordsIn } from '../kit/words.js';
import { MAPPING, useFolder } from './folder.js';
import { tablesIn } from '../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'check.yaml') as [string, string, string][];

const { at, read, write, run, json, onTerminal } = useFolder({
  'good.csv': 'Id;Phone\n1;79160000001\n2;79160000002\n',
  'bad.csv': 'Id\tPhone\n1\t79160000001\nfour\t79160000004\nfive\t79160000005\n',
  'one.csv': 'Id;Phone\n1;79160000001\n',
  'wrong-mapping.yaml': 'client:\n  clientRole: { value: 1 }\n',
  'wrong-center.yaml': 'name: test\nbaseURL: http://127.0.0.1:9\n',
  'other.csv': 'Number,Phone\n1,79160000001\n',
  'second.csv': 'Number,Phone\n2,79160000002\n',
  'empty.csv': '',
});
const checking = (file: string): string[] => words`check ${file} -m mapping.yaml --out out-${file}`;

it('ends with 0 and shows the first clients when no row is rejected', async () => {
  const { code, stdout, stderr } = await onTerminal`${checking('good.csv')} --show 1`;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('good.csv: CSV, utf-8, delimiter ";"');
  expect(stdout).toContain('"offerId": "1"');
  expect(stdout).not.toContain('79160000002');
  expect(stdout).toContain('2 rows: 2 would be sent, 0 rejected, 0 skipped');
  expect(existsSync(at('out-good.csv'))).toBe(false);
  expect((await run`${checking('one.csv')}`).stdout).toMatch(/^1 row: 1 would be sent/m);
});

it('shows the clients in a pipe where they are asked for', async () => {
  expect((await run`${checking('good.csv')} --show 1`).stdout).toContain('"offerId": "1"');
  expect((await run`${checking('good.csv')}`).stdout).not.toContain('First clients');
});

it('ends with 2, counts the problems and writes the rejects', async () => {
  const { code, stdout } = await run`${checking('bad.csv')}`;
  expect(code).toBe(2);
  expect(stdout).toContain('delimiter tab');
  expect(stdout).toMatch(/^ {2}2 {2}Id: .*\n +rows 3, 4$/m);
  expect(stdout).toContain(`rejects  ${at('out-bad.csv/rejects.csv')}`);
  expect(await read('out-bad.csv/rejects.csv')).toContain('four\t79160000004');
});

it('leaves nothing half-written when the file breaks off', async () => {
  await write('broken.csv', `Id;Phone\n${'bad;none\n'.repeat(20_000)}1;"`);
  const { code, stderr } = await run`${checking('broken.csv')}`;
  expect(code).toBe(64);
  expect(stderr).toContain('broken.csv, line 20002');
  expect(readdirSync(at('out-broken.csv'))).toEqual([]);
});

it('prints all of it as JSON for scripts', async () => {
  const { code, stdout } = await run`${checking('bad.csv')} --json --quiet`;
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ rows: 3, clients: 1, rejected: 2, sample: [{ fields: { offerId: '1' } }] },
    problems: [{ column: 'Id', code: 'not_a_number', count: 2, firstRow: 3 }],
  });
});

it('says what it found before it says that the rejects cannot be written', async () => {
  mkdirSync(at('taken/rejects.csv'), { recursive: true });
  const { code, stdout, stderr } = await run`check bad.csv -m mapping.yaml --out taken`;
  expect(code).toBe(3);
  expect(stdout).toContain('3 rows: 1 would be sent, 2 rejected');
  expect(stdout).not.toContain('rejects  ');
  expect(stderr).toContain(`${at('taken/rejects.csv')}: cannot be written`);
  expect(readdirSync(at('taken'))).toEqual(['rejects.csv']);
});

it('tells remarks on what is sent from values that are left out', async () => {
  const fields = '  fields: { offerId: { column: Id, transform: [number] }, fullName: Name }';
  await write('names.yaml', MAPPING.replace(/^ {2}fields: .*$/m, fields));
  await write('short.csv', 'Id;Phone;Name\n1;79160000001;Ann\n2;79160000002\n');
  const { stdout } = await run`check short.csv -m names.yaml --out out-short`;
  expect(stdout).toContain('1 remark on what was sent: Name 1.');
  expect(stdout).not.toContain('left out: Name');
});

it('names of late records cost a row only where the mapping needs them', async () => {
  const records: object[] = Array.from({ length: 10_000 }, (_, n) => ({
    ...{ Id: n + 1, Phone: `7916${1_000_000 + n}` },
  }));
  records.push({ Id: 10_001, Phone: '79167654321', note: 'late' });
  records.push({ Id: 10_002, Phone: { main: '79167654322' } });
  const twice = '{"Id":10003,"Phone":"79167654323","Phone":"79167654324"}';
  await write('late.jsonl', [...records.map((one) => JSON.stringify(one)), twice].join('\n'));
  expect(await json`check late.jsonl -m mapping.yaml -i center.yaml --json -q`).toMatchObject({
    ...{ rows: 10_003, clients: 10_001, rejected: 2 },
    remarks: [{ column: null, code: 'unknown_name', count: 1, firstRow: 10_001 }],
    problems: [
      { column: null, code: 'unknown_name', firstRow: 10_002 },
      { column: 'Phone', code: 'ambiguous_name', firstRow: 10_003 },
    ],
  });
});

describe('all mistakes are reported at once', () => {
  it.each(['check', 'import', 'import --sandbox', 'reconcile'])('by %s', async (command) => {
    const all = (file: string, mapping: string) =>
      run`${wordsIn(command)} ${file} -m ${mapping} -i wrong-center.yaml`;
    const none = await all('none.csv', 'wrong-mapping.yaml');
    expect({ code: none.code, stdout: none.stdout }).toEqual({ code: 64, stdout: '' });
    expect(none.stderr).toMatch(/wrong-mapping\.yaml:2:3:/);
    expect(none.stderr).toMatch(/wrong-center\.yaml:2:1: .*Did you mean .*baseUrl/);
    expect(none.stderr).toMatch(/none\.csv: there is no such file/i);
    const empty = await all('empty.csv', 'wrong-mapping.yaml');
    expect(empty.stderr).toMatch(/wrong-mapping\.yaml:2:3:/);
    expect(empty.stderr).toMatch(/wrong-center\.yaml:2:1:/);
    const columns = await all('other.csv', 'mapping.yaml');
    expect(columns.stderr).toMatch(/wrong-center\.yaml:2:1:/);
    expect(columns.stderr).toMatch(/mapping\.yaml:4:\d+: .*"Id"/);
  });

  it('of several files, each once', async () => {
    const { stderr } = await run`check other.csv second.csv -m mapping.yaml -i none.yaml`;
    for (const file of ['other.csv', 'second.csv', 'none.yaml: there is no such file'])
      expect(stderr).toContain(file);
    const lines = stderr.trimEnd().split('\n');
    expect(new Set(lines).size).toBe(lines.length);
  });
});

describe('a line of YAML that is indented wrongly is named itself', () => {
  const mistakes = (text: string): string => {
    try {
      parsePlaced('m.yaml', text);
      return '';
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return error.mistakes.map(({ line, column }) => `${line}:${column}`).join();
    }
  };

  it.each(CASES)('%s', (_, text, places) => {
    expect(mistakes(text)).toBe(places);
  });
});
