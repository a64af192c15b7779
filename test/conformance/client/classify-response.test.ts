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
import { tablesIn } from '../../kit/tables.js';

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

type Row = readonly [
  operation: OperationName | 'every',
  statuses: readonly number[],
  bodies: readonly string[],
  detail?: string | object,
];
type Kind = 'acknowledged' | 'read' | 'refused' | 'not authorized' | 'unknown';
const { later: LATER, ...ANSWERS } = tablesIn(import.meta.dirname, 'answers.yaml') as Readonly<
  Record<Kind, readonly Row[]>
> & { later: readonly (readonly [retryAfter?: string, ms?: number])[] };

function expectKind(kind: Kind, verdict: ClassifiedResponse, body: string, detail: Row[3]): void {
  const error = errorOf(verdict);
  if (kind === 'acknowledged') expect(verdict).toEqual({ value: undefined });
  else if (kind === 'read' && detail) expect(verdict).toMatchObject({ value: detail });
  else if (kind === 'read') expect(verdict).toEqual({ value: JSON.parse(body) as unknown });
  else if (kind === 'not authorized') expect(error).toBeInstanceOf(NotAuthorizedError);
  else if (kind === 'unknown') expect(error).toBeInstanceOf(OutcomeUnknownError);
  else {
    expect(error).toBeInstanceOf(RefusedError);
    if (detail) expect(error).toMatchObject({ errorMessage: detail });
  }
}

describe.each(Object.entries(ANSWERS) as [Kind, readonly Row[]][])('%s', (kind, rows) => {
  for (const [operation, statuses, bodies, detail] of rows)
    for (const name of operation === 'every' ? names : [operation])
      for (const status of statuses)
        it.each(bodies)(`${name}, ${status}: %j`, (body) => {
          const verdict = read(name, status, body);
          expectKind(kind, verdict, body, detail);
          if (kind === 'refused') expect(verdict).toMatchObject({ error: { status } });
        });
});

it.each(LATER)('a busy contact center asks to wait: %j', (...[retryAfter, retryAfterMs]) => {
  for (const status of [429, 503]) {
    const error = errorOf(
      read('addClients', status, html, { 'retry-after': retryAfter as string }),
    );
    expect(error).toBeInstanceOf(TryLaterError);
    expect(error).toHaveProperty('retryAfterMs', retryAfterMs);
  }
});

it('an answer may be compressed unasked, and has to be whole', () => {
  const classified = (name: OperationName, status: number, body: string | Buffer, how: string) =>
    classifyResponse(name, answer(status, body, { 'content-encoding': how }), NOW);
  expect(classified('addClients', 201, gzipSync(created), 'gzip')).toHaveProperty('value');
  expect(classified('addClients', 201, brotliCompressSync(created), 'br')).toHaveProperty('value');
  const cut = gzipSync('{"errorMessage":"No clients with identifiers: [offerId=7]"}').subarray(
    0,
    20,
  );
  for (const verdict of [
    classified('addClients', 201, 'no gzip', 'gzip'),
    ...[400, 404, 422].map((status) => classified('readClient', status, cut, 'gzip')),
    ...[400, 404, 422].map((status) => classified('listApplications', status, cut, 'gzip')),
  ])
    expect(errorOf(verdict)).toBeInstanceOf(OutcomeUnknownError);
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
