import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json, Misbehaviour } from '../helpers/contact-center.js';
import {
  type Bench,
  TOKEN,
  countOutcomes,
  csv,
  installation,
  leads,
  openBench,
  twice,
  until,
} from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  expect(bench.center.violations).toEqual([]);
  expect(twice(bench.center.creations)).toEqual([]);
  expect(twice(bench.center.enqueuings)).toEqual([]);
  await bench.close();
});

const HTML = { status: 200, body: '<html>Log in</html>', headers: { 'content-type': 'text/html' } };
const busy = (status: number): Misbehaviour => ({
  untouched: true,
  answer: { status, body: '', headers: { 'retry-after': '1' } },
});

/** 500 rows in 10 requests, of which the third of 4.1, or of 4.9, is answered in this way. */
async function importWith(operation: '4.1' | '4.9', how: Misbehaviour) {
  bench.center.behave = (request) =>
    request.operation === operation && request.number === 3 ? how : undefined;
  const file = await bench.write('leads.csv', csv(leads(500)));
  return bench.import('run', [file], ['--campaign', '42', '--batch-size', '50']);
}

describe('answers that leave open what was done', () => {
  it.each<[string, Misbehaviour]>([
    ['dropped after it was carried out', { drop: true }],
    ['dropped before it was carried out', { drop: true, untouched: true }],
    ['502 after it was carried out', { answer: { status: 502, body: 'Bad gateway' } }],
    ['500 after it was carried out', { answer: { status: 500, body: '{}' } }],
    ['a page of HTML with 200', { answer: HTML }],
    ['JSON that is cut off', { answer: { status: 201, body: '{"createResult":[{"uuid"' } }],
    ['a redirect', { answer: { status: 302, body: '', headers: { location: '/' } } }],
  ])('%s: unknown, and never sent again', async (_what, how) => {
    const run = await importWith('4.1', how);
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ enqueued: 450, unknown: 50 });
    expect(run.summary()).toMatchObject({ rows: 500, outcomes: { enqueued: 450, unknown: 50 } });
    expect(run.rejects()).toHaveLength(50);
  });

  it.each<[string, Misbehaviour]>([
    ['dropped', { drop: true }],
    ['502', { answer: { status: 502, body: '' } }],
    ['HTML', { answer: HTML }],
  ])('call applications, %s: unknown, and the card stands in the report', async (_what, how) => {
    const run = await importWith('4.9', how);
    expect(run.code).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ enqueued: 450, unknown: 50 });
    const unknown = run.report().filter(({ outcome }) => outcome === 'unknown');
    expect(unknown.every(({ createResult }) => createResult === 'Success')).toBe(true);
    expect(unknown.every(({ createdClientId }) => Number(createdClientId) > 0)).toBe(true);
  });

  it.each<[string, (results: Json[]) => unknown[], Record<string, number>]>([
    ['lacks uuids', (list) => list.slice(10), { enqueued: 490, unknown: 10 }],
    [
      'has foreign uuids',
      (list) => [...list.slice(1), { uuid: 'foreign', result: 'Success', createdClientId: 1 }],
      { enqueued: 450, unknown: 50 },
    ],
    ['repeats a uuid alike', (list) => [...list, ...list.slice(0, 1)], { enqueued: 500 }],
    [
      'repeats a uuid otherwise',
      (list) => [...list, { uuid: list[0]?.['uuid'], result: 'Field [x] is required.' }],
      { enqueued: 499, unknown: 1 },
    ],
    ['is empty', () => [], { enqueued: 450, unknown: 50 }],
  ])('createResult that %s', async (_what, results, outcomes) => {
    const run = await importWith('4.1', { results });
    expect(countOutcomes(run.report())).toEqual(outcomes);
  });
});

describe('answers after which nothing was done', () => {
  it.each([429, 503])('%d with Retry-After is tried again after that', async (status) => {
    const run = await importWith('4.1', busy(status));
    expect(run.code, run.stderr).toBe(0);
    expect(countOutcomes(run.report())).toEqual({ enqueued: 500 });
    // The campaign is looked for, ten batches are created and enqueued, and one request is made twice.
    expect(run.summary()).toMatchObject({ retries: 1, requests: 22 });
    expect(run.stderr).toContain(String(status));
  });

  it('waits no shorter for a Retry-After that no timer can hold', async () => {
    bench.center.behave = () => ({
      untouched: true,
      answer: { status: 503, body: '', headers: { 'retry-after': '9999999' } },
    });
    const file = await bench.write('leads.csv', csv(leads(10)));
    const { child, ended } = bench.start('run', [file], ['--concurrency', '1']);
    await until(() => bench.center.requests.length > 0, 'a request arrives');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.kill('SIGINT');
    expect((await ended).code).toBe(3);
    expect(bench.center.requests.length).toBe(1);
  });

  it.each([
    [400, '{"errorMessage":"Batch refused"}', 'Batch refused'],
    [413, 'Too large', '413'],
    [404, '<html>not here</html>', '404'],
  ])('%d for a whole batch: its rows failed, the others did not', async (status, body, words) => {
    const run = await importWith('4.1', { untouched: true, answer: { status, body } });
    expect(run.code).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ enqueued: 450, failed: 50 });
    const failed = run.report().find(({ outcome }) => outcome === 'failed');
    expect(failed?.['createResult']).toContain(words);
  });

  it('401 stops the run, which goes on when the credentials are right', async () => {
    const file = await bench.write('leads.csv', csv(leads(500)));
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
    const file = await bench.write('leads.csv', csv(leads(20)));
    const run = await bench.import('dead', [file], ['-i', dead]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain(`127.0.0.1:${port}`);
    expect(run.stderr).toMatch(/is it running/);
    expect(run.stderr).not.toMatch(/\bat .*\.js/);
    expect(run.summary()).toMatchObject({ rows: 0, state: 'stopped' });
    await bench.write('dead.yaml', installation(bench.center.url));
    const again = await bench.import('dead', [file], ['-i', dead, '--out', bench.at('again')]);
    expect(again.code, again.stderr).toBe(0);
  });
});

describe('what the logs and the terminal may not hold', () => {
  it('keeps names, phones and the token to itself, also when the server repeats them', async () => {
    const secrets = [TOKEN, 'Fedor', 'Testoff', '7916100', '7495100', 'mail.example.com', 'Elm st'];
    bench.center.behave = ({ operation, number }) => {
      const words = secrets.join(' ');
      const errorMessage = JSON.stringify({ errorMessage: words });
      if (operation === '4.9') return { answer: { status: number % 2 ? 400 : 500, body: words } };
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
    const file = await bench.write('leads.csv', csv(leads(500)));
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
