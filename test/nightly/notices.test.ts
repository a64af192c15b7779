import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noticeSchema, type Notice } from '../../src/nightly/notices/notice.js';
import { lead, leads, until } from '../runs/harness.js';
import { cardline } from '../kit/cardline.js';
import { openMailServer } from '../kit/mail-server.js';
import { type Arrivals, openArrivals } from './harness.js';

const SECRET = 'whsec-of-a-test';

interface Received {
  readonly body: string;
  readonly signature: string;
  readonly id: string;
}

let arrivals: Arrivals;
let server: Server;
let received: Received[];
/** What the server answers. */
let status: number;

beforeEach(async () => {
  arrivals = await openArrivals();
  received = [];
  status = 200;
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (status === 200)
        received.push({
          body,
          signature: String(request.headers['cardline-signature']),
          id: String(request.headers['cardline-id']),
        });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await arrivals.close();
});

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/T0K3N`;
const webhook = (on: string): string =>
  `notify: [{ to: webhook, url: '${url()}', secret: ${SECRET}, on: [${on}] }]`;
const notices = (): Notice[] => received.map(({ body }) => noticeSchema.parse(JSON.parse(body)));

/** As a receiver checks it, from the description alone. */
function isSigned({ body, signature }: Received): boolean {
  const [, time = '', mac = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const wanted = createHmac('sha256', SECRET).update(`${time}.${body}`).digest();
  return (
    Math.abs(Date.now() / 1000 - Number(time)) < 300 &&
    timingSafeEqual(wanted, Buffer.from(mac, 'hex'))
  );
}

it('are posted, signed, in order, and hold nothing of a client', async () => {
  await arrivals.pickup(undefined, webhook('finished, bad, repeated'));
  await arrivals.arrive('leads-1.csv', leads(2));
  await arrivals.arrive('leads-2.csv', [lead(3), lead(4, { Mobile: 'none' })]);
  await arrivals.arrive('leads-3.csv', leads(2));
  await arrivals.watch();
  expect(received.every(isSigned)).toBe(true);
  expect(notices().map(({ kind, file }) => [kind, file])).toEqual([
    ['finished', 'leads-1.csv'],
    ['bad', 'leads-2.csv'],
    ['repeated', 'leads-3.csv'],
  ]);
  const [first, bad] = notices();
  expect(first).toMatchObject({ rows: 2, outcomes: { enqueued: 2 }, next: null });
  expect(bad).toMatchObject({ rows: 2, outcomes: { enqueued: 1, rejected: 1 } });
  expect(bad?.reasons).toMatchObject([{ column: 'Mobile', rows: 1 }]);
  // As it is printed, it works in any folder.
  const [name, ...command] = (bad?.next ?? '').split(' ');
  expect([name, command[0]]).toEqual(['cardline', 'report']);
  const shown = await cardline(command, { cwd: tmpdir() });
  expect(shown.code, shown.stderr).toBe(0);
  expect(shown.stdout).toContain('rejected');
  expect(received.map(({ body }) => body).join('')).not.toMatch(/Testoff|100003|none"/);
});

it('say once that an import has stopped, and that it went on', async () => {
  await arrivals.pickup(undefined, webhook('stopped, recovered, finished'));
  const pickups = await readFile(arrivals.at('pickup.yaml'), 'utf8');
  await arrivals.write('pickup.yaml', pickups.replace('leads }', 'leads, give-up-after: 1s }'));
  const { url: address } = arrivals.center;
  const description = await readFile(arrivals.at('center.yaml'), 'utf8');
  await arrivals.write('center.yaml', description.replace(address, 'http://127.0.0.1:9'));
  await arrivals.arrive('leads-1.csv', leads(1));
  const options = ['--once'];
  expect([(await arrivals.watch(options)).code, (await arrivals.watch(options)).code]).toEqual([
    3, 3,
  ]);
  await arrivals.write('center.yaml', description);
  expect((await arrivals.watch(options)).code).toBe(0);
  expect(notices().map(({ kind, file }) => [kind, file])).toEqual([
    ['stopped', 'leads-1.csv'],
    ['recovered', 'leads-1.csv'],
    ['finished', 'leads-1.csv'],
  ]);
});

it('wait while the receiver is down, over restarts, and come once by id', async () => {
  await arrivals.pickup(undefined, webhook('finished'));
  status = 503;
  await arrivals.arrive('leads-1.csv', leads(1));
  const { stderr } = await arrivals.watch();
  expect(stderr).toContain('A notice to 127.0.0.1');
  expect(stderr).not.toContain('T0K3N');
  status = 200;
  await arrivals.arrive('leads-2.csv', [lead(2)]);
  const { child, ended } = arrivals.startWatch();
  await until(() => received.length === 2, 'both notices come');
  child.kill('SIGTERM');
  await ended;
  expect(notices().map(({ file }) => file)).toEqual(['leads-1.csv', 'leads-2.csv']);
  expect(new Set(received.map(({ id }) => id)).size).toBe(2);
});

it('say once that nothing has come in time, and that a list is unusual', async () => {
  const now = new Date(Date.now() + 1500);
  const soon = new Date(Math.ceil(now.getTime() / 60_000) * 60_000).toISOString().slice(11, 16);
  await arrivals.pickup(
    `ready: { stableFor: 0s }\n    expect: { by: '${soon} UTC', rows: { min: 2 } }`,
    webhook('late, unusual'),
  );
  await arrivals.arrive('leads-1.csv', leads(1));
  await arrivals.watch();
  expect(notices()).toMatchObject([{ kind: 'unusual', file: 'leads-1.csv' }]);
  expect(notices()[0]?.sentence).toContain('at least 2 are expected');
});

it('are mailed, as text and as a page', async () => {
  const mail = await openMailServer();
  const { port, mails } = mail;
  const target = `{ to: email, smtp: 'smtp://127.0.0.1:${port}', recipients: [ops@example.com], on: [finished] }`;
  await arrivals.pickup(undefined, `notify: [${target}]`);
  await arrivals.arrive('leads-1.csv', leads(2));
  await arrivals.watch();
  await mail.close();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatch(/^Subject: cardline: leads-1\.csv imported\r$/m);
  expect(mails[0]).toContain('All 2 rows of leads-1.csv ended well.');
  expect(mails[0]).toContain('Content-Type: text/html');
});
