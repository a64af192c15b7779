import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContactCenter } from '../../src/client/contact-center.js';
import { loadInstallation } from '../../src/installation/load.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import type { Ended } from '../kit/cardline.js';
import { type Person, runAt } from './terminal.js';

const CENTER = `name: center
baseUrl: http://127.0.0.1:9
card:
  offerId: { type: Number, sync: true }
  offerDomain: { type: TextField, sync: true }
  fullName: { type: TextField, required: true }
  budget: { type: Number }
  comment: { type: TextField }
`;

let folder: string;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-init-'));
  await writeFile(at('center.yaml'), CENTER);
  const installation = await loadInstallation(at('center.yaml'));
  sandbox = await startSandbox({ installation, port: 0, database: ':memory:' });
  const center = createContactCenter({ ...installation, baseUrl: sandbox.url });
  const fields = { offerId: 7, offerDomain: '0012', fullName: 'Ann Secret', budget: 12.5 };
  const phones = [{ phoneNumber: '79160000000', type: 'MOB' as const }];
  await center.addClients({
    body: {
      clients: [
        {
          ...{ uuid: 'u', clientRoleId: 1, type: 'SIMPLE', timeZone: 'UTC', fields, phones },
          ...{ addresses: [], emails: [] },
        },
      ],
    },
  });
  await center.close();
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const init = (args: readonly string[], person?: Person): Promise<Ended> =>
  runAt(['init', ...args], person);

describe('with a client to read', () => {
  it('drafts a file that can be loaded, with the types that the contact center has', async () => {
    const ids = ['--id', 'offerId=7', '--id', 'offerDomain=0012'];
    const { code, stdout, stderr } = await init(
      ['--url', sandbox.url, ...ids, '--header', 'X-Tenant: ${TENANT}', '-o', at('read.yaml')],
      { env: { TENANT: 'secret-tenant' } },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Next: cardline doctor -i ${at('read.yaml')}`);
    const { card, baseUrl, headers } = await loadInstallation(at('read.yaml'));
    expect(baseUrl).toBe(sandbox.url);
    expect(headers).toEqual({ 'X-Tenant': '${TENANT}' });
    const types = Object.entries(card).map(([name, { type, sync }]) => [name, type, sync]);
    expect(types).toEqual([
      ['offerId', 'Number', true],
      ['offerDomain', 'TextField', true],
      ['fullName', 'TextField', false],
      ['budget', 'Number', false],
      ['comment', 'TextField', false],
    ]);
    const drafted = readFileSync(at('read.yaml'), 'utf8');
    expect(drafted).not.toMatch(/Secret|secret|12\.5|0012/);
    expect(drafted).toMatch(/comment: .* # Check the type/);
  });

  it.each([
    ['one identifier too few', ['--id', 'offerId=7'], /every synchronization identifier/],
    ['no such client', ['--id', 'offerId=8', '--id', 'offerDomain=a'], /No clients with/],
  ])('writes nothing for %s', async (_, ids, words) => {
    const { code, stderr } = await init(['--url', sandbox.url, ...ids, '-o', at('none.yaml')]);
    expect(code).toBe(64);
    expect(stderr).toMatch(words);
    expect(existsSync(at('none.yaml'))).toBe(false);
  });

  it('says when another server answers, and when none does', async () => {
    const page = createServer((_, response) => response.end('<title>Welcome</title>'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const args = ['--id', 'offerId=7', '-o', at('none.yaml')];
    const other = await init(['--url', url, ...args]);
    expect(other).toMatchObject({ code: 64, stdout: '' });
    expect(other.stderr).toMatch(/does not answer as a contact center does.*Check --url/s);
    await new Promise((resolve) => page.close(resolve));
    const none = await init(['--url', url, ...args]);
    expect(none).toMatchObject({ code: 3 });
    expect(none.stderr).toMatch(/refuses connections.*Nothing was done/s);
  });

  it('names the variable of the environment that is missing', async () => {
    const header = ['--header', 'Authorization: Bearer ${CC_TOKEN}'];
    const args = ['--url', sandbox.url, '--id', 'offerId=7', '-o', at('none.yaml')];
    const { code, stderr } = await init([...args, ...header]);
    expect(code).toBe(64);
    expect(stderr).toContain('needs CC_TOKEN from the environment');
  });
});

describe('without a client', () => {
  it('drafts the fields that are named, and asks nobody', async () => {
    const fields = ['--id', 'offerId', '--field', 'offerId:Number', '--field', 'fullName'];
    const args = ['--url', 'http://127.0.0.1:9', ...fields, '-o', at('named.yaml')];
    expect(await init(args)).toMatchObject({ code: 0 });
    const { card } = await loadInstallation(at('named.yaml'));
    expect(card).toMatchObject({
      offerId: { type: 'Number', sync: true },
      fullName: { type: 'TextField', sync: false },
    });
  });

  it('keeps a file that is there, unless it may be replaced', async () => {
    const args = ['--url', 'http://127.0.0.1:9', '--id', 'offerId', '-o', at('kept.yaml')];
    await writeFile(at('kept.yaml'), 'mine');
    const refused = await init(args);
    expect(refused).toMatchObject({ code: 64, stdout: '' });
    expect(refused.stderr).toMatch(/exists already.*--force/s);
    expect(readFileSync(at('kept.yaml'), 'utf8')).toBe('mine');
    const { code, stdout } = await init([...args, '--force']);
    expect(code).toBe(0);
    expect(stdout).toContain('kept.yaml: replaced');
  });

  it.each([
    ['a credential', ['--header', 'Authorization: Bearer abc123'], /must not stand in a file/],
    ['a password in the address', ['--url', 'https://u:p4ss@x'], /password/],
    ['an identifier without a name', ['--id', '=7'], /takes name=value/],
    ['one value of two', ['--id', 'a=1', '--id', 'b'], /b has no value/],
  ])('refuses %s', async (_, more, words) => {
    const args = ['--url', 'http://x', '--id', 'offerId', '-o', at('none.yaml'), ...more];
    const { code, stderr } = await init(args);
    expect(code).toBe(64);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/abc123|p4ss/);
  });
});

describe('what is not given', () => {
  it('is named where nobody can be asked', async () => {
    const { code, stderr } = await init(['-o', at('none.yaml')]);
    expect(code).toBe(64);
    expect(stderr).toContain('Missing: --url, --id.');
    expect((await init(['--url', 'http://x'])).stderr).toContain('Missing: --id.');
  });

  it('is asked for on a terminal, again after a mistake', async () => {
    const types = [
      ...['cc.example.com', sandbox.url, 'Authorization: hunter2', ''],
      ...['offerId=7', '=', 'budget:Number', 'offerDomain=0012', ''],
      ...['bonus:Numbr', 'bonus:Number', ''],
    ];
    const { code, stdout, stderr } = await init(['-o', at('asked.yaml')], { types });
    expect(code).toBe(0);
    expect(stdout).toContain('Address of the contact center');
    expect(stderr).toMatch(/not the address.*must not stand in a file.*takes name=value/s);
    expect(stderr).not.toContain('hunter2');
    expect(stderr).toMatch(/name=value, but got.*Give its type with --field.*"Numbr" is no type/s);
    const { card } = await loadInstallation(at('asked.yaml'));
    expect(Object.keys(card)).toHaveLength(6);
    expect(card['bonus']).toMatchObject({ type: 'Number' });
  });

  it('ends without a file when no answer comes', async () => {
    const { code, stderr } = await init(['-o', at('none.yaml')], { types: ['http://x'] });
    expect(code).toBe(3);
    expect(stderr).toContain('Nothing was done.');
    expect(existsSync(at('none.yaml'))).toBe(false);
  });
});
