import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.js';
import { LineCounter, readHeader } from '../../src/source/header.js';
import { columnLetters } from '../../src/core/table.js';

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
