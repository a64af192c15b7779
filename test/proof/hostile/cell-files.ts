import { strings, styles } from '../../reading/xlsx/workbook.js';
import { book, HEADER_ROW, inline, leadRows, STRINGS, STYLES, textRow } from './book.js';
import { file, made, type HostileFile } from './file.js';
import { LEADS, leadCells } from './leads.js';

const lead = leadCells(1);
const withCell = (cell: string) =>
  `<row>${lead.slice(0, 2).map(inline).join('')}${cell}${inline('+79161234567')}</row>`;

/** Rows and cells that cannot be where they are, or what they are. */
export function wickedCells(): HostileFile[] {
  const rows = leadRows(20);
  const after = (name: string, xml: string, other = {}) =>
    file(`rows with ${name}`, book(rows + xml, other));
  return [
    after('a row 0', '<row r="0"><c><v>1</v></c></row>'),
    after('a row below zero', '<row r="-1"><c><v>1</v></c></row>'),
    after('a row that is no number', '<row r="x"><c><v>1</v></c></row>'),
    after('a row of a fraction', '<row r="30.5"><c><v>1</v></c></row>'),
    after('a row beyond the last', '<row r="1048577"><c><v>1</v></c></row>'),
    after('a row far beyond the last', '<row r="1e300"><c><v>1</v></c></row>'),
    after('the last row', `<row r="1048576">${lead.map(inline).join('')}</row>`),
    after(
      'rows out of order',
      '<row r="50"><c><v>1</v></c></row><row r="40"><c><v>1</v></c></row>',
    ),
    after('a row twice', '<row r="50"><c><v>1</v></c></row>'.repeat(2)),
    after('cells out of order', '<row r="50"><c r="C50"><v>3</v></c><c r="A50"><v>1</v></c></row>'),
    after('a cell twice', '<row r="50"><c r="A50"><v>1</v></c><c r="A50"><v>2</v></c></row>'),
    after('a cell of another row', '<row r="50"><c r="A51"><v>1</v></c></row>'),
    after('a cell beyond the last column', '<row r="50"><c r="XFE50"><v>1</v></c></row>'),
    after('a cell far beyond the last column', '<row r="50"><c r="ZZZZZZZZ50"><v>1</v></c></row>'),
    after('a cell in the last column', '<row r="50"><c r="XFD50"><v>1</v></c></row>'),
    after('a cell that is nowhere', '<row r="50"><c r="50A"><v>1</v></c></row>'),
    after('a cell of a missing text', withCell('<c t="s"><v>5</v></c>')),
    after('a cell of text -1', withCell('<c t="s"><v>-1</v></c>')),
    after('a cell of text 4294967296', withCell('<c t="s"><v>4294967296</v></c>')),
    after('a cell of an unknown type', withCell('<c t="zzz"><v>5</v></c>')),
    after('a cell of a missing style', withCell('<c s="999999999"><v>5</v></c>')),
    after('a cell of style -1', withCell('<c s="-1"><v>5</v></c>')),
    after('a truth that is none', withCell('<c t="b"><v>maybe</v></c>')),
    after('an error', withCell('<c t="e"><v>#REF!</v></c>')),
    after('a formula without a result', withCell('<c><f>1/0</f></c>')),
    after('a date that is none', withCell('<c t="d"><v>yesterday</v></c>')),
    after('cells in cells', withCell('<c><c><c><v>5</v></c></c></c>')),
    after('two values in a cell', withCell('<c><v>5</v><v>6</v></c>')),
    after('a row in a row', '<row><row><c><v>1</v></c></row></row>'),
    after('a second table of rows', '</sheetData><sheetData><row r="1"><c><v>1</v></c></row>'),
    ...[
      '1e308',
      '1e999',
      '-1e-999',
      '9'.repeat(10_000),
      `0.${'0'.repeat(10_000)}1`,
      '1e99999999999',
      'NaN',
      'Infinity',
      '0x10',
      '--1',
      '1.2.3',
    ].map((number, at) => after(`a wicked number ${at + 1}`, withCell(`<c><v>${number}</v></c>`))),
    ...['-1', '1e300', '2958466', '60', '0.999999999', '-1e300', 'x'].map((day, at) =>
      after(`a wicked date ${at + 1}`, withCell(`<c s="1"><v>${day}</v></c>`), {
        [STYLES]: styles('yyyy-mm-dd hh:mm'),
      }),
    ),
    file(
      'a header in the last row alone',
      book(`<row r="1048576">${LEADS.map(inline).join('')}</row>`),
    ),
    file('rows without a header', book(textRow(lead))),
    file('rows without anything', book('<row/>'.repeat(500))),
    file('a workbook without rows', book('')),
  ];
}

/** Sheets that are larger than they look. */
export function largeSheets(): HostileFile[] {
  const columns = (count: number) => [
    ...LEADS,
    ...Array.from({ length: count - LEADS.length }, (_, at) => `c${at}`),
  ];
  const far = (letters: string, count: number) =>
    Array.from(
      { length: count },
      (_, at) => `<row r="${at + 2}"><c r="${letters}${at + 2}"><v>1</v></c></row>`,
    ).join('');
  const filled = (count: number, cell: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => cell(at)).join('');
  return [
    made('16,003 columns and 4,600 rows with one cell', () =>
      book(textRow(columns(16_003)) + far('WQM', 4_600)),
    ),
    made('16,382 columns and 60,000 rows with one cell', () =>
      book(textRow(columns(16_382)) + far('XFB', 60_000)),
    ),
    made('16,383 columns', () => book(textRow(columns(16_383)))),
    made('a cell in the last column of 100,000 rows', () => book(HEADER_ROW + far('XFD', 100_000))),
    made('a cell in column 500 of 400,000 rows', () => book(HEADER_ROW + far('SF', 400_000))),
    made('16,000 columns and 200 full rows', () =>
      book(
        textRow(columns(16_000)) +
          filled(200, (row) => `<row>${filled(16_000, (at) => `<c><v>${row * at}</v></c>`)}</row>`),
      ),
    ),
    made('16,000 columns and 270 equal rows', () =>
      book(textRow(columns(16_000)) + `<row>${'<c><v>1</v></c>'.repeat(16_000)}</row>`.repeat(270)),
    ),
    made('a million equal rows', () =>
      book(HEADER_ROW + '<row><c><v>1</v></c></row>'.repeat(1_000_000)),
    ),
    made('250,000 rows of a number', () =>
      book(HEADER_ROW + filled(250_000, (at) => `<row><c><v>${at}</v></c></row>`)),
    ),
    made('a row too many', () => book(HEADER_ROW + '<row><c><v>1</v></c></row>'.repeat(1_048_576))),
    made('millions of empty cells', () =>
      book(HEADER_ROW + `<row>${'<c/>'.repeat(16_000)}</row>`.repeat(1_000)),
    ),
    made('a text of 1 MiB in 3,000 cells', () =>
      book(HEADER_ROW + '<row><c t="s"><v>0</v></c></row>'.repeat(3_000), {
        [STRINGS]: strings(`<t>${'x'.repeat(2 ** 20)}</t>`),
      }),
    ),
    made('a text too long', () => book(HEADER_ROW + textRow(['1', 'a', 'x'.repeat(2 ** 20 + 1)]))),
    made('a row too long', () =>
      book(HEADER_ROW + textRow(Array.from({ length: 5 }, () => 'x'.repeat(2 ** 20)))),
    ),
    made('a bad phone in 60,000 rows', () =>
      book(HEADER_ROW + textRow(['1', 'a', 'b', 'none']).repeat(60_000)),
    ),
  ];
}
