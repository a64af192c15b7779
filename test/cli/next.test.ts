import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellWord } from '../../src/cli/shell-word.js';
import { cardline } from '../helpers/cardline.js';
import { onTerminal } from '../helpers/on-terminal.js';

let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-next-'));
  await writeFile(
    at('mapping.yaml'),
    `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: { column: Id, transform: [number] } }
  phones: [{ column: Phone, type: MOB }]
`,
  );
  await writeFile(
    at('installation.yaml'),
    'name: test\nbaseUrl: http://127.0.0.1:9\ncard: { offerId: { type: Number, sync: true } }\n',
  );
  const bad = ['four', 'four', 'secret five', 'six', 'seven', 'eight'];
  await writeFile(
    at('my leads.csv'),
    `Id;Phone\n1;79160000001\n${bad.map((id, index) => `${id};7916000000${index + 2}\n`).join('')}`,
  );
  await writeFile(at('good.csv'), 'Id;Phone\n1;79160000001\n');
});

afterAll(() => rm(folder, { recursive: true }));

/** The command that is proposed, as a shell would call it: every argument on a line. */
function proposed(stdout: string): string[] {
  const [, line = ''] = /^Next: .*\n {2}(cardline .*)$/m.exec(stdout) ?? [];
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].slice(1).map(([, a, b]) => a ?? b ?? '');
}

const checking = (file: string, ...more: string[]): string[] => [
  ...['check', at(file), '-m', at('mapping.yaml'), '--out', at('check'), '--quiet', ...more],
];
const importing = (file: string, name: string): string[] => [
  ...['import', at(file), '-m', at('mapping.yaml'), '-i', at('installation.yaml'), '--sandbox'],
  ...['--ledger', at(`${name}.db`), '--out', at(name), '--quiet'],
];

describe('reasons', () => {
  it('come with three different values on a terminal, and fit it', async () => {
    const { stdout } = await onTerminal(checking('my leads.csv', '--show', '0'));
    expect(stdout).toMatch(/^ {2}6 {2}Id: /m);
    expect(stdout).toContain('"four", "secret five", "six"; rows 3, 4, 5, …');
    const lines = stdout.split('\n').filter((line) => !/^(rejects| {2}cardline)/.test(line));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('come without values where the output may be kept', async () => {
    const piped = await cardline(checking('my leads.csv', '--show', '0'));
    expect(piped.stdout).toMatch(/^ {2}6 {2}Id: /m);
    const json = await onTerminal(checking('my leads.csv', '--json', '--show', '0'));
    expect(JSON.parse(json.stdout)).not.toHaveProperty('reasons');
    const imported = await onTerminal(importing('my leads.csv', 'kept'));
    expect(imported.stdout).toContain('"four", "secret five", "six"');
    const log = readFileSync(at('kept/run.log'), 'utf8');
    for (const kept of [piped.stdout, json.stdout, log]) expect(kept).not.toContain('secret five');
  });
});

describe('the next command', () => {
  it('imports what was checked, with what the check was given', async () => {
    const more = ['--mode', 'upsert', '--delimiter', ';'];
    const { stdout } = await onTerminal(checking('good.csv', ...more));
    expect(proposed(stdout)).toEqual([
      ...['import', at('good.csv'), '-m', at('mapping.yaml'), '-i', at('installation.yaml')],
      ...more,
    ]);
  });

  it('imports the rejects, which ends well once they are right', async () => {
    const { code, stdout } = await onTerminal(importing('my leads.csv', 'first'));
    expect(code).toBe(2);
    const rejects = at('first/rejects.csv');
    expect(stdout).toContain(`rejects  ${rejects}`);
    const words = proposed(stdout);
    expect(words).toEqual([
      ...['import', rejects, '-m', at('mapping.yaml'), '-i', at('installation.yaml')],
      ...['--sandbox', '--ledger', at('first.db')],
    ]);
    let number = 10;
    const mended = readFileSync(rejects, 'utf8').replace(/^[a-z ]+(?=;7)/gm, () => `${number++}`);
    await writeFile(rejects, mended);
    const next = await cardline([...words, '--out', at('second')], { cwd: folder });
    expect(next.code, next.stderr).toBe(0);
    expect(existsSync(at('second/rejects.csv'))).toBe(false);
  });

  it.each([
    ['plain/a-b.csv', 'plain/a-b.csv'],
    ['my leads.csv', "'my leads.csv'"],
    ["o'neil.csv", `'o'\\''neil.csv'`],
    ['$(rm x)', `'$(rm x)'`],
    ['', "''"],
  ])('quotes %j for a shell', (word, quoted) => {
    expect(shellWord(word, 'linux')).toBe(quoted);
  });
});
