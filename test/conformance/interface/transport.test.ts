import { describe, expect, it } from 'vitest';
import { expectRefusal, send, useCenter } from './center.js';
import { madeCampaign, newIdentifiers, paths, payload } from './made.js';

const center = useCenter();

describe('requests of any sound form', () => {
  it('JSON under another content type, or none', async () => {
    const body = () => JSON.stringify({ clients: [payload(newIdentifiers())] });
    const types = ['application/json; charset=utf-8', 'text/plain', 'application/octet-stream'];
    for (const type of types) {
      const answer = await send(center.url + paths.clients, 'POST', body(), {
        'content-type': type,
      });
      expect(answer.status, type).toBe(201);
    }
  });

  it('a JSON content type without a body, where no body is asked for', async () => {
    const { id } = await madeCampaign(center);
    const expected = { POST: 201, DELETE: 200, PUT: 200 };
    for (const [method, status] of Object.entries(expected)) {
      expect((await send(center.url + paths.campaign(id), method)).status, method).toBe(status);
    }
    const path = `${center.url}/api/v1/telemarketing/campaigns/${id}/remove.do`;
    expect((await send(path, 'DELETE')).status).toBe(200);
  });

  it('a body of 500 clients with long texts', async () => {
    const fields = { note: 'x'.repeat(3000) };
    const clients = Array.from({ length: 500 }, () => payload(newIdentifiers(), { fields }));
    const answer = await center.send('POST', paths.clients, { clients });
    expect(answer.status).toBe(201);
    expect(answer.text.match(/"Success"/g)).toHaveLength(500);
  });

  it('answers in JSON', async () => {
    const response = await fetch(center.url + paths.list(1));
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    await response.body?.cancel();
  });
});

describe('requests that are none', () => {
  it('broken JSON', async () => {
    expectRefusal(await center.send('POST', paths.clients, '{"clients": ['));
  });

  it.each(['null', '"text"', '[]', '5'])('a body of %s', async (body) => {
    for (const path of [paths.clients, paths.lookup, paths.campaigns, paths.callbacks]) {
      expectRefusal(await center.send('POST', path, body));
    }
  });

  it('no body where one is asked for', async () => {
    for (const path of [paths.clients, paths.lookup, paths.campaigns, paths.callbacks]) {
      expectRefusal(await send(center.url + path, 'POST'));
      expectRefusal(await center.send('POST', path));
    }
  });

  it('paths and methods that the interface lacks', async () => {
    expectRefusal(await center.send('GET', '/api/v1/nothing'));
    expectRefusal(await center.send('GET', '/api/v2/telemarketing/campaigns.do?limit=1'));
    expectRefusal(await center.send('PATCH', paths.clients, {}));
  });
});
