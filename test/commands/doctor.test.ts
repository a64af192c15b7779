import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../src/setup/finding.js';
import { openLedger } from '../../src/ledger/ledger.js';
import { locksOf } from '../../src/ledger/sqlite-files.js';
import { serve, serveAnswer } from '../conformance/client/servers.js';
import { startContactCenter, type StandIn } from '../kit/contact-center.js';
import type { Ended } from '../kit/cardline.js';
import { runAt } from './terminal.js';

const CARD = 'card: { offerId: { type: Number, sync: true }, fullName: { type: TextField } }\n';
const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { offerId: Id, fullName: Name }
  phones: [{ column: Phone, type: MOB }]
`;

let folder: string;
let center: StandIn;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-doctor-'));
  center = await startContactCenter({
    card: { offerId: 'sync', fullName: 'optional' },
    campaigns: { 41: 'Spring', 42: 'Autumn leads' },
  });
  await writeFile(at('center.yaml'), installationAt(center.url));
  await writeFile(at('mapping.yaml'), MAPPING);
  await writeFile(at('leads.csv'), 'Id,Name,Phone\n1,Ann,79160000001\n');
});

afterAll(async () => {
  await center.close();
  await rm(folder, { recursive: true });
});

function installationAt(baseUrl: string, more = ''): string {
  return `name: test\nbaseUrl: ${baseUrl}\nledger: ${at('ledger.db')}\n${CARD}${more}`;
}

const env = { CC_TOKEN: 'very-secret' };
const doctor = (...args: string[]): Promise<Ended> => runAt(['doctor', ...args], { env });

/** The state of each check, as JSON has it. */
async function states(...args: string[]) {
  const { code, stdout, stderr } = await doctor(...args, '--json');
  expect(stderr).toBe('');
  expect(stdout).not.toContain('very-secret');
  const { exitCode, checks } = JSON.parse(stdout) as {
    exitCode: number;
    checks: { check: string; state: string; text: string }[];
  };
  expect(code).toBe(exitCode);
  const find = (name: string) => checks.find(({ check }) => check === name);
  return {
    code,
    checks,
    state: (name: string) => find(name)?.state,
    text: (name: string) => find(name)?.text ?? '',
  };
}

/** Observations for an installation of this text. */
async function installed(text: string, ...args: string[]) {
  await writeFile(at('other.yaml'), text);
  return states('-i', at('other.yaml'), ...args);
}

describe('where all is in order', () => {
  it('has one line for each check, in their order, and the next command', async () => {
    const args = ['-m', at('mapping.yaml'), '-i', at('center.yaml'), '--campaign', '42'];
    const { code, stdout, stderr } = await doctor(at('leads.csv'), ...args);
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
    const { state } = await states('-i', at('center.yaml'), '--campaign', 'Autumn leads');
    expect(state('campaign')).toBe('ok');
    expect(new Set(center.requests.map(({ operation }) => operation))).toEqual(new Set(['4.19']));
    expect(center.violations).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith('ledger.db'))).toEqual([]);
  });

  it('leaves out what was not given', async () => {
    const { checks } = await states('-i', at('center.yaml'));
    const left = CHECKS.filter((name) => !['mapping', 'file', 'campaign'].includes(name));
    expect(checks.map(({ check }) => check)).toEqual(left);
  });
});

describe('files that have to be mended end with 64', () => {
  it('names what is wrong in all of them at once', async () => {
    await writeFile(at('wrong.yaml'), MAPPING.replace('fullName', 'fulName'));
    const found = await states(at('leads.csv'), '-m', at('wrong.yaml'), '-i', at('center.yaml'));
    expect(found.code).toBe(64);
    expect(found.text('mapping')).toMatch(/no field "fulName".*Did you mean "fullName"/s);
    expect(found.state('file')).toBe('warning');
    expect(found.state('credentials')).toBe('ok');
  });

  it('says which checks an installation that cannot be read stands in the way of', async () => {
    const mapped = ['-m', at('mapping.yaml'), at('leads.csv')];
    const { code, checks } = await installed('name: test\n', ...mapped);
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
    await writeFile(at('short.csv'), 'Id,Name\n1,Ann\n');
    const args = ['-m', at('mapping.yaml'), '-i', at('center.yaml')];
    const found = await states(at('short.csv'), ...args);
    expect(found.code).toBe(64);
    expect(found.text('file')).toContain('has no column "Phone"');
  });

  it('warns of a file without data rows', async () => {
    await writeFile(at('empty.csv'), 'Id,Name,Phone\n');
    const args = ['-m', at('mapping.yaml'), '-i', at('center.yaml')];
    expect(await states(at('empty.csv'), ...args)).toMatchObject({ code: 0 });
    expect((await states(at('empty.csv'), ...args)).state('file')).toBe('warning');
    expect((await states(at('empty.csv'), '-i', at('center.yaml'))).state('file')).toBe('warning');
  });

  it('knows another server by its answer, and where a redirect points', async () => {
    const page = await serveAnswer(200, '<title>Welcome</title>');
    const other = await installed(installationAt(page));
    expect(other.code).toBe(64);
    expect(other.text('path')).toMatch(/"Welcome".*Check the path in baseUrl/s);
    expect(other.text('credentials')).toBe('not checked, because of "path"');
    const moved = await serveAnswer(302, '', { location: 'https://sso.example.com/login?x=1' });
    expect((await installed(installationAt(moved))).text('path')).toContain(
      'points to https://sso.example.com/login',
    );
  });

  it('names variables that are not set', async () => {
    const headers = "headers: { Authorization: 'Bearer ${CC_MISSING}' }\n";
    const found = await installed(installationAt(center.url, headers));
    expect(found.code).toBe(64);
    expect(found.text('environment')).toContain('CC_MISSING');
    expect(found.text('path')).toBe('not checked, because of "environment"');
  });

  it('names a campaign that is not there, or that a mode lacks', async () => {
    const unknown = await states('-i', at('center.yaml'), '--campaign', '7');
    expect(unknown.code).toBe(64);
    expect(unknown.text('campaign')).toContain('no campaign 7');
    const near = await states('-i', at('center.yaml'), '--campaign', 'Autumn lead');
    expect(near.text('campaign')).toContain('Did you mean "Autumn leads"?');
    const mode = ['-m', at('mapping.yaml'), '--mode', 'enqueue'];
    expect((await states('-i', at('center.yaml'), ...mode)).text('campaign')).toContain(
      'needs a campaign',
    );
  });

  it('refuses a ledger that is something else', async () => {
    const found = await states('-i', at('center.yaml'), '--ledger', at('leads.csv'));
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
    const headers = "headers: { Authorization: 'Bearer ${CC_TOKEN}' }\n";
    const found = await installed(installationAt(refusing, headers), '--campaign', '42');
    expect(found.code).toBe(3);
    expect(found.text('environment')).toBe('CC_TOKEN: set');
    expect(found.text('credentials')).toContain('not taken (HTTP 401; sent in Authorization)');
    expect(found.state('clock')).toBe('ok');
    expect(found.text('campaign')).toBe('not checked, because of "credentials"');
  });

  it('an account that may not list campaigns is warned of', async () => {
    const refusing = await serveAnswer(400, '{"errorMessage":"Not for you"}');
    const found = await installed(installationAt(refusing));
    expect(found.code).toBe(0);
    expect(found.text('credentials')).toContain('Not for you');
    expect(found.state('credentials')).toBe('warning');
  });

  it.each([
    [503, 'busy'],
    [502, 'gateway'],
    [500, 'Broken'],
  ])('an answer of HTTP %d', async (status, words) => {
    const found = await installed(
      installationAt(await serveAnswer(status, '{"errorMessage":"Broken"}')),
    );
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
    const file = at('used.db');
    await (await openLedger(file)).close();
    const args = ['-i', at('center.yaml'), '--ledger', file];
    expect((await states(...args)).text('ledger')).toMatch(/version \d+, not in use$/);
    const lock = locksOf(file).take('20261123-000000-abcd');
    const found = await states(...args);
    lock?.release();
    expect(found.code).toBe(3);
    expect(found.text('ledger')).toContain('works on the run 20261123-000000-abcd');
    expect(existsSync(at('ledger.db'))).toBe(false);
  });
});
