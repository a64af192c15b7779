import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadInstallation } from '../../../src/installation/load.js';
import { faultsOf, fileOf } from '../files.js';

const MINIMAL = `name: demo
baseUrl: https://cc.example/base//
card:
  id: { type: Number, sync: true }
`;

const load = async (text: string) => loadInstallation(await fileOf(text, 'installation.yaml'));
const faults = (text: string) => faultsOf(() => load(text));

test('what is left out is filled in', async () => {
  expect(await load(MINIMAL)).toEqual({
    name: 'demo',
    baseUrl: 'https://cc.example/base',
    headers: {},
    card: { id: { type: 'Number', sync: true, required: false } },
    limits: {},
    transport: { timeoutMs: 60_000, responseBytes: 67_108_864 },
    sandbox: { blacklist: [] },
  });
});

test('a mapping in its place is named as one', async () => {
  expect(await faults('client: { clientRoleId: { value: 1 } }\n')).toEqual([
    {
      message: 'this is a mapping, not an installation file.',
      suggestion: 'Give it with -m, and the installation file with -i.',
    },
  ]);
});

test('files of the transport are taken from the folder of the installation', async () => {
  const file = await fileOf(
    `${MINIMAL}transport: { caFile: ca.pem, certFile: tls/c.pem, keyFile: /etc/k.pem, proxy: "http://proxy:3128", timeoutMs: 5000 }\n`,
  );
  const { transport } = await loadInstallation(file);
  expect(transport).toEqual({
    caFile: join(dirname(file), 'ca.pem'),
    certFile: join(dirname(file), 'tls/c.pem'),
    keyFile: '/etc/k.pem',
    proxy: 'http://proxy:3128',
    timeoutMs: 5000,
    responseBytes: 67_108_864,
  });
});

test('the time that a contact center works on a lost request may be nothing, but not less', async () => {
  const transportOf = (ms: number): string => `${MINIMAL}transport: { serverDeadlineMs: ${ms} }\n`;
  expect((await load(transportOf(0))).transport.serverDeadlineMs).toBe(0);
  expect((await load(transportOf(500))).transport.serverDeadlineMs).toBe(500);
  await expect(load(transportOf(-1))).rejects.toThrow(/serverDeadlineMs/);
});

test('JSON is read too, indented with tabs', async () => {
  const json = JSON.stringify(
    { name: 'a', baseUrl: 'http://b', card: { id: { type: 'Number', sync: true } } },
    null,
    '\t',
  );
  expect((await load(json)).name).toBe('a');
});

test('numbers among the values of a ComboBox are text', async () => {
  const { card } = await load(`${MINIMAL}  grade: { type: ComboBox, values: [1, two] }\n`);
  expect(card['grade']?.values).toEqual(['1', 'two']);
});

test('a contact center has its own way to restore deleted clients', async () => {
  const { recovery } = await load(`${MINIMAL}recovery: { in: query, name: restore, value: 1 }\n`);
  expect(recovery).toEqual({ in: 'query', name: 'restore', value: 1 });
  expect((await load(`${MINIMAL}recovery: { in: client }\n`)).recovery).toEqual({
    in: 'client',
    name: 'recovery',
    value: true,
  });
});

test('the permitted hours are a time of every day, in a time zone', async () => {
  const { limits } = await load(
    `${MINIMAL}limits: { concurrency: 2, hours: 20:00-06:00 Europe/Moscow }\n`,
  );
  expect(limits).toEqual({ concurrency: 2, hours: { from: 1200, to: 360, zone: 'Europe/Moscow' } });
});

describe('faults', () => {
  test('of the permitted hours say what is wrong, and where', async () => {
    expect(await faults(`${MINIMAL}limits: { hours: 8pm-6am }\n`)).toEqual([
      {
        line: 5,
        column: 18,
        path: 'limits.hours',
        message: 'these are no hours. Write them like "20:00-06:00 Europe/Moscow".',
      },
    ]);
    expect((await faults(`${MINIMAL}limits: { hours: 08:00-20:00 Mars }\n`))[0]?.message).toBe(
      '"Mars" is no time zone. Use an IANA name, such as Europe/Moscow.',
    );
  });

  test('are told all at once, each with its place', async () => {
    expect(
      await faults(`name: demo
baseURL: https://cc.example
card:
  id: { type: Numbr, sync: yes }
limits: { concurrency: 0 }
`),
    ).toEqual([
      {
        line: 1,
        column: 1,
        path: 'baseUrl',
        message: 'this is required.',
        suggestion: 'Add a text.',
      },
      {
        line: 2,
        column: 1,
        path: 'baseURL',
        message: '"baseURL" is not known here.',
        suggestion: 'Did you mean "baseUrl"?',
      },
      {
        line: 4,
        column: 15,
        path: 'card.id.type',
        message: 'it must be one of Number, TextField, ComboBox, StatusField.',
        suggestion: 'Did you mean "Number"?',
      },
      { line: 4, column: 28, path: 'card.id.sync', message: 'it must be true or false.' },
      {
        line: 5,
        column: 24,
        path: 'limits.concurrency',
        message: 'it must be at least 1.',
      },
    ]);
  });

  test('a limit that would permit nothing', async () => {
    expect(await faults(`${MINIMAL}limits: { requestsPerSecond: 0 }\n`)).toEqual([
      { line: 5, column: 30, path: 'limits.requestsPerSecond', message: 'it must be more than 0.' },
    ]);
  });

  test.each([
    [
      'ftp://cc.example',
      'this is not the address of a contact center. It begins with http:// or https://.',
    ],
    ['http://u:secret@cc.example', 'the address must not hold "?", "#" or a password.'],
    ['http://cc.example/?a=1', 'the address must not hold "?", "#" or a password.'],
  ])('an address such as %s', async (address, message) => {
    expect(await faults(MINIMAL.replace('https://cc.example/base//', address))).toEqual([
      { line: 2, column: 10, path: 'baseUrl', message },
    ]);
  });

  test('a card without a synchronization identifier', async () => {
    expect(await faults(MINIMAL.replace('sync: true', 'sync: false'))).toEqual([
      {
        line: 3,
        column: 1,
        path: 'card',
        message:
          'no field is a synchronization identifier. Add "sync: true" to the fields that identify a client.',
      },
    ]);
  });

  test('headers that would break a request', async () => {
    const found = await faults(
      `${MINIMAL}headers: { "X Y": a, Good: "a\\r\\nEvil: b", Ok: Привет }\n`,
    );
    expect(found.map(({ path, line }) => [path, line])).toEqual([
      ['headers.X Y', 5],
      ['headers.Good', 5],
      ['headers.Ok', 5],
    ]);
  });

  test('a certificate without its key', async () => {
    expect(await faults(`${MINIMAL}transport: { certFile: a.pem }\n`)).toMatchObject([
      { line: 5, message: '"certFile" and "keyFile" belong together.' },
    ]);
  });

  test('values of a field that has none', async () => {
    expect(await faults(`${MINIMAL}  a: { type: TextField, values: [x] }\n`)).toMatchObject([
      { line: 5, path: 'card.a', message: 'only a ComboBox or StatusField has "values".' },
    ]);
  });

  test('a field name that would reach into the object', async () => {
    expect(await faults(`${MINIMAL}  __proto__: { type: TextField }\n`)).toEqual([
      { line: 5, column: 3, path: '__proto__', message: 'this name cannot be used.' },
    ]);
  });
});
