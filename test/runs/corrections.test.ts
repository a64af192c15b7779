import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { appendCorrection, type NewCorrection } from '../../src/run/corrections.js';
import { cardline } from '../kit/cardline.js';
import { COLUMNS, countOutcomes, leads, MAPPING, useBench, twice } from '../kit/bench.js';

const ROWS = 10;
/** A row whose phone is none, as the spreadsheet program numbers it. */
const BAD = 4;

const bench = useBench({ after: ({ center }) => expect(center.violations).toEqual([]) });

const rows = (count = ROWS) =>
  leads(count).map((row, at) => (at + 2 === BAD ? { ...row, Mobile: 'none yet' } : row));

const MENDED: NewCorrection = {
  file: 'leads.csv',
  row: BAD,
  column: 'Mobile',
  was: 'none yet',
  becomes: '+79161234567',
};

const corrections = (lines: readonly object[], name = 'corrections.jsonl') =>
  bench.write(name, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const CAMPAIGN = ['--campaign', '42'];
const options = (...more: string[]): string[] => [
  ...[...CAMPAIGN, '--corrections', bench.at('corrections.jsonl'), ...more],
];
const again = (name: string, ...more: string[]): string[] =>
  options('--ledger', bench.at('run.db'), '--out', bench.at(name), ...more);

describe('a corrected cell', () => {
  it('counts in place of that of the file, which stays as it is, and is told in the report', async () => {
    const file = await bench.list(rows());
    await corrections([
      MENDED,
      { ...MENDED, row: 5, column: 'First', was: 'Fedor4', becomes: 'Ann' },
    ]);
    const before = readFileSync(file, 'utf8');
    const run = await bench.import('run', [file], options());
    expect(run.code, run.stderr).toBe(0);
    expect(countOutcomes(run.report())).toEqual({ enqueued: ROWS });
    expect(readFileSync(file, 'utf8')).toBe(before);
    const remarks = run.report().map(({ row, remarks }) => [row, remarks]);
    expect(remarks.filter(([, text]) => text !== '')).toEqual([
      ['4', 'Mobile: Corrected by hand.'],
      ['5', 'First: Corrected by hand.'],
    ]);
    expect(run.stdout).toContain('2 cells were corrected by hand: Mobile 1, First 1');
    const names = [...bench.center.cards.values()].map(
      ({ client }) => (client['fields'] as { fullName: string }).fullName,
    );
    expect(names.filter((name) => name.startsWith('Ann '))).toHaveLength(1);
    expect(run.log()).not.toContain('Ann');
  });

  it('stands in the rejects, where its row is rejected all the same', async () => {
    const file = await bench.list(rows());
    await corrections([
      { ...MENDED, becomes: 'still none' },
      { ...MENDED, row: 6, column: 'Status', was: 'new', becomes: 'lost' },
    ]);
    const run = await bench.import('run', [file], options());
    expect(run.code).toBe(2);
    expect(run.rejects()).toMatchObject([{ Mobile: 'still none' }]);
    expect(countOutcomes(run.report())).toEqual({ enqueued: ROWS - 2, rejected: 1, skipped: 1 });
    const remarks = run.report().map(({ outcome, remarks }) => [outcome, remarks]);
    expect(remarks).toContainEqual(['rejected', 'Mobile: Corrected by hand.']);
    expect(remarks).toContainEqual(['skipped', 'Status: Corrected by hand.']);
    expect(run.stdout).not.toContain('--corrections');
    const mapping = [
      '-m',
      bench.at('mapping.yaml'),
      '--corrections',
      bench.at('corrections.jsonl'),
    ];
    const checked = await bench.run('check', file, ...mapping, '--json', '-q');
    expect(JSON.parse(checked.stdout)).toMatchObject({
      clients: ROWS - 2,
      remarks: [
        { column: 'Mobile', code: 'corrected', count: 1 },
        { column: 'Status', code: 'corrected', count: 1 },
      ],
    });
  });

  it('is the last one for it, and taken back by what the file holds', async () => {
    const file = await bench.list(rows());
    const list = bench.at('corrections.jsonl');
    appendCorrection({ corrections: list, correction: { ...MENDED, becomes: 'worse' } });
    appendCorrection({ corrections: list, correction: MENDED });
    expect(statSync(list).mode & 0o777).toBe(0o600);
    const first = await bench.import('run', [file], options());
    expect(countOutcomes(first.report())).toEqual({ enqueued: ROWS });
    appendCorrection({ corrections: list, correction: { ...MENDED, becomes: MENDED.was } });
    const second = await bench.import('back', [file], again('back'));
    expect(countOutcomes(second.report())).toEqual({ skipped: ROWS - 1, rejected: 1 });
  });
});

it('a workbook has corrections of formulas without a value, and of cells that it does not store', async () => {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Leads');
  const columns = [...COLUMNS.filter((name) => name !== 'Mobile'), 'Mobile'] as const;
  sheet.addRow(columns);
  for (const row of leads(3)) sheet.addRow(columns.map((name) => row[name]));
  sheet.getCell(3, columns.length).value = null;
  sheet.getCell(4, 3).value = { formula: 'A1', date1904: false };
  const file = bench.at('leads.xlsx');
  await book.xlsx.writeFile(file);
  await bench.write('mapping.yaml', MAPPING.replace('type: MOB,', 'type: MOB, required: true,'));
  const bare = await bench.import('bare', [file]);
  expect(countOutcomes(bare.report())).toEqual({ created: 1, rejected: 2 });
  const own = { file: 'leads.xlsx', sheet: 'Leads', was: null };
  await corrections([
    { ...own, row: 3, column: 'Mobile', becomes: '+79161234567' },
    { ...own, row: 4, column: 'First', becomes: 'Ann' },
  ]);
  const list = ['--corrections', bench.at('corrections.jsonl'), '--ledger', bare.ledger];
  const run = await bench.import('run', [file], list);
  expect(countOutcomes(run.report()), run.stderr).toEqual({ skipped: 1, created: 2 });
});

describe('what does not fit is refused, and nothing is sent', () => {
  it.each([
    [
      'another value',
      { was: 'other' },
      /leads\.csv, row 4, column "Mobile": line 1 of .* does not hold/,
    ],
    [
      'a row that is not there',
      { row: 500 },
      /leads\.csv, row 500, column "Mobile": .* no such row/,
    ],
    ['the header', { row: 1, was: 'Mobile' }, /row 1, column "Mobile": .* no such row/],
    [
      'a column that is not there',
      { column: 'Mobil' },
      /corrections\.jsonl:1: .* no column "Mobil"/,
    ],
    ['a sheet', { sheet: 'One' }, /Sheet "One" of .*leads\.csv is not read/],
    ['another file', { file: 'other.csv' }, /"other\.csv" is none of the inputs/],
    ['a later version', { version: 2 }, /a later version of cardline/],
    ['no row', { row: 'x' }, /corrections\.jsonl:1: "row"/],
  ])('%s', async (_, change, message) => {
    const file = await bench.list(rows());
    await corrections([{ ...MENDED, ...change }]);
    const run = await bench.import('run', [file], options());
    expect(run.code).toBe(64);
    expect(run.stderr).toMatch(message);
    expect(run.stderr).not.toContain('none yet');
    expect(bench.center.creations.size).toBe(0);
  });

  it('every line that is wrong at once', async () => {
    const file = await bench.list(rows());
    await bench.write('corrections.jsonl', `{"torn\n\n${JSON.stringify({ ...MENDED, row: 0 })}\n`);
    const run = await bench.import('run', [file], options());
    expect(run.code).toBe(64);
    expect(run.stderr).toMatch(/corrections\.jsonl:1: .*not JSON[^]*corrections\.jsonl:3: "row"/);
  });
});

describe('a list that is imported again', () => {
  it('with its cells corrected in between sends what the run before did not do', async () => {
    const file = await bench.list(rows());
    const first = await bench.import('run', [file], ['--campaign', '42']);
    expect(countOutcomes(first.report())).toEqual({ enqueued: ROWS - 1, rejected: 1 });
    await corrections([MENDED]);
    const second = await bench.import('second', [file], again('second'));
    expect(second.code, second.stderr).toBe(0);
    expect(countOutcomes(second.report())).toEqual({ skipped: ROWS - 1, enqueued: 1 });
    const third = await bench.import('third', [file], again('third'));
    expect(third.stderr).toContain('This was imported already');
    await corrections([
      MENDED,
      { ...MENDED, row: 7, column: 'First', was: 'Fedor6', becomes: 'B' },
    ]);
    const fourth = await bench.import('fourth', [file], again('fourth'));
    expect(countOutcomes(fourth.report())).toEqual({ skipped: ROWS });
    expect(twice(bench.center.creations)).toEqual([]);
    expect(twice(bench.center.enqueuings)).toEqual([]);
  });

  it('is the same list with corrections that say nothing', async () => {
    const file = await bench.list(rows());
    await bench.import('run', [file], ['--campaign', '42']);
    await corrections([MENDED, { ...MENDED, becomes: MENDED.was }]);
    const second = await bench.import('second', [file], again('second'));
    expect(second.stderr).toContain('This was imported already');
  });

  it('is sent again after an undo, with its corrections', async () => {
    const file = await bench.list(rows());
    await corrections([MENDED]);
    await bench.import('run', [file], options());
    const places = ['-i', bench.at('center.yaml'), '--ledger', bench.at('run.db')];
    const undone = await bench.run('undo', '--yes', ...places);
    expect(undone.code, undone.stderr).toBe(0);
    const after = await bench.import('after', [file], again('after', '--recovery'));
    expect(countOutcomes(after.report())).toEqual({ enqueued: ROWS });
  });
});

describe('a run that broke off', () => {
  const COUNT = 1100;
  const slow = ['--batch-size', '50', '--concurrency', '2'];

  it('is refused with other corrections, says what has changed, and goes on with its own by resume', async () => {
    const file = await bench.list(rows(COUNT));
    await corrections([MENDED]);
    const stop = new AbortController();
    bench.center.behave = ({ number }) => {
      if (number === 12) stop.abort();
      return undefined;
    };
    expect((await bench.import('run', [file], options(...slow), stop.signal)).code).toBe(3);
    bench.center.behave = () => undefined;
    const sent = bench.center.creations.size;
    await corrections([{ ...MENDED, becomes: '+79167654321' }]);
    const other = await bench.import('run', [file], options(...slow));
    expect(other.code).toBe(64);
    expect(other.stderr).toContain('the list of corrections has changed');
    const without = await bench.import('run', [file], ['--campaign', '42', ...slow]);
    expect(without.code).toBe(64);
    expect(bench.center.creations.size).toBe(sent);
    await corrections([MENDED]);
    const resumed = await cardline(['resume', '--ledger', bench.at('run.db')], {
      ...{ cwd: join(bench.at('.'), '..'), env: bench.environment },
    });
    expect(resumed.code, resumed.stderr).toBe(0);
    const run = bench.imported('run', resumed);
    expect(countOutcomes(run.report())).toEqual({ enqueued: COUNT });
    expect(twice(bench.center.creations)).toEqual([]);
  });
});
