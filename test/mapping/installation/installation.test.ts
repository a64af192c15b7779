import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadInstallation } from '../../../src/installation/installation.js';
import { fileOf } from '../files.js';

const MINIMAL = `name: demo
baseUrl: https://cc.example/base//
card:
  id: { type: Number, sync: true }
`;

const load = async (text: string) => loadInstallation(await fileOf(text, 'installation.yaml'));

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
