import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Json, Misbehaviour, Operation, SeenRequest } from '../kit/contact-center.js';
import {
  countOutcomes,
  identityIn,
  identityOf,
  type Imported,
  installation,
  lead,
  leads,
  MAPPING,
  useBench,
  inOrder,
  TOKEN,
  until,
} from '../kit/bench.js';

const bench = useBench({
  after: (its) => {
    inOrder(its);
    expect(its.center.repeated).toEqual([]);
  },
});

const CAMPAIGN = ['--campaign', '42', '--batch-size', '50'];
const ALREADY = 'Client already exists';

const HTML = { status: 200, body: '<html>Log in</html>', headers: { 'content-type': 'text/html' } };
const NOT_ALLOWED = { status: 400, body: '{"errorMessage":"Reading cards is not allowed."}' };
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

  it('are settled by sending again where call applications were asked for', async () => {
    loseFirst('4.9');
    const run = await importsAll(rows);
    expect(sent('4.8')).toEqual([]);
    // Only a server error leaves open which of the clients it was about: they are looked up.
    expect(sent('4.12').length).toBeLessThanOrEqual(50);
    // The batch of the server error was found to be there, so it is not sent again.
    expect(sent('4.9')).toHaveLength(2 * LOST.length + 1);
    for (const [batch, [what, { untouched }]] of LOST.entries())
      expect([what, toldOfBatch(run, 'enqueueResult', batch)]).toEqual([
        what,
        [untouched ? 'Success' : CONFIRMED],
      ]);
  });

  it('are looked up where duplicate phones are checked, since the same words may mean another client', async () => {
    const phone = leads(3)[2]!.Mobile;
    const rows = leads(100).with(60, lead(61, { Mobile: phone }));
    let lost = 0;
    bench.center.behave = ({ operation, identities }) => {
      if (operation !== '4.9') return undefined;
      const refuse = (ids: Json) =>
        ids['offerId'] === '100061' || ids['offerId'] === 100_061 ? ALREADY : undefined;
      return identities.includes(identityOf(rows[60]!)) && lost++ === 0
        ? { refuse, drop: true }
        : { refuse };
    };
    const campaign = 'campaign: { id: 42, disableDuplicatePhonesValidation: false }\n';
    const mapping = await bench.write('phones.yaml', MAPPING + campaign);
    const file = await bench.list(rows);
    const run = await bench.import('run', [file], ['-m', mapping, ...CAMPAIGN.slice(2)]);
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ enqueued: 99, enqueue_failed: 1 });
    expect(run.report()[60]).toMatchObject({ outcome: 'enqueue_failed', enqueueResult: ALREADY });
    expect(sent('4.12')).toHaveLength(50);
    expect(
      [...bench.center.cards.values()].filter(({ campaigns }) => campaigns.has(42)),
    ).toHaveLength(99);
  });

  it('in part are looked up in part: createResult that is not about all clients, or not about them alone', async () => {
    const ways: readonly ((results: Json[]) => unknown[])[] = [
      (list) => list.slice(10),
      (list) => [...list.slice(1), { uuid: 'foreign', result: 'Success', createdClientId: 1 }],
      (list) => [...list, ...list.slice(0, 1)],
      (list) => [...list, { uuid: list[0]?.['uuid'], result: 'Field [x] is required.' }],
      () => [],
    ];
    bench.center.behave = ({ operation, identities: [first = ''] }) => {
      const results = ways[(offerIn(first) - 1) / 50];
      return operation === '4.1' && results ? { results } : undefined;
    };
    const run = await importsAll(300);
    expect(sent('4.1')).toHaveLength(6);
    const lookedUp = [0, 1, 2, 3, 4, 5].map((batch) =>
      run
        .report()
        .slice(50 * batch, 50 * batch + 50)
        .filter(({ createResult }) => createResult === CONFIRMED),
    );
    expect(lookedUp.map((lines) => lines.length)).toEqual([10, 50, 1, 1, 50, 0]);
    expect(sent('4.8')).toHaveLength(112);
  });

  it('stay unknown only while the contact center cannot be asked', async () => {
    bench.center.behave = ({ operation, number }) => {
      if (operation === '4.1' && number === 2) return { drop: true };
      return operation === '4.8' ? { answer: NOT_ALLOWED } : undefined;
    };
    const file = await bench.list(10);
    const options = ['--campaign', '42', '--batch-size', '5'];
    const first = await bench.import('run', [file], options);
    expect(first.code, first.stderr).toBe(2);
    expect(countOutcomes(first.report())).toEqual({ enqueued: 5, unknown: 5 });
    expect(told(first, 'outcome', sent('4.1').slice(1, 2))).toEqual(['unknown']);
    expect(first.rejects()).toHaveLength(5);
    bench.center.behave = () => undefined;
    const second = await bench.import('run', [file], options);
    expect(second.code, second.stderr).toBe(0);
    expect(countOutcomes(second.report())).toEqual({ enqueued: 10 });
    expect(second.summary().run).toBe(first.summary().run);
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

  it('waits no shorter for a Retry-After that no timer can hold', async () => {
    bench.center.behave = () => ({
      untouched: true,
      answer: { status: 503, body: '', headers: { 'retry-after': '9999999' } },
    });
    const file = await bench.list(10);
    const stop = new AbortController();
    const run = bench.import('run', [file], ['--concurrency', '1'], stop.signal);
    await until(() => bench.center.requests.length > 0, 'a request arrives');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    stop.abort();
    expect((await run).code).toBe(3);
    expect(bench.center.requests.length).toBe(1);
  });

  it('401 stops the run, which goes on when the credentials are right', async () => {
    const file = await bench.list(500);
    bench.center.behave = ({ number, operation }) =>
      operation === '4.1' && number > 2
        ? { untouched: true, answer: { status: 401, body: `{"errorMessage":"bad ${TOKEN}"}` } }
        : undefined;
    const options = ['--campaign', '42', '--batch-size', '50'];
    const stopped = await bench.import('run', [file], options);
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toMatch(/credentials/);
    expect(stopped.stderr + stopped.log()).not.toContain(TOKEN);
    expect(stopped.summary().state).toBe('stopped');
    bench.center.behave = () => undefined;
    const run = await bench.import('run', [file], options);
    expect(run.code, run.stderr).toBe(0);
    expect(countOutcomes(run.report())).toEqual({ enqueued: 500 });
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
