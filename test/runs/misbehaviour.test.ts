import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Misbehaviour, Operation, SeenRequest } from '../kit/contact-center.js';
import {
  countOutcomes,
  identityIn,
  type Imported,
  installation,
  useBench,
  inOrder,
  TOKEN,
} from '../kit/bench.js';

const bench = useBench({
  after: (its) => {
    inOrder(its);
    expect(its.center.repeated).toEqual([]);
  },
});

const CAMPAIGN = ['--campaign', '42', '--batch-size', '50'];

const HTML = { status: 200, body: '<html>Log in</html>', headers: { 'content-type': 'text/html' } };
const busy = (status: number): Misbehaviour => ({
  untouched: true,
  answer: { status, body: '', headers: { 'retry-after': '1' } },
});

const sent = (operation: Operation): SeenRequest[] =>
  bench.center.requests.filter((request) => request.operation === operation);

/** Imports so many rows into the campaign in batches of 50, and expects each to be created and enqueued once. */
async function importsAll(rows: number, options: readonly string[] = []): Promise<Imported> {
  const file = await bench.list(rows);
  const run = await bench.import('run', [file], [...CAMPAIGN, ...options]);
  expect(run.code, run.stderr).toBe(0);
  expect(countOutcomes(run.report())).toEqual({ enqueued: rows });
  expect(run.summary()).toMatchObject({ rows, outcomes: { enqueued: rows }, state: 'finished' });
  expect(existsSync(join(run.out, 'rejects.csv'))).toBe(false);
  expect(bench.center.cards.size).toBe(rows);
  for (const line of run.report()) {
    const card = bench.center.cards.get(identityIn(line));
    expect([line['createdClientId'], [...(card?.campaigns ?? [])]]).toEqual([
      String(card?.id),
      [42],
    ]);
  }
  return run;
}

/** What the report says, in this column, of the clients that these requests carried. */
function told(run: Imported, column: string, requests: readonly SeenRequest[]): string[] {
  const identities = new Set(requests.flatMap((request) => request.identities));
  const lines = run.report().filter((line) => identities.has(identityIn(line)));
  return [...new Set(lines.map((line) => line[column] ?? ''))];
}

const LOST: readonly (readonly [what: string, how: Misbehaviour])[] = [
  ['dropped after it was carried out', { drop: true }],
  ['dropped before it was carried out', { drop: true, untouched: true }],
  ['502 after it was carried out', { answer: { status: 502, body: 'Bad gateway' } }],
  ['504 before it was carried out', { untouched: true, answer: { status: 504, body: '' } }],
  ['500 after it was carried out', { answer: { status: 500, body: '{}' } }],
  ['a page of HTML with 200', { answer: HTML }],
  ['JSON that is cut off', { answer: { status: 201, body: '{"createResult":[{"uuid"' } }],
  ['a redirect', { answer: { status: 302, body: '', headers: { location: '/' } } }],
  ['no answer at all', { silent: true }],
];
const CONFIRMED = 'Success (confirmed by lookup)';

/** Treats the k-th batch of 50 rows in the k-th of these ways when it is sent in this operation for the first time. */
function loseFirst(operation: Operation): void {
  const seen = new Set<string>();
  bench.center.behave = (request) => {
    const [first = ''] = request.identities;
    if (request.operation !== operation || seen.has(first)) return undefined;
    seen.add(first);
    return LOST[(offerIn(first) - 1) / 50]?.[1];
  };
}

const offerIn = (identity: string): number => Number(identity.slice(2, 8)) - 100_000;

/** What the report says, in this column, of the rows of the k-th batch. */
const toldOfBatch = (run: Imported, column: string, batch: number): string[] => [
  ...new Set(
    run
      .report()
      .slice(50 * batch, 50 * batch + 50)
      .map((line) => line[column] ?? ''),
  ),
];

describe('answers that leave open what was done', () => {
  const rows = 50 * (LOST.length + 2);
  beforeEach(() =>
    bench.write(
      'center.yaml',
      installation(bench.center.url, '{}', '{ timeoutMs: 1000, serverDeadlineMs: 2000 }'),
    ),
  );

  it('are settled by lookups: every client is created and enqueued once', async () => {
    loseFirst('4.1');
    const run = await importsAll(rows);
    expect(sent('4.8')).toHaveLength(50 * LOST.length);
    for (const [batch, [what, { untouched }]] of LOST.entries())
      expect([what, toldOfBatch(run, 'createResult', batch)]).toEqual([
        what,
        [untouched ? 'Success' : CONFIRMED],
      ]);
    const again = LOST.filter(([, { untouched }]) => untouched).length;
    expect(sent('4.1')).toHaveLength(LOST.length + 2 + again);
  });
});

describe('answers after which nothing was done', () => {
  it('429 and 503 with Retry-After are tried again; 404 for a whole batch fails its rows, and no others', async () => {
    const answers: Record<number, Misbehaviour> = {
      ...{ 2: busy(429), 5: busy(503) },
      8: { untouched: true, answer: { status: 404, body: '<html>not here</html>' } },
    };
    bench.center.behave = ({ operation, number }) =>
      operation === '4.1' ? answers[number] : undefined;
    const run = await bench.import('run', [await bench.list(500)], CAMPAIGN);
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ enqueued: 450, failed: 50 });
    expect(told(run, 'createResult', sent('4.1').slice(7, 8))).toEqual(['HTTP 404']);
    // The campaign is looked for, ten batches are created, nine enqueued, and two requests are made twice.
    expect(run.summary()).toMatchObject({ retries: 2, requests: 22 });
    // Of trouble that lasts, the first is told.
    expect(run.stderr).toMatch(/HTTP (429|503)/);
  });

  it('a server that is not there stops the run soon, in plain words', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    server.close();
    const dead = await bench.write('dead.yaml', installation(`http://127.0.0.1:${port}`));
    const file = await bench.list(20);
    const run = await bench.import('dead', [file], ['-i', dead]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain(`127.0.0.1:${port}`);
    expect(run.stderr).toMatch(/it is not running, or the address is wrong/);
    expect(run.stderr).not.toMatch(/\bat .*\.js/);
    expect(run.summary()).toMatchObject({ rows: 0, state: 'stopped' });
    await bench.write('dead.yaml', installation(bench.center.url));
    const other = await bench.import('dead', [file], ['-i', dead]);
    expect(other.code, other.stderr).toBe(0);
    expect(other.summary()).toMatchObject({ rows: 20, run: run.summary().run });
  });
});

describe('what the logs and the terminal may not hold', () => {
  it('keeps names, phones and the token to itself, also when the server repeats them', async () => {
    const secrets = [TOKEN, 'Fedor', 'Testoff', '7916100', '7495100', 'mail.example.com', 'Elm st'];
    bench.center.behave = ({ operation, number }) => {
      const words = secrets.join(' ');
      const errorMessage = JSON.stringify({ errorMessage: words });
      if (operation === '4.9' && number < 3)
        return { answer: { status: number === 1 ? 400 : 500, body: words } };
      if (number === 2) return { untouched: true, answer: { status: 400, body: errorMessage } };
      if (number === 3)
        return {
          untouched: true,
          answer: { ...busy(503).answer, status: 503, body: errorMessage },
        };
      if (number === 4) return { answer: { status: 502, body: words } };
      if (number === 5) return { answer: { status: 200, body: `<html>${words}</html>` } };
      return { refuse: () => words };
    };
    const file = await bench.list(500);
    const run = await bench.import('run', [file], ['--campaign', '42', '--batch-size', '50']);
    expect(run.code, run.stderr).toBe(2);
    for (const secret of secrets) {
      expect(run.log()).not.toContain(secret);
      expect(run.stderr).not.toContain(secret);
      expect(run.stdout).not.toContain(secret);
    }
    expect(run.log()).toContain('"operation":"addClients"');
    expect(bench.center.requests[0]?.headers['authorization']).toBe(`Bearer ${TOKEN}`);
  });
});
