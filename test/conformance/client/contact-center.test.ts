import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ContactCenter } from '../../../src/client/contact-center.js';
import { InvalidInputError } from '../../../src/client/contact-center.js';
import { clientAt, clientOf, installationAt, rejection, serve, serveAnswer } from './servers.js';

const identifiers = { offerId: 7 };

describe('createContactCenter', () => {
  it('sends method, path, query, headers and body of the operation', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, body, response) => {
      const { host: _host, connection: _connection, ...headers } = request.headers;
      seen.push([request.method, request.url, headers, body === '' ? '' : JSON.parse(body)]);
      response.end(request.url?.includes('byClient') ? '[]' : '{}');
    });
    const center = clientAt(`${url}/base/`, { headers: { 'X-Tenant': 'seven' } });
    await center.deleteClient({ body: { syncIdentifiers: identifiers } });
    await center.listApplications({ query: { 'a b': 'x&y=ж', offerId: 7 } });
    await center.stopCampaign({ params: { campaignId: 7 } });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': expect.stringMatching(/^cardline\/\d/) as unknown,
      'x-tenant': 'seven',
    };
    const { 'content-type': _, ...bodiless } = headers;
    const [remove, list, stop] = seen;
    expect(remove).toEqual([
      'DELETE',
      '/base/api/v1/clients/exec.do',
      { ...headers, 'content-length': '33' },
      { syncIdentifiers: identifiers },
    ]);
    expect(list).toEqual([
      'GET',
      '/base/api/v1/tacs/byClientIdentifiers.json?a%20b=x%26y%3D%D0%B6&offerId=7',
      bodiless,
      '',
    ]);
    expect(stop).toEqual([
      'DELETE',
      '/base/api/v1/telemarketing/campaigns/7/progress.do',
      bodiless,
      '',
    ]);
  });

  it('adds what an installation wants beyond the interface', async () => {
    let seen: unknown;
    const url = await serve((request, body, response) => {
      seen = [request.url, JSON.parse(body)];
      response.end('{}');
    });
    const body = { syncIdentifiers: identifiers };
    const beyond = { query: { 're store': true }, body: { force: 'yes' } };
    await clientAt(url).deleteClient({ body }, { extras: beyond });
    expect(seen).toEqual(['/api/v1/clients/exec.do?re%20store=true', { ...body, force: 'yes' }]);
  });

  it('adds the fixed query of an operation', async () => {
    let path: string | undefined;
    const url = await serve((request, body, response) => {
      path = request.url;
      response.end(body);
    });
    const callback = {
      name: 'n',
      description: '',
      clientIdentifiers: identifiers,
      phone: '79990000001',
      campaignId: 1,
      operatorId: 2,
      callAt: '2030-01-01T10:00:00+03:00',
      callAutomatically: false,
      note: 'a field that the contract does not know',
    };
    expect(await clientAt(url).createCallback({ body: callback })).toEqual(callback);
    expect(path).toBe('/api/v1/callbacks/exec.do?type=tm');
  });

  it('checks the input before anything is sent, naming the path and never the value', async () => {
    const center = clientAt('http://127.0.0.1:1');
    const wrong = center.addPhone({
      body: { clientSyncIdentifiers: {}, phoneNumber: ' ', type: 'PAGER' as 'MOB' },
    });
    const error = await rejection(wrong);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect((error as InvalidInputError).issues.map(({ path }) => path)).toEqual([
      'body.clientSyncIdentifiers',
      'body.phoneNumber',
      'body.type',
    ]);
    expect(String(error)).not.toContain('PAGER');
    const query = await rejection(center.listCampaigns({ query: { limit: 101 } }));
    expect(String(query)).toContain('query.limit');
    const params = await rejection(center.stopCampaign({ params: { campaignId: 1.5 } }));
    expect(String(params)).toContain('params.campaignId');
  });

  it('sends a prepared body unchecked, byte for byte', async () => {
    let received: string | undefined;
    const url = await serve((_request, body, response) => {
      received = body;
      response.writeHead(201).end('{"createResult":[]}');
    });
    const center = clientAt(url);
    const bytes = new TextEncoder().encode('--{"clients": "whatever"}--').subarray(2, -2);
    expect(await center.sendPrepared('addClients', {}, bytes)).toEqual({ createResult: [] });
    expect(received).toBe('{"clients": "whatever"}');
  });

  it('tells of every answer', async () => {
    const events: unknown[] = [];
    const center = clientOf(installationAt(await serveAnswer(500, '{"errorMessage":"no"}')), {
      onAnswer: (event) => events.push(event),
    });
    await rejection(center.deleteCampaign({ params: { campaignId: 7 } }));
    const milliseconds = expect.any(Number) as unknown;
    expect(events).toEqual([
      {
        ...{ operation: 'deleteCampaign', status: 500, milliseconds, answerBytes: 21 },
        date: expect.stringMatching(/GMT$/) as unknown,
      },
    ]);
  });

  it('derives the types of input and output', () => {
    expectTypeOf<ContactCenter['stopCampaign']>()
      .parameter(0)
      .toEqualTypeOf<Record<'params', { campaignId: number }>>();
    expectTypeOf<ContactCenter['stopCampaign']>().returns.resolves.toEqualTypeOf<undefined>();
    expectTypeOf<ContactCenter['campaignTask']>()
      .returns.resolves.toHaveProperty('taskId')
      .toEqualTypeOf<number>();
    expectTypeOf<ContactCenter['addPhone']>().parameter(0).toExtend<{
      body: { phoneNumber: string; type: 'MOB' | 'HOME' | 'WORK' | 'FAX' };
    }>();
    expectTypeOf<ContactCenter['listCampaigns']>()
      .parameter(0)
      .toEqualTypeOf<Record<'query', { limit: number; offset?: number | undefined }>>();
    // @ts-expect-error a campaign is named by a number
    expectTypeOf<ContactCenter['stopCampaign']>().toBeCallableWith({ params: { campaignId: '7' } });
  });
});
