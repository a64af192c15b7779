import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startCardline } from '../../kit/cardline.js';
import { words } from '../../kit/words.js';
import { clientOf, IDS, installation, TOKEN, useRecorder } from './harness.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'trouble.yaml') as [number, string | object, string][];

const bench = useRecorder();
const PHONE = words`phones add ${IDS} --phone-number 7916 --type MOB`;
const GET = words`clients get ${IDS}`;
const START = words`campaigns start 'Autumn leads'`;

beforeEach(() => {
  bench.center.requests.length = 0;
  bench.center.behave = () => false;
});

/** The first requests are answered so; by default all. */
const answer = (how: (response: ServerResponse) => void, times = Infinity): void => {
  bench.center.behave = (_request, response) => {
    if (times-- <= 0) return false;
    how(response);
    return true;
  };
};
const refuse =
  (status: number, body: unknown, headers = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end(JSON.stringify(body));
  };
const drop = (response: ServerResponse): void => void response.destroy();
const hour = (from: number): string =>
  String((new Date().getUTCHours() + from) % 24).padStart(2, '0');

it.each([PHONE, GET, START])('a contact center that is not there: %s %s, 3', async (...args) => {
  const dead = await bench.write('dead.yaml', installation('http://127.0.0.1:9'));
  const { code, stdout, stderr } = await bench.run`${args} -i ${dead}`;
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(/http:\/\/127\.0\.0\.1:9 was not reached: .* Nothing was done\.\n$/);
  expect(stderr).not.toContain('    at ');
});

it.each([PHONE, GET, START])('outside of the permitted hours: %s %s, 3', async (...args) => {
  const hours = `${hour(12)}:00-${hour(13)}:00 UTC`;
  const text = installation(bench.center.url, `limits: { hours: "${hours}" }\n`);
  const { code, stdout, stderr } =
    await bench.run`${args} -i ${await bench.write('closed.yaml', text)}`;
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain(`permits requests ${hours}`);
  expect(stderr).toContain(`${hours.slice(0, 5)} there`);
  expect(bench.center.requests).toEqual([]);
});

/** How a change and a question end where answers are lost, come late or are refused, and how often they are sent. */
const TROUBLES: readonly {
  readonly what: string;
  readonly args: readonly string[];
  readonly answers: readonly [(response: ServerResponse) => void, times?: number];
  readonly ends: readonly [code: number, told: RegExp, requests: number];
}[] = [
  {
    ...{ what: 'a lost answer to a change leaves its outcome unknown', args: PHONE },
    answers: [drop],
    ends: [3, /Whether it took effect is not known: look before you do it again\.\n$/, 1],
  },
  {
    ...{ what: 'a question whose answer is lost is asked again', args: GET },
    ...{ answers: [drop, 2], ends: [0, /^$/, 3] },
  },
  {
    ...{ what: 'one that is never answered changes nothing', args: GET },
    ...{ answers: [drop], ends: [3, /Nothing was changed\.\n$/, 4] },
  },
  {
    ...{ what: 'a contact center that is busy is asked again', args: PHONE },
    ...{ answers: [refuse(503, {}), 1], ends: [0, /^$/, 2] },
  },
  {
    ...{ what: 'nobody waits for it for an hour', args: PHONE },
    answers: [refuse(429, {}, { 'retry-after': '3600' })],
    ends: [3, /is busy \(HTTP 429\)\. Nothing was done; try again later\.\n$/, 1],
  },
  {
    ...{ what: 'a fault of the server is no proof that nothing was done', args: PHONE },
    answers: [refuse(500, { errorMessage: 'NullPointerException' })],
    ends: [3, /^NullPointerException\n.* Whether it took effect is not known/, 1],
  },
];

it.each(TROUBLES)('$what', async ({ args, answers, ends: [exitCode, told, requests] }) => {
  answer(...answers);
  const { code, stderr } = await bench.runWith(args, {});
  const sent = bench.center.requests.length;
  expect([code, stderr, sent]).toEqual([exitCode, expect.stringMatching(told), requests]);
});

describe('a refusal', () => {
  it.each(CASES)('with status %d and %j: 2', async (status, body, told) => {
    answer(refuse(status, body));
    expect(await bench.runWith(PHONE, {})).toEqual({ code: 2, stdout: '', stderr: `${told}\n` });
    expect(bench.center.requests).toHaveLength(1);
  });

  it('of clients is told although the answer is a success', async () => {
    const clientIdentifiers = { offerId: 7, offerDomain: 'shop' };
    answer(refuse(200, { errors: [{ clientIdentifiers, errorMessage: 'Client already exists' }] }));
    expect(await bench.run`applications add --campaign 42 ${IDS} --max-call-count 1`).toMatchObject(
      { code: 2, stderr: 'Client already exists\n' },
    );
  });

  it('of no one client leaves unknown what became of it: 3', async () => {
    answer(refuse(201, { createResult: [{ uuid: 'another', result: 'Success' }] }));
    const data = JSON.stringify(clientOf(1, { uuid: 'u-1' }));
    const { code, stderr } = await bench.run`clients add --data ${data}`;
    expect(code).toBe(3);
    expect(stderr).toContain('whether it was created is not known');
  });
});

it.each([
  [PHONE, 'Whether it took effect is not known'],
  [GET, 'Nothing was changed'],
])('Ctrl-C ends %j at once: 3', async (args, told) => {
  const asked = new Promise<void>((resolve) => {
    answer(() => resolve());
  });
  const env = { CARDLINE_TEST_TOKEN: TOKEN };
  const { child, ended } = startCardline(bench.args(args), { env });
  child.stdin.end();
  await asked;
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain(`given up while waiting for the answer. ${told}`);
  expect(bench.center.requests).toHaveLength(1);
});

it('a variable that the headers need is not set: 64', async () => {
  const { code, stderr } = await bench.runWith(GET, { env: { CARDLINE_TEST_TOKEN: '' } });
  expect(code).toBe(64);
  expect(stderr).toContain('CARDLINE_TEST_TOKEN');
});

describe('what an installation says of recovery', () => {
  const client = clientOf(1, { uuid: 'u-1', addresses: [], emails: [] });
  const path = '/api/v1/clients/exec.do';

  it.each([
    ['{ in: body, value: "yes" }', path, { clients: [client], recovery: 'yes' }],
    ['{ in: query, name: restore }', `${path}?restore=true`, { clients: [client] }],
    ['{ in: client, name: back, value: 1 }', path, { clients: [{ ...client, back: 1 }] }],
  ])('%s', async (recovery, expectedPath, body) => {
    const text = installation(bench.center.url, `recovery: ${recovery}\n`);
    const file = await bench.write('recovery.yaml', text);
    const add = words`clients add -i ${file} --data ${JSON.stringify(client)}`;
    expect((await bench.run`${add} --recovery`).code).toBe(0);
    await bench.runWith(add, {});
    expect(bench.center.requests).toEqual([
      { method: 'POST', path: expectedPath, body },
      { method: 'POST', path, body: { clients: [client] } },
    ]);
  });
});
