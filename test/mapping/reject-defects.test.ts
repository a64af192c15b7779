import { describe, expect, it } from 'vitest';
import { type MappedRow, rejectDefects } from '../../src/mapping/compile.js';

const HEADERS = ['Id', 'Total', 'Note'];
const skipped: MappedRow = { status: 'skipped', uuid: null, identifiers: ['1'], problems: [] };
const rejected: MappedRow = {
  status: 'rejected',
  uuid: null,
  identifiers: ['1'],
  problems: [
    { column: 'Total', code: 'required', message: 'missing', value: null },
    { column: 'Id', code: 'not_a_number', message: 'wrong', value: 'x' },
  ],
};
const FAULT = { code: 'formula_without_value', message: 'There is no value.' } as const;
const codes = (row: MappedRow) =>
  (row.status === 'client' ? [] : row.problems).map(({ column, code }) => [column, code]);

describe('a row whose file leaves something out', () => {
  it('is rejected where the mapping uses the column, even if a filter would leave it out', () => {
    const mapped = rejectDefects(skipped, [{ column: 1, ...FAULT }], HEADERS, ['Id', 'Total']);
    expect(mapped).toMatchObject({ status: 'rejected', identifiers: ['1'] });
    expect(codes(mapped)).toEqual([['Total', 'formula_without_value']]);
  });

  it('is as it was where the mapping does not use the column', () => {
    expect(rejectDefects(skipped, [{ column: 2, ...FAULT }], HEADERS, ['Id'])).toBe(skipped);
    expect(rejectDefects(skipped, [{ column: 9, ...FAULT }], HEADERS, ['Id'])).toBe(skipped);
  });

  it('has the fault in place of what the mapping says of the empty cell, beside other problems', () => {
    const mapped = rejectDefects(rejected, [{ column: 1, ...FAULT }], HEADERS, ['Id', 'Total']);
    expect(codes(mapped)).toEqual([
      ['Total', 'formula_without_value'],
      ['Id', 'not_a_number'],
    ]);
  });

  it('is rejected as a whole where no column is named', () => {
    const fault = { column: null, code: 'unknown_names', message: 'm' };
    expect(codes(rejectDefects(skipped, [fault], HEADERS, []))).toEqual([[null, 'unknown_names']]);
  });

  it('is sent with a remark where the mapping has no use for a value without a column', () => {
    const sent: MappedRow = {
      ...{ status: 'client', uuid: 'u', identifiers: [1] },
      payload: { kind: 'none' } as never,
    };
    const late = (...names: string[]) => ({
      column: null,
      names,
      code: 'unknown_name',
      message: 'm',
    });
    expect(rejectDefects(sent, [late('late', 'b')], HEADERS, ['Id'])).toMatchObject({
      status: 'client',
      remarks: [{ column: null, code: 'unknown_name', message: 'Left out: m', value: null }],
    });
    for (const [name, column] of [
      ['Id.0', 'Id'],
      ['address', 'address.city'],
    ])
      expect(codes(rejectDefects(sent, [late('other', name!)], HEADERS, [column!]))).toEqual([
        [null, 'unknown_name'],
      ]);
    expect(rejectDefects(skipped, [late('late')], HEADERS, ['Id'])).toBe(skipped);
  });
});
