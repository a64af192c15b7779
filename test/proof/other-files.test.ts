import { execFileSync, spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, symlink, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, csv, installation, leads, openBench } from '../runs/harness.js';
import { cardlineProcess, type Ended } from '../kit/cardline.js';

/** What is no regular file is neither waited for, nor read without end, nor written into. */
let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  await bench.write('leads.csv', csv(leads(10)));
});
afterEach(() => bench.close());

const pipeAt = (name: string): string => {
  execFileSync('mkfifo', [bench.at(name)]);
  return bench.at(name);
};

/** Ends by itself: a test that waits for a pipe runs into its own limit. */
const run = (...args: string[]): Promise<Ended> =>
  cardlineProcess(args, { cwd: bench.at('.'), env: bench.environment });

describe('what is read', () => {
  it.each([
    ['import', '-m', 'mapping.yaml', '-i', 'center.yaml'],
    ['check', '-m', 'mapping.yaml'],
    ['rows'],
    ['reconcile', '-m', 'mapping.yaml', '-i', 'center.yaml'],
  ])('may be no pipe as the input of %s, and it is told how', async (command, ...options) => {
    const pipe = pipeAt('pipe.csv');
    const { code, stderr } = await run(command, pipe, ...options);
    expect(stderr).toContain('this is a named pipe, which cannot be read twice');
    expect(stderr).toContain('cardline import - < PIPE');
    expect(code).toBe(64);
  });

  it('may be no pipe of the shell, and no device, and no socket', async () => {
    const command = '"$0" "$1" check <(cat leads.csv) -m mapping.yaml';
    const main = new URL('../../dist/command/main.js', import.meta.url).pathname;
    const shell = spawn('bash', ['-c', command, process.execPath, main], { cwd: bench.at('.') });
    let stderr = '';
    shell.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    expect(await new Promise((resolve) => shell.on('close', resolve))).toBe(64);
    expect(stderr).toContain('named pipe');
    const device = await run('check', '/dev/zero', '-m', 'mapping.yaml');
    expect([device.code, device.stderr]).toEqual([64, expect.stringContaining('a device')]);
    const server = createServer().listen(bench.at('socket'));
    const socket = await run('check', bench.at('socket'), '-m', 'mapping.yaml');
    server.close();
    expect([socket.code, socket.stderr]).toEqual([64, expect.stringContaining('a socket')]);
  });

  it('may be no pipe and no device as a mapping, an installation or data', async () => {
    const pipe = pipeAt('pipe.yaml');
    for (const [file, kind] of [
      [pipe, 'named pipe'],
      ['/dev/zero', 'device'],
    ] as const)
      for (const args of [
        ['check', 'leads.csv', '-m', file],
        ['import', 'leads.csv', '-m', 'mapping.yaml', '-i', file],
        ['clients', 'add', '-i', 'center.yaml', '--data', file],
        ['campaigns', 'create', '-i', 'center.yaml', '--file', file],
        ['sandbox', '-i', file],
      ]) {
        const { code, stderr } = await run(...args);
        expect([args, code, stderr]).toEqual([args, 64, expect.stringContaining(kind)]);
      }
  });

  it('may be no pipe as a lookup table or a certificate', async () => {
    const pipe = pipeAt('pipe');
    const mapping = readFileSync(bench.at('mapping.yaml'), 'utf8').replace(
      'segment: { column: Segment, transform: [trim, lower] }',
      `segment: { column: Segment, transform: [{ lookup: { file: ${pipe}, key: a, value: b } }] }`,
    );
    await bench.write('lookup.yaml', mapping);
    const lookup = await run('check', 'leads.csv', '-m', 'lookup.yaml');
    expect([lookup.code, lookup.stderr]).toEqual([64, expect.stringContaining('named pipe')]);
    const transport = `{ caFile: ${pipe} }`;
    await bench.write('tls.yaml', installation(bench.center.url, '{}', transport));
    const tls = await run('import', 'leads.csv', '-m', 'mapping.yaml', '-i', 'tls.yaml');
    expect([tls.code, tls.stderr]).toEqual([64, expect.stringContaining('named pipe')]);
  });

  it('may have no end as a certificate', async () => {
    const large = await bench.write('large.pem', '');
    await truncate(large, 2 ** 34);
    const transport = `{ caFile: ${large} }`;
    await bench.write('tls.yaml', installation(bench.center.url, '{}', transport));
    const { code, stderr } = await run(
      'import',
      'leads.csv',
      '-m',
      'mapping.yaml',
      '-i',
      'tls.yaml',
    );
    expect([code, stderr]).toEqual([64, expect.stringContaining('larger than 16 MiB')]);
  });

  it('may be a link to a regular file', async () => {
    await symlink(bench.at('leads.csv'), bench.at('link.csv'));
    await symlink(bench.at('mapping.yaml'), bench.at('link.yaml'));
    expect(await run('check', 'link.csv', '-m', 'link.yaml')).toMatchObject({ code: 0 });
  });
});

describe('what is written', () => {
  const importInto = (...options: string[]) =>
    run('import', 'leads.csv', '-m', 'mapping.yaml', '-i', 'center.yaml', ...options);

  it.each(['run.log', 'report.csv', 'summary.json'])(
    'does not go through a link in the place of %s',
    async (name) => {
      const foreign = await bench.write('foreign', 'not ours\n');
      await chmod(foreign, 0o644);
      await mkdir(bench.at('out'));
      await symlink(foreign, bench.at(join('out', name)));
      const { code, stderr } = await importInto('-o', 'out');
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
    expect(await importInto('-o', 'out')).toMatchObject({ code: 0 });
    expect(existsSync(bench.at('nothing'))).toBe(false);
  });

  it('does not go into a pipe in the place of the log, which a report does not read either', async () => {
    await mkdir(bench.at('out'));
    pipeAt('out/run.log');
    const { code, stderr } = await importInto('-o', 'out');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/run\.log .*named pipe/)]);
    const written = JSON.parse(readFileSync(bench.at('out/summary.json'), 'utf8')) as {
      run: string;
    };
    const page = await run('report', written.run, '--format', 'html', '-o', 'page.html');
    expect(page).toMatchObject({ code: 0 });
  });

  it('does not replace a pipe by a report', async () => {
    await mkdir(bench.at('out'));
    pipeAt('out/report.csv');
    const { code, stderr } = await importInto('-o', 'out');
    expect([code, stderr]).toEqual([3, expect.stringContaining('named pipe')]);
    expect(lstatSync(bench.at('out/report.csv')).isFIFO()).toBe(true);
  });

  it('may go into a folder that is a link', async () => {
    await mkdir(bench.at('elsewhere'));
    await symlink(bench.at('elsewhere'), bench.at('out'));
    expect(await importInto('-o', 'out')).toMatchObject({ code: 0 });
    expect(existsSync(bench.at('elsewhere/report.csv'))).toBe(true);
  });

  it("does not go through a link, or into a pipe, in the place of the sandbox's database", async () => {
    const foreign = await bench.write('foreign', '');
    await chmod(foreign, 0o644);
    await symlink(foreign, bench.at('cardline.sandbox.db'));
    const linked = await importInto('--sandbox');
    expect([linked.code, linked.stderr]).toEqual([64, expect.stringContaining('symbolic link')]);
    expect([statSync(foreign).size, statSync(foreign).mode & 0o777]).toEqual([0, 0o644]);
    const pipe = pipeAt('pipe.db');
    const piped = await run('sandbox', '-i', 'center.yaml', '--port', '0', '--db', pipe);
    expect([piped.code, piped.stderr]).toEqual([64, expect.stringContaining('named pipe')]);
  });

  it("leaves a database as it is that is not the sandbox's", async () => {
    const file = bench.at('foreign.db');
    const foreign = new Database(file);
    foreign.exec('CREATE TABLE theirs (a)');
    foreign.close();
    await chmod(file, 0o644);
    const before = readFileSync(file);
    const { code } = await run('sandbox', '-i', 'center.yaml', '--port', '0', '--db', file);
    expect(code).toBe(64);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });
});
