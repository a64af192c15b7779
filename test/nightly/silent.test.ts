import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Notice, noticeSchema } from '../../src/nightly/notices/notice.js';
import { csv, lead, leads } from '../runs/harness.js';
import { cardline } from '../kit/cardline.js';
import { type Arrivals, openArrivals } from './harness.js';

let arrivals: Arrivals;
let server: Server;
let bodies: string[];
/** How the receiver answers. */
let answer: (response: ServerResponse) => void;
beforeEach(async () => {
  arrivals = await openArrivals();
  bodies = [];
  answer = (response) => response.end();
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await arrivals.close();
});

/** A receiver of what is told by default. */
const receiver = (rest = ''): string =>
  `notify: [{ to: webhook, url: 'http://127.0.0.1:${(server.address() as AddressInfo).port}/x' }]\n${rest}`;
const notices = (): Notice[] => bodies.map((body) => noticeSchema.parse(JSON.parse(body)));
const NOT_UTF8 = Buffer.from('leads-\xe4.csv', 'latin1');
const inFolder = (name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${arrivals.in('')}/`), name]);

it('tells once of each entry that cannot be taken, and in the exit code', async () => {
  await arrivals.pickup(undefined, receiver());
  await writeFile(inFolder(NOT_UTF8), csv(leads(1)));
  await symlink('/nowhere', arrivals.in('leads-link.csv'));
  await mkdir(arrivals.in('leads-dir.csv'));
  execFileSync('mkfifo', [arrivals.in('leads-pipe.csv')]);
  await arrivals.arrive('leads-1.csv', leads(2));
  const first = await arrivals.watch();
  expect(first.code, first.stderr).toBe(2);
  expect((await arrivals.watch()).code).toBe(2);
  expect(await arrivals.names('done')).toContain('leads-1.csv');
  expect(
    notices()
      .map(({ file, kind }) => `${kind} ${file ?? ''}`)
      .sort(),
  ).toEqual([
    'bad leads-\\xE4.csv',
    'bad leads-dir.csv',
    'bad leads-link.csv',
    'bad leads-pipe.csv',
  ]);
});

it('opens names that are no UTF-8, and refuses those that cannot be told apart', async () => {
  await writeFile(inFolder(NOT_UTF8), csv(leads(2)));
  const args = arrivals.args('run', [arrivals.in('leads-\ufffd.csv')]);
  const ended = await cardline(args, { cwd: arrivals.at('.'), env: arrivals.environment });
  expect(ended.code, ended.stderr).toBe(0);
  expect(arrivals.center.creations.size).toBe(2);
  await writeFile(inFolder(Buffer.from('leads-\xe5.csv', 'latin1')), csv(leads(2)));
  const two = await cardline(args, { cwd: arrivals.at('.'), env: arrivals.environment });
  expect(two.code).toBe(64);
  expect(two.stderr).toContain('may be one of 2 files');
});

describe('a file without rows, or with far fewer', () => {
  it('is told first, by default', async () => {
    await arrivals.pickup(undefined, receiver());
    await arrivals.arrive('leads-1.csv', []);
    await arrivals.arrive('leads-2.csv', leads(40));
    await arrivals.arrive('leads-3.csv', leads(45).slice(40));
    expect((await arrivals.watch()).code).toBe(0);
    expect(notices().map(({ sentence }) => sentence)).toEqual([
      'leads-1.csv is unusual: it has a header and no rows.',
      'leads-3.csv is unusual: it has 5 rows, where 40 are usual.',
    ]);
  });

  it('is wrong where rows are expected, in words', async () => {
    await arrivals.pickup(undefined, receiver());
    const text = await (
      await import('node:fs/promises')
    ).readFile(arrivals.at('pickup.yaml'), 'utf8');
    await arrivals.write('pickup.yaml', text.replace('leads }', 'leads, expect-rows: true }'));
    await arrivals.arrive('leads-1.csv', []);
    expect((await arrivals.watch()).code).toBe(2);
    expect(notices().map(({ sentence }) => sentence)).toContain(
      'leads-1.csv has a header and no rows, and rows are expected (expect-rows).',
    );
  });
});

it('a file that cannot be read is among the runs by its name, with one sentence', async () => {
  await arrivals.pickup(undefined, receiver());
  await arrivals.arrive('leads-1.csv', '%PDF-1.4 no list');
  await arrivals.arrive('leads-2.csv', 'Other,Columns\r\n1,2\r\n');
  expect((await arrivals.watch()).code).toBe(2);
  const runs = await cardline(['runs', '--json', '--ledger', 'cardline.db'], {
    cwd: arrivals.at('.'),
  });
  const listed = JSON.parse(runs.stdout) as { inputs: string[]; unread: string }[];
  expect(listed.map(({ inputs }) => inputs[0]).sort()).toEqual(
    ['leads-1.csv', 'leads-2.csv'].map((name) => join(arrivals.in(''), name)),
  );
  for (const { unread } of listed) expect(unread).toMatch(/^[^\n]+[.…]$/);
  for (const { sentence } of notices()) {
    expect(sentence).toMatch(/^leads-\d\.csv could not be imported: [^\n]+$/);
    expect(sentence).not.toContain('.cardline');
  }
});

it('the morning shows each pickup, and a digest comes once', async () => {
  await arrivals.pickup(undefined, receiver("digest: { at: '00:00 UTC' }"));
  await arrivals.watch();
  await arrivals.watch();
  expect(notices().map(({ kind }) => kind)).toEqual(['digest']);
  const status = () => arrivals.watch(['--status', '--json']);
  expect((await status()).code).toBe(0);
  await arrivals.arrive('leads-1.csv', [lead(1), lead(2, { Mobile: 'none' })]);
  await arrivals.watch();
  const { code, stdout } = await status();
  expect(code).toBe(2);
  const { sources } = JSON.parse(stdout) as { sources: unknown[] };
  expect(sources).toMatchObject([
    { name: 'vendor', last: { file: 'leads-1.csv', kind: 'bad', rows: 2, sent: 1, badRows: 1 } },
  ]);
  // The same again: its watcher says 2, and so does the status.
  await arrivals.arrive('leads-2.csv', [lead(1), lead(2, { Mobile: 'none' })]);
  expect((await arrivals.watch()).code).toBe(2);
  const again = await status();
  expect(again.code).toBe(2);
  expect((JSON.parse(again.stdout) as { sources: unknown[] }).sources).toMatchObject([
    { last: { file: 'leads-2.csv', kind: 'repeated', badRows: 1 } },
  ]);
});

it('--check reports all that is missing at once', async () => {
  const text = await (
    await import('node:fs/promises')
  ).readFile(arrivals.at('pickup.yaml'), 'utf8');
  await arrivals.write(
    'pickup.yaml',
    text.replace('Autumn', 'Spring').replace('from: in', 'from: gone'),
  );
  const { code, stdout } = await arrivals.watch(['--check']);
  expect(code).toBe(3);
  expect(stdout).toMatch(/no {2}vendor: campaign: .*Spring leads/);
  expect(stdout).toMatch(/no {2}vendor: .*gone: there is no such folder/);
});

it('--check names the key of the pickup file, and no option of another command', async () => {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(arrivals.at('pickup.yaml'), 'utf8');
  await arrivals.write('pickup.yaml', text.replace('Autumn leads', '4711'));
  const { code, stdout } = await arrivals.watch(['--check']);
  expect(code).toBe(3);
  expect(stdout).toMatch(/no {2}vendor: campaign: .*no campaign 4711 .*check import\.campaign or/);
  expect(stdout).not.toContain('--campaign');
});

it('an answer without end is not read, and the notice counts as taken', async () => {
  let sent = 0;
  answer = (response) => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const go = (): void => {
      sent += piece.length;
      if (response.destroyed) return;
      if (response.write(piece)) setImmediate(go);
      else response.once('drain', go);
    };
    response.writeHead(200);
    go();
  };
  await arrivals.pickup(undefined, receiver());
  await arrivals.arrive('leads-1.csv', 'no list');
  const { code, stderr } = await arrivals.watch();
  expect(code).toBe(2);
  expect(stderr).not.toContain('was not taken');
  expect(bodies).toHaveLength(1);
  // What the connection itself holds was sent; no more was read.
  expect(sent).toBeLessThan(64 * 1024 ** 2);
});
