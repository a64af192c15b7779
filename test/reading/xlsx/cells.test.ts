import { describe, expect, it } from 'vitest';
import { cellsOf, parts, readParts, strings, styles } from './workbook.js';

const numbers = (...values: string[]) =>
  `<row r="1">${values.map((value) => `<c><v>${value}</v></c>`).join('')}</row>`;

describe('numbers', () => {
  it.each([
    ['79161234567', '79161234567'],
    ['7.9161234567E10', '79161234567'],
    ['7.9161234567e+10', '79161234567'],
    ['0.1', '0.1'],
    ['.5', '0.5'],
    ['-0.50', '-0.5'],
    ['1.10', '1.1'],
    ['007', '7'],
    ['5.', '5'],
    ['0', '0'],
    ['-0', '0'],
    ['0.0', '0'],
    ['0.30000000000000004', '0.3'],
    ['1.1000000000000001', '1.1'],
    ['0.99999999999999989', '1'],
    ['1234567890123456', '1234567890123456'],
    ['9007199254740992', '9007199254740992'],
    ['12345678901234567890', '12345678901234600000'],
    ['1E-7', '0.0000001'],
    ['-1.5E-3', '-0.0015'],
    ['1E21', '1000000000000000000000'],
    [' 12 ', '12'],
    ['1e', '1e'],
  ])('%s is given as %s', async (stored, shown) => {
    expect(await cellsOf(numbers(stored))).toEqual([[shown]]);
    // The same with a reference, which is another way through the reader.
    const cell = `<row r="1"><c r="A1"><v>${stored}</v></c></row>`;
    expect(await cellsOf(`${cell}${blank(200)}`)).toEqual([[shown]]);
  });

  it('leaves formats of percent and currency aside', async () => {
    const other = { 'xl/styles.xml': styles('0.00%', '#,##0.00 [$€-407]', '[Red]0;[Blue]-0') };
    const row = [1, 2, 3].map((style) => `<c s="${style}"><v>0.25</v></c>`).join('');
    expect(await cellsOf(`<row>${row}</row>`, other)).toEqual([['0.25', '0.25', '0.25']]);
  });
});

/** Empty rows, so that what stands before them does not lie at the end of the part. */
function blank(count: number): string {
  return '<row/>'.repeat(count);
}

describe('dates', () => {
  const dated = async (format: string, serial: string, date1904 = false) => {
    const base = parts(`<row r="1"><c r="A1" s="1"><v>${serial}</v></c></row>${blank(50)}`, {
      'xl/styles.xml': styles(format),
    });
    const all = base.map((part) =>
      part.name === 'xl/workbook.xml' && date1904
        ? {
            ...part,
            data: String(part.data).replace('<sheets>', '<workbookPr date1904="1"/><sheets>'),
          }
        : part,
    );
    return (await readParts(all))[0]?.cells[0];
  };

  it.each([
    ['yyyy-mm-dd', '45292', '2024-01-01'],
    ['dd.mm.yyyy', '45292.5', '2024-01-01T12:00:00'],
    ['dd.mm.yyyy hh:mm', '45292', '2024-01-01T00:00:00'],
    ['dd.mm.yyyy hh:mm', '45292.75', '2024-01-01T18:00:00'],
    ['hh:mm', '0.75', '18:00:00'],
    ['h:mm AM/PM', '0.25', '06:00:00'],
    ['hh:mm:ss', '0.9999999', '00:00:00'],
    ['[h]:mm:ss', '1.5', '36:00:00'],
    ['[mm]:ss', '0.0416666666666667', '01:00:00'],
    ['[$-419]d mmmm yyyy;@', '45292', '2024-01-01'],
    ['[Red]yyyy', '45292', '2024-01-01'],
    ['[&lt;1]hh:mm;yyyy-mm-dd', '45292', '2024-01-01'],
    ['yyyy', '1', '1900-01-01'],
    ['yyyy', '59', '1900-02-28'],
    ['yyyy', '60', '1900-02-29'],
    ['yyyy', '61', '1900-03-01'],
    ['yyyy', '2958465', '9999-12-31'],
    ['yyyy', '2958466', '2958466'],
    ['mmm', '45292', '2024-01-01'],
    ['mm:ss', '45292.5', '2024-01-01T12:00:00'],
    ['General', '45292', '45292'],
    ['0 &quot;days&quot;', '45292', '45292'],
    ['0\\d', '45292', '45292'],
    ['0_d', '45292', '45292'],
    ['[Red]General', '45292', '45292'],
    ['0;yyyy', '45292', '45292'],
    ['0.00E+00', '45292', '45292'],
    ['@', '45292', '45292'],
  ])('format %s shows %s as %s', async (format, serial, shown) => {
    expect(await dated(format, serial)).toBe(shown);
  });

  it.each([
    ['0', '00:00:00'],
    ['1', '1904-01-02'],
    ['43830', '2024-01-01'],
  ])('the 1904 system shows %s as %s', async (serial, shown) => {
    expect(await dated('yyyy-mm-dd', serial, true)).toBe(shown);
  });

  it('knows the formats that have a number only', async () => {
    const ids = [14, 22, 20, 46, 2, 31].map((id) => `<xf numFmtId="${id}"/>`).join('');
    const other = { 'xl/styles.xml': `<styleSheet><cellXfs>${ids}</cellXfs></styleSheet>` };
    const row = ['45292', '45292.5', '0.5', '2', '1', '45292']
      .map((value, style) => `<c s="${style}"><v>${value}</v></c>`)
      .join('');
    expect(await cellsOf(`<row>${row}</row>`, other)).toEqual([
      ['2024-01-01', '2024-01-01T12:00:00', '12:00:00', '48:00:00', '1', '2024-01-01'],
    ]);
  });

  it.each([
    ['2024-01-01', '2024-01-01'],
    ['2024-01-01T10:11:12', '2024-01-01T10:11:12'],
    ['2024-01-01T10:11:12.345Z', '2024-01-01T10:11:12'],
    ['2024-01-01T10:11', '2024-01-01T10:11:00'],
    ['10:11:12', '10:11:12'],
    ['2024-01-01T15:59:59.9995', '2024-01-01T16:00:00'],
    ['2024-12-31T23:59:59.5Z', '2025-01-01T00:00:00'],
    ['15:59:59.9995', '16:00:00'],
    ['23:59:59.9', '00:00:00'],
    ['PT1H', '01:00:00'],
    ['PT0H11M0.000S', '00:11:00'],
    ['P1DT2H3M4.6S', '26:03:05'],
    ['P1Y', 'P1Y'],
    ['P', 'P'],
  ])('the ISO date %s is given as %s', async (stored, shown) => {
    expect(await cellsOf(`<row><c t="d"><v>${stored}</v></c></row>`)).toEqual([[shown]]);
  });
});

describe('texts', () => {
  const shared = async (item: string) =>
    (
      await cellsOf('<row><c t="s"><v>0</v></c><c><v>1</v></c></row>', {
        'xl/sharedStrings.xml': strings(item),
      })
    )[0]?.[0];
  const inline = async (item: string) =>
    (await cellsOf(`<row><c t="inlineStr"><is>${item}</is></c><c><v>1</v></c></row>`))[0]?.[0];

  it.each([
    ['<t>Анна Иванова</t>', 'Анна Иванова'],
    ['<t xml:space="preserve">  two  </t>', '  two  '],
    ['<t>  two  </t>', '  two  '],
    ['<t>&lt;a&gt; &amp; &quot;b&apos; &#1071;&#x42f;&#x1F600;</t>', '<a> & "b\' ЯЯ😀'],
    ['<t><![CDATA[<b> & ]]>after</t>', '<b> & after'],
    ['<t>a<!-- not this -->b<?nor this?>c</t>', 'abc'],
    ['<t>a_x000D__x000a_b</t>', 'a\r\nb'],
    ['<t>_x005F_x000D_</t>', '_x000D_'],
    ['<t>_x00D_ _xZZZZ_</t>', '_x00D_ _xZZZZ_'],
    ['<t>a\r\nb\rc\nd</t>', 'a\nb\nc\nd'],
    ['<r><rPr><b/></rPr><t>one </t></r><r><t>two</t></r>', 'one two'],
    ['<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>', '東京'],
    ['<x:t xmlns:x="x">prefix</x:t>', 'prefix'],
    ['<t/>', null],
    ['<t></t>', null],
    ['', null],
  ])('%s is read as %j, shared and inline', async (item, text) => {
    expect([await shared(item), await inline(item)]).toEqual([text, text]);
  });

  it('keeps texts that reach over many pieces of the part', async () => {
    const long = 'Привет, мир. '.repeat(20_000);
    expect(await shared(`<t>${long}</t>`)).toBe(long);
    expect(await inline(`<r><t>${long}</t></r>`)).toBe(long);
  });

  it('reads booleans, errors and the results of formulas', async () => {
    const row =
      '<c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><f>NA()</f><v>#N/A</v></c>' +
      '<c t="str"><f>A1&amp;"x"</f><v>1x &amp; _x0041_</v></c><c><f>1+1</f><v>2</v></c><c><f>1</f></c>';
    expect(await cellsOf(`<row>${row}</row>`)).toEqual([['true', 'false', '#N/A', '1x & A', '2']]);
  });

  it.each([
    ['<c r="B1"><f>1+1</f></c>', [1]],
    ['<c r="B1"><f>1+1</f><v></v></c>', [1]],
    ['<c r="B1"><f>1+1</f><v/></c><c r="D1" t="str"><f>A1</f></c>', [1, 3]],
    ['<c r="B1" t="shared"><f t="shared" si="0"/></c>', [1]],
    ['<c r="B1" t="str"><f>""</f><v></v></c>', undefined],
    ['<c r="B1" t="str"><f>A1</f><v>x</v></c>', undefined],
    ['<c r="B1"><v></v></c>', undefined],
  ])('a formula without a stored value is told: %s', async (cells, columns) => {
    const data = `<row r="1"><c r="A1"><v>1</v></c>${cells}</row><row r="2">${cells.replaceAll('1"', '2"')}</row>`;
    const [row, alone] = await readParts(parts(data));
    expect(row?.cells.slice(0, 1)).toEqual(['1']);
    expect(row?.defects?.map(({ column }) => column)).toEqual(columns);
    for (const { code, message } of row?.defects ?? []) {
      expect(code).toBe('formula_without_value');
      expect(message).toMatch(/Open the file in a spreadsheet program, save it/);
    }
    expect(alone?.defects?.map(({ column }) => column)).toEqual(columns);
  });
});
