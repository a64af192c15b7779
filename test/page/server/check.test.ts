import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  CheckedRows,
  CheckState,
  Corrected,
  Mends,
  ProblemGroup,
  Remedies,
} from '../../../src/web/page/state/answers.js';
import { openPageBench, type PageBench, startBuiltPage } from '../harness.js';
import { testFolder } from '../../kit/folder.js';

// Threads are files of their own, which only the built server has.
const start = await startBuiltPage();

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
  budget: { type: Number }
`;
/** 120 rows: one in ten has no phone number, one in twelve a segment of its own. */
const ROWS = Array.from({ length: 120 }, (_, at) => {
  const phone = at % 10 === 3 ? (at % 20 === 3 ? 'none' : '-') : `7916${1_000_000 + at}`;
  return `${at};${phone};${at % 12 === 5 ? 'Тёплый' : 'warm'}`;
});
const CSV = ['Id;Phone;Segment', ...ROWS, ''].join('\n');

const folder = testFolder();
/** The server that is asked, and its list. */
let page: PageBench;
let list: string;
const pages: PageBench[] = [];
const at = (name: string): string => join(folder, name);
const part = (name: string): string => at(`cardline.lists/${list}/${name}`);

/** Another server of the same ledger, which is asked from now on. */
async function serve(settings: { readOnly?: boolean; mask?: boolean } = {}): Promise<void> {
  page = await openPageBench({
    ...{ start, ledger: at('cardline.db'), mapping: at('mapping.yaml'), ...settings },
    center: { name: 'test', address: 'a:1', kind: 'local', installation: at('center.yaml') },
  });
  pages.push(page);
}

beforeAll(async () => {
  await writeFile(at('center.yaml'), CENTER);
  await serve();
});
beforeEach(async () => {
  [page = page] = pages;
  await begin(CSV);
});
afterAll(async () => {
  for (const each of pages) await each.close();
});

/** Another list. */
async function begin(content: string, mapping = MAPPING): Promise<void> {
  await writeFile(at('mapping.yaml'), mapping);
  list = await page.list(content);
}

const own = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  page.api<T>(`${method} /api/lists/${list}/${path}`, body);
/** The last state of a check; the stream ends with it. */
const checked = async (): Promise<CheckState> =>
  (await page.events<CheckState>(`/api/lists/${list}/check`)).at(-1)!;
const groupOf = ({ groups }: CheckState, column: string): ProblemGroup =>
  groups.find((group) => group.column === column)!;
const rowsOf = (key: string, query = ''): Promise<CheckedRows> =>
  own('GET', `check/rows?group=${encodeURIComponent(key)}${query}`);
const mendsOf = (key: string): Promise<Mends> =>
  own('GET', `check/mends?group=${encodeURIComponent(key)}`);
const remediesOf = (key: string): Promise<Remedies> =>
  own('GET', `check/remedies?group=${encodeURIComponent(key)}`);

describe('the check of a list', () => {
  it('counts rows by what is wrong, and shows them page by page, the same in all tabs', async () => {
    const [state, other] = await Promise.all([checked(), checked()]);
    expect(state.revision).toBe(other.revision);
    expect(state).toMatchObject({
      ...{ phase: 'finished', mode: 'create', rows: 120, rejected: 20, clients: 100 },
      list: { step: 'check' },
    });
    const phone = groupOf(state, 'Phone');
    expect(phone).toMatchObject({ rows: 12, values: [{ rows: 6 }, { rows: 6 }] });
    const shown = await rowsOf(phone.key, '&offset=10&limit=50');
    expect(shown).toMatchObject({ total: 12, offset: 10, columns: ['Phone', 'Id', 'Segment'] });
    expect(shown.rows.map(({ row }) => row)).toEqual([105, 115]);
    expect(shown.rows[0]?.cells.map(({ value, problems }) => [value, problems.length])).toEqual([
      ['none', 1],
      ['103', 0],
      ['warm', 0],
    ]);
    // Nothing is gained where the only phone of a row is left out.
    expect(await remediesOf(phone.key)).toMatchObject({
      ...{ rows: 120, isAll: true, remedies: [{ kind: 'drop', gain: 0 }] },
    });
    expect((await mendsOf(phone.key)).values.map(({ blank }) => blank)).toEqual([null, null]);
  });

  it('has the score of the list, and what its checks came to, at its end', async () => {
    await begin(CSV, `${MAPPING}checks:\n  - { rejected: any, max: 5%, else: stop }\n`);
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

  it('writes a rule into the mapping, refuses it on an older one, and leaves nothing at its end', async () => {
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
    const written = await readFile(part('mapping.yaml'), 'utf8');
    expect(written).toContain('# by hand');
    expect(written).toContain('Тёплый: warm');

    await serve();
    await checked();
    const indexes = async (): Promise<string[]> =>
      (await readdir(part('.'))).filter((name) => name.endsWith('.index'));
    const before = await indexes();
    expect(before).not.toEqual([]);
    await page.stop();
    expect((await indexes()).length).toBe(before.length - 1);
  });

  it('tries remedies on the rows, and makes the one that gains most', async () => {
    const rows = ['1.234,50 €', '99,5', '7', 'n/a', '1234.5'].map(
      (budget, row) => `${row};7916123456${row};warm;${budget}`,
    );
    const mapping = MAPPING.replace('fields: {', 'fields: { budget: Budget,');
    await begin(['Id;Phone;Segment;Budget', ...rows, ''].join('\n'), mapping);
    const state = await checked();
    const { key, rows: wrong } = groupOf(state, 'Budget');
    const { remedies } = await remediesOf(key);
    expect(remedies).toMatchObject([
      { kind: 'drop', gain: wrong, choice: '' },
      { kind: 'number', gain: wrong - 1, choice: '', example: '1.234,50 €' },
    ]);
    await own('POST', 'check/rules', { rule: remedies[1]?.rule, to: '' });
    expect((await checked()).clients).toBe(state.clients + wrong - 1);
    expect((await readdir(part('.'))).filter((name) => /yaml./.test(name))).toEqual([]);
  });

  it('corrects a single cell, twice, and takes it back; the file stays as it is', async () => {
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
    expect(await readFile(part('file/leads.csv'), 'utf8')).toBe(CSV);
    await put('x');
    await writeFile(part('file/leads.csv'), CSV.replace('3;none', '3;79161234567'));
    expect(await checked()).toMatchObject({
      ...{ phase: 'failed', problem: { code: 'stale_correction', values: { row: 5 } } },
    });
    await own('DELETE', 'corrections', place);
    expect(await checked()).toMatchObject({ phase: 'finished', rejected: 19 });
  });

  it('says where a mapping does not fit, and where the file is gone or broken', async () => {
    await checked();
    const file = part('file/leads.csv');
    await writeFile(file, CSV.replace('Segment', 'Sector'));
    expect(await checked()).toMatchObject({
      ...{ phase: 'failed', problem: { code: 'mapping_does_not_fit' } },
      mistakes: expect.arrayContaining([
        expect.objectContaining({ line: 5, message: 'leads.csv has no column "Segment".' }),
      ]) as CheckState['mistakes'],
    });
    await writeFile(file, `${CSV}"never closed;1;2`);
    expect(await checked()).toMatchObject({
      ...{ phase: 'failed', problem: { code: 'unclosed_quote' } },
    });
    await rm(file);
    expect(JSON.stringify(await checked())).toContain('file_gone');
  });

  it('hides values with --mask and mends them all the same, and mends nothing with --read-only', async () => {
    await serve({ mask: true });
    const state = await checked();
    const segment = groupOf(state, 'Segment');
    const { values } = await mendsOf(segment.key);
    const shown = await rowsOf(groupOf(state, 'Phone').key);
    // The keys of cells are random digits and letters, which may be any word.
    const rows = shown.rows.map(({ cells }) => cells.map((cell) => ({ ...cell, cell: null })));
    const texts = JSON.stringify([segment.values, values.map(({ value }) => value), rows]);
    expect(texts).not.toMatch(/Тёплый|none|7916/);
    const rule = { rule: values[0]?.replace?.rule, to: 'warm' };
    await own('POST', 'check/rules', rule);
    const { cell } = shown.rows[0]!.cells[0]!;
    await own('PUT', 'corrections', { cell, value: '+79161234567' });
    expect(await checked()).toMatchObject({ rejected: 11 });

    await serve({ readOnly: true });
    expect(await own('POST', 'check/rules', rule)).toMatchObject({ code: 'read_only' });
    const body = { cell: 'x', value: 'y' };
    expect(await own('PUT', 'corrections', body)).toMatchObject({ code: 'read_only' });
  });
});
