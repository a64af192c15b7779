import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import {
  type Bench,
  COLUMNS,
  type LeadRow,
  MAPPING,
  TOKEN,
  countOutcomes,
  csv,
  identityOf,
  installation,
  lead,
  leads,
  openBench,
  twice,
} from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  expect(bench.center.violations).toEqual([]);
  expect(twice(bench.center.creations)).toEqual([]);
  await bench.close();
});

async function workbook(sheets: Readonly<Record<string, readonly LeadRow[]>>): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = book.addWorksheet(name);
    sheet.addRow([...COLUMNS]);
    for (const row of rows) sheet.addRow(COLUMNS.map((column) => row[column]));
  }
  return Buffer.from(await book.xlsx.writeBuffer());
}

/** Text of Latin and Cyrillic letters in windows-1251. */
const windows1251 = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (letter) => {
      const code = letter.charCodeAt(0);
      return code >= 0x410 && code <= 0x44f ? code - 0x350 : code;
    }),
  );

describe('inputs', () => {
  it('takes several files, and the report says which file a row is of', async () => {
    const one = await bench.write('one.csv', csv(leads(5)));
    const two = await bench.write(
      'two.xlsx',
      await workbook({ Leads: [lead(4), lead(6), lead(7, { Mobile: '', Other: '' })] }),
    );
    const run = await bench.import('several', [one, two]);
    expect(run.code, run.stderr).toBe(2);
    expect(
      run.report().map(({ row, sheet, outcome, file }) => [row, sheet, outcome, file]),
    ).toEqual([
      ...[2, 3, 4, 5, 6].map((row) => [String(row), '', 'created', one]),
      ['2', 'Leads', 'skipped', two],
      ['3', 'Leads', 'created', two],
      ['4', 'Leads', 'rejected', two],
    ]);
    expect(existsSync(join(run.out, 'rejects-2.xlsx'))).toBe(true);
    expect(existsSync(join(run.out, 'rejects-1.csv'))).toBe(false);
  });

  it('takes standard input and .gz', async () => {
    const args = bench.args('piped', ['-']);
    const env = { CARDLINE_TEST_TOKEN: TOKEN };
    const piped = await cardline(args, { input: csv(leads(20)), env });
    expect(piped.code, piped.stderr).toBe(0);
    const file = await bench.write('more.csv.gz', gzipSync(csv(leads(30).slice(20))));
    const packed = await bench.import('packed', [file]);
    expect(packed.code, packed.stderr).toBe(0);
    expect(bench.center.cards.size).toBe(30);
  });

  it.each(['2', 'Second'])('takes the sheet %s of a workbook', async (sheet) => {
    const file = await bench.write(
      'book.xlsx',
      await workbook({ First: leads(3), Second: leads(5).slice(3), Third: [] }),
    );
    const run = await bench.import('book', [file], ['--sheet', sheet]);
    expect(run.code, run.stderr).toBe(0);
    expect([...bench.center.cards.keys()]).toEqual([lead(4), lead(5)].map(identityOf));
    expect(run.report().map((line) => line['sheet'])).toEqual(['Second', 'Second']);
  });

  it('takes windows-1251 with semicolons, and gives rejects that are read without a guess', async () => {
    const rows = [
      lead(1, { First: 'Фёдор'.replace('ё', 'е') }),
      lead(2, { First: 'Анна', Mobile: 'нет' }),
    ];
    const file = await bench.write('leads-1251.csv', windows1251(csv(rows, ';')));
    const run = await bench.import('cyrillic', [file]);
    expect(run.stderr).toContain('windows-1251');
    const [card] = [...bench.center.cards.values()];
    expect(card?.client['fields']).toMatchObject({ fullName: 'Федор Testoff, "the" Elder' });
    bench.center.behave = () => undefined;
    const again = await bench.import('again', [bench.at('cyrillic/rejects.csv')]);
    expect(again.stderr, 'too few letters to guess the encoding by').toContain(
      'utf-8 with byte order mark',
    );
    expect(countOutcomes(again.report())).toEqual({ rejected: 1 });
  });

  it('takes a file with nothing but a header: 0 rows, and a report', async () => {
    const run = await bench.import('none', [await bench.write('none.csv', csv([]))]);
    expect(run.code, run.stderr).toBe(0);
    expect(run.report()).toEqual([]);
    expect(run.summary()).toMatchObject({ rows: 0, requests: 0 });
    expect(statSync(join(run.out, 'report.csv')).size).toBeGreaterThan(0);
  });

  it('rejects a row that no request can hold, and sends the others', async () => {
    const rows = [
      lead(1),
      lead(2, { Comment: 'x'.repeat(600_000), Last: 'y'.repeat(600_000) }),
      lead(3),
    ];
    const run = await bench.import('huge', [await bench.write('huge.csv', csv(rows))]);
    expect(run.code, run.stderr).toBe(2);
    expect(run.report().map(({ outcome }) => outcome)).toEqual(['created', 'rejected', 'created']);
    expect(run.report()[1]?.['problems']).toMatch(/bytes/);
  });

  it('sends nothing of a CSV file of usual size that is broken at its end', async () => {
    const file = await bench.write('cut.csv', `${csv(leads(2500))}"1","open\n`);
    const run = await bench.import('cut', [file]);
    expect(run.code).toBe(64);
    expect(run.stderr).toMatch(/cut\.csv, line \d+/);
    expect(bench.center.requests).toEqual([]);
  });

  it('sends nothing of a large CSV file, the end of which is in another encoding', async () => {
    const utf8 = Buffer.from(csv([lead(20_002, { First: 'Zo\u00eb' }), ...leads(20_000)]));
    const other = Buffer.from(csv([lead(20_001, { First: 'Jos\u00e9' })]), 'latin1');
    expect(utf8.length).toBeGreaterThan(2 * 1024 * 1024);
    const file = await bench.write('leads.csv', Buffer.concat([utf8, other]));
    const run = await bench.import('run', [file]);
    expect(run.code).toBe(64);
    expect(run.stderr).toMatch(/leads\.csv, line \d+: this is no valid utf-8 text/);
    expect(bench.center.requests).toEqual([]);
  });

  it(
    'accounts for the rows before a fault in a CSV file that is too large to be read twice',
    { tags: 'depth' },
    async () => {
      const rows = leads(3500)
        .map((row) => ({ ...row, Comment: 'c'.repeat(11_000) }))
        .with(3, lead(4, { Mobile: 'none' }));
      const file = await bench.write('large.csv', `${csv(rows)}"1","open\n`);
      const run = await bench.import('large', [file]);
      expect(run.code).toBe(64);
      expect(run.stderr).toMatch(/large\.csv, line \d+/);
      const report = run.report();
      expect(run.summary()).toMatchObject({ rows: report.length, state: 'stopped' });
      expect(countOutcomes(report)).toEqual({ created: bench.center.cards.size, rejected: 1 });
      expect(bench.center.cards.size).toBeGreaterThan(1000);
    },
  );

  it('keeps a rejected row of a workbook with a stray cell in the last column', async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Leads');
    for (const row of [lead(1), lead(2, { Mobile: 'none' })].map((one) => Object.values(one)))
      sheet.addRow(row);
    sheet.insertRow(1, [...COLUMNS]);
    sheet.getCell('XFD3').value = 'stray';
    const file = await bench.write('wide.xlsx', Buffer.from(await book.xlsx.writeBuffer()));
    const run = await bench.import('wide', [file]);
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ created: 1, rejected: 1 });
    expect(existsSync(join(run.out, 'rejects.xlsx'))).toBe(true);
  });

  it('imports nothing of a workbook that is cut off', async () => {
    const whole = await workbook({ Leads: leads(2000) });
    const file = await bench.write('cut.xlsx', whole.subarray(0, whole.length - 3000));
    const run = await bench.import('cut', [file]);
    expect(run.code).toBe(64);
    expect(run.stderr).toContain('cut.xlsx');
    expect(bench.center.requests).toEqual([]);
  });

  it('brings its own sandbox', async () => {
    const file = await bench.write('leads.csv', csv([...leads(300), lead(301, { Segment: 'no' })]));
    const run = await bench.import('sandbox', [file], ['--sandbox', '--campaign', '42']);
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ enqueued: 300, rejected: 1 });
    expect(bench.center.requests).toEqual([]);
  });

  it('keeps what its sandbox holds for its owner alone', async () => {
    await bench.import('own', [await bench.write('leads.csv', csv(leads(3)))], ['--sandbox']);
    expect(statSync(bench.at('own.sandbox.db')).mode & 0o077).toBe(0);
  });
});

describe('limits', () => {
  it('keeps to those of the installation, as the contact center sees them', async () => {
    const limits =
      '{ clientsPerRequest: 40, requestBytes: 12000, concurrency: 2, requestsPerSecond: 20 }';
    await bench.write('center.yaml', installation(bench.center.url, limits));
    bench.center.behave = () => ({ delay: 150 });
    const file = await bench.write('leads.csv', csv(leads(800)));
    const options = ['--batch-size', '500', '--concurrency', '50', '--campaign', '42'];
    const run = await bench.import('limits', [file], options);
    expect(run.code, run.stderr).toBe(0);
    const { requests } = bench.center;
    expect(Math.max(...requests.map(({ clients }) => clients))).toBeLessThanOrEqual(40);
    expect(Math.max(...requests.map(({ bytes }) => bytes))).toBeLessThanOrEqual(12_000);
    expect(bench.center.mostInFlight()).toBe(2);
    const spanned = (requests.at(-1)?.at ?? 0) - (requests[0]?.at ?? 0);
    expect(requests.length / (spanned / 1000)).toBeLessThanOrEqual(22);
  });

  it('fills its batches, and uses the concurrency that it was given', async () => {
    bench.center.behave = () => ({ delay: 200 });
    const file = await bench.write('leads.csv', csv(leads(2000)));
    const run = await bench.import('full', [file], ['--batch-size', '100', '--concurrency', '6']);
    expect(run.code).toBe(0);
    // The probe carries none.
    const carried = bench.center.requests.map(({ clients }) => clients);
    expect(carried).toEqual([0, ...Array<number>(20).fill(100)]);
    expect(bench.center.mostInFlight()).toBe(6);
  });
});

describe('what is written', () => {
  it('is for its owner alone', async () => {
    const file = await bench.write('leads.csv', csv([lead(1), lead(2, { Mobile: '' })]));
    const run = await bench.import('modes', [file]);
    const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect(mode(run.out)).toBe('700');
    const written = readdirSync(run.out);
    expect(written.toSorted()).toEqual(['rejects.csv', 'report.csv', 'run.log', 'summary.json']);
    for (const name of written) expect([name, mode(join(run.out, name))]).toEqual([name, '600']);
    expect(mode(run.ledger)).toBe('600');
  });

  it('computes nothing in a spreadsheet program, and the rejects are read as what they were', async () => {
    const evil = ['=HYPERLINK("http://x","y")', '@SUM(A1)', '+cmd|calc', '-2+3', '\t=1', '＝1+1'];
    const rows = evil.map((text, index) =>
      lead(index + 1, { Site: `${text}${index}.example`, Comment: text, First: text }),
    );
    bench.center.behave = () => ({ refuse: () => '=cmd|calc!A1' });
    const run = await bench.import('formulas', [await bench.write('formulas.csv', csv(rows))]);
    for (const line of run.report())
      for (const cell of Object.values(line)) expect(cell).not.toMatch(/^\s*[=@+＝-]/u);
    const rejects = run.rejects();
    for (const line of rejects)
      for (const cell of Object.values(line)) expect(cell).not.toMatch(/^\s*[=@+＝-](?!\d+$)/u);
    const { stdout } = await cardline(['rows', join(run.out, 'rejects.csv')]);
    const [header, ...again] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { cells: string[] }).cells);
    const comment = header?.indexOf('Comment') ?? -1;
    expect(again.map((cells) => cells[comment])).toEqual(evil);
  });
});

describe('what is refused before anything is sent', () => {
  const refusal = async (files: string[], options: string[] = []): Promise<string> => {
    const run = await bench.import('refused', files, options);
    expect(run.code, run.stderr).toBe(64);
    expect(run.stderr).not.toMatch(/\n\s+at /);
    expect(bench.center.requests).toEqual([]);
    return run.stderr;
  };
  let file: string;
  beforeEach(async () => {
    file = await bench.write('leads.csv', csv(leads(3)));
  });

  it('a variable of the environment that is not set', async () => {
    const text = installation(bench.center.url).replace('CARDLINE_TEST_TOKEN', 'NO_SUCH_VARIABLE');
    const center = await bench.write('unset.yaml', text);
    expect(await refusal([file], ['-i', center])).toContain('NO_SUCH_VARIABLE');
  });

  it('a mapping that is no YAML', async () => {
    const mapping = await bench.write('broken.yaml', 'client:\n  - {\n');
    expect(await refusal([file], ['-m', mapping])).toMatch(/broken\.yaml:\d+:\d+/);
  });

  it('a mapping with a column that the file lacks, with the nearest one, all faults at once', async () => {
    const text = MAPPING.replace('Segment,', 'Segmnt,').replace('Comment\n', 'Coment\n');
    const told = await refusal([file], ['-m', await bench.write('wrong.yaml', text)]);
    expect(told).toContain('Segmnt');
    expect(told).toContain('Segment');
    expect(told).toContain('Coment');
    expect(told).toContain('Comment');
    expect(told).toMatch(/wrong\.yaml:\d+:\d+/);
  });

  it('a mapping with a field that the card lacks, or without one that it needs', async () => {
    const text = MAPPING.replace('comment:', 'coment:').replace(/ {4}fullName.*\n/, '');
    const told = await refusal([file], ['-m', await bench.write('card.yaml', text)]);
    expect(told).toContain('coment');
    expect(told).toContain('fullName');
  });

  it.each(['0', '99999999999999999999'])('a campaign that cannot be: %s', async (id) => {
    expect(await refusal([file], ['--campaign', id])).toContain('campaign');
  });

  it('a file that is named twice', async () => {
    expect(await refusal([file, file])).toContain('twice');
  });

  it('a ledger that cannot be written', async () => {
    const run = await bench.import('ledger', [file], ['--ledger', join(file, 'x.db')]);
    expect([3, 64]).toContain(run.code);
    expect(run.stderr).toContain('x.db');
    const text = await bench.import('ledger', [file], ['--ledger', file]);
    expect([3, 64]).toContain(text.code);
    expect(text.stderr).toContain('not a ledger');
    expect(bench.center.requests).toEqual([]);
  });

  it('a folder for the reports that cannot be written', async () => {
    const run = await bench.import('out', [file], ['--out', join(file, 'reports')]);
    expect([3, 64]).toContain(run.code);
    expect(run.stderr).toContain('reports');
    expect(bench.center.requests).toEqual([]);
  });
});
