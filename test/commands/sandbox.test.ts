import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardline, printed, startCardline } from '../kit/cardline.js';

const ready = /^Sandbox listening on (http:\/\/127\.0\.0\.1:\d+)\n/;
let folder: string;
let installation: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-test-'));
  installation = join(folder, 'installation.yaml');
  await writeFile(
    installation,
    `name: test
baseUrl: http://127.0.0.1:9
card:
  offerId: { type: Number, sync: true }
`,
  );
});

afterAll(() => rm(folder, { recursive: true }));

const start = async (...options: string[]) => {
  const running = startCardline(['sandbox', '-i', installation, '--port', '0', ...options]);
  const [, url = ''] = await printed(running, ready);
  return { ...running, url };
};

const campaigns = async (url: string): Promise<unknown> =>
  (await fetch(`${url}/api/v1/telemarketing/campaigns.do?limit=10`)).json();

describe('cardline sandbox', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('answers, and ends well on %s', async (signal) => {
    const { url, child, ended } = await start('--db', ':memory:');
    expect(await campaigns(url)).toEqual([]);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('keeps what it holds in its file', async () => {
    const database = join(folder, 'kept.db');
    const first = await start('--db', database);
    const body = JSON.stringify({
      name: 'Autumn',
      typeProcessing: 'OPERATOR',
      callingMode: 'PROGRESSIVE_NEW',
      callingSearchSpaceId: 1,
      callStatusRuleProcessorId: 1,
    });
    const headers = { 'content-type': 'application/json' };
    const path = '/api/v1/telemarketing/campaigns/progress.do';
    expect((await fetch(first.url + path, { method: 'POST', headers, body })).status).toBe(200);
    first.child.kill('SIGTERM');
    await first.ended;
    const second = await start('--db', database);
    expect(await campaigns(second.url)).toMatchObject([{ name: 'Autumn' }]);
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  });

  it('says so when the port is taken', async () => {
    const { url, child, ended } = await start('--db', ':memory:');
    const { port } = new URL(url);
    const second = await cardline([
      'sandbox',
      '-i',
      installation,
      '--port',
      port,
      '--db',
      ':memory:',
    ]);
    expect(second.code).toBe(64);
    expect(second.stdout).toBe('');
    expect(second.stderr).toContain(port);
    child.kill('SIGTERM');
    await ended;
  });

  it('says so when there is no such address or installation', async () => {
    const options = ['--port', '0', '--db', ':memory:'];
    const elsewhere = ['sandbox', '-i', installation, '--host', '192.0.2.1', ...options];
    expect(await cardline(elsewhere)).toMatchObject({ code: 64, stdout: '' });
    const missing = await cardline(['sandbox', '-i', 'missing.yaml', ...options]);
    expect(missing.code).toBe(64);
    expect(missing.stderr).toContain('missing.yaml: there is no such file');
  });
});
