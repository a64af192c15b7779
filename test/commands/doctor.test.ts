import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.js';
import { locksOf } from '../../src/ledger/sqlite-files.js';
import { CHECKS } from '../../src/setup/doctor.js';
import { serve, serveAnswer } from '../conformance/client/servers.js';
import { startContactCenter, type StandIn } from '../kit/contact-center.js';
import { wordsIn } from '../kit/words.js';
import { useFolder } from './folder.js';
import { runAt } from './terminal.js';

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { offerId: Id, fullName: Name }
  phones: [{ column: Phone, type: MOB }]
`;
const { at, write } = useFolder({
  'mapping.yaml': MAPPING,
  'wrong.yaml': MAPPING.replace('fullName', 'fulName'),
  'leads.csv': 'Id,Name,Phone\n1,Ann,79160000001\n',
  'short.csv': 'Id,Name\n1,Ann\n',
  'empty.csv': 'Id,Name,Phone\n',
});
let center: StandIn;
beforeAll(async () => {
  center = await startContactCenter({
    card: { offerId: 'sync', fullName: 'optional' },
    campaigns: { 41: 'Spring', 42: 'Autumn leads' },
  });
  await write('center.yaml', installationAt(center.url));
});
afterAll(() => center.close());

const CARD = 'card: { offerId: { type: Number, sync: true }, fullName: { type: TextField } }\n';
const BEARER = (name: string): string => `headers: { Authorization: 'Bearer \${${name}}' }\n`;
const installationAt = (baseUrl: string, more = ''): string =>
  `name: test\nbaseUrl: ${baseUrl}\nledger: ${at('ledger.db')}\n${CARD}${more}`;

/** Files of the line are those of the folder. */
const doctor = (line: string) => {
  const args = wordsIn(line).map((word) => (/\.(yaml|csv|db)$/.test(word) ? at(word) : word));
  return runAt(['doctor', ...args], { env: { CC_TOKEN: 'very-secret' } });
};

/** The state of each check, as JSON has it. */
async function states(line: string) {
  const { code, stdout, stderr } = await doctor(`${line} --json`);
  expect(stderr).toBe('');
  expect(stdout).not.toContain('very-secret');
  const { exitCode, checks } = JSON.parse(stdout) as {
    exitCode: number;
    checks: { check: string; state: string; text: string }[];
  };
  expect(code).toBe(exitCode);
  const find = (name: string) => checks.find(({ check }) => check === name);
  return {
    ...{ code, checks, state: (name: string) => find(name)?.state },
    text: (name: string) => find(name)?.text ?? '',
  };
}

/** Observations for an installation of this text. */
async function installed(text: string, line = '') {
  await write('other.yaml', text);
  return states(`-i other.yaml ${line}`);
}
/** For one whose contact center always answers so. */
const answered = async (...answer: Parameters<typeof serveAnswer>) =>
  installed(installationAt(await serveAnswer(...answer)));

describe('where all is in order', () => {
  it('has one line for each check, in their order, and the next command', async () => {
    const { code, stdout, stderr } = await doctor(
      'leads.csv -m mapping.yaml -i center.yaml --campaign 42',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [lines = '', summary = '', next = ''] = stdout.split('\n\n');
    const words = lines.split('\n').map((line) => line.split(/ +/).slice(0, 2));
    expect(words).toEqual(CHECKS.map((check) => ['ok', check]));
    expect(summary).toBe('Everything that was checked is in order.');
    expect(next).toBe(
      `Next: cardline import ${at('leads.csv')} -m ${at('mapping.yaml')} -i ${at('center.yaml')} --dry-run --campaign 42\n`,
    );
  });

  it('only reads: it asks for campaigns, and makes no file', async () => {
    const { state } = await states("-i center.yaml --campaign 'Autumn leads'");
    expect(state('campaign')).toBe('ok');
    expect(new Set(center.requests.map(({ operation }) => operation))).toEqual(new Set(['4.19']));
    expect(center.violations).toEqual([]);
    expect(readdirSync(at()).filter((name) => name.startsWith('ledger.db'))).toEqual([]);
  });

  it('leaves out what was not given', async () => {
    const { checks } = await states('-i center.yaml');
    const left = CHECKS.filter((name) => !['mapping', 'file', 'campaign'].includes(name));
    expect(checks.map(({ check }) => check)).toEqual(left);
  });
});

describe('files that have to be mended end with 64', () => {
  it('names what is wrong in all of them at once', async () => {
    const found = await states('leads.csv -m wrong.yaml -i center.yaml');
    expect(found.code).toBe(64);
    expect(found.text('mapping')).toMatch(/no field "fulName".*Did you mean "fullName"/s);
    expect(found.state('file')).toBe('warning');
    expect(found.state('credentials')).toBe('ok');
  });

  it('says which checks an installation that cannot be read stands in the way of', async () => {
    const { code, checks } = await installed('name: test\n', '-m mapping.yaml leads.csv');
    expect(code).toBe(64);
    const by = (state: string) =>
      checks.filter((one) => one.state === state).map(({ check }) => check);
    expect(by('failed')).toEqual(['installation']);
    expect(by('warning')).toEqual(['mapping']);
    expect(by('ok')).toEqual(['file']);
    const texts = checks.filter(({ state }) => state === 'skipped').map(({ text }) => text);
    expect(new Set(texts)).toEqual(new Set(['not checked, because of "installation"']));
  });

  it('names columns that the file lacks', async () => {
    const found = await states('short.csv -m mapping.yaml -i center.yaml');
    expect(found.code).toBe(64);
    expect(found.text('file')).toContain('has no column "Phone"');
  });

  it('warns of a file without data rows', async () => {
    for (const mapping of ['-m mapping.yaml', '']) {
      const { code, state } = await states(`empty.csv ${mapping} -i center.yaml`);
      expect([code, state('file')]).toEqual([0, 'warning']);
    }
  });

  it('knows another server by its answer, and where a redirect points', async () => {
    const other = await answered(200, '<title>Welcome</title>');
    expect(other.code).toBe(64);
    expect(other.text('path')).toMatch(/"Welcome".*Check the path in baseUrl/s);
    expect(other.text('credentials')).toBe('not checked, because of "path"');
    const moved = await answered(302, '', { location: 'https://sso.example.com/login?x=1' });
    expect(moved.text('path')).toContain('points to https://sso.example.com/login');
  });

  it('names variables that are not set', async () => {
    const found = await installed(installationAt(center.url, BEARER('CC_MISSING')));
    expect(found.code).toBe(64);
    expect(found.text('environment')).toContain('CC_MISSING');
    expect(found.text('path')).toBe('not checked, because of "environment"');
  });

  it('names a campaign that is not there, or that a mode lacks', async () => {
    const unknown = await states('-i center.yaml --campaign 7');
    expect(unknown.code).toBe(64);
    expect(unknown.text('campaign')).toContain('no campaign 7');
    const near = await states("-i center.yaml --campaign 'Autumn lead'");
    expect(near.text('campaign')).toContain('Did you mean "Autumn leads"?');
    const mode = await states('-i center.yaml -m mapping.yaml --mode enqueue');
    expect(mode.text('campaign')).toContain('needs a campaign');
  });

  it('refuses a ledger that is something else', async () => {
    const found = await states('-i center.yaml --ledger leads.csv');
    expect(found.code).toBe(64);
    expect(found.text('ledger')).toContain('not a ledger');
  });
});

describe('what the contact center or the machine stands in the way of ends with 3', () => {
  it('a server that is down', async () => {
    const found = await installed(installationAt('http://127.0.0.1:9'));
    expect(found.code).toBe(3);
    expect(found.text('connection')).toMatch(/^http.*refuses connections.*\(ECONNREFUSED\)\.$/);
    for (const name of ['path', 'credentials', 'clock'])
      expect(found.text(name)).toBe('not checked, because of "connection"');
  });

  it('a name that leads nowhere', async () => {
    const found = await installed(installationAt('http://no-such-host.invalid'));
    expect(found.code).toBe(3);
    expect(found.text('address')).toContain('no-such-host.invalid cannot be looked up');
    expect(found.state('connection')).toBe('skipped');
  });

  it('credentials that are not taken, though the clock is compared', async () => {
    const refusing = await serveAnswer(401, '{"errorMessage":"no"}');
    const text = installationAt(refusing, BEARER('CC_TOKEN'));
    const found = await installed(text, '--campaign 42');
    expect(found.code).toBe(3);
    expect(found.text('environment')).toBe('CC_TOKEN: set');
    expect(found.text('credentials')).toContain('not taken (HTTP 401; sent in Authorization)');
    expect(found.state('clock')).toBe('ok');
    expect(found.text('campaign')).toBe('not checked, because of "credentials"');
  });

  it('an account that may not list campaigns is warned of', async () => {
    const found = await answered(400, '{"errorMessage":"Not for you"}');
    expect(found.code).toBe(0);
    expect(found.text('credentials')).toContain('Not for you');
    expect(found.state('credentials')).toBe('warning');
  });

  it.each([
    [503, 'busy'],
    [502, 'gateway'],
    [500, 'Broken'],
  ])('an answer of HTTP %d', async (status, words) => {
    const found = await answered(status, '{"errorMessage":"Broken"}');
    expect(found.code).toBe(3);
    expect(found.text('path')).toContain(words);
  });

  it.each([
    [-3600_000, 3, 'failed', /ahead of/],
    [30_000, 0, 'warning', /30 s behind|29 s behind|31 s behind/],
    [0, 0, 'ok', /agrees/],
  ])('a clock that is %d ms off', async (off, code, state, words) => {
    const url = await serve((_request, _body, response) => {
      response.setHeader('Date', new Date(Date.now() + off).toUTCString());
      response.setHeader('content-type', 'application/json').end('[]');
    });
    const found = await installed(installationAt(url));
    expect(found.code).toBe(code);
    expect(found.state('clock')).toBe(state);
    expect(found.text('clock')).toMatch(words);
  });

  it('hours in which nothing may be sent: nothing is', async () => {
    const hour = new Date(Date.now() + 3 * 3600_000).toISOString().slice(11, 13);
    const hours = `limits: { hours: '${hour}:00-${hour}:30 UTC', concurrency: 8 }\n`;
    const before = center.requests.length;
    const found = await installed(installationAt(center.url, hours));
    expect(found.code).toBe(3);
    expect(found.text('hours')).toContain(`not before`);
    expect(found.text('limits')).toBe('at most 8 requests at a time');
    expect(found.text('connection')).toBe('not checked, because of "hours"');
    expect(center.requests.length).toBe(before);
  });

  it('a run that another process works on', async () => {
    await (await openLedger(at('used.db'))).close();
    const args = '-i center.yaml --ledger used.db';
    expect((await states(args)).text('ledger')).toMatch(/version \d+, not in use$/);
    const lock = locksOf(at('used.db')).take('20261123-000000-abcd');
    const found = await states(args);
    lock?.release();
    expect(found.code).toBe(3);
    expect(found.text('ledger')).toContain('works on the run 20261123-000000-abcd');
    expect(existsSync(at('ledger.db'))).toBe(false);
  });
});
