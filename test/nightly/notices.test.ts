import { execFileSync } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOTICE_KINDS, type NoticeKind } from '../../src/nightly/notices/notice.js';
import { csv, lead, leads, until, useOpened } from '../kit/bench.js';
import { cardline } from '../kit/cardline.js';
import type { Received } from '../kit/receiver.js';
import { openArrivals } from './harness.js';

const SECRET = 'whsec-of-a-test';

const arrivals = useOpened(() => openArrivals());

/** The receiver, of these kinds; of what is told by default, where none is named. */
const webhook = (...on: NoticeKind[]): string => {
  const kinds = on.length === 0 ? '' : `, on: [${on.join(', ')}]`;
  const url = `${arrivals.hooks.address}/T0K3N`;
  return `notify: [{ to: webhook, url: '${url}', secret: ${SECRET}${kinds} }]`;
};
const kindsAndFiles = () => arrivals.notices().map(({ kind, file }) => [kind, file]);
const sentences = () => arrivals.notices().map(({ sentence }) => sentence);

/** As a receiver checks it, from the description alone. */
function isSigned({ body, headers }: Received): boolean {
  const signature = String(headers['cardline-signature']);
  const [, time = '', mac = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const wanted = createHmac('sha256', SECRET).update(`${time}.${body}`).digest();
  return (
    Math.abs(Date.now() / 1000 - Number(time)) < 300 &&
    timingSafeEqual(wanted, Buffer.from(mac, 'hex'))
  );
}

it('are posted, signed, in order, and hold nothing of a client', async () => {
  await arrivals.pickup(undefined, webhook('finished', 'bad', 'repeated'));
  await arrivals.arrive('leads-1.csv', leads(2));
  await arrivals.arrive('leads-2.csv', [lead(3), lead(4, { Mobile: 'none' })]);
  await arrivals.arrive('leads-3.csv', leads(2));
  await arrivals.watch();
  const { received } = arrivals.hooks;
  expect(received.every(isSigned)).toBe(true);
  expect(kindsAndFiles()).toEqual([
    ['finished', 'leads-1.csv'],
    ['bad', 'leads-2.csv'],
    ['repeated', 'leads-3.csv'],
  ]);
  const [first, bad] = arrivals.notices();
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

it('are sent once, also where the last answer comes after the last file', async () => {
  await arrivals.pickup('ready: { stableFor: 3s }', webhook(...NOTICE_KINDS));
  await mkdir(arrivals.in('leads-0.csv'));
  await arrivals.arrive('leads-1.csv', leads(1));
  // What is no file is told of at once, and its receiver takes longer than the import.
  arrivals.hooks.answer = (response, { body }) =>
    void setTimeout(() => response.end(), body.includes('leads-0.csv') ? 7_000 : 0);
  await arrivals.watch();
  expect(kindsAndFiles()).toEqual([
    ['bad', 'leads-0.csv'],
    ['finished', 'leads-1.csv'],
  ]);
});

const refuseCredentials = (): void => {
  arrivals.center.behave = () => ({ untouched: true, answer: { status: 401, body: '{}' } });
};

/** What happens before a watcher looks, and which notices have come afterwards. */
const RUNS: Record<string, { act: () => Promise<unknown>; notices: readonly NoticeKind[] }> = {
  'too many bad rows': {
    act: async () => {
      await arrivals.edit('leads }', 'leads, max-failures: 0 }');
      await arrivals.arrive('leads-1.csv', [lead(1), lead(2, { Mobile: 'none' })]);
    },
    notices: ['bad'],
  },
  'a campaign that is not there': {
    act: async () => {
      await arrivals.edit('Autumn leads', 'Spring leads');
      await arrivals.arrive('leads-1.csv', leads(2));
      await arrivals.watch();
      expect(await arrivals.names('failed')).toEqual([]);
      await arrivals.edit('Spring leads', 'Autumn leads');
    },
    notices: ['stopped', 'recovered', 'finished'],
  },
  'credentials that are not taken, twice, and then are': {
    act: async () => {
      refuseCredentials();
      await arrivals.arrive('leads-1.csv', leads(2));
      for (const _time of [1, 2]) expect((await arrivals.watch()).code).toBe(3);
      arrivals.center.behave = () => undefined;
    },
    notices: ['stopped', 'recovered', 'finished'],
  },
  'a contact center that does not answer, for longer than is waited': {
    act: async () => {
      await arrivals.edit('leads }', 'leads, give-up-after: 1s }');
      const description = await readFile(arrivals.at('center.yaml'), 'utf8');
      const { url } = arrivals.center;
      await arrivals.write('center.yaml', description.replace(url, 'http://127.0.0.1:9'));
      await arrivals.arrive('leads-1.csv', leads(1));
    },
    notices: ['stopped'],
  },
  'fewer rows than are expected': {
    act: async () => {
      const expected = "expect: { by: '00:00 UTC', rows: { min: 9 } }";
      await arrivals.edit('stableFor: 0s }', `stableFor: 0s }\n    ${expected}`);
      await arrivals.arrive('leads-1.csv', leads(2));
    },
    notices: ['finished', 'unusual'],
  },
};

describe('notices of a run with', () => {
  it.each(Object.entries(RUNS))('%s', async (_name, { act, notices }) => {
    await arrivals.pickup(undefined, webhook(...NOTICE_KINDS));
    await act();
    await arrivals.watch();
    expect(arrivals.notices().map(({ kind }) => kind)).toEqual(notices);
  });
});

it('wait while the receiver is down, over restarts, and come once by id', async () => {
  await arrivals.pickup(undefined, webhook('finished'));
  const { hooks } = arrivals;
  const { answer } = hooks;
  hooks.answer = (response) => response.writeHead(503).end();
  await arrivals.arrive('leads-1.csv', leads(1));
  const { stderr } = await arrivals.watch();
  expect(stderr).toContain('A notice to 127.0.0.1');
  expect(stderr).not.toContain('T0K3N');
  hooks.answer = answer;
  const refused = hooks.received.splice(0);
  await arrivals.arrive('leads-2.csv', [lead(2)]);
  const { child, ended } = arrivals.startWatch();
  await until(() => hooks.received.length === 2, 'both notices come');
  child.kill('SIGTERM');
  await ended;
  expect(kindsAndFiles()).toEqual([
    ['finished', 'leads-1.csv'],
    ['finished', 'leads-2.csv'],
  ]);
  const ids = [...refused, ...hooks.received].map(({ headers }) => headers['cardline-id']);
  expect(new Set(ids).size).toBe(2);
});

it('an answer without end is not read, and the notice counts as taken', async () => {
  let sent = 0;
  arrivals.hooks.answer = (response) => {
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
  await arrivals.pickup(undefined, webhook());
  await arrivals.arrive('leads-1.csv', 'no list');
  const { code, stderr } = await arrivals.watch();
  expect(code).toBe(2);
  expect(stderr).not.toContain('was not taken');
  expect(arrivals.hooks.received).toHaveLength(1);
  // What the connection itself holds was sent; no more was read.
  expect(sent).toBeLessThan(64 * 1024 ** 2);
});

const NOT_UTF8 = Buffer.from('leads-\xe4.csv', 'latin1');
const inFolder = (name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${arrivals.in('')}/`), name]);

it('come once of each entry that cannot be taken, as does the exit code', async () => {
  await arrivals.pickup(undefined, webhook());
  await writeFile(inFolder(NOT_UTF8), csv(leads(1)));
  await symlink('/nowhere', arrivals.in('leads-link.csv'));
  await mkdir(arrivals.in('leads-dir.csv'));
  execFileSync('mkfifo', [arrivals.in('leads-pipe.csv')]);
  await arrivals.arrive('leads-1.csv', leads(2));
  const first = await arrivals.watch();
  expect(first.code, first.stderr).toBe(2);
  expect((await arrivals.watch()).code).toBe(2);
  expect(await arrivals.names('done')).toContain('leads-1.csv');
  expect(kindsAndFiles().sort()).toEqual([
    ['bad', 'leads-\\xE4.csv'],
    ['bad', 'leads-dir.csv'],
    ['bad', 'leads-link.csv'],
    ['bad', 'leads-pipe.csv'],
  ]);
});

it('a run opens names that are no UTF-8, and refuses those that cannot be told apart', async () => {
  await writeFile(inFolder(NOT_UTF8), csv(leads(2)));
  const args = arrivals.args('run', [arrivals.in('leads-\ufffd.csv')]);
  const one = await arrivals.run(...args);
  expect(one.code, one.stderr).toBe(0);
  expect(arrivals.center.creations.size).toBe(2);
  await writeFile(inFolder(Buffer.from('leads-\xe5.csv', 'latin1')), csv(leads(2)));
  const two = await arrivals.run(...args);
  expect(two.code).toBe(64);
  expect(two.stderr).toContain('may be one of 2 files');
});

it('say by default that a file has no rows, or far fewer; and that they are expected', async () => {
  await arrivals.pickup(undefined, webhook());
  await arrivals.arrive('leads-1.csv', []);
  await arrivals.arrive('leads-2.csv', leads(40));
  await arrivals.arrive('leads-3.csv', leads(45).slice(40));
  expect((await arrivals.watch()).code).toBe(0);
  expect(sentences()).toEqual([
    'leads-1.csv is unusual: it has a header and no rows.',
    'leads-3.csv is unusual: it has 5 rows, where 40 are usual.',
  ]);
  await arrivals.edit('leads }', 'leads, expect-rows: true }');
  await arrivals.arrive('leads-4.csv', csv([]).replaceAll('\r\n', '\n'));
  expect((await arrivals.watch()).code).toBe(2);
  expect(sentences()).toContain(
    'leads-4.csv has a header and no rows, and rows are expected (expect-rows).',
  );
});

it('say in one sentence why a file cannot be read, which is among the runs by its name', async () => {
  await arrivals.pickup(undefined, webhook());
  await arrivals.arrive('leads-1.csv', '%PDF-1.4 no list');
  await arrivals.arrive('leads-2.csv', 'Other,Columns\r\n1,2\r\n');
  expect((await arrivals.watch()).code).toBe(2);
  const runs = await arrivals.run('runs', '--json', '--ledger', 'cardline.db');
  const listed = JSON.parse(runs.stdout) as { inputs: string[]; unread: string }[];
  expect(listed.map(({ inputs }) => inputs[0]).sort()).toEqual(
    ['leads-1.csv', 'leads-2.csv'].map((name) => join(arrivals.in(''), name)),
  );
  for (const { unread } of listed) expect(unread).toMatch(/^[^\n]+[.…]$/);
  expect(arrivals.notices().map(({ kind }) => kind)).toEqual(['bad', 'bad']);
  for (const sentence of sentences()) {
    expect(sentence).toMatch(/^leads-\d\.csv could not be imported: [^\n]+$/);
    expect(sentence).not.toContain('.cardline');
  }
});

it('the morning shows each pickup, and a digest comes once', async () => {
  await arrivals.pickup(undefined, `${webhook()}\ndigest: { at: '00:00 UTC' }`);
  await arrivals.watch();
  await arrivals.watch();
  expect(arrivals.notices().map(({ kind }) => kind)).toEqual(['digest']);
  const status = async () => {
    const { code, stdout } = await arrivals.watch(['--status', '--json']);
    return { code, ...(JSON.parse(stdout) as { sources: unknown[] }) };
  };
  expect((await status()).code).toBe(0);
  const last = { kind: 'bad', rows: 2, sent: 1, badRows: 1 };
  await arrivals.arrive('leads-1.csv', [lead(1), lead(2, { Mobile: 'none' })]);
  await arrivals.watch();
  expect(await status()).toMatchObject({
    ...{ code: 2, sources: [{ name: 'vendor', last: { ...last, file: 'leads-1.csv' } }] },
  });
  // The same again: its watcher says 2, and so does the status.
  await arrivals.arrive('leads-2.csv', [lead(1), lead(2, { Mobile: 'none' })]);
  expect((await arrivals.watch()).code).toBe(2);
  expect(await status()).toMatchObject({
    ...{ code: 2, sources: [{ last: { file: 'leads-2.csv', kind: 'repeated', badRows: 1 } }] },
  });
});

it('for a test come in every kind, and say of each what became of it', async () => {
  const { address, received } = arrivals.hooks;
  const good = `{ to: webhook, url: '${address}/T0K3N', on: [${NOTICE_KINDS.join(', ')}] }`;
  await arrivals.pickup(
    undefined,
    `notify: [${good}, { to: webhook, url: '${address}/refuses', on: [bad] }]`,
  );
  arrivals.hooks.answer = (response, { path }) =>
    response.writeHead(path === '/refuses' ? 403 : 200).end();
  const { code, stdout } = await arrivals.run('notify', 'test', 'pickup.yaml');
  expect(code).toBe(3);
  expect(arrivals.notices().map(({ kind }) => kind)).toEqual([...NOTICE_KINDS, 'bad']);
  for (const { body } of received)
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
