import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unmarkedText } from '../../../src/core/table.js';
import { OUTCOMES, type RunMode, type Problem } from '../../../src/core/outcome.js';
import type { RowReport } from '../../../src/core/report.js';
import { OutputError } from '../../../src/report/files.js';
import { writeReport } from '../../../src/report/lines.js';
import { testFolder } from '../../kit/folder.js';
import { rowReport } from './rows.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'report-csv.yaml') as {
  readonly evil: string[];
  readonly harmless: string[];
};

const folder = testFolder();

const plain = rowReport({ identifiers: [1001] });

async function written(
  rows: Iterable<RowReport> | AsyncIterable<RowReport>,
  identifierNames: string[] = ['offerId'],
  inputs: string[] = ['leads.csv'],
  mode: RunMode = 'create',
): Promise<string[][]> {
  const file = join(folder, 'report.csv');
  await writeReport({ file, rows, run: 'r1', identifierNames, inputs, mode });
  return parse(await readFile(file));
}

const OF_RUN = { run: 'r1', mode: 'create', identifierNames: ['offerId'], inputs: ['a'] } as const;

const COLUMNS = [
  ...['row', 'sheet', 'uuid', 'offerId', 'outcome', 'verdict'],
  ...['createdClientId', 'createResult', 'enqueueResult', 'changeResult'],
  ...['clientId', 'applicationStatus', 'callsMade', 'nextCall', 'callback', 'differences'],
  ...['problems', 'problemCodes', 'remarks', 'file', 'run'],
];
/** The cells of a line by the names of the columns, for a run with one identifier. */
const cellsOf = (line: readonly string[], columns: readonly string[] = COLUMNS) =>
  Object.fromEntries(columns.map((name, at) => [name, line[at] ?? '']));

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const problem = fc.record({
  column: fc.option(text),
  code: fc.constant('required'),
  message: text,
  value: fc.option(text),
});
const identifier = fc.option(fc.oneof(fc.integer(), text));
const row = fc.record({
  ordinal: fc.nat(),
  input: fc.constantFrom(0, 1),
  sheet: fc.option(text),
  row: fc.nat(),
  uuid: fc.option(fc.uuid()),
  identifiers: fc.tuple(identifier, identifier),
  outcome: fc.constantFrom(...OUTCOMES),
  createdClientId: fc.option(fc.nat()),
  createResult: fc.option(text),
  enqueueResult: fc.option(text),
  changeResult: fc.option(text),
  remarks: fc.option(fc.array(problem, { maxLength: 2 }), { nil: undefined }),
  problems: fc.array(problem, { maxLength: 3 }),
});

const meant = (value: string | number | null): string => String(value ?? '');

const textOf = (problems: readonly Problem[]): string =>
  problems
    .map(
      ({ column, message, value }) =>
        (column === null ? '' : `${column}: `) + message + (value === null ? '' : ` (${value})`),
    )
    .join('; ');

describe('report.csv', () => {
  it('has the columns of the report in their order', async () => {
    const [header = [], line = []] = await written([plain]);
    expect(header).toEqual(COLUMNS);
    const filled = Object.entries(cellsOf(line)).filter(([, cell]) => cell !== '');
    expect(Object.fromEntries(filled)).toEqual({
      ...{
        row: '2',
        uuid: plain.uuid,
        offerId: '1001',
        outcome: 'enqueued',
        createdClientId: '17',
      },
      ...{ createResult: 'Success', enqueueResult: 'Success', file: 'leads.csv', run: 'r1' },
    });
  });

  it('has the codes of the problems, each once', async () => {
    const problems = ['required', 'too_long', 'required'].map((code, at) => ({
      ...{ column: `c${at}`, code, message: 'is wrong', value: null },
    }));
    const [, line = []] = await written([{ ...plain, problems }]);
    expect(cellsOf(line)['problemCodes']).toBe('required; too_long');
  });

  it.each([
    { outcome: 'failed' },
    { createResult: 'No such client' },
    { createResult: null },
    { enqueueResult: 'No such client' },
    { enqueueResult: null },
    { changeResult: 'No such client' },
    { createdClientId: null },
  ] as const)('tells apart rows that differ in one result alone: %j', async (other) => {
    const rows = [plain, { ...plain, ...other }, plain];
    const linesOf = async (some: RowReport[]): Promise<string[][]> =>
      (await written(some, undefined, undefined, 'update')).slice(1);
    const alone: string[][] = [];
    for (const row of rows) alone.push(...(await linesOf([row])));
    expect(await linesOf(rows)).toEqual(alone);
    expect(alone[1]).not.toEqual(alone[0]);
  });

  it('reads back as the rows, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), async (rows) => {
        const [header, ...lines] = await written(rows, ['a', 'b'], ['x.csv', 'y.csv']);
        expect(lines.map((line) => cellsOf(line.map(unmarkedText), header))).toMatchObject(
          rows.map((one) => ({
            row: String(one.row),
            sheet: meant(one.sheet),
            uuid: meant(one.uuid),
            a: meant(one.identifiers[0]),
            b: meant(one.identifiers[1]),
            outcome: one.outcome,
            createdClientId: meant(one.createdClientId),
            createResult: meant(one.createResult),
            enqueueResult: meant(one.enqueueResult),
            problems: meant(textOf(one.problems)),
            remarks: meant(textOf(one.remarks ?? [])),
            file: ['x.csv', 'y.csv'][one.input],
          })),
        );
      }),
    );
  });

  it.each(CASES.evil)('makes %j inert in every column that others fill', async (evil) => {
    const rows: RowReport[] = [
      {
        ...plain,
        sheet: evil,
        uuid: evil,
        identifiers: [evil],
        createResult: evil,
        enqueueResult: evil,
        problems: [{ column: evil, code: 'x', message: 'is wrong', value: evil }],
        remarks: [{ column: evil, code: 'x', message: 'is left out', value: evil }],
      },
    ];
    const [header, line] = await written(rows, [evil], [evil, 'b.csv']);
    expect(header![3]).toBe(`'${evil}`);
    const cells = cellsOf(line!, header!.with(3, 'identifier'));
    for (const name of ['sheet', 'uuid', 'identifier', 'createResult', 'enqueueResult', 'file'])
      expect([name, cells[name]]).toEqual([name, `'${evil}`]);
    expect(cells['problems']).toBe(`'${evil}: is wrong (${evil})`);
    expect(cells['remarks']).toBe(`'${evil}: is left out (${evil})`);
  });

  it('leaves signed numbers and everything harmless as they are', async () => {
    const harmless = CASES.harmless;
    const lines = await written(
      harmless.map((identifier) => ({ ...plain, identifiers: [identifier] })),
    );
    expect(lines.slice(1).map((line) => line[3])).toEqual(harmless);
  });

  it('tells identifiers from columns of the same name', async () => {
    const names = ['row', 'id:row', 'file', 'Row'];
    const [header] = await written([{ ...plain, identifiers: [1, 2, 3, 4] }], names, ['a', 'b']);
    expect(header!.slice(3, 7)).toEqual(['id:row', 'id:id:row', 'id:file', 'Row']);
    expect(new Set(header).size).toBe(header!.length);
    expect(header!.slice(-2)).toEqual(['file', 'run']);
  });

  it('shortens long values without cutting a character in two', async () => {
    const value = 'x' + '😀'.repeat(300);
    const [, line] = await written([
      { ...plain, problems: [{ column: 'Note', code: 'x', message: 'is too long', value }] },
    ]);
    expect(cellsOf(line!)['problems']).toBe(`Note: is too long (x${'😀'.repeat(99)}…)`);
  });

  it('takes rows as they come and keeps files to their owner', async () => {
    const file = join(folder, 'new', 'folder', 'report.csv');
    async function* rows(): AsyncGenerator<RowReport> {
      for (let ordinal = 0; ordinal < 20_000; ordinal += 1) {
        if (ordinal % 5_000 === 0) await Promise.resolve();
        yield { ...plain, ordinal, row: ordinal + 2 };
      }
    }
    const count = await writeReport({ ...OF_RUN, file, rows: rows() });
    expect(count).toBe(20_000);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(
      Array.from({ length: 20_000 }, (_, index) => index + 2),
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'new', 'folder'))).mode & 0o777).toBe(0o700);
  });

  it('leaves the older report as it was when the rows end in an error', async () => {
    const file = join(folder, 'older', 'report.csv');
    await mkdir(join(folder, 'older'));
    await writeFile(file, 'older');
    function* rows(): Generator<RowReport> {
      yield plain;
      throw new Error('the ledger is gone');
    }
    const writing = writeReport({ ...OF_RUN, file, rows: rows() });
    await expect(writing).rejects.toThrow('the ledger is gone');
    expect(await readFile(file, 'utf8')).toBe('older');
    expect(await readdir(join(folder, 'older'))).toEqual(['report.csv']);
  });

  it('says what is wrong when the file cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const file = join(folder, 'file', 'report.csv');
    const writing = writeReport({ ...OF_RUN, file, rows: [] });
    await expect(writing).rejects.toThrow(OutputError);
    await expect(writing).rejects.toThrow(
      /a file is where a folder should be|a part of the path is a file/,
    );
  });
});
