import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.js';
import { locksOf } from '../../src/ledger/sqlite-files.js';
import { CHECKS } from '../../src/setup/doctor.js';
import { serve, serveAnswer } from '../conformance/client/servers.js';
import { startContactCenter, type StandIn } from '../kit/contact-center.js';
import { tablesIn } from '../kit/tables.js';
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

interface Case {
  readonly case: string;
  readonly line?: string;
  readonly at?: string;
  readonly answers?: Parameters<typeof serveAnswer>;
  readonly more?: string;
  readonly code: number;
  readonly states?: Readonly<Record<string, string>>;
  readonly texts?: Readonly<Record<string, string>>;
}
const CASES = tablesIn(import.meta.dirname, 'doctor.yaml') as Record<string, Case[]>;

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  it.each(cases.map((one) => [one.case, one] as const))('%s', async (_name, one) => {
    const { line = '-i other.yaml', answers, more } = one;
    const baseUrl = answers ? await serveAnswer(...answers) : (one.at ?? center.url);
    await write('other.yaml', installationAt(baseUrl, more));
    const found = await states(line);
    expect(found.code).toBe(one.code);
    for (const [check, state] of Object.entries(one.states ?? {}))
      expect([check, found.state(check)]).toEqual([check, state]);
    for (const [check, text] of Object.entries(one.texts ?? {}))
      expect(found.text(check)).toMatch(new RegExp(text, 's'));
  });
});

describe('what stands in the way', () => {
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
