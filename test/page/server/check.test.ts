import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  CheckedRows,
  CheckState,
  Corrected,
  Mends,
  ProblemGroup,
  Remedies,
} from '../../../src/web/shared/check.js';
import { servePage, type ServedPage } from '../browser/served.js';

const MAPPING = `# by hand
client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Id, segment: Segment }
  phones: [{ column: Phone, type: MOB, transform: [{ phone: { country: RU } }] }]
`;
const CENTER = `name: test
baseUrl: http://127.0.0.1:9
card:
  offerId: { type: Number, sync: true }
  segment: { type: ComboBox, values: [cold, warm] }
`;
/** 120 rows: one in ten has no phone number, one in twelve a segment of its own. */
const ROWS = Array.from({ length: 120 }, (_, at) => {
  const phone = at % 10 === 3 ? (at % 20 === 3 ? 'none' : '-') : `7916${1_000_000 + at}`;
  return `${at};${phone};${at % 12 === 5 ? 'Тёплый' : 'warm'}`;
});
const CSV = ['Id;Phone;Segment', ...ROWS, ''].join('\n');

let folder: string;
let served: ServedPage | undefined;
let list: string;
let headers: Record<string, string>;
const at = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-page-check-'));
  await writeFile(at('mapping.yaml'), MAPPING);
  await writeFile(at('center.yaml'), CENTER);
  await writeFile(at('leads.csv'), CSV);
});
afterEach(async () => {
  await served?.end();
  await rm(folder, { recursive: true, force: true });
});

async function serve(...args: string[]): Promise<void> {
  const named = ['leads.csv', '-i', 'center.yaml', '-m', 'mapping.yaml'];
  served = await servePage(folder, [...named, ...args]);
  headers = { 'content-type': 'application/json' };
  const { session } = await ask<{ session: string }>('POST', '/api/session', {
    token: served.token,
  });
  headers['x-cardline-session'] = session;
  list = (await ask<{ open: string }>('GET', '/api/about')).open;
}

const send = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`http://127.0.0.1:${served?.port ?? ''}${path}`, {
    ...{ method, headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
  (await (await send(method, path, body)).json()) as T;
const own = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  ask<T>(method, `/api/lists/${list}/${path}`, body);

/** All states of a check; the stream ends with it. */
async function states(): Promise<CheckState[]> {
  const text = await (await send('GET', `/api/lists/${list}/check`)).text();
  return text
    .split('\n\n')
    .filter((part) => part.startsWith('data: '))
    .map((part) => JSON.parse(part.slice('data: '.length)) as CheckState);
}
async function checked(): Promise<CheckState> {
  const last = (await states()).at(-1);
  if (!last) throw new Error('the check has no state');
  return last;
}
const groupOf = ({ groups }: CheckState, column: string): ProblemGroup =>
  groups.find((group) => group.column === column)!;
const rowsOf = (key: string, query = ''): Promise<CheckedRows> =>
  own('GET', `check/rows?group=${encodeURIComponent(key)}${query}`);
const mendsOf = (key: string): Promise<Mends> =>
  own('GET', `check/mends?group=${encodeURIComponent(key)}`);

const remediesOf = (key: string): Promise<Remedies> =>
  own('GET', `check/remedies?group=${encodeURIComponent(key)}`);

describe('the check of a list', () => {
  it('counts rows by what is wrong, and shows them page by page', async () => {
    await serve();
    const state = await checked();
    expect(state).toMatchObject({
      ...{ phase: 'finished', mode: 'create', rows: 120, rejected: 20, clients: 100 },
      list: { step: 'check' },
    });
    const phone = groupOf(state, 'Phone');
    expect(phone).toMatchObject({ rows: 12, values: [{ rows: 6 }, { rows: 6 }] });
    const page = await rowsOf(phone.key, '&offset=10&limit=50');
    expect(page).toMatchObject({ total: 12, offset: 10, columns: ['Phone', 'Id', 'Segment'] });
    expect(page.rows.map(({ row }) => row)).toEqual([105, 115]);
    expect(page.rows[0]?.cells.map(({ value, problems }) => [value, problems.length])).toEqual([
      ['none', 1],
      ['103', 0],
      ['warm', 0],
    ]);
  });

  it('has the score of the list, and what its checks came to, at its end', async () => {
    const checks = `checks:\n  - { rejected: any, max: 5%, else: stop }\n`;
    await writeFile(at('mapping.yaml'), `${MAPPING}${checks}`);
    await serve();
    const { facts } = await checked();
    expect(facts.quality).toMatchObject({ rows: 120, lost: 20 });
    expect(facts.quality?.score).toBeLessThan(100);
    expect(facts.checks).toMatchObject([
      {
        ...{ holds: false, isStop: true },
        sentence: expect.stringMatching(/^rejected: 20 rows of 120 .*; rows 5/) as string,
      },
    ]);
  });

  it('writes a rule into the mapping, and refuses it on an older one', async () => {
    await serve();
    const segment = groupOf(await checked(), 'Segment');
    const { values } = await mendsOf(segment.key);
    expect(values).toMatchObject([
      { value: 'Тёплый', replace: { rows: 10, choices: ['cold', 'warm'] } },
    ]);
    const rule = { rule: values[0]?.replace?.rule, to: 'warm' };
    expect(await own('POST', 'check/rules', rule)).toMatchObject({
      mapping: expect.any(String) as string,
    });
    expect(await own('POST', 'check/rules', rule)).toMatchObject({ code: 'stale_mapping' });
    const after = await checked();
    expect(after.groups.map(({ column }) => column)).toEqual(['Phone']);
    expect(after.rejected).toBe(12);
    const written = await readFile(at(`cardline.lists/${list}/mapping.yaml`), 'utf8');
    expect(written).toContain('# by hand');
    expect(written).toContain('Тёплый: warm');
  });

  it('says that nothing is gained where the only phone of a row is left out', async () => {
    await serve();
    const { key } = groupOf(await checked(), 'Phone');
    expect(await remediesOf(key)).toMatchObject({
      ...{ rows: 120, isAll: true, remedies: [{ kind: 'drop', gain: 0 }] },
    });
    expect((await mendsOf(key)).values.map(({ blank }) => blank)).toEqual([null, null]);
  });

  it('tries remedies on the rows, and makes the one that gains most', async () => {
    const rows = ['1.234,50 €', '99,5', '7', 'n/a', '1234.5'].map(
      (budget, at) => `${at};7916123456${at};warm;${budget}`,
    );
    await writeFile(at('leads.csv'), ['Id;Phone;Segment;Budget', ...rows, ''].join('\n'));
    await writeFile(at('mapping.yaml'), MAPPING.replace('fields: {', 'fields: { budget: Budget,'));
    const card = '  budget: { type: Number }\n';
    await writeFile(at('center.yaml'), `${await readFile(at('center.yaml'), 'utf8')}${card}`);
    await serve();
    const state = await checked();
    const { key, rows: wrong } = groupOf(state, 'Budget');
    const { remedies } = await remediesOf(key);
    expect(remedies).toMatchObject([
      { kind: 'drop', gain: wrong, choice: '' },
      { kind: 'number', gain: wrong - 1, choice: '', example: '1.234,50 €' },
    ]);
    await own('POST', 'check/rules', { rule: remedies[1]?.rule, to: '' });
    expect((await checked()).clients).toBe(state.clients + wrong - 1);
    const left = (await readdir(at(`cardline.lists/${list}`))).filter((name) => /yaml./.test(name));
    expect(left).toEqual([]);
  });

  it('corrects a single cell, twice, and takes it back; the file stays as it is', async () => {
    await serve();
    const phone = groupOf(await checked(), 'Phone').key;
    const seen = (await rowsOf(phone)).rows[0]!;
    const { cell } = seen.cells[0]!;
    const put = (value: string): Promise<unknown> => own('PUT', 'corrections', { cell, value });
    await put('nothing');
    expect((await checked()).rejected).toBe(20);
    expect((await rowsOf(phone)).rows[0]?.cells[0]).toMatchObject({
      ...{ value: 'nothing', isCorrected: true },
    });
    await put('+79161234567');
    expect(await checked()).toMatchObject({ rejected: 19, corrections: 1 });
    const { corrections } = await own<{ corrections: Corrected[] }>('GET', 'corrections');
    const place = { sheet: null, row: 5, column: 'Phone' };
    expect(corrections).toEqual([{ ...place, was: 'none', becomes: '+79161234567' }]);
    await own('DELETE', 'corrections', place);
    expect(await checked()).toMatchObject({ rejected: 20, corrections: 0 });
    expect(await readFile(at('leads.csv'), 'utf8')).toBe(CSV);
    await put('x');
    await writeFile(at('leads.csv'), CSV.replace('3;none', '3;79161234567'));
    expect(await checked()).toMatchObject({
      ...{ phase: 'failed', problem: { code: 'stale_correction', values: { row: 5 } } },
    });
    await own('DELETE', 'corrections', place);
    expect(await checked()).toMatchObject({ phase: 'finished', rejected: 19 });
  });

  it('is shared by tabs, and leaves nothing when the server ends', async () => {
    await serve();
    const [one, other] = await Promise.all([checked(), checked()]);
    expect(one.revision).toBe(other.revision);
    const indexes = async (): Promise<string[]> =>
      (await readdir(at(`cardline.lists/${list}`))).filter((name) => name.endsWith('.index'));
    expect(await indexes()).toHaveLength(1);
    await served?.end();
    expect(await indexes()).toEqual([]);
  });

  it('says where a mapping does not fit, and where the file is gone or broken', async () => {
    await serve();
    await checked();
    await writeFile(at('leads.csv'), CSV.replace('Segment', 'Sector'));
    expect(await checked()).toMatchObject({
      ...{ phase: 'failed', problem: { code: 'mapping_does_not_fit' } },
      mistakes: expect.arrayContaining([
        expect.objectContaining({ line: 5, message: 'leads.csv has no column "Segment".' }),
      ]) as CheckState['mistakes'],
    });
    await writeFile(at('leads.csv'), `${CSV}"never closed;1;2`);
    expect(await checked()).toMatchObject({
      ...{ phase: 'failed', problem: { code: 'unclosed_quote' } },
    });
    await rm(at('leads.csv'));
    const text = await (await send('GET', `/api/lists/${list}/check`)).text();
    expect(text).toContain('file_gone');
  });

  it('hides values with --mask, and mends them all the same', async () => {
    await serve('--mask');
    const state = await checked();
    const segment = groupOf(state, 'Segment');
    const { values } = await mendsOf(segment.key);
    const page = await rowsOf(groupOf(state, 'Phone').key);
    const shown = JSON.stringify([segment.values, values.map(({ value }) => value), page.rows]);
    expect(shown).not.toMatch(/Тёплый|none|7916/);
    await own('POST', 'check/rules', { rule: values[0]?.replace?.rule, to: 'warm' });
    const { cell } = page.rows[0]!.cells[0]!;
    await own('PUT', 'corrections', { cell, value: '+79161234567' });
    expect(await checked()).toMatchObject({ rejected: 11 });
  });

  it('refuses to mend with --read-only', async () => {
    await serve('--read-only');
    const { values } = await mendsOf(groupOf(await checked(), 'Segment').key);
    const rule = { rule: values[0]?.replace?.rule, to: 'warm' };
    expect(await own('POST', 'check/rules', rule)).toMatchObject({ code: 'read_only' });
    const body = { cell: 'x', value: 'y' };
    expect(await own('PUT', 'corrections', body)).toMatchObject({ code: 'read_only' });
  });
});
