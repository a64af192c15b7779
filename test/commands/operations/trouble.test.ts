import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startCardline } from '../../kit/cardline.js';
import { installation, TOKEN, useRecorder } from './harness.js';

const bench = useRecorder();
const IDS = ['--id', 'offerId=7', '--id', 'offerDomain=shop'];
const PHONE = ['phones', 'add', ...IDS, '--phone-number', '7916', '--type', 'MOB'];
const GET = ['clients', 'get', ...IDS];

beforeEach(() => {
  bench.center.requests.length = 0;
  bench.center.behave = () => false;
});

/** Every request is answered so. */
const always = (answer: (response: ServerResponse) => void): void => {
  bench.center.behave = (_request, response) => {
    answer(response);
    return true;
  };
};
const refuse =
  (status: number, body: unknown, headers = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end(JSON.stringify(body));
  };
const drop = (response: ServerResponse): void => void response.destroy();

describe('a contact center that is not there', () => {
  it.each([PHONE, GET, ['campaigns', 'start', 'Autumn leads']])('%j: 3', async (...args) => {
    const dead = await bench.write('dead.yaml', installation('http://127.0.0.1:9'));
    const { code, stdout, stderr } = await bench.run([...args, '-i', dead]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/http:\/\/127\.0\.0\.1:9 was not reached: .* Nothing was done\.\n$/);
    expect(stderr).not.toContain('    at ');
  });
});

describe('a lost answer', () => {
  it('to a change leaves its outcome unknown, and it is not sent again', async () => {
    always(drop);
    const { code, stdout, stderr } = await bench.run(PHONE);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/Whether it took effect is not known: look before you do it again\.\n$/);
    expect(bench.center.requests).toHaveLength(1);
  });

  it('to a question is asked for again', async () => {
    let left = 2;
    bench.center.behave = (_request, response) => {
      if (left-- > 0) drop(response);
      return left >= 0;
    };
    const { code, stderr } = await bench.run(GET);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(bench.center.requests).toHaveLength(3);
  });

  it('to a question that is never answered changes nothing', async () => {
    always(drop);
    const { code, stderr } = await bench.run(GET);
    expect(code).toBe(3);
    expect(stderr).toMatch(/Nothing was changed\.\n$/);
    expect(bench.center.requests).toHaveLength(4);
  });
});

describe('a contact center that is busy', () => {
  it('is asked again', async () => {
    let busy = true;
    bench.center.behave = (_request, response) => {
      if (busy) refuse(503, {})(response);
      const was = busy;
      busy = false;
      return was;
    };
    expect((await bench.run(PHONE)).code).toBe(0);
    expect(bench.center.requests).toHaveLength(2);
  });

  it('is not waited for longer than a person waits', async () => {
    always(refuse(429, {}, { 'retry-after': '3600' }));
    const { code, stderr } = await bench.run(PHONE);
    expect(code).toBe(3);
    expect(stderr).toMatch(/is busy \(HTTP 429\)\. Nothing was done; try again later\.\n$/);
    expect(bench.center.requests).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it.each([
    [400, { errorMessage: 'Out of order' }, 'Out of order\n'],
    [200, { errorMessage: 'Out of order' }, 'Out of order\n'],
    [
      500,
      { errorMessage: 'No clients with identifiers: [x=(1)]' },
      'No clients with identifiers: [x=(1)]\n',
    ],
    [404, 'Not found', 'The contact center refused without a reason (HTTP 404).\n'],
    [
      401,
      {},
      "The contact center refused without a reason (HTTP 401). Check the installation's headers.\n",
    ],
    [403, { errorMessage: 'Not for you' }, 'Not for you\n'],
  ])('with status %d and %j: 2', async (status, body, told) => {
    always(refuse(status, body));
    const { code, stdout, stderr } = await bench.run(PHONE);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: told });
    expect(bench.center.requests).toHaveLength(1);
  });

  it('that is a fault of the server is no proof that nothing was done: 3', async () => {
    always(refuse(500, { errorMessage: 'NullPointerException' }));
    const { code, stderr } = await bench.run(PHONE);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^NullPointerException\n.* Whether it took effect is not known/);
    expect(bench.center.requests).toHaveLength(1);
  });

  it('of clients is told although the answer is a success', async () => {
    const clientIdentifiers = { offerId: 7, offerDomain: 'shop' };
    always(refuse(200, { errors: [{ clientIdentifiers, errorMessage: 'Client already exists' }] }));
    const args = ['applications', 'add', '--campaign', '42', ...IDS, '--max-call-count', '1'];
    const { code, stderr } = await bench.run(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'Client already exists\n' });
  });

  it('of no one client leaves unknown what became of it: 3', async () => {
    always(refuse(201, { createResult: [{ uuid: 'another', result: 'Success' }] }));
    const client = {
      uuid: 'u-1',
      clientRoleId: 1,
      type: 'SIMPLE',
      timeZone: 'UTC',
      fields: {},
      phones: [{ phoneNumber: '1', type: 'MOB' }],
    };
    const { code, stderr } = await bench.run(['clients', 'add', '--data', JSON.stringify(client)]);
    expect(code).toBe(3);
    expect(stderr).toContain('whether it was created is not known');
  });
});

it('signs that would move the cursor are not printed in a table', async () => {
  always(refuse(200, { clientFieldsToValues: { fullName: 'a\u001b[2Jb\nc' } }));
  const { stdout } = await bench.run([...GET, '--no-json']);
  expect(stdout).toContain('│ a\ufffd[2Jb c │');
});

it.each([
  [
    'a change',
    PHONE,
    /given up while waiting for the answer\. Whether it took effect is not known/,
  ],
  ['a question', GET, /given up while waiting for the answer\. Nothing was changed/],
])('Ctrl-C ends %s at once: 3', async (_what, args, told) => {
  const asked = new Promise<void>((resolve) => {
    bench.center.behave = () => {
      resolve();
      return true;
    };
  });
  const { child, ended } = startCardline(bench.args(args), {
    env: { CARDLINE_TEST_TOKEN: TOKEN },
  });
  child.stdin.end();
  await asked;
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(told);
  expect(bench.center.requests).toHaveLength(1);
});

it('a variable that the headers need is not set: 64', async () => {
  const { code, stderr } = await bench.run(GET, { env: { CARDLINE_TEST_TOKEN: '' } });
  expect(code).toBe(64);
  expect(stderr).toContain('CARDLINE_TEST_TOKEN');
});

describe('what an installation says of recovery', () => {
  const client = {
    uuid: 'u-1',
    clientRoleId: 1,
    type: 'SIMPLE',
    timeZone: 'UTC',
    fields: {},
    phones: [{ phoneNumber: '1', type: 'MOB' }],
    addresses: [],
    emails: [],
  };
  const path = '/api/v1/clients/exec.do';

  it.each([
    ['{ in: body, value: "yes" }', path, { clients: [client], recovery: 'yes' }],
    ['{ in: query, name: restore }', `${path}?restore=true`, { clients: [client] }],
    ['{ in: client, name: back, value: 1 }', path, { clients: [{ ...client, back: 1 }] }],
  ])('%s', async (recovery, expectedPath, body) => {
    const file = await bench.write(
      'recovery.yaml',
      installation(bench.center.url, `recovery: ${recovery}\n`),
    );
    const add = ['clients', 'add', '-i', file, '--data', JSON.stringify(client)];
    expect((await bench.run([...add, '--recovery'])).code).toBe(0);
    await bench.run(add);
    expect(bench.center.requests).toEqual([
      { method: 'POST', path: expectedPath, body },
      { method: 'POST', path, body: { clients: [client] } },
    ]);
  });
});
