import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.js';
import type { Row } from '../../src/core/table.js';
import { openSource } from '../../src/source/source.js';
import { zip } from '../kit/zip.js';
import { testFolder } from './files.js';

const folder = testFolder();

const content = (tables: string, styles = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x">` +
  `<office:automatic-styles>${styles}</office:automatic-styles>` +
  `<office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`;
const table = (rows: string, name = 'S') =>
  `<table:table table:name="${name}">${rows}</table:table>`;
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
const text = (value: string) =>
  `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;

async function read(xml: string, options = {}, more: { name: string; data: string }[] = []) {
  const file = await folder.write(zip([{ name: 'content.xml', data: xml }, ...more]));
  const rows: Row[] = [];
  for await (const batch of (await openSource(file, options)).batches()) {
    expect(new Set(batch.map(({ sheet }) => sheet)).size, 'sheets of a batch').toBe(1);
    rows.push(...batch);
  }
  return rows;
}

const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    (error: unknown) => (error instanceof InputError ? error.code : error),
  );

describe('an OpenDocument sheet', () => {
  it.each([
    ['<table:table-cell office:value-type="float" office:value="1.10"/>', '1.1'],
    ['<table:table-cell office:value-type="float" office:value="7.9161234567E10"/>', '79161234567'],
    ['<table:table-cell office:value-type="percentage" office:value="0.25"/>', '0.25'],
    ['<table:table-cell office:value-type="date" office:date-value="2024-01-01"/>', '2024-01-01'],
    [
      '<table:table-cell office:value-type="date" office:date-value="2024-01-01T15:59:59.9995"/>',
      '2024-01-01T16:00:00',
    ],
    ['<table:table-cell office:value-type="time" office:time-value="PT36H00M00S"/>', '36:00:00'],
    ['<table:table-cell office:value-type="boolean" office:boolean-value="TRUE"/>', 'true'],
    [
      text('a<text:s text:c="2"/>b<text:tab/>c<text:line-break/><text:span>d</text:span>'),
      'a  b\tc\nd',
    ],
    [text('one</text:p><text:p>two'), 'one\ntwo'],
    [text('a  \n b'), 'a b'],
    [
      '<table:table-cell table:formula="of:=NA()" office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>',
      '#N/A',
    ],
    [
      '<table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>x</text:p></table:table-cell>',
      'x',
    ],
    ['<table:covered-table-cell office:value-type="float" office:value="5"/>', '5'],
  ])('%s shows %j', async (cell, shown) => {
    const [first] = await read(content(table(row(cell))));
    expect(first?.cells).toEqual([shown]);
    const isError = cell.includes('type="error"');
    expect(first?.defects?.map(({ code }) => code)).toEqual(isError ? ['error_value'] : undefined);
  });

  it('shows midnight where the format of a cell has a time, which LibreOffice does not store', async () => {
    const format =
      '<number:date-style style:name="N1"><number:year/><number:hours/></number:date-style>';
    const styles = '<style:style style:name="ce1" style:data-style-name="N1"/>';
    const cell =
      '<table:table-cell table:style-name="ce1" office:value-type="date" office:date-value="2024-01-01"/>';
    const shared = {
      name: 'styles.xml',
      data: `<o:document-styles xmlns:o="o" xmlns:number="n" xmlns:style="s">${format}</o:document-styles>`,
    };
    for (const [first] of [
      await read(content(table(row(cell)), format + styles)),
      await read(content(table(row(cell)), styles), {}, [shared]),
    ])
      expect(first?.cells).toEqual(['2024-01-01T00:00:00']);
  });

  it.each([
    ['<table:table-cell table:formula="of:=1+1"/>', 'formula_without_value'],
    [
      '<table:table-cell table:formula="of:=1+1" office:value-type="float"/>',
      'formula_without_value',
    ],
    [
      '<table:table-cell table:formula="of:=A1" office:value-type="string" office:string-value=""/>',
      undefined,
    ],
  ])('a formula without a stored value is told: %s', async (cell, code) => {
    const [first] = await read(content(table(row(text('a'), cell))));
    expect(first?.defects?.map((defect) => [defect.column, defect.code])).toEqual(
      code && [[1, code]],
    );
  });

  it('repeats rows and cells, and leaves out empty ones at the end, however many', async () => {
    const rows =
      '<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>' +
      `<table:table-row-group><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2"/>` +
      '<table:table-cell office:value-type="float" office:value="7" table:number-columns-repeated="2"/></table:table-row></table:table-row-group>' +
      `${row(text('end'))}<table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row>`;
    expect((await read(content(table(rows)))).map(({ row: at, cells }) => [at, cells])).toEqual([
      [4, [null, null, '7', '7']],
      [5, [null, null, '7', '7']],
      [6, ['end']],
    ]);
  });

  it('with a row repeated a thousand times gives it in batches', async () => {
    const repeated = row(text('x')).replace(
      '<table:table-row>',
      '<table:table-row table:number-rows-repeated="5000">',
    );
    const rows = await read(content(table(repeated + row(text('end')))));
    expect(rows).toHaveLength(5_001);
    expect(rows.at(-1)).toMatchObject({ row: 5_001, cells: ['end'] });
  });

  it('is the first visible one, the named one, or all', async () => {
    const styles =
      '<style:style style:name="ta1"><style:table-properties table:display="false"/></style:style>';
    const hidden = table(row(text('h')), 'Hidden').replace(
      '<table:table ',
      '<table:table table:style-name="ta1" ',
    );
    const xml = content(hidden + table(row(text('a')), 'A') + table(row(text('b')), 'B'), styles);
    const names = async (options: object) => (await read(xml, options)).map(({ sheet }) => sheet);
    expect(await names({})).toEqual(['A']);
    expect(await names({ sheet: 'B' })).toEqual(['B']);
    expect(await names({ allSheets: true })).toEqual(['Hidden', 'A', 'B']);
  });

  it('has limits, and rows before what is wrong', async () => {
    const bomb = row(text('x'.repeat(1000))).replace(
      '<table:table-row>',
      '<table:table-row table:number-rows-repeated="1000000">',
    );
    expect(await codeOf(read(content(table(bomb))))).toBe('zip_bomb');
    expect(await codeOf(read(content(table(row(text('x'))).replace('</table:table>', ''))))).toBe(
      'malformed_xml',
    );
    expect(await codeOf(read(content('').replaceAll('office:spreadsheet', 'office:text')))).toBe(
      'not_a_workbook',
    );
    const manifest = { name: 'META-INF/manifest.xml', data: '<manifest:encryption-data/>' };
    expect(await codeOf(read('not xml', {}, [manifest]))).toBe('encrypted');
  });
});
