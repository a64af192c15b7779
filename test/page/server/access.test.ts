import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFile, stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sessions } from '../../../src/web/server/sessions.js';
import { type Route, routes } from '../../../src/web/shared/routes.js';
import { type Asking, openPageBench, type PageBench } from '../harness.js';
import { useOpened } from '../../kit/bench.js';

let bench: PageBench;
let session: string;
let old: string;
beforeAll(async () => {
  const before = await openPageBench();
  old = await before.session();
  await before.close();
  bench = await openPageBench();
  session = await bench.session();
});
afterAll(() => bench.close());

const all = Object.entries(routes).map(([name, route]: [string, Route]) => {
  const [method = '', template = ''] = name.split(' ');
  return { name, method, path: template.replace(/:\w+/g, '0123456789abcdef01'), ...route };
});
const paths = [
  ...all,
  ...['/', '/lists/0123456789abcdef01/file', '/history', '/nowhere'].map((path) => ({
    name: `GET ${path}`,
    method: 'GET',
    path,
  })),
];
const guarded = all.filter(({ access }) => access !== 'start');

const FOREIGN = {
  hosts: ['evil.example', 'localhost', '127.0.0.1', '127.0.0.1:1', '127.0.0.1.evil.example'],
  sites: [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ],
};
/** Headers that leave nothing behind. */
const GUARDS = {
  'content-security-policy': expect.stringMatching(
    /^default-src 'self'; frame-ancestors 'none'/,
  ) as string,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
};

/** Every request here has a good token, so that the refusal is for the rest of it. */
const ask = (route: { method: string; path: string }, headers: Asking['headers'] = {}) =>
  bench.ask(route.path, {
    method: route.method,
    headers: { 'x-cardline-session': session, ...headers },
  });

it('tries every route that the router has', async () => {
  const found: string[] = [];
  const listen = (message: unknown): void => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      found.push(`${String(method)} ${url}`);
    });
  };
  subscribe('fastify.initialization', listen);
  const listed = await openPageBench();
  unsubscribe('fastify.initialization', listen);
  await listed.close();
  const isData = (name: string): boolean => name.includes(' /api');
  expect(found.filter(isData).sort()).toEqual(Object.keys(routes).sort());
  // All others give the page's own files, which hold no data.
  expect(found.filter((name) => !isData(name)).every((name) => name.startsWith('GET /'))).toBe(
    true,
  );
  expect(found).toContain('GET /lists/:list/columns');
});

it.each(paths)('$name is refused under other hosts and to other sites', async (route) => {
  for (const host of FOREIGN.hosts)
    expect((await ask(route, { host })).status, `under ${host}`).toBe(421);
  for (const headers of FOREIGN.sites)
    expect((await ask(route, headers)).status, JSON.stringify(headers)).toBe(403);
  const { headers } = await ask(route);
  expect(headers).toMatchObject(GUARDS);
  expect(headers['content-security-policy']).not.toContain('unsafe');
  const given = Object.keys(headers);
  expect(given.filter((name) => /^access-control-|^set-cookie$/.test(name))).toEqual([]);
});

it.each(guarded)('$name is refused without the token of a tab', async ({ method, path }) => {
  const tokens = { old, 'of the start': new URL(bench.address).hash.slice(1), none: undefined };
  for (const [which, token] of Object.entries(tokens)) {
    const headers = token === undefined ? {} : { 'x-cardline-session': token };
    const { status, text } = await bench.ask(path, { method, headers });
    expect(status, which).toBe(401);
    expect(JSON.parse(text), which).toMatchObject({ next: expect.any(String) as string });
  }
});

it('gives a person with a mistyped address the page, and everything else an answer in JSON', async () => {
  const typed = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const mistyped = { method: 'GET', path: '/histroy' } as const;
  const shown = await ask(mistyped, typed);
  expect(shown.status).toBe(404);
  expect(shown.headers['content-type']).toContain('text/html');
  for (const asked of [await ask(mistyped), await ask({ ...mistyped, path: '/api/no' }, typed)]) {
    expect(asked.status).toBe(404);
    expect(JSON.parse(asked.text)).toMatchObject({ code: 'no_such_page' });
  }
  const foreign = { ...typed, 'sec-fetch-site': 'cross-site' };
  expect((await ask(mistyped, foreign)).status).toBe(403);
});

it('gives the words of a language once, and then says that they are the same', async () => {
  const words = { method: 'GET', path: '/ru.json' } as const;
  const first = await ask(words);
  expect(first.headers).toMatchObject({
    'content-type': expect.stringContaining('application/json') as string,
    'content-security-policy': expect.stringMatching(/^default-src 'self';/) as string,
    'cache-control': 'no-cache',
  });
  expect(JSON.parse(first.text)).toMatchObject({ page: { History: 'История' } });
  const again = await ask(words, { 'if-none-match': String(first.headers.etag) });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await ask(words, { origin: 'https://evil.example' })).status).toBe(403);
});

it('opens no session with another token', async () => {
  const asking = (token: string): Asking => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  expect((await bench.ask('/api/session', asking(old))).status).toBe(401);
  expect((await bench.ask('/api/session', asking(''))).status).toBe(401);
});

it('gives the empty page to the file that leads to it, and nothing else', async () => {
  const opened = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  const headers = { ...opened, 'sec-fetch-dest': 'document' };
  expect((await bench.ask('/', { headers })).status).toBe(200);
  expect((await bench.ask('/history', { headers })).status).toBe(403);
  expect((await bench.ask('/', { headers: { ...headers, origin: 'null' } })).status).toBe(403);
});

it('keeps the file that leads to the page to its owner', async () => {
  const { mode } = await stat(bench.openingFile);
  expect(mode & 0o777).toBe(0o600);
  expect(await readFile(bench.openingFile, 'utf8')).toContain(bench.address);
});

it('listens on no other address of the machine', async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of others)
    await expect(
      fetch(`http://${address}:${bench.port}/`, { signal: AbortSignal.timeout(2000) }),
    ).rejects.toThrow();
});

describe('with --read-only', () => {
  const reading = useOpened(() => openPageBench({ readOnly: true }), true);

  it.each(all.filter(({ changes }) => changes))('$name is refused', async ({ method, path }) => {
    const headers = { 'x-cardline-session': await reading.session() };
    const { status, text } = await reading.ask(path, { method, headers });
    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({ code: 'read_only' });
  });

  it('the rest is answered', async () => {
    expect(await reading.api('GET /api/about')).toMatchObject({ readOnly: true });
    expect(await reading.api('GET /api/lists')).toEqual({ lists: [] });
  });
});

it.each(['/api/lists/%ff', `/api/lists/${'a'.repeat(300)}`])(
  'a path that cannot be read is no exception: %.16s',
  async (path) => {
    const own = await ask({ method: 'GET', path });
    expect(own.status).toBe(404);
    const { 'referrer-policy': _any, ...guards } = GUARDS;
    expect(own.headers).toMatchObject(guards);
    expect((await ask({ method: 'GET', path }, { host: 'example.com' })).status).toBe(421);
    const origin = 'http://example.com';
    expect((await ask({ method: 'GET', path }, { origin })).status).toBe(403);
  },
);

describe('a ticket', () => {
  const PATH = '/api/runs/a/files/report.csv';
  const sessions = new Sessions();

  it('is good for one download, for no other path, and is used up by trying', () => {
    const ticket = sessions.ticketFor(PATH);
    expect([1, 2].map(() => sessions.redeem(ticket, PATH))).toEqual([true, false]);
    const other = sessions.ticketFor(PATH);
    expect(sessions.redeem(other, '/api/runs/b/files/report.csv')).toBe(false);
    expect(sessions.redeem(other, PATH)).toBe(false);
  });

  it('is good for a minute', () => {
    const now = Date.now();
    expect(sessions.redeem(sessions.ticketFor(PATH, now), PATH, now + 60_001)).toBe(false);
    expect(sessions.redeem(sessions.ticketFor(PATH, now), PATH, now + 59_999)).toBe(true);
  });
});
