import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createCenterPort } from '../../../src/client/contact-center.js';
import { UsageError } from '../../../src/core/errors.js';
import { startSandbox } from '../../../src/sandbox/sandbox.js';
import { client, identifiers, INSTALLATION, PATHS, refusal, startWorld } from './world.js';

const errorMessage = (told: string) => ({ errorMessage: told });
const oneClient = JSON.stringify({ clients: [client(1)] });
const bytes = (body: unknown) => new TextEncoder().encode(JSON.stringify(body));

describe('requests that no operation takes', () => {
  const garbled = '/api/v1/telemarketing/campaigns/%zz/taskId.json';
  it.each([
    ['GET', '/', 404, 'There is no such path.'],
    ['POST', '/api/v1/nothing.do', 404, 'There is no such path.'],
    ['GET', '/api/v2/telemarketing/campaigns.do?limit=1', 404, 'There is no such path.'],
    ['POST', `${PATHS.clients}/`, 404, 'There is no such path.'],
    ['GET', PATHS.clients, 405, 'This path takes POST, PUT, DELETE only.'],
    ['PATCH', PATHS.clients, 405, 'This path takes POST, PUT, DELETE only.'],
    ['DELETE', PATHS.read, 405, 'This path takes POST only.'],
    ['PUT', '/api/v1/telemarketing/campaigns/1/taskId.json?x=1', 405, 'This path takes GET only.'],
    ['GET', garbled, 400, `'${garbled}' is not a valid url component`],
    ['POST', '/api/v1/callbacks/exec.do', 400, 'Query parameter type=tm is required.'],
    ['POST', '/api/v1/callbacks/exec.do?type=cc', 400, 'Query parameter type=tm is required.'],
  ])('%s %s: %i', async (method, path, status, told) => {
    const world = await startWorld();
    const answer = await world.call(method, path, method === 'GET' ? undefined : {});
    expect(answer).toMatchObject({ status, body: errorMessage(told) });
    const allowed = /takes (.*) only/.exec(told)?.[1] ?? null;
    expect(answer.headers.get('allow')).toBe(allowed);
  });
});

describe('bodies', () => {
  it.each([
    ['{"clients": [', 'The request body is not valid JSON.'],
    ...['', 'null', '"text"', '[]', '5'].map((body) => [
      body,
      'The request body must be a JSON object.',
    ]),
  ])('%j is refused', async (body, told) => {
    const world = await startWorld();
    for (const path of [PATHS.clients, PATHS.read, PATHS.campaigns])
      expect(await world.send('POST', path, body)).toMatchObject({
        status: 400,
        body: errorMessage(told),
      });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'x/y', null])(
    'are JSON whatever the content type says: %j',
    async (type) => {
      const world = await startWorld();
      const { body } = await world.send('POST', PATHS.clients, oneClient, type);
      expect(body).toMatchObject({ createResult: [{ result: 'Success' }] });
    },
  );

  it('may be empty where none is needed, with a content type or without', async () => {
    const world = await startWorld();
    await world.haveCampaign();
    const path = '/api/v1/telemarketing/campaigns/1/progress.do';
    expect(await world.send('POST', path, '')).toMatchObject({ status: 201, body: 'Created' });
    expect(await world.call('DELETE', path)).toMatchObject({ status: 200, body: 'OK' });
    expect(await world.call('PUT', path, {})).toMatchObject({ status: 200, body: 'OK' });
  });

  it('may be of megabytes, and are taken as they were prepared', async () => {
    const world = await startWorld();
    const port = createCenterPort(world.center);
    const fields = { note: 'x'.repeat(3000) };
    const clients = Array.from({ length: 500 }, (_, at) => client(at + 1, { fields }));
    const results = await port.addClients(bytes({ clients }));
    expect(results.filter(({ result }) => result === 'Success')).toHaveLength(500);
    const entries = bytes({
      maxCallCount: 3,
      clients: [1, 999].map((offerId) => ({ clientIdentifiers: identifiers(offerId) })),
    });
    expect(await port.addApplications(await world.haveCampaign(), entries)).toEqual([
      { clientIdentifiers: identifiers(999), errorMessage: 'No such client' },
    ]);
    expect(await refusal(port.addApplications(7, entries))).toBe('TelemarketCampaign 7 not found');
  });
});

describe('limits of the installation', () => {
  const within = (limits: object) => startWorld({ installation: { ...INSTALLATION, limits } });

  it('refuse a request with too many clients whole', async () => {
    const world = await within({ clientsPerRequest: 2 });
    const told = 'The request holds 3 clients; at most 2 are permitted.';
    expect(await refusal(world.add([client(1), client(2), client(3)]))).toBe(told);
    await world.add([client(1), client(2)]);
    const campaign = await world.haveCampaign();
    expect(await refusal(world.enqueue(campaign, [1, 2, 3]))).toBe(told);
    expect(await world.applications(1)).toEqual([]);
    expect(await world.enqueue(campaign, [1, 2])).toEqual([]);
  });

  it('refuse a body of too many bytes, not characters', async () => {
    const body = JSON.stringify({ clients: [client(1, { fields: { fullName: 'Анна' } })] });
    const requestBytes = Buffer.byteLength(body);
    const tight = await within({ requestBytes: requestBytes - 1 });
    expect(await tight.send('POST', PATHS.clients, body)).toMatchObject({
      status: 413,
      body: errorMessage(`The request body is larger than ${requestBytes - 1} bytes.`),
    });
    const wide = await within({ requestBytes });
    expect((await wide.send('POST', PATHS.clients, body)).status).toBe(201);
  });

  it('let the sender of a large body see the answer', async () => {
    const world = await within({ requestBytes: 1000 });
    expect((await world.send('POST', PATHS.clients, ' '.repeat(5_000_000))).status).toBe(413);
  });
});

describe('a sandbox that is asked under a name', () => {
  /** What a request brings that names another host than the one to which it goes. */
  async function ask(url: string, host: string, path: string = PATHS.list, method = 'GET') {
    const asked = request(url + path, { method, headers: { host } }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: JSON.parse(await text(answer)) as unknown };
  }
  const answered = { status: 200, body: [] };
  const refused = {
    status: 421,
    body: errorMessage(
      'The sandbox does not answer to this host. Use its own address, or allow the name with --allow-host.',
    ),
  };

  it('answers to its own', async () => {
    const { url } = await startWorld();
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]'])
      expect(await ask(url, `${host}:${port}`)).toEqual(answered);
  });

  it('answers to no other, whatever is asked', async () => {
    const { url } = await startWorld();
    const port = Number(new URL(url).port);
    for (const host of [
      ...[`rebound.example:${port}`, `127.0.0.1.rebound.example:${port}`, `localhost:${port + 1}`],
      ...['localhost', `localhost:${port}:${port}`, `rebound@localhost:${port}`],
    ])
      expect(await ask(url, host), host).toEqual(refused);
    expect(await ask(url, `rebound.example:${port}`, '/nothing')).toEqual(refused);
    expect(await ask(url, 'rebound.example', PATHS.list, 'POST')).toEqual(refused);
  });

  it('answers to further ones that it was given', async () => {
    const { url } = await startWorld({ allowHosts: ['Sandbox:8080', 'center'] });
    for (const host of ['sandbox:8080', 'center', 'CENTER:1234'])
      expect(await ask(url, host)).toEqual(answered);
    expect(await ask(url, 'sandbox:8081')).toEqual(refused);
  });

  it('answers to the address of the connection where it listens on all', async () => {
    const { url } = await startWorld({ host: '0.0.0.0' });
    const { port } = new URL(url);
    const direct = `http://127.0.0.2:${port}`;
    expect(await ask(direct, `127.0.0.2:${port}`)).toEqual(answered);
    expect(await ask(direct, `0.0.0.0:${port}`)).toEqual(answered);
    expect(await ask(direct, `127.0.0.3:${port}`)).toEqual(refused);
  });
});

describe('the end', () => {
  it('comes at once for connections that are only kept open, and may be asked for twice', async () => {
    const world = await startWorld();
    await world.have(1);
    const silent = connect(Number(new URL(world.url).port), '127.0.0.1');
    await once(silent, 'connect');
    await Promise.all([world.close(), world.close()]);
    await expect(fetch(world.url)).rejects.toThrow();
    silent.destroy();
  });

  it('waits for a request that is in flight', async () => {
    const world = await startWorld();
    const { host, port } = new URL(world.url);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const length = `content-length: ${oneClient.length}`;
    socket.write(`POST ${PATHS.clients} HTTP/1.1\r\nhost: ${host}\r\n${length}\r\n\r\n`);
    socket.write(oneClient.slice(0, 10));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = world.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.write(oneClient.slice(10));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('HTTP/1.1 201 Created');
    await closed;
  });

  it('frees the port, which is refused in plain words while it is taken', async () => {
    const first = await startWorld();
    const port = Number(new URL(first.url).port);
    const options = { installation: INSTALLATION, port, database: ':memory:' };
    const refused = await startSandbox(options).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UsageError);
    const told = `Port ${port} of 127.0.0.1 is taken; choose another one.`;
    expect(refused).toHaveProperty('message', told);
    await first.close();
    const second = await startSandbox(options);
    expect(second.url).toBe(first.url);
    await second.close();
  });
});
