import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContactCenter } from '../../src/client/contact-center.js';
import { loadInstallation } from '../../src/installation/installation.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import { serveAnswer } from '../conformance/client/servers.js';
import type { Ended } from '../kit/cardline.js';
import { wordsIn } from '../kit/words.js';
import { useFolder } from './folder.js';
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

const { at, read, write } = useFolder({ 'center.yaml': CENTER });
let sandbox: Awaited<ReturnType<typeof startSandbox>>;

beforeAll(async () => {
  const installation = await loadInstallation(at('center.yaml'));
  sandbox = await startSandbox({ installation, port: 0, database: ':memory:' });
  const center = createContactCenter({ ...installation, baseUrl: sandbox.url });
  const client = {
    ...({ uuid: 'u', clientRoleId: 1, type: 'SIMPLE', timeZone: 'UTC' } as const),
    fields: { offerId: 7, offerDomain: '0012', fullName: 'Ann Secret', budget: 12.5 },
    phones: [{ phoneNumber: '79160000000', type: 'MOB' as const }],
    ...{ addresses: [], emails: [] },
  };
  await center.addClients({ body: { clients: [client] } });
  await center.close();
});
afterAll(() => sandbox.close());

/** Runs it. Files of the line are those of the folder; SANDBOX is its address. */
const init = (line: string, person?: Person): Promise<Ended> => {
  const args = wordsIn(line.replace('SANDBOX', `--url ${sandbox.url}`));
  return runAt(['init', ...args.map((word) => (word.endsWith('.yaml') ? at(word) : word))], person);
};

describe('with a client to read', () => {
  it('drafts a file that can be loaded, with the types that the contact center has', async () => {
    const ids = '--id offerId=7 --id offerDomain=0012';
    const { code, stdout, stderr } = await init(
      `SANDBOX ${ids} --header 'X-Tenant: \${TENANT}' -o read.yaml`,
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
    const drafted = await read('read.yaml');
    expect(drafted).not.toMatch(/Secret|secret|12\.5|0012/);
    expect(drafted).toMatch(/comment: .* # Check the type/);
  });

  it.each([
    ['one identifier too few', '--id offerId=7', /every synchronization identifier/],
    ['no such client', '--id offerId=8 --id offerDomain=a', /No clients with/],
    [
      ...(['a variable that is not set', "--id offerId=7 --header 'A: ${CC_TOKEN}'"] as const),
      /needs CC_TOKEN from the environment/,
    ],
  ])('writes nothing for %s', async (_, more, words) => {
    const { code, stderr } = await init(`SANDBOX ${more} -o none.yaml`);
    expect(code).toBe(64);
    expect(stderr).toMatch(words);
    expect(existsSync(at('none.yaml'))).toBe(false);
  });

  it('says when another server answers, and when none does', async () => {
    const url = await serveAnswer(200, '<title>Welcome</title>');
    const args = '--id offerId=7 -o none.yaml';
    const other = await init(`--url ${url} ${args}`);
    expect(other).toMatchObject({ code: 64, stdout: '' });
    expect(other.stderr).toMatch(/does not answer as a contact center does.*Check --url/s);
    const none = await init(`--url http://127.0.0.1:9 ${args}`);
    expect(none).toMatchObject({ code: 3 });
    expect(none.stderr).toMatch(/refuses connections.*Nothing was done/s);
  });
});

describe('without a client', () => {
  it('drafts the fields that are named, and asks nobody', async () => {
    const fields = '--id offerId --field offerId:Number --field fullName';
    const ended = await init(`--url http://127.0.0.1:9 ${fields} -o named.yaml`);
    expect(ended).toMatchObject({ code: 0 });
    const { card } = await loadInstallation(at('named.yaml'));
    expect(card).toMatchObject({
      offerId: { type: 'Number', sync: true },
      fullName: { type: 'TextField', sync: false },
    });
  });

  it('keeps a file that is there, unless it may be replaced', async () => {
    const args = '--url http://127.0.0.1:9 --id offerId -o kept.yaml';
    await write('kept.yaml', 'mine');
    const refused = await init(args);
    expect(refused).toMatchObject({ code: 64, stdout: '' });
    expect(refused.stderr).toMatch(/exists already.*--force/s);
    expect(await read('kept.yaml')).toBe('mine');
    const { code, stdout } = await init(`${args} --force`);
    expect(code).toBe(0);
    expect(stdout).toContain('kept.yaml: replaced');
  });

  it.each([
    ['a credential', "--header 'Authorization: Bearer abc123'", /must not stand in a file/],
    ['a password in the address', '--url https://u:p4ss@x', /password/],
    ['an identifier without a name', '--id =7', /takes name=value/],
    ['one value of two', '--id a=1 --id b', /b has no value/],
  ])('refuses %s', async (_, more, words) => {
    const { code, stderr } = await init(`--url http://x --id offerId -o none.yaml ${more}`);
    expect(code).toBe(64);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/abc123|p4ss/);
  });
});

describe('what is not given', () => {
  it('is named where nobody can be asked', async () => {
    const { code, stderr } = await init('-o none.yaml');
    expect(code).toBe(64);
    expect(stderr).toContain('Missing: --url, --id.');
    expect((await init('--url http://x')).stderr).toContain('Missing: --id.');
  });

  it('is asked for on a terminal, again after a mistake', async () => {
    const types = [
      ...['cc.example.com', sandbox.url, 'Authorization: hunter2', ''],
      ...['offerId=7', '=', 'budget:Number', 'offerDomain=0012', ''],
      ...['bonus:Numbr', 'bonus:Number', ''],
    ];
    const { code, stdout, stderr } = await init('-o asked.yaml', { types });
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
    const { code, stderr } = await init('-o none.yaml', { types: ['http://x'] });
    expect(code).toBe(3);
    expect(stderr).toContain('Nothing was done.');
    expect(existsSync(at('none.yaml'))).toBe(false);
  });
});
