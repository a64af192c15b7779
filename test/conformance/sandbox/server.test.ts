import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/errors.js';
import { startSandbox } from '../../../src/sandbox/sandbox.js';
import { client, CLIENTS, INSTALLATION, READ, startWorld, type Method } from './harness.js';

const within = (limits: object) => ({ installation: { ...INSTALLATION, limits } });

describe('requests that no operation takes', () => {
  it.each<[Method, string, number, string]>([
    ['GET', '/', 404, 'There is no such path.'],
    ['POST', '/api/v1/nothing.do', 404, 'There is no such path.'],
    ['POST', `${CLIENTS}/`, 404, 'There is no such path.'],
    ['GET', CLIENTS, 405, 'This path takes POST, PUT, DELETE only.'],
    ['DELETE', READ, 405, 'This path takes POST only.'],
    ['PUT', '/api/v1/telemarketing/campaigns/1/taskId.json?x=1', 405, 'This path takes GET only.'],
    [
      'GET',
      '/api/v1/telemarketing/campaigns/%zz/taskId.json',
      400,
      "'/api/v1/telemarketing/campaigns/%zz/taskId.json' is not a valid url component",
    ],
  ])('%s %s: %i', async (method, path, status, errorMessage) => {
    const world = await startWorld();
    const answer = await world.call(method, path);
    expect({ status: answer.status, body: answer.json }).toEqual({
      status,
      body: { errorMessage },
    });
  });

  it('name the methods that the path takes', async () => {
    const world = await startWorld();
    expect((await world.call('GET', CLIENTS)).headers.get('allow')).toBe('POST, PUT, DELETE');
  });
});

describe('bodies', () => {
  it.each([
    ['{"clients": [', 'The request body is not valid JSON.'],
    ['', 'The request body must be a JSON object.'],
    ['null', 'The request body must be a JSON object.'],
    ['"text"', 'The request body must be a JSON object.'],
  ])('%j is refused', async (body, errorMessage) => {
    const world = await startWorld();
    const answer = await world.send('POST', CLIENTS, body);
    expect({ status: answer.status, body: answer.json }).toEqual({
      status: 400,
      body: { errorMessage },
    });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'x/y', null])(
    'are JSON whatever the content type says: %j',
    async (type) => {
      const world = await startWorld();
      const { json } = await world.send(
        'POST',
        CLIENTS,
        JSON.stringify({ clients: [client(1)] }),
        type,
      );
      expect(json.createResult).toMatchObject([{ result: 'Success' }]);
    },
  );

  it('may be empty where none is needed, with a content type or without', async () => {
    const world = await startWorld();
    await world.haveCampaign();
    const path = '/api/v1/telemarketing/campaigns/1/progress.do';
    expect((await world.send('POST', path, '')).text).toBe('Created');
    expect((await world.call('DELETE', path)).json).toBe('OK');
  });
});

describe('limits of the installation', () => {
  it('refuse a request with too many clients whole', async () => {
    const world = await startWorld(within({ clientsPerRequest: 2 }));
    const refused = await world.addClients(client(1), client(2), client(3));
    expect(refused.status).toBe(413);
    expect(refused.json).toEqual({
      errorMessage: 'The request holds 3 clients; at most 2 are permitted.',
    });
    await world.haveClients(1, 2);
    await world.haveCampaign();
    expect((await world.enqueue(1, 1, 2, 3)).status).toBe(413);
    expect(await world.applications(1)).toEqual([]);
    expect((await world.enqueue(1, 1, 2)).status).toBe(200);
  });

  it('refuse a body of too many bytes, not characters', async () => {
    const body = JSON.stringify({
      clients: [client(1, { fields: { offerId: 1, fullName: 'Анна' } })],
    });
    const bytes = Buffer.byteLength(body);
    const tight = await startWorld(within({ requestBytes: bytes - 1 }));
    const refused = await tight.send('POST', CLIENTS, body);
    expect(refused.status).toBe(413);
    expect(refused.json).toEqual({
      errorMessage: `The request body is larger than ${bytes - 1} bytes.`,
    });
    const wide = await startWorld(within({ requestBytes: bytes }));
    expect((await wide.send('POST', CLIENTS, body)).status).toBe(201);
  });

  it('let the sender of a large body see the answer', async () => {
    const world = await startWorld(within({ requestBytes: 1000 }));
    const { status } = await world.send('POST', CLIENTS, ' '.repeat(5_000_000));
    expect(status).toBe(413);
  });
});

describe('the end', () => {
  it('comes at once for connections that are only kept open, and may be asked for twice', async () => {
    const world = await startWorld();
    await world.haveClients(1);
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
    const body = JSON.stringify({ clients: [client(1)] });
    socket.write(
      `POST ${CLIENTS} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.slice(0, 10));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = world.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.write(body.slice(10));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('HTTP/1.1 201 Created');
    await closed;
  });

  it('frees the port, which is refused in plain words while it is taken', async () => {
    const first = await startWorld();
    const options = {
      installation: INSTALLATION,
      port: Number(new URL(first.url).port),
      database: ':memory:',
    };
    const refusal = await startSandbox(options).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UsageError);
    expect(refusal).toHaveProperty(
      'message',
      `Port ${options.port} of 127.0.0.1 is taken; choose another one.`,
    );
    await first.close();
    const second = await startSandbox(options);
    expect(second.url).toBe(first.url);
    await second.close();
  });
});
