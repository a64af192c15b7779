import { appendFile, copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareRuns, type RowDifference } from '../../src/index.js';
import { FORMATS, REPORT_FORMATS } from '../../src/report/formats.js';
import { root } from '../kit/cardline.js';
import { words, wordsIn } from '../kit/words.js';
import { READ_BACK, tally } from '../runs/report/read-back.js';
import { useFolder } from './folder.js';
import { tablesIn } from '../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'report.yaml') as [string, string][];

const { at, read, write, run: cli, json } = useFolder();
const sample = (name: string): string => join(root, name);
const installation = words`-i ${sample('mappings/installation.yaml')}`;
const mapping = words`-m ${sample('mappings/leads.yaml')}`;
const imported = (file: string, by = mapping) =>
  json<{ run: string }>`import ${file} ${by} ${installation} --sandbox --json`;

let run: string;
/** Of summary.json, without zeros. */
let counts: Record<string, number>;
const report = (...line: Parameters<typeof words>) => cli`report ${words(...line)}`;

beforeAll(async () => {
  ({ run } = await imported(sample('samples/leads.csv')));
  const { outcomes } = JSON.parse(await read('runs', run, 'summary.json')) as {
    outcomes: Record<string, number>;
  };
  counts = Object.fromEntries(Object.entries(outcomes).filter(([, count]) => count > 0));
});

describe('cardline report', () => {
  it('prints the very lines of report.csv where the output goes elsewhere', async () => {
    const { code, stdout } = await report`${run}`;
    expect([code, stdout]).toEqual([0, await read('runs', run, 'report.csv')]);
  });

  it('gives the reasons, the most frequent first', async () => {
    const { stdout } = await report`${run} --format text`;
    expect(stdout).toContain('enqueue_failed: Client is in blacklist (rows 196, 547, 614, 705)');
    const reasons = [...stdout.matchAll(/^ +(\d+) {2}\w+: /gm)].map(([, count]) => Number(count));
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasons).toEqual(reasons.toSorted((a, b) => b - a));
  });

  it.each(REPORT_FORMATS)('is %s where the name of the file ends so', async (format) => {
    const file = at(`ending${FORMATS[format].ending.toUpperCase()}`);
    expect(await report`${run} -o ${file}`).toEqual({ code: 0, stdout: `${file}\n`, stderr: '' });
    expect((await READ_BACK[format](file)).counts).toEqual(counts);
  });

  it('goes by --format where that is given, whatever the ending', async () => {
    const file = at('report.xlsx');
    await report`${run} -o ${file} --format csv`;
    expect((await READ_BACK.csv(file)).counts).toEqual(counts);
  });

  it('draws a long run over time as long as its log is there, and bears a broken line', async () => {
    const log = at('runs', run, 'run.log');
    const html = async (): Promise<string> => {
      await report`${run} --format html -o t.html --force`;
      return read('t.html');
    };
    expect(await html()).not.toContain('Over time');
    const answers = (await read('runs', run, 'run.log'))
      .split('\n')
      .filter((line) => line.includes('"msg":"answers"'));
    const last = JSON.parse(answers.at(-1) ?? '') as { time: string };
    const later = new Date(Date.parse(last.time) + 20_000).toISOString();
    await appendFile(log, `${JSON.stringify({ ...last, time: later })}\n`);
    expect(await html()).toContain('Estimated from the answers');
    await appendFile(log, '{"level":30,"time":"2026');
    expect(await html()).toContain('Estimated from the answers');
    await rm(log);
    expect(await html()).not.toContain('Over time');
  });

  it('shows on the page the columns that the mapping chooses, the campaign and the sandbox', async () => {
    const leads = await readFile(sample('mappings/leads.yaml'), 'utf8');
    await write('shown.yaml', `${leads}\nreport: { show: [First name, Mobile] }\n`);
    await copyFile(sample('samples/leads.csv'), at('shown.csv'));
    const { run: shown } = await imported('shown.csv', ['-m', 'shown.yaml']);
    const page = async () => {
      await report`${shown} -o shown.html --force`;
      const html = await read('shown.html');
      const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(html) ?? [];
      const { columns, rows } = JSON.parse(data) as { columns: string[]; rows: unknown[][] };
      const cell = (row: number, name: string) =>
        rows.find(([number]) => number === row)?.[columns.indexOf(name)];
      return { html, columns, cell };
    };
    const { html, columns, cell } = await page();
    expect(columns.slice(0, 4)).toEqual(['row', 'First name', 'Mobile', 'offerId']);
    expect(columns).not.toContain('uuid');
    expect([cell(286, 'First name'), cell(286, 'Mobile')]).toEqual(['Глеб', '+7 999 000']);
    expect(cell(1231, 'Mobile')).toBe('?');
    expect(html).toContain('Autumn leads');
    expect(html).toContain('Sandbox');
    await appendFile(at('shown.csv'), '\n');
    const changed = await page();
    expect(changed.columns).not.toContain('Mobile');
    expect(changed.columns).toContain('uuid');
    expect(changed.html).toMatch(/First name, Mobile\s+are not shown/);

    await write('wrong.yaml', `${leads}\nreport: { show: [Mobil] }\n`);
    const checked = await cli`check shown.csv -m wrong.yaml ${installation}`;
    expect(checked.code).toBe(64);
    expect(checked.stderr).toMatch(/no column "Mobil".*Mobile/s);
  });

  it("is written into the run's folder where it cannot be printed", async () => {
    const { stdout } = await report`${run} --format xlsx --outcome failed,unknown`;
    expect(stdout).toBe(`${at('runs', run, 'report-failed-unknown.xlsx')}\n`);
  });

  it('writes the rows of the outcomes that are wanted, with identifiers and problems as they are', async () => {
    await report`${run} --format jsonl --outcome rejected,enqueue_failed -o bad.jsonl`;
    const lines = (await read('bad.jsonl')).trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows).toHaveLength(28);
    expect(rows.find(({ row }) => row === 196)).toMatchObject({
      ...{ file: sample('samples/leads.csv'), offerId: expect.any(Number) as number },
      ...{ outcome: 'enqueue_failed', enqueueResult: 'Client is in blacklist' },
    });
    expect(rows.find(({ row }) => row === 99)).toMatchObject({
      ...{ outcome: 'rejected', problems: [{ column: 'Mobile', code: 'required', value: null }] },
    });
  });

  it('does not need the files of the run any more', async () => {
    await rm(at('runs', run, 'report.csv'));
    expect((await report`${run} --format csv -o again.csv`).code).toBe(0);
    expect((await read('again.csv')).split('\n')).toHaveLength(1242);
  });

  it('compares two runs: what is new, gone or ended differently', async () => {
    const lines = (await readFile(sample('samples/leads.csv'), 'utf8')).split('\n');
    const [head = '', , second = '', ...rest] = lines;
    // The first row is gone, and the second one is another client.
    const other = second.replace('ce778ce6', 'ce778ce7').replace('10002', '777');
    await write('leads-2.csv', [head, other, ...rest].join('\n'));
    const { run: later } = await imported('leads-2.csv');
    const { code, stdout, stderr } = await report`--compare ${run} ${later} --json`;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const compared = JSON.parse(stdout) as {
      rows: { kind: string; uuid: string; row: number }[];
      counts: Record<string, unknown>;
    };
    const counted = tally(compared.rows.map(({ kind }) => kind));
    expect(compared.counts).toMatchObject(counted);
    for (const row of [
      { kind: 'gone', row: 2, before: 'enqueued', after: null },
      { kind: 'new', row: 2, file: at('leads-2.csv'), before: null },
    ])
      expect(compared.rows).toContainEqual(expect.objectContaining(row));
    const { stdout: said } = await report`--compare ${run} ${later}`;
    expect(said).toMatch(new RegExp(`^gone +${counted['gone'] ?? 0} `, 'm'));

    const told: string[] = [];
    const onDifference = ({ kind, uuid }: RowDifference): number => told.push(`${kind} ${uuid}`);
    const pair = { earlier: run, later, ledger: at('cardline.db'), onDifference };
    expect(await compareRuns(pair)).toMatchObject(compared.counts);
    expect(told).toEqual(compared.rows.map(({ kind, uuid }) => `${kind} ${uuid}`));

    const trend = await cli`runs --trend ${mapping[1] ?? ''}`;
    expect(trend.stderr).toBe('');
    expect(trend.stdout).toMatch(/^leads\.csv\n(.*\n)+leads-#\.csv$/m);
    expect(trend.stdout).toContain(later);
    const none = await cli`runs --trend leeds.yaml`;
    expect(none).toMatchObject({ code: 64, stdout: '' });
    expect(none.stderr).toContain('has no run of the mapping');
  });

  /** RUN is the run, RUX one of nearly its name. */
  it.each(CASES)('%s is told kindly', async (line, told) => {
    await write('a-file', '');
    const args = wordsIn(line.replaceAll('RUN', run).replace('RUX', run.replace(/.$/, 'x')));
    const { code, stdout, stderr } = await report`${args}`;
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(told.replace('RUN', run));
    expect(stderr).not.toContain('    at ');
  });
});
