import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/core/text.js';
import { cardline } from '../kit/cardline.js';
import { startContactCenter } from '../kit/contact-center.js';
import { words } from '../kit/words.js';
import { centerAt, leadsFrom, useFolder } from './folder.js';

const bad = ['four', 'four', 'secret five', 'six', 'seven', 'eight'];
const { at, read, write, run, onTerminal } = useFolder({
  'my leads.csv': `Id;Phone\n1;79160000001\n${bad.map((id, n) => `${id};7916000000${n + 2}\n`).join('')}`,
  'good.csv': leadsFrom(1, 1, ';'),
  'leads.csv': leadsFrom(11, 12),
  'others.csv': leadsFrom(13, 13),
});

/** The command that is proposed, as a shell would call it: every argument on a line. */
function proposed(stdout: string): string[] {
  const [, line = ''] = /^(?:Next: | {2})(cardline .*)$/m.exec(stdout) ?? [];
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].slice(1).map(([, a, b]) => a ?? b ?? '');
}
/** Runs a command in a folder of its own. */
async function elsewhere(name: string) {
  await mkdir(at(name), { recursive: true });
  return (args: readonly string[]) => cardline(args, { cwd: at(name) });
}

const bare = (file: string): string[] => words`${file} -m mapping.yaml -i center.yaml`;
const checking = words`check ${'my leads.csv'} -m mapping.yaml --out check --quiet`;
const importing = (file: string, name: string): string[] =>
  words`import ${file} -m mapping.yaml -i center.yaml --sandbox --ledger ${name}.db --out ${name} --quiet`;

describe('reasons', () => {
  it('come with three different values on a terminal, and fit it', async () => {
    const { stdout } = await onTerminal`${checking} --show 0`;
    expect(stdout).toMatch(/^ {2}6 {2}Id: /m);
    expect(stdout).toContain('"four", "secret five", "six"; rows 3, 4, 5, …');
    const lines = stdout.split('\n').filter((line) => !/^(rejects| {2}cardline)/.test(line));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('come without values where the output may be kept', async () => {
    const piped = await run`${checking}`;
    expect(piped.stdout).not.toContain('79160000001');
    expect(piped.stdout).toMatch(/^ {2}6 {2}Id: /m);
    const json = await onTerminal`${checking} --json --show 0`;
    expect(JSON.parse(json.stdout)).not.toHaveProperty('reasons');
    const imported = await onTerminal`${importing('my leads.csv', 'kept')}`;
    expect(imported.stdout).toContain('"four", "secret five", "six"');
    const log = await read('kept/run.log');
    for (const kept of [piped.stdout, json.stdout, log]) expect(kept).not.toContain('secret five');
  });
});

describe('the next command', () => {
  it('imports what was checked, with what the check was given, and names the sandbox where no center is', async () => {
    const more = words`--mode upsert --delimiter ;`;
    const { stdout } = await onTerminal`check ${bare('good.csv')} ${more}`;
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'import them, once the contact center can be reached, or with --sandbox to try it without one:',
    );
    expect(proposed(stdout)).toEqual(['import', ...bare('good.csv'), ...more]);
    expect(await run`${proposed(stdout)} --sandbox`).toMatchObject({ code: 0 });
  });

  it('sends nothing into the sandbox where a contact center never answers', async () => {
    const silent = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await write('silent.yaml', centerAt(`http://127.0.0.1:${port}`));
    for (const installation of ['silent.yaml', 'center.yaml']) {
      const { stdout } =
        await run`import good.csv -m mapping.yaml --dry-run --quiet -i ${installation}`;
      expect(proposed(stdout), installation).not.toContain('--sandbox');
      expect(proposed(stdout)[0]).toBe('import');
    }
    silent.close();
  });

  it('imports the rejects, which ends well once they are right', async () => {
    const { code, stdout } = await onTerminal`${importing('my leads.csv', at('first'))}`;
    expect(code).toBe(2);
    const rejects = at('first/rejects.csv');
    expect(stdout).toContain(`rejects  ${rejects}`);
    const next = words`import ${bare('first/rejects.csv')} --sandbox --ledger ${at('first')}.db`;
    expect(proposed(stdout)).toEqual(next);
    let number = 10;
    const text = await read('first/rejects.csv');
    await write(
      'first/rejects.csv',
      text.replace(/^[a-z ]+(?=;7)/gm, () => `${number++}`),
    );
    const ended = await run`${next} --out second`;
    expect(ended.code, ended.stderr).toBe(0);
    expect(existsSync(at('second/rejects.csv'))).toBe(false);
  });

  it('leads from doctor over suggest and check to the import, with all that was given', async () => {
    const center = await startContactCenter({ card: { offerId: 'sync' } });
    try {
      const reachable = await write('reachable.yaml', centerAt(center.url));
      const way = await elsewhere('way');
      const ledger = ['--ledger', at('way.db')];
      const given = words`--mode upsert --delimiter ; --encoding utf-8 ${ledger}`;
      const examined = await way(words`doctor ${at('good.csv')} -i ${reachable} ${given}`);
      const suggest = proposed(examined.stdout);
      expect(suggest, examined.stdout).toEqual(expect.arrayContaining(given));
      expect(suggest[0]).toBe('suggest');
      const suggested = await way(suggest);
      const check = proposed(suggested.stdout);
      expect(check, suggested.stdout + suggested.stderr).toEqual(expect.arrayContaining(ledger));
      const checked = await way(check);
      expect(checked.code, checked.stderr).toBe(0);
      const last = proposed(checked.stdout);
      expect(last).toEqual(expect.arrayContaining(ledger));
      const imported = await way([...last, '--json', '-q']);
      expect(imported.code, imported.stderr).toBe(0);
      expect(JSON.parse(imported.stdout)).toMatchObject({ rows: 1, outcomes: { created: 1 } });
      expect(center.requests.length).toBeGreaterThan(0);
    } finally {
      await center.close();
    }
  });

  it('writes a draft that was printed to a file, with the options it was printed with', async () => {
    const given = words`--country RU --mode upsert --delimiter ;`;
    const draft = await elsewhere('draft');
    const files = [at('good.csv'), '-i', at('center.yaml')];
    const shown = await draft(words`suggest ${files} ${given}`);
    expect(proposed(shown.stderr)).toEqual(expect.arrayContaining(given));
    expect(await draft(proposed(shown.stderr))).toMatchObject({ code: 0 });
    expect(await read('draft/mapping.yaml')).toContain(shown.stdout.trimEnd());
  });

  it('drafts the installation file where there is none', async () => {
    const none = await elsewhere('none');
    const { stdout } = await none(words`check ${at('good.csv')} -m ../mapping.yaml --show 0`);
    expect(proposed(stdout)).toEqual(['init', '-o', 'installation.yaml']);
  });

  it('keeps the options of an import that was asked to send nothing', async () => {
    const given = words`--campaign ${'Autumn leads'} --batch-size 7 --ledger dry.db`;
    const { stdout } = await run`${importing('good.csv', 'dry')} ${given} --dry-run`;
    const next = proposed(stdout);
    expect(next).toEqual(expect.arrayContaining([...given, '--sandbox']));
    expect(stdout).not.toContain('cannot be reached');
    expect(next).not.toContain('--dry-run');
    expect((await run`${next} --json -q`).code).toBe(0);
  });

  it('compares, and corrects nothing, where all clients are there already', async () => {
    const inSandbox = words`${bare('leads.csv')} --sandbox`;
    expect((await run`import ${inSandbox}`).code).toBe(0);
    const again = await run`import ${inSandbox} --again`;
    expect(again.code, again.stderr).toBe(2);
    expect(again.stdout).toMatch(/already exists/);
    expect(again.stdout).toContain(
      `Next: all rows that failed are there already: see what differs:\n  cardline reconcile ${inSandbox.join(' ')}`,
    );
    expect(again.stdout).not.toContain('orrect the rows');
    expect((await run`reconcile ${inSandbox}`).code).toBe(0);
    // No word is left out of a reason of our own where the output is kept.
    const compared = await run`reconcile ${bare('others.csv')} --sandbox -o compared`;
    expect(compared.code, compared.stderr).toBe(2);
    expect(compared.stdout).toContain('missing: There is no card with these identifiers.');
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

it('of a comparison that stopped, rows are to be compared', async () => {
  const ledger = words`--ledger stopped.db`;
  const stopped = await run`reconcile ${bare('leads.csv')} ${ledger} -o stopped --give-up-after 1s`;
  expect(stopped.code, stopped.stderr).toBe(3);
  expect(stopped.stdout).toMatch(/^ +waiting +2 +continue the run to have them compared$/m);
  const shown = await run`runs show ${ledger}`;
  expect(shown.stdout).toMatch(/^waiting +2 rows are yet to be compared$/m);
  const report = await run`report ${ledger} --format text`;
  expect(report.stdout).toContain('rows that are yet to be compared are not counted');
  // How a request failed is told in words of its own, on standard error.
  expect(stopped.stdout + shown.stdout + report.stdout).not.toMatch(/\bsen[dt]\b/);
});
