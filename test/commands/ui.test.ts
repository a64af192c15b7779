import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { cardline, printed, root, startCardline } from '../kit/cardline.js';
import { runAt } from './terminal.js';
import { folderOfTest } from '../kit/folder.js';

const INSTALLATION = join(root, 'mappings/installation.yaml');
const ADDRESS = /^The page is at (http:\/\/127\.0\.0\.1:(\d+)\/#([\w-]{43}))\n$/;

let folder: string;
beforeEach(() => {
  folder = folderOfTest();
});

const start = (...args: string[]) => {
  const environment = { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
  return startCardline(['ui', ...args], { cwd: folder, env: environment });
};

/** What asks the page for something, as its own tab does. */
async function asker(address: string) {
  const { origin, hash } = new URL(address);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const ask = async (method: string, path: string, body?: string): Promise<string> =>
    (await fetch(`${origin}${path}`, { method, headers, ...(body ? { body } : {}) })).text();
  const opened = await ask('POST', '/api/session', JSON.stringify({ token: hash.slice(1) }));
  headers['x-cardline-session'] = (JSON.parse(opened) as { session: string }).session;
  return (method: string, path: string, body?: string | object): Promise<string> => {
    const isFile = typeof body === 'string';
    headers['content-type'] = isFile ? 'application/octet-stream' : 'application/json';
    return ask(method, path, isFile ? body : body && JSON.stringify(body));
  };
}

/** Ends it with Ctrl-C; what it has told by then. */
async function end(running: ReturnType<typeof start>): Promise<string> {
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(0);
  return stderr;
}

it('prints where the page is, opens a browser without the token in its arguments, and ends with Ctrl-C', async () => {
  const opener = join(folder, 'xdg-open');
  await writeFile(opener, `#!/bin/sh\necho "$@" > ${join(folder, 'arguments')}\n`);
  await chmod(opener, 0o755);
  const running = start('-i', INSTALLATION);
  const [, address = '', port = '', token = ''] = await printed(running, ADDRESS);
  expect((await fetch(address)).status).toBe(200);
  await expect
    .poll(() => readFile(join(folder, 'arguments'), 'utf8').catch(() => ''))
    .toMatch(/\.html\n$/);
  const given = await readFile(join(folder, 'arguments'), 'utf8');
  expect(given).not.toContain(token);
  expect(await readFile(given.trim(), 'utf8')).toContain(token);
  expect(await end(running)).toBe('');
  await expect(readFile(given.trim())).rejects.toThrow();
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});

it('ends where the folder of its lists cannot be made', async () => {
  await symlink(join(folder, 'missing', 'lists'), join(folder, 'cardline.lists'));
  expect(await start('--no-open').ended).toMatchObject({ code: 64, stdout: '' });
});

it('offers the sandbox and init without an installation', async () => {
  process.chdir(folder);
  const end = new AbortController();
  const onTold = (text: string): void => {
    if (text.includes('ui --sandbox')) end.abort();
  };
  const { code, stdout, stderr } = await runAt(['ui', '--no-open'], { signal: end.signal, onTold });
  process.chdir(root);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(ADDRESS) as unknown });
  expect(stderr).toContain('cardline init');
  expect(stderr).toContain('cardline ui --sandbox');
});

it('starts the sandbox with the samples, and shows commands that work where they are pasted, also for a file that was uploaded', async () => {
  const running = start('--sandbox', '--no-open');
  const [, address = ''] = await printed(running, ADDRESS);
  const ask = await asker(address);
  expect(JSON.parse(await ask('GET', '/api/about'))).toMatchObject({
    center: { name: 'demo', kind: 'sandbox' },
    samples: expect.arrayContaining([
      { name: 'leads.xlsx', bytes: expect.any(Number) as number },
    ]) as unknown[],
  });
  const content = await readFile(join(root, 'samples/leads.csv'), 'utf8');
  const list = { name: 'my leads.csv', bytes: Buffer.byteLength(content) };
  const { id } = JSON.parse(await ask('POST', '/api/lists', list)) as { id: string };
  await ask('PUT', `/api/lists/${id}/file`, content);
  const preview = JSON.parse(await ask('GET', `/api/lists/${id}/preview`)) as Shown;
  const [check = '{}'] = /(?<=^data: ).*$/m.exec(await ask('GET', `/api/lists/${id}/check`)) ?? [];
  expect(await end(running)).toBe('');
  for (const { list: shown } of [preview, JSON.parse(check) as Shown]) {
    expect(shown.command).toContain(` 'cardline.lists/`);
    const [, first = '', ...words] = shown.command.split(/ (?=(?:[^']*'[^']*')*[^']*$)/);
    const plain = words.map((word) => word.replaceAll("'", ''));
    const { code, stdout, stderr } = await cardline([first, ...plain], { cwd: folder });
    expect({ code, stderr, isEmpty: stdout === '' }).toMatchObject({ isEmpty: false });
    expect(stderr).not.toMatch(/no such file|not there/);
    expect([0, 2]).toContain(code);
  }
});

interface Shown {
  readonly list: { readonly command: string };
}
