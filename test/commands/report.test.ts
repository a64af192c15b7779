import { appendFile, copyFile, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRuns, type RowDifference } from '../../src/index.js';
import { FORMATS, REPORT_FORMATS } from '../../src/report/formats.js';
import { cardline, root } from '../kit/cardline.js';
import { READ_BACK, tally } from '../runs/report/read-back.js';

let folder: string;
let run: string;
/** Of summary.json, without zeros. */
let counts: Record<string, number>;
const at = (...parts: string[]): string => join(folder, ...parts);
const report = (...args: string[]) => cardline(['report', ...args], { cwd: folder });
const sample = (name: string): string => join(root, name);
const installation = ['-i', sample('mappings/installation.yaml')];
const mapping = ['-m', sample('mappings/leads.yaml')];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-report-cli-'));
  const imported = await cardline(
    ['import', sample('samples/leads.csv'), ...mapping, ...installation, '--sandbox', '--json'],
    { cwd: folder },
  );
  run = (JSON.parse(imported.stdout) as { run: string }).run;
  const { outcomes } = JSON.parse(await readFile(at('runs', run, 'summary.json'), 'utf8')) as {
    outcomes: Record<string, number>;
  };
  counts = Object.fromEntries(Object.entries(outcomes).filter(([, count]) => count > 0));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('cardline report', () => {
  it('prints the very lines of report.csv where the output goes elsewhere', async () => {
    const { code, stdout } = await report(run);
    expect(code).toBe(0);
    expect(stdout).toBe(await readFile(at('runs', run, 'report.csv'), 'utf8'));
  });

  it('gives the reasons, the most frequent first', async () => {
    const { stdout } = await report(run, '--format', 'text');
    expect(stdout).toContain('enqueue_failed: Client is in blacklist (rows 196, 547, 614, 705)');
    const reasons = [...stdout.matchAll(/^ +(\d+) {2}\w+: /gm)].map(([, count]) => Number(count));
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasons).toEqual(reasons.toSorted((a, b) => b - a));
  });

  it.each(REPORT_FORMATS)('as %s counts as summary.json does', async (format) => {
    const { code, stdout, stderr } = await report(run, '--format', format, '-o', at(`r.${format}`));
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${at(`r.${format}`)}\n`,
      stderr: '',
    });
    expect((await READ_BACK[format](at(`r.${format}`))).counts).toEqual(counts);
  });

  it.each(REPORT_FORMATS)('is %s where the name of the file ends so', async (format) => {
    const file = at(`ending${FORMATS[format].ending.toUpperCase()}`);
    expect(await report(run, '-o', file)).toEqual({ code: 0, stdout: `${file}\n`, stderr: '' });
    expect((await READ_BACK[format](file)).counts).toEqual(counts);
  });

  it('goes by --format where that is given, whatever the ending', async () => {
    const file = at('report.xlsx');
    await report(run, '-o', file, '--format', 'csv');
    expect((await READ_BACK.csv(file)).counts).toEqual(counts);
  });

  it('draws a long run over time as long as its log is there, and bears a broken line', async () => {
    const log = at('runs', run, 'run.log');
    const html = async (): Promise<string> => {
      await report(run, '--format', 'html', '-o', at('t.html'), '--force');
      return readFile(at('t.html'), 'utf8');
    };
    expect(await html()).not.toContain('Over time');
    const answers = (await readFile(log, 'utf8'))
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
    const text = await readFile(sample('mappings/leads.yaml'), 'utf8');
    await writeFile(at('shown.yaml'), `${text}\nreport: { show: [First name, Mobile] }\n`);
    await copyFile(sample('samples/leads.csv'), at('shown.csv'));
    const imported = await cardline(
      ['import', 'shown.csv', '-m', 'shown.yaml', ...installation, '--sandbox', '--json'],
      { cwd: folder },
    );
    const { run: shown } = JSON.parse(imported.stdout) as { run: string };
    const page = async () => {
      await report(shown, '-o', at('shown.html'), '--force');
      const html = await readFile(at('shown.html'), 'utf8');
      const [, json = ''] = /id="data">(.*?)<\/script>/s.exec(html) ?? [];
      const { columns, rows } = JSON.parse(json) as { columns: string[]; rows: unknown[][] };
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
  });

  it('refuses a chosen column that the file does not have', async () => {
    const text = await readFile(sample('mappings/leads.yaml'), 'utf8');
    await writeFile(at('wrong.yaml'), `${text}\nreport: { show: [Mobil] }\n`);
    const checked = await cardline(
      ['check', sample('samples/leads.csv'), '-m', 'wrong.yaml', ...installation],
      { cwd: folder },
    );
    expect(checked.code).toBe(64);
    expect(checked.stderr).toMatch(/no column "Mobil".*Mobile/s);
  });

  it("is written into the run's folder where it cannot be printed", async () => {
    const { stdout } = await report(run, '--format', 'xlsx', '--outcome', 'failed,unknown');
    expect(stdout).toBe(`${await realpath(at('runs', run, 'report-failed-unknown.xlsx'))}\n`);
  });

  it('writes the rows of the outcomes that are wanted, with identifiers and problems as they are', async () => {
    const file = at('bad.jsonl');
    const { stdout } = await report(
      run,
      '--format',
      'jsonl',
      '--outcome',
      'rejected,enqueue_failed',
      '-o',
      file,
    );
    expect(stdout).toBe(`${file}\n`);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows).toHaveLength(28);
    expect(rows.find(({ row }) => row === 196)).toMatchObject({
      file: sample('samples/leads.csv'),
      offerId: expect.any(Number) as number,
      outcome: 'enqueue_failed',
      enqueueResult: 'Client is in blacklist',
    });
    expect(rows.find(({ row }) => row === 99)).toMatchObject({
      outcome: 'rejected',
      problems: [{ column: 'Mobile', code: 'required', value: null }],
    });
  });

  it('does not need the files of the run any more', async () => {
    await rm(at('runs', run, 'report.csv'));
    expect((await report(run, '--format', 'csv', '-o', at('again.csv'))).code).toBe(0);
    expect((await readFile(at('again.csv'), 'utf8')).split('\n')).toHaveLength(1242);
  });

  it('compares two runs: what is new, gone or ended differently', async () => {
    const lines = (await readFile(sample('samples/leads.csv'), 'utf8')).split('\n');
    // The first row is gone, and the second one is another client.
    const [head = '', , second = '', ...rest] = lines;
    const other = second.replace('ce778ce6', 'ce778ce7').replace('10002', '777');
    await writeFile(at('leads-2.csv'), [head, other, ...rest].join('\n'));
    const again = await cardline(
      ['import', 'leads-2.csv', ...mapping, ...installation, '--sandbox', '--json'],
      { cwd: folder },
    );
    const { run: later } = JSON.parse(again.stdout) as { run: string };
    const { code, stdout, stderr } = await report('--compare', run, later, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const compared = JSON.parse(stdout) as {
      rows: { kind: string; uuid: string; row: number }[];
      counts: Record<string, unknown>;
    };
    const counted = tally(compared.rows.map(({ kind }) => kind));
    expect(compared.counts).toMatchObject(counted);
    expect(compared.rows).toContainEqual(
      expect.objectContaining({ kind: 'gone', row: 2, before: 'enqueued', after: null }),
    );
    expect(compared.rows).toContainEqual(
      expect.objectContaining({ kind: 'new', row: 2, file: at('leads-2.csv'), before: null }),
    );
    const text = (await report('--compare', run, later)).stdout;
    expect(text).toMatch(new RegExp(`^gone +${counted['gone'] ?? 0} `, 'm'));

    const told: string[] = [];
    const ledger = at('cardline.db');
    const onDifference = ({ kind, uuid }: RowDifference): number => told.push(`${kind} ${uuid}`);
    const pair = { earlier: run, later, ledger, onDifference };
    expect(await compareRuns(pair)).toMatchObject(compared.counts);
    expect(told).toEqual(compared.rows.map(({ kind, uuid }) => `${kind} ${uuid}`));

    const trend = await cardline(['runs', '--trend', mapping[1] ?? ''], { cwd: folder });
    expect(trend.stderr).toBe('');
    expect(trend.stdout).toMatch(/^leads\.csv\n(.*\n)+leads-#\.csv$/m);
    expect(trend.stdout).toContain(later);
    const none = await cardline(['runs', '--trend', 'leeds.yaml'], { cwd: folder });
    expect(none).toMatchObject({ code: 64, stdout: '' });
    expect(none.stderr).toContain('has no run of the mapping');
  });

  it.each([
    [() => ['--compare', run], 64, () => 'needs the ids of two runs'],
    [() => ['--compare', run, 'x'], 64, () => 'has no run x'],
    [() => ['--compare', run, run, '--format', 'csv'], 64, () => '--compare does not take'],
    [() => [run, 'more'], 64, () => 'does not take "more"'],
    [() => [run, '--json'], 64, () => '--format jsonl'],
    [() => [run.replace(/.$/, 'x')], 64, () => `Did you mean ${run}?`],
    [() => [run, '--open', '--format', 'csv'], 64, () => '--open shows the page'],
    [() => [run, '--format', 'jsnl'], 64, () => 'Did you mean jsonl?'],
    [() => [run, '--outcome', 'failed,unknwon'], 64, () => 'Did you mean unknown?'],
    [() => [run, '-o', folder], 64, () => 'is a folder'],
    [() => [run, '-o', '/dev/null'], 64, () => 'is a device'],
    [() => [run, '-o', 'cardline.db'], 64, () => 'is the ledger itself'],
    [() => [run, '-o', at('a-file'), '--format', 'csv'], 64, () => 'exists already, and was left'],
    [() => [run, '-o', at('a-file', 'x.csv')], 64, () => 'below a file'],
    [() => [run, '-o', 'r.xls'], 64, () => 'the ending .xls does not name a format'],
    [() => [run, '-o', 'report'], 64, () => 'a name without an ending does not name a format'],
    [() => [run, '-o', '/proc/x/y.csv'], 64, () => 'of the operating system'],
    [() => [run, '--ledger', 'none.db'], 64, () => 'no ledger here'],
  ])('misuse %# is told kindly', async (args, exitCode, words) => {
    await writeFile(at('a-file'), '');
    const { code, stdout, stderr } = await report(...args());
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(words());
    expect(stderr).not.toContain('    at ');
  });
});
