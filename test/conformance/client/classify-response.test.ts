import fc from 'fast-check';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  readCreateAnswer,
  classifyResponse,
  type ClassifiedResponse,
} from '../../../src/client/classify-response.js';
import { operations, type OperationName } from '../../../src/contract/operations.js';
import {
  ContactCenterError,
  NotAuthorizedError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
} from '../../../src/core/errors.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const names = Object.keys(operations) as OperationName[];

const answer = (
  status: number,
  body: string | Buffer,
  headers: Answer['headers'] = {},
): Answer => ({
  status,
  headers,
  body: Buffer.from(body),
});
const read = (name: OperationName, status: number, body: string, headers?: Answer['headers']) =>
  classifyResponse(name, answer(status, body, headers), NOW);
const errorOf = (verdict: ClassifiedResponse): ContactCenterError | undefined =>
  'error' in verdict ? verdict.error : undefined;

const refused = '{"errorMessage":"TelemarketCampaign 7 not found"}';
const html = '<html><body>Sign in</body></html>';
const created = '{"createResult":[{"uuid":"a","result":"Success","createdClientId":1}]}';
const partial = '{"errors":[{"clientIdentifiers":{"offerId":7},"errorMessage":"No such client"}]}';

const createdValue: unknown = JSON.parse(created);
const partialValue: unknown = JSON.parse(partial);

describe('an acknowledgement', () => {
  it.each(['', ' \n', 'OK', '"OK"', 'Created', 'ok.', '{}', 'null', 'true', '[]', '{"id":7}'])(
    'may be %j',
    (body) => {
      expect(read('stopCampaign', 200, body)).toEqual({ value: undefined });
      expect(read('startCampaign', 204, body)).toEqual({ value: undefined });
    },
  );

  it.each([
    html,
    '{"ok":',
    'false',
    'Error',
    'Access denied',
    '{"error":"x"}',
    '{"errors":[]}',
    'a\nb',
  ])('is not %j', (body) => {
    expect(errorOf(read('stopCampaign', 200, body))).toBeInstanceOf(OutcomeUnknownError);
  });
});

describe('a success', () => {
  it('is known by its body, with 200 as with 201', () => {
    for (const status of [200, 201, 202]) {
      expect(read('addClients', status, created)).toEqual({ value: createdValue });
    }
  });

  it('is believed in spite of its status when no other body looks like it', () => {
    expect(read('addClients', 400, created)).toEqual({ value: createdValue });
    expect(errorOf(read('listApplications', 404, '[]'))).toBeInstanceOf(RefusedError);
    expect(errorOf(read('addApplications', 400, '{}'))).toBeInstanceOf(RefusedError);
  });

  it('may carry a null for what is absent', () => {
    const body =
      '{"createResult":[{"uuid":"a","result":"no","createdClientId":null}],"errorMessage":null}';
    expect(read('addClients', 201, body)).toMatchObject({
      value: { createResult: [{ uuid: 'a', result: 'no' }] },
    });
    expect(read('addApplications', 200, '{"errors":null}')).toHaveProperty('value');
  });

  it('is not a body of another form', () => {
    const wrong = ['', '{}', html, created.slice(0, -2), '{"createResult":[{"uuid":"a"}]}', '"OK"'];
    for (const body of wrong) {
      expect(errorOf(read('addClients', 201, body))).toBeInstanceOf(OutcomeUnknownError);
    }
    expect(errorOf(read('addApplications', 200, ''))).toBeInstanceOf(OutcomeUnknownError);
    expect(errorOf(read('listCampaigns', 200, '{}'))).toBeInstanceOf(OutcomeUnknownError);
  });

  it('may have a byte order mark, and be compressed unasked', () => {
    expect(read('addClients', 201, `\uFEFF${created}`)).toHaveProperty('value');
    const gzip = answer(201, gzipSync(created), { 'content-encoding': 'gzip' });
    const brotli = answer(201, brotliCompressSync(created), { 'content-encoding': 'br' });
    const broken = answer(201, 'no gzip', { 'content-encoding': 'gzip' });
    expect(classifyResponse('addClients', gzip, NOW)).toHaveProperty('value');
    expect(classifyResponse('addClients', brotli, NOW)).toHaveProperty('value');
    expect(errorOf(classifyResponse('addClients', broken, NOW))).toBeInstanceOf(
      OutcomeUnknownError,
    );
  });
});

describe('a refusal', () => {
  it.each(names)('of %s is read with any status', (name) => {
    for (const status of [200, 400, 404, 409, 422, 500]) {
      const error = errorOf(read(name, status, refused));
      expect(error).toBeInstanceOf(RefusedError);
      expect(error).toMatchObject({ errorMessage: 'TelemarketCampaign 7 not found', status });
    }
  });

  it('is a client error without words', () => {
    for (const body of ['', html, '{"message":"x"}', '{"errorMessage":7}']) {
      expect(errorOf(read('addClients', 404, body))).toMatchObject({ errorMessage: 'HTTP 404' });
    }
  });

  it('for lack of credentials is told apart', () => {
    for (const status of [401, 403]) {
      expect(errorOf(read('addClients', status, html))).toBeInstanceOf(NotAuthorizedError);
      expect(errorOf(read('addClients', status, refused))).toMatchObject({
        errorMessage: 'TelemarketCampaign 7 not found',
      });
    }
  });
});

describe('the refusals of 4.9', () => {
  it.each([200, 400, 404, 422, 500])('are read alike with %d', (status) => {
    expect(read('addApplications', status, partial)).toEqual({ value: partialValue });
  });

  it('leave the outcome unknown when they cannot be read', () => {
    for (const body of ['{"errors":"some"}', '{"errors":[{}]}']) {
      expect(errorOf(read('addApplications', 200, body))).toBeInstanceOf(OutcomeUnknownError);
      expect(errorOf(read('addApplications', 400, body))).toBeInstanceOf(OutcomeUnknownError);
    }
  });
});

describe('a busy contact center', () => {
  it.each([
    ['7', 7000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
    ['Thu, 01 Jan 2015 00:00:10 GMT', 0],
    ['-5', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('asks to wait %j', (header, retryAfterMs) => {
    for (const status of [429, 503]) {
      const error = errorOf(read('addClients', status, html, { 'retry-after': header }));
      expect(error).toBeInstanceOf(TryLaterError);
      expect(error).toHaveProperty('retryAfterMs', retryAfterMs);
    }
  });
});

describe('an unknown outcome', () => {
  it.each([
    [302, ''],
    [307, created],
    [408, ''],
    [500, html],
    [500, ''],
    [502, refused],
    [504, html],
  ])('follows from HTTP %d with %j', (status, body) => {
    expect(errorOf(read('addClients', status, body))).toBeInstanceOf(OutcomeUnknownError);
  });
});

describe('a lookup that is refused in a garbled answer', () => {
  const absent = '{"errorMessage":"No clients with identifiers: [offerId=7]"}';
  const short = absent.slice(0, -9);

  it.each(['readClient', 'listApplications'] as const)(
    'says nothing of the client (%s)',
    (name) => {
      for (const status of [400, 404, 422]) {
        for (const body of [short, '{', '[{"id":', '"No clients'])
          expect(errorOf(read(name, status, body))).toBeInstanceOf(OutcomeUnknownError);
        const packed = answer(status, gzipSync(absent).subarray(0, 20), {
          'content-encoding': 'gzip',
        });
        expect(errorOf(classifyResponse(name, packed, NOW))).toBeInstanceOf(OutcomeUnknownError);
      }
    },
  );

  it('is refused where the answer is whole, or never was JSON', () => {
    for (const body of [absent, html, '', '{"error":"x"}', 'Not found'])
      expect(errorOf(read('readClient', 404, body))).toBeInstanceOf(RefusedError);
  });

  it('is taken at its word where the operation changes something', () => {
    expect(errorOf(read('changeClient', 404, short))).toBeInstanceOf(RefusedError);
  });
});

const fragment = fc.oneof(
  fc.constantFrom(refused, html, created, partial, '', '{}', 'OK', '[]'),
  fc.json(),
  fc.string(),
);
const anyAnswer = fc.record({
  status: fc.oneof(fc.integer({ min: 100, max: 999 }), fc.constantFrom(200, 201, 400, 500, 503)),
  headers: fc.dictionary(
    fc.constantFrom('content-type', 'content-encoding', 'retry-after'),
    fc.oneof(fc.string(), fc.constantFrom('gzip', '3', 'text/html')),
  ),
  body: fc.oneof(
    fc.uint8Array(),
    fragment.map((text) => new TextEncoder().encode(text)),
  ),
});

it('is judged without throwing, whatever the answer', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), anyAnswer, (name, any) => {
      const verdict = classifyResponse(name, any, NOW);
      if ('error' in verdict) {
        expect(verdict.error).toBeInstanceOf(ContactCenterError);
        expect(verdict.error).toMatchObject({ operation: name, status: any.status });
      } else {
        expect(any.status).toBeGreaterThanOrEqual(200);
      }
    }),
    { numRuns: 3000 },
  );
});

it('never quotes a body but in a refusal', () => {
  const secret = '79161234567';
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.integer({ min: 100, max: 599 }),
      fc.string(),
      (name, status, text) => {
        const error = errorOf(read(name, status, `${text}${secret}`));
        expect(String(error?.message)).not.toContain(secret);
      },
    ),
  );
});

it('reads 4.1 by hand as the contract does', () => {
  const element = fc.record(
    {
      uuid: fc.oneof(fc.string(), fc.integer()),
      result: fc.oneof(fc.string(), fc.constant(null)),
      createdClientId: fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string(),
      ),
      other: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    fc.record({ createResult: fc.array(fc.oneof(element, fc.anything())) }),
    fc.record({ createResult: fc.array(fc.record({ uuid: fc.string(), result: fc.string() })) }),
    fc.anything(),
  );
  fc.assert(
    fc.property(body, (value) => {
      const { value: json } = JSON.parse(JSON.stringify({ value })) as { value?: unknown };
      const expected = operations.addClients.response.safeParse(json).success;
      expect(readCreateAnswer(json) !== undefined).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

describe('a long text of the contact center', () => {
  const long = 'x'.repeat(5000);
  const kept = `${'x'.repeat(4096)} … (5,000 characters)`;
  const elements = (result: string) => [{ uuid: 'a', result }];

  it.each([4095, 4096])('is kept whole with %i characters', (length) => {
    const createResult = elements('y'.repeat(length));
    const body = JSON.stringify({ createResult });
    expect(read('addClients', 201, body)).toEqual({ value: { createResult } });
  });

  it('is kept with its beginning and its length from there on, wherever it stands', () => {
    expect(read('addClients', 201, JSON.stringify({ createResult: elements(long) }))).toEqual({
      value: { createResult: elements(kept) },
    });
    const errors = (errorMessage: string) => [{ clientIdentifiers: { id: 1 }, errorMessage }];
    expect(read('addApplications', 200, JSON.stringify({ errors: errors(long) }))).toEqual({
      value: { errors: errors(kept) },
    });
    const refusal = read('deleteClient', 404, JSON.stringify({ errorMessage: long }));
    expect(errorOf(refusal)?.message).toBe(kept);
  });

  it('is not cut within a character', () => {
    const text = `${'x'.repeat(4095)}😀y`;
    expect(read('addClients', 201, JSON.stringify({ createResult: elements(text) }))).toEqual({
      value: { createResult: elements(`${'x'.repeat(4095)} … (4,098 characters)`) },
    });
  });
});
