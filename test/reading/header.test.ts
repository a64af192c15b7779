import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.js';
import { chooseHeader, dataAbove, LineCounter, readHeader } from '../../src/source/header.js';
import { columnLetters, type Row } from '../../src/core/table.js';
import { tablesIn } from '../kit/tables.js';

interface Table {
  readonly case: string;
  readonly text: string;
  readonly wanted?: readonly string[];
}
const TABLES = tablesIn(import.meta.dirname, 'header.yaml') as {
  header: readonly (Table & { rows: readonly number[]; names: string })[];
  above: readonly (Table & { above: readonly number[] })[];
};

const csv = { file: 'leads.csv', sheet: null, row: 1, format: 'csv', line: 3 } as const;
const xlsx = { file: 'leads.xlsx', sheet: 'Leads', row: 2, format: 'xlsx' } as const;

function refusal(work: () => unknown): InputError {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('readHeader', () => {
  it('gives names without surrounding white space and without a stray mark', () => {
    expect(readHeader(['\ufeffid', ' First name ', 'Имя\t', 'a b'], csv)).toEqual([
      'id',
      'First name',
      'Имя',
      'a b',
    ]);
  });

  it('leaves out empty cells at the end of a workbook, not of a CSV', () => {
    expect(readHeader(['id', 'name', null, ' '], xlsx)).toEqual(['id', 'name']);
    expect(readHeader(['id', null], csv)).toEqual(['id', 'B']);
  });

  it('calls columns without a name of their own by their letters', () => {
    expect(readHeader(['id', ' ', 'name'], xlsx)).toEqual(['id', 'B', 'name']);
    expect(readHeader(['Note', 'id', null, ' Note', 'C'], csv)).toEqual([
      'A',
      'id',
      'C (3)',
      'D',
      'C',
    ]);
  });

  it('refuses a workbook without room for the two columns of a rejects file', () => {
    const names = Array.from({ length: 16_384 }, (_, index) => `c${index}`);
    const own = ['cardline:outcome', 'cardline:problems'];
    expect(readHeader(names.slice(0, 16_382), xlsx)).toHaveLength(16_382);
    expect(readHeader([...names.slice(0, 16_382), ...own], xlsx)).toHaveLength(16_384);
    expect(readHeader(names, csv)).toHaveLength(16_384);
    const error = refusal(() => readHeader(names.slice(0, 16_383), xlsx));
    expect(error.code).toBe('too_many_columns');
    expect(error.message).toContain('leads.xlsx, sheet "Leads", row 2: the header has 16383');
  });

  it('refuses a name that stands twice and is used, without telling it', () => {
    const error = refusal(() => readHeader(['Petrov', 'id', ' Petrov'], csv, ['Petrov']));
    expect(error.code).toBe('duplicate_header');
    expect(error.message).toContain('column 1 (A) and column 3 (C)');
    expect(error.message).not.toContain('Petrov');
  });

  it('tells apart names that differ in case', () => {
    expect(readHeader(['id', 'ID'], csv)).toEqual(['id', 'ID']);
  });

  it('refuses a row without any name', () => {
    expect(refusal(() => readHeader([], csv)).code).toBe('no_header');
    expect(refusal(() => readHeader([null, null], xlsx)).code).toBe('no_header');
  });
});

describe('LineCounter', () => {
  it('adds the line breaks inside of cells', () => {
    const lines = new LineCounter();
    const row = (number: number, ...cells: string[]) => ({ sheet: null, row: number, cells });
    expect(lines.lineOf(row(1, 'a'))).toBe(1);
    expect(lines.lineOf(row(3, 'a\r\nb', 'c\nd\re'))).toBe(3);
    expect(lines.lineOf(row(4, 'a'))).toBe(7);
  });
});

it('names columns as spreadsheet programs do', () => {
  expect([0, 25, 26, 51, 52, 701, 702, 16_383].map(columnLetters)).toEqual([
    'A',
    'Z',
    'AA',
    'AZ',
    'BA',
    'ZZ',
    'AAA',
    'XFD',
  ]);
});

/** A table in CSV; a blank line is a row that is left out. */
function table(text: string, delimiter: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    const cells = line.split(delimiter).map((cell) => (cell === '' ? null : cell));
    return line === '' ? [] : [{ sheet: null, row: index + 1, cells }];
  });
}

const numbers = (rows: readonly Row[]) => rows.map(({ row }) => row);

describe('the header of a table', () => {
  it.each(TABLES.header)('$case', ({ text, wanted, rows, names }) => {
    const found = chooseHeader(table(text, ','), wanted);
    expect([numbers(found.rows), found.names.join('|')]).toEqual([rows, names]);
  });

  it('is looked for in the first 50 rows', () => {
    const above = Array.from({ length: 49 }, (_, index) => `note ${index},`).join('\n');
    const chosen = (text: string) => numbers(chooseHeader(table(text, ','), ['id']).rows);
    expect(chosen(`${above}\nid,name`)).toEqual([50]);
    expect(chosen(`x,\n${above}\nid,name`)).not.toEqual([51]);
  });

  it.each(TABLES.above)('has rows of data above it: $case', ({ text, wanted, above }) => {
    const rows = table(text, ';');
    const [header] = chooseHeader(rows, wanted).rows;
    const at = rows.findIndex((row) => row === header);
    expect(numbers(dataAbove(rows.slice(0, at), rows.slice(at + 1)))).toEqual(above);
  });
});
