/** What is no regular file is neither waited for, nor read without end, nor written into. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, symlink, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { installation, MAPPING, useBench } from '../kit/bench.js';
import { cardlineProcess, type Ended, executable } from '../kit/cardline.js';
import { words, wordsIn } from '../kit/words.js';
import { tablesIn } from '../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'other-files.yaml') as {
  readonly inputs: string[];
  readonly outputs: string[];
};

const bench = useBench({ prepare: () => bench.list(10) });

const pipeAt = (name: string): string => {
  execFileSync('mkfifo', [bench.at(name)]);
  return bench.at(name);
};

/** Ends by itself: a test that waits for a pipe runs into its own limit. */
const run = (args: readonly string[]): Promise<Ended> =>
  cardlineProcess(args, { cwd: bench.at('.'), env: bench.environment });
const refused = async (args: readonly string[], text: string): Promise<void> => {
  const { code, stderr } = await run(args);
  expect([args, code, stderr]).toEqual([args, 64, expect.stringContaining(text)]);
};

describe('what is read', () => {
  it.each(CASES.inputs)('may be no pipe as the input, and it is told how: %s', async (line) => {
    pipeAt('pipe.csv');
    const { code, stderr } = await run(wordsIn(line));
    expect(stderr).toContain('this is a named pipe, which cannot be read twice');
    expect(stderr).toContain('cardline import - < PIPE');
    expect(code).toBe(64);
  });

  it('may be no pipe of the shell, and no device, and no socket', async () => {
    const command = '"$0" "$1" check <(cat leads.csv) -m mapping.yaml';
    const where = { cwd: bench.at('.') };
    const shell = spawn('bash', ['-c', command, process.execPath, executable], where);
    let stderr = '';
    shell.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    expect(await new Promise((resolve) => shell.on('close', resolve))).toBe(64);
    expect(stderr).toContain('named pipe');
    await refused(words`check /dev/zero -m mapping.yaml`, 'a device');
    const server = createServer().listen(bench.at('socket'));
    await refused(words`check socket -m mapping.yaml`, 'a socket');
    server.close();
  });

  const LOOKUP = MAPPING.replace(
    'segment: { column: Segment, transform: [trim, lower] }',
    'segment: { column: Segment, transform: [{ lookup: { file: FILE, key: a, value: b } }] }',
  );
  it.each(CASES.outputs)('may be no pipe and no device besides the input: %s', async (line) => {
    for (const [file, kind] of [
      [pipeAt('pipe.yaml'), 'named pipe'],
      ['/dev/zero', 'device'],
    ] as const) {
      await bench.write('lookup.yaml', LOOKUP.replace('FILE', file));
      await bench.write('tls.yaml', installation(bench.center.url, '{}', `{ caFile: ${file} }`));
      await refused(wordsIn(line.replace('FILE', file)), kind);
    }
  });

  it('may have no end as a certificate', async () => {
    const large = await bench.write('large.pem', '');
    await truncate(large, 2 ** 34);
    await bench.write('tls.yaml', installation(bench.center.url, '{}', `{ caFile: ${large} }`));
    await refused(words`import leads.csv -m mapping.yaml -i tls.yaml`, 'larger than 16 MiB');
  });

  it('may be a link to a regular file', async () => {
    await symlink(bench.at('leads.csv'), bench.at('link.csv'));
    await symlink(bench.at('mapping.yaml'), bench.at('link.yaml'));
    expect(await run(words`check link.csv -m link.yaml`)).toMatchObject({ code: 0 });
  });
});

describe('what is written', () => {
  const importInto = (...options: string[]) =>
    run(words`import leads.csv -m mapping.yaml -i center.yaml ${options}`);
  const OUT = ['-o', 'out'];

  it.each(['run.log', 'report.csv', 'summary.json'])(
    'does not go through a link in the place of %s',
    async (name) => {
      const foreign = await bench.write('foreign', 'not ours\n');
      await chmod(foreign, 0o644);
      await mkdir(bench.at('out'));
      await symlink(foreign, bench.at(join('out', name)));
      const { code, stderr } = await importInto(...OUT);
      expect(code, stderr).toBe(0);
      expect(readFileSync(foreign, 'utf8')).toBe('not ours\n');
      expect(statSync(foreign).mode & 0o777).toBe(0o644);
      expect(bench.center.cards.size).toBe(10);
      if (name === 'run.log') expect(stderr).toMatch(/run\.log cannot be written .*symbolic link/);
      else expect(lstatSync(bench.at(join('out', name))).isFile()).toBe(true);
    },
  );

  it('makes nothing where a link in the place of the log leads nowhere', async () => {
    await mkdir(bench.at('out'));
    await symlink(bench.at('nothing'), bench.at('out/run.log'));
    expect(await importInto(...OUT)).toMatchObject({ code: 0 });
    expect(existsSync(bench.at('nothing'))).toBe(false);
  });

  it('does not go into a pipe in the place of the log, which a report does not read either', async () => {
    await mkdir(bench.at('out'));
    pipeAt('out/run.log');
    const { code, stderr } = await importInto(...OUT);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/run\.log .*named pipe/)]);
    const summary = readFileSync(bench.at('out/summary.json'), 'utf8');
    const id = (JSON.parse(summary) as { run: string }).run;
    expect(await run(words`report ${id} --format html -o page.html`)).toMatchObject({ code: 0 });
  });

  it('does not replace a pipe by a report', async () => {
    await mkdir(bench.at('out'));
    pipeAt('out/report.csv');
    const { code, stderr } = await importInto(...OUT);
    expect([code, stderr]).toEqual([3, expect.stringContaining('named pipe')]);
    expect(lstatSync(bench.at('out/report.csv')).isFIFO()).toBe(true);
  });

  it('may go into a folder that is a link', async () => {
    await mkdir(bench.at('elsewhere'));
    await symlink(bench.at('elsewhere'), bench.at('out'));
    expect(await importInto(...OUT)).toMatchObject({ code: 0 });
    expect(existsSync(bench.at('elsewhere/report.csv'))).toBe(true);
  });

  const sandboxIn = (file: string) => words`sandbox -i center.yaml --port 0 --db ${file}`;

  it("does not go through a link, or into a pipe, in the place of the sandbox's database", async () => {
    const foreign = await bench.write('foreign', '');
    await chmod(foreign, 0o644);
    await symlink(foreign, bench.at('cardline.sandbox.db'));
    const linked = await importInto('--sandbox');
    expect([linked.code, linked.stderr]).toEqual([64, expect.stringContaining('symbolic link')]);
    expect([statSync(foreign).size, statSync(foreign).mode & 0o777]).toEqual([0, 0o644]);
    await refused(sandboxIn(pipeAt('pipe.db')), 'named pipe');
  });

  it("leaves a database as it is that is not the sandbox's", async () => {
    const file = bench.at('foreign.db');
    const foreign = new Database(file);
    foreign.exec('CREATE TABLE theirs (a)');
    foreign.close();
    await chmod(file, 0o644);
    const before = readFileSync(file);
    await refused(sandboxIn(file), 'foreign.db');
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });
});
