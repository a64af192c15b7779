import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOTICE_KINDS, type NoticeKind, noticeSchema } from '../../src/nightly/notices/notice.js';
import { lead, leads } from '../runs/harness.js';
import { cardline } from '../kit/cardline.js';
import { type Arrivals, openArrivals } from './harness.js';

let arrivals: Arrivals;
let server: Server;
let bodies: string[];
beforeEach(async () => {
  arrivals = await openArrivals();
  bodies = [];
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(request.url === '/refuses' ? 403 : 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await arrivals.close();
});

const SECRET = 'whsec-seeded-5f2c';
const address = (path: string): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;
const all = (): string =>
  `notify: [{ to: webhook, url: '${address('T0K3N')}', secret: ${SECRET}, on: [${NOTICE_KINDS.join(', ')}] }]`;
const kinds = (): NoticeKind[] => bodies.map((body) => noticeSchema.parse(JSON.parse(body)).kind);

/** Which notices come of which kind of run, in order. */
const RUNS: Record<
  string,
  { readonly act: () => Promise<unknown>; readonly notices: readonly NoticeKind[] }
> = {
  'all rows well': {
    act: () => arrivals.arrive('leads-1.csv', leads(2)),
    notices: ['finished'],
  },
  'rows that need a person': {
    act: () => arrivals.arrive('leads-1.csv', [lead(1), lead(2, { Mobile: 'none' })]),
    notices: ['bad'],
  },
  'no list at all': {
    act: () => arrivals.arrive('leads-1.csv', 'PDF-1.4\0\0 no list'),
    notices: ['bad'],
  },
  'too many bad rows': {
    act: async () => {
      const text = await readFile(arrivals.at('pickup.yaml'), 'utf8');
      await arrivals.write('pickup.yaml', text.replace('leads }', 'leads, max-failures: 0 }'));
      await arrivals.arrive('leads-1.csv', [lead(1), lead(2, { Mobile: 'none' })]);
    },
    notices: ['bad'],
  },
  'a campaign that is not there': {
    act: async () => {
      const text = await readFile(arrivals.at('pickup.yaml'), 'utf8');
      await arrivals.write('pickup.yaml', text.replace('Autumn leads', 'Spring leads'));
      await arrivals.arrive('leads-1.csv', leads(2));
      await arrivals.watch();
      expect(await arrivals.names('failed')).toEqual([]);
      await arrivals.write('pickup.yaml', text);
    },
    notices: ['stopped', 'recovered', 'finished'],
  },
  'credentials that are not taken': {
    act: async () => {
      arrivals.center.behave = () => ({ untouched: true, answer: { status: 401, body: '{}' } });
      await arrivals.arrive('leads-1.csv', leads(2));
    },
    notices: ['stopped'],
  },
  'stopped, and then going on': {
    act: async () => {
      arrivals.center.behave = () => ({ untouched: true, answer: { status: 401, body: '{}' } });
      await arrivals.arrive('leads-1.csv', leads(2));
      await arrivals.watch();
      arrivals.center.behave = () => undefined;
    },
    notices: ['stopped', 'recovered', 'finished'],
  },
  'the same content again': {
    act: async () => {
      await arrivals.arrive('leads-1.csv', leads(2));
      await arrivals.watch();
      await arrivals.arrive('leads-2.csv', leads(2));
    },
    notices: ['finished', 'repeated'],
  },
  'fewer rows than are expected': {
    act: async () => {
      await arrivals.pickup(
        "ready: { stableFor: 0s }\n    expect: { by: '00:00 UTC', rows: { min: 9 } }",
        all(),
      );
      await arrivals.arrive('leads-1.csv', leads(2));
    },
    notices: ['finished', 'unusual'],
  },
  'nothing there': { act: () => Promise.resolve(), notices: [] },
};

describe('notices of a run with', () => {
  it.each(Object.entries(RUNS))('%s', async (_name, { act, notices }) => {
    await arrivals.pickup(undefined, all());
    await act();
    await arrivals.watch();
    expect(kinds()).toEqual(notices);
  });
});

it('notices for a test come in every kind, and say of each what became of it', async () => {
  const good = `{ to: webhook, url: '${address('T0K3N')}', on: [${NOTICE_KINDS.join(', ')}] }`;
  const bad = `{ to: webhook, url: '${address('refuses')}', on: [bad] }`;
  await arrivals.pickup(undefined, `notify: [${good}, ${bad}]`);
  const { code, stdout } = await cardline(['notify', 'test', 'pickup.yaml'], {
    cwd: arrivals.at('.'),
    env: arrivals.environment,
  });
  expect(code).toBe(3);
  expect(kinds()).toEqual([...NOTICE_KINDS, 'bad']);
  for (const body of bodies)
    expect(JSON.parse(body)).toMatchObject({
      isTest: true,
      sentence: expect.stringMatching(/^A test\. /) as string,
    });
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => line.startsWith('ok  127.0.0.1'))).toHaveLength(
    NOTICE_KINDS.length,
  );
  expect(lines.at(-1)).toMatch(/^no {2}127\.0\.0\.1:\d+: bad \(HTTP 403\)$/);
  expect(stdout).not.toContain('T0K3N');
});
