import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/core/text.js';
import { cardline } from '../kit/cardline.js';
import { startContactCenter } from '../kit/contact-center.js';
import { onTerminal } from '../kit/on-terminal.js';
import { leadsFolder } from './leads-folder.js';

const bad = ['four', 'four', 'secret five', 'six', 'seven', 'eight'];
const { at, run } = leadsFolder({
  'my leads.csv': `Id;Phone\n1;79160000001\n${bad.map((id, index) => `${id};7916000000${index + 2}\n`).join('')}`,
  'good.csv': 'Id;Phone\n1;79160000001\n',
});

/** The command that is proposed, as a shell would call it: every argument on a line. */
function proposed(stdout: string): string[] {
  const [, line = ''] = /^(?:Next: | {2})(cardline .*)$/m.exec(stdout) ?? [];
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].slice(1).map(([, a, b]) => a ?? b ?? '');
}

const checking = (file: string, ...more: string[]): string[] => [
  ...['check', at(file), '-m', at('mapping.yaml'), '--out', at('check'), '--quiet', ...more],
];
const importing = (file: string, name: string): string[] => [
  ...['import', at(file), '-m', at('mapping.yaml'), '-i', at('center.yaml'), '--sandbox'],
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
    const piped = await cardline(checking('my leads.csv'));
    expect(piped.stdout).not.toContain('79160000001');
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
  it('imports what was checked, with what the check was given, and names the sandbox where no center is', async () => {
    const more = ['-i', at('center.yaml'), '--mode', 'upsert', '--delimiter', ';'];
    const { stdout } = await onTerminal(checking('good.csv', ...more));
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'import them, once the contact center can be reached, or with --sandbox to try it without one:',
    );
    const words = proposed(stdout);
    expect(words).toEqual([
      ...['import', at('good.csv'), '-m', at('mapping.yaml'), '-i', at('center.yaml')],
      ...['--mode', 'upsert', '--delimiter', ';'],
    ]);
    expect(await run(...words, '--sandbox')).toMatchObject({ code: 0 });
  });

  it('sends nothing into the sandbox where a contact center never answers', async () => {
    const silent = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const center = readFileSync(at('center.yaml'), 'utf8');
    await writeFile(
      at('silent.yaml'),
      center.replace(/^baseUrl: .*$/m, `baseUrl: http://127.0.0.1:${port}`),
    );
    const dry = ['import', at('good.csv'), '-m', at('mapping.yaml'), '--dry-run', '--quiet'];
    for (const installation of ['silent.yaml', 'center.yaml']) {
      const { stdout } = await cardline([...dry, '-i', at(installation)]);
      expect(proposed(stdout), installation).not.toContain('--sandbox');
      expect(proposed(stdout)[0]).toBe('import');
    }
    silent.close();
  });

  it('imports the rejects, which ends well once they are right', async () => {
    const { code, stdout } = await onTerminal(importing('my leads.csv', 'first'));
    expect(code).toBe(2);
    const rejects = at('first/rejects.csv');
    expect(stdout).toContain(`rejects  ${rejects}`);
    const words = proposed(stdout);
    expect(words).toEqual([
      ...['import', rejects, '-m', at('mapping.yaml'), '-i', at('center.yaml')],
      ...['--sandbox', '--ledger', at('first.db')],
    ]);
    let number = 10;
    const mended = readFileSync(rejects, 'utf8').replace(/^[a-z ]+(?=;7)/gm, () => `${number++}`);
    await writeFile(rejects, mended);
    const next = await run(...words, '--out', at('second'));
    expect(next.code, next.stderr).toBe(0);
    expect(existsSync(at('second/rejects.csv'))).toBe(false);
  });

  it('leads from doctor over suggest and check to the import, with all that was given', async () => {
    const center = await startContactCenter({ card: { offerId: 'sync' } });
    try {
      const text = `name: test\nbaseUrl: ${center.url}\ncard: { offerId: { type: Number, sync: true } }\n`;
      await writeFile(at('reachable.yaml'), text);
      await mkdir(at('way'));
      const way = (args: readonly string[]) => cardline(args, { cwd: at('way') });
      const ledger = ['--ledger', at('way.db')];
      const given = ['--mode', 'upsert', '--delimiter', ';', '--encoding', 'utf-8', ...ledger];
      const examined = await way(['doctor', at('good.csv'), '-i', at('reachable.yaml'), ...given]);
      const suggest = proposed(examined.stdout);
      expect(suggest, examined.stdout).toEqual(expect.arrayContaining(given));
      expect(suggest[0]).toBe('suggest');
      const suggested = await way(suggest);
      const check = proposed(suggested.stdout);
      expect(check, suggested.stdout + suggested.stderr).toEqual(expect.arrayContaining(ledger));
      const checked = await way(check);
      expect(checked.code, checked.stderr).toBe(0);
      const words = proposed(checked.stdout);
      expect(words).toEqual(expect.arrayContaining(ledger));
      const imported = await way([...words, '--json', '-q']);
      expect(imported.code, imported.stderr).toBe(0);
      expect(JSON.parse(imported.stdout)).toMatchObject({ rows: 1, outcomes: { created: 1 } });
      expect(center.requests.length).toBeGreaterThan(0);
    } finally {
      await center.close();
    }
  });

  it('writes a draft that was printed to a file, with the options it was printed with', async () => {
    await mkdir(at('draft'));
    const given = ['--country', 'RU', '--mode', 'upsert', '--delimiter', ';'];
    const draft = (args: readonly string[]) => cardline(args, { cwd: at('draft') });
    const shown = await draft(['suggest', at('good.csv'), '-i', at('center.yaml'), ...given]);
    const words = proposed(shown.stderr);
    expect(words).toEqual(expect.arrayContaining(given));
    expect(await draft(words)).toMatchObject({ code: 0 });
    expect(readFileSync(at('draft', 'mapping.yaml'), 'utf8')).toContain(shown.stdout.trimEnd());
  });

  it('drafts the installation file where there is none', async () => {
    await mkdir(at('none'));
    await writeFile(at('none', 'm.yaml'), readFileSync(at('mapping.yaml')));
    const words = ['check', at('good.csv'), '-m', 'm.yaml', '--show', '0'];
    const { stdout } = await cardline(words, { cwd: at('none') });
    expect(proposed(stdout)).toEqual(['init', '-o', 'installation.yaml']);
  });

  it('keeps the options of an import that was asked to send nothing', async () => {
    const given = ['--campaign', 'Autumn leads', '--batch-size', '7', '--ledger', at('dry.db')];
    const { stdout } = await cardline([...importing('good.csv', 'dry'), ...given, '--dry-run']);
    const words = proposed(stdout);
    expect(words).toEqual(expect.arrayContaining([...given, '--sandbox']));
    expect(stdout).not.toContain('cannot be reached');
    expect(words).not.toContain('--dry-run');
    expect((await run(...words, '--json', '-q')).code).toBe(0);
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
