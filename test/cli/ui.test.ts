import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cardline, printed, root, startCardline } from '../helpers/cardline.js';

const INSTALLATION = join(root, 'mappings/installation.yaml');
const ADDRESS = /^The page is at (http:\/\/127\.0\.0\.1:(\d+)\/#([\w-]{43}))\n$/;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-ui-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (...args: string[]) => {
  const environment = { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
  return startCardline(['ui', ...args], { cwd: folder, env: environment });
};

it('prints where the page is, and ends with Ctrl-C', async () => {
  const running = start('-i', INSTALLATION, '--no-open');
  const [, address = '', port = ''] = await printed(running, ADDRESS);
  expect((await fetch(address)).status).toBe(200);
  running.child.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});

it('opens a browser without the token in its arguments', async () => {
  const opener = join(folder, 'xdg-open');
  await writeFile(opener, `#!/bin/sh\necho "$@" > ${join(folder, 'arguments')}\n`);
  await chmod(opener, 0o755);
  const running = start('-i', INSTALLATION);
  const [, , , token = ''] = await printed(running, ADDRESS);
  await expect
    .poll(() => readFile(join(folder, 'arguments'), 'utf8').catch(() => ''))
    .toMatch(/\.html\n$/);
  const given = await readFile(join(folder, 'arguments'), 'utf8');
  expect(given).not.toContain(token);
  expect(await readFile(given.trim(), 'utf8')).toContain(token);
  running.child.kill('SIGINT');
  await running.ended;
  await expect(readFile(given.trim())).rejects.toThrow();
});

it('offers the sandbox and init without an installation', async () => {
  const running = start('--no-open');
  await printed(running, ADDRESS);
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect(code).toBe(0);
  expect(stderr).toContain('cardline init');
  expect(stderr).toContain('cardline ui --sandbox');
});

it('starts the sandbox with the samples', async () => {
  const running = start('--sandbox', '--no-open');
  const [, address = ''] = await printed(running, ADDRESS);
  const { origin, hash } = new URL(address);
  const opened = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.slice(1) }),
  });
  const { session } = (await opened.json()) as { session: string };
  const about = await fetch(`${origin}/api/about`, { headers: { 'x-cardline-session': session } });
  expect(await about.json()).toMatchObject({
    center: { name: 'demo', kind: 'sandbox' },
    samples: expect.arrayContaining([
      { name: 'leads.xlsx', bytes: expect.any(Number) as number },
    ]) as unknown[],
  });
  running.child.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
});

it('refuses --host, and says how to use the page from another machine', async () => {
  const { code, stderr } = await cardline(['ui', '--host', '0.0.0.0', '--port', '8123']);
  expect(code).toBe(64);
  expect(stderr).toContain('ssh -L 8123:127.0.0.1:8123');
});
