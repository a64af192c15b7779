import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { printed, root, startCardline } from '../../kit/cardline.js';
import { startWorld } from './harness.js';

const LIST = '/api/v1/telemarketing/campaigns.do?limit=10';

/** What a request brings that names another host than the one to which it goes. */
async function ask(url: string, host: string, path = LIST, method = 'GET') {
  const asked = request(url + path, { method, headers: { host } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const body = JSON.parse(await text(answer)) as unknown;
  return { status: answer.statusCode, body };
}

const refused = {
  status: 421,
  body: {
    errorMessage:
      'The sandbox does not answer to this host. Use its own address, or allow the name with --allow-host.',
  },
};

describe('a sandbox that is asked under a name', () => {
  it('answers to its own', async () => {
    const { url } = await startWorld();
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]'])
      expect(await ask(url, `${host}:${port}`)).toEqual({ status: 200, body: [] });
  });

  it('answers to no other, whatever is asked', async () => {
    const { url } = await startWorld();
    const { port } = new URL(url);
    for (const host of [
      `rebound.example:${port}`,
      `127.0.0.1.rebound.example:${port}`,
      `localhost:${Number(port) + 1}`,
      'localhost',
      `localhost:${port}:${port}`,
      `rebound@localhost:${port}`,
    ])
      expect(await ask(url, host)).toEqual(refused);
    expect(await ask(url, `rebound.example:${port}`, '/nothing')).toEqual(refused);
    const made = await ask(url, 'rebound.example', LIST, 'POST');
    expect(made).toEqual(refused);
  });

  it('answers to further ones that it was given', async () => {
    const { url } = await startWorld({ allowHosts: ['Sandbox:8080', 'center'] });
    for (const host of ['sandbox:8080', 'center', 'CENTER:1234'])
      expect(await ask(url, host)).toEqual({ status: 200, body: [] });
    expect(await ask(url, 'sandbox:8081')).toEqual(refused);
  });

  it('answers to the address of the connection where it listens on all', async () => {
    const { url } = await startWorld({ host: '0.0.0.0' });
    const { port } = new URL(url);
    const direct = `http://127.0.0.2:${port}`;
    expect(await ask(direct, `127.0.0.2:${port}`)).toEqual({ status: 200, body: [] });
    expect(await ask(direct, `0.0.0.0:${port}`)).toEqual({ status: 200, body: [] });
    expect(await ask(direct, `127.0.0.3:${port}`)).toEqual(refused);
  });
});

it('the command takes further names', async () => {
  const options = ['--port', '0', '--db', ':memory:', '--allow-host', 'center:1'];
  const running = startCardline([
    'sandbox',
    '-i',
    `${root}mappings/installation.yaml`,
    ...options,
    '--allow-host',
    'other',
  ]);
  const [, url = ''] = await printed(running, /listening on (\S+)\n/);
  try {
    expect((await ask(url, 'center:1')).status).toBe(200);
    expect((await ask(url, 'other')).status).toBe(200);
    expect(await ask(url, 'rebound.example')).toEqual(refused);
  } finally {
    running.child.kill('SIGTERM');
    await running.ended;
  }
});
