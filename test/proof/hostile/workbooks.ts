import { zip, type ZipPart } from '../../kit/zip.js';
import {
  parts,
  relationships,
  strings,
  styles,
  workbook,
  worksheet,
} from '../../reading/xlsx/workbook.js';
import {
  type Content,
  filesOf,
  filled,
  type HostileFile,
  leadCells,
  LEADS,
  several,
  utf16,
  wicked,
  wickedByName,
} from './make.js';

const MIB = 2 ** 20;
export const SHEET = 'xl/worksheets/sheet1.xml';
export const STRINGS = 'xl/sharedStrings.xml';
export const TYPES = '[Content_Types].xml';
const STYLES = 'xl/styles.xml';
const BOOK = 'xl/workbook.xml';
const BOOK_RELATIONSHIPS = 'xl/_rels/workbook.xml.rels';
const RELATIONSHIPS = '_rels/.rels';
/** Those that are read as XML. */
export const PARTS = [SHEET, STRINGS, STYLES, BOOK, BOOK_RELATIONSHIPS, RELATIONSHIPS];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const inline = (text: string): string => `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;

/** A row of texts, as inline strings. */
const textRow = (cells: readonly string[]): string =>
  `<row>${cells.map((cell) => (cell === '' ? '<c/>' : inline(cell))).join('')}</row>`;

/** The header of the leads. */
export const HEADER_ROW = textRow(LEADS);

/** So many rows of leads, the header before them. */
export const leadRows = (count: number): string =>
  HEADER_ROW + filled(count, (at) => textRow(leadCells(at + 1)));

/** Bytes of a workbook with these rows. `other`: parts by their names; `null` leaves one out. */
export const book = (
  sheetData: string,
  other: Readonly<Record<string, string | Buffer | null>> = {},
): Buffer => zip(parts(sheetData, other));

/** Parts of a workbook as programs write it: with shared strings, references and styles. */
export function usualParts(rows: number): ZipPart[] {
  const texts = LEADS.map((name) => `<t>${name}</t>`);
  const cell = (text: string, column: number, row: number): string => {
    if (text === '') return '';
    const at = `r="${String.fromCharCode(65 + column)}${row}"`;
    if (/^\d{1,9}$/.test(text)) return `<c ${at}><v>${text}</v></c>`;
    return `<c ${at} t="s"><v>${texts.push(`<t>${escaped(text)}</t>`) - 1}</v></c>`;
  };
  const header = filled(
    LEADS.length,
    (column) => `<c r="${String.fromCharCode(65 + column)}1" t="s"><v>${column}</v></c>`,
  );
  const data = filled(rows, (at) => {
    const cells = leadCells(at + 1).map((text, column) => cell(text, column, at + 2));
    return `<row r="${at + 2}">${cells.join('')}</row>`;
  });
  return parts(`<row r="1">${header}</row>${data}`, { [STRINGS]: strings(...texts) });
}

const lead = leadCells(1);
const rows = leadRows(20);
/** A row with an odd cell in its midst. */
const withCell = (xml: string): string =>
  `<row>${lead.slice(0, 2).map(inline).join('')}${xml}${inline('+79161234567')}</row>`;
const inPart = (part: string, make: () => string) => () => book(rows, { [part]: make() });

/** Parts whose XML is wrong, or right and meant to harm. */
export function wickedXml(): HostileFile[] {
  const levels = filled(9, (at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`);
  const doctypes = {
    'a billion laughs': `<!ENTITY l0 "lol">${levels}`,
    'an entity from outside': '<!ENTITY l9 SYSTEM "file:///etc/passwd">',
  };
  const whole = worksheet(rows);
  const sheets = (contents: Readonly<Record<string, () => string | Buffer>>) =>
    filesOf(
      'a sheet ',
      Object.fromEntries(
        Object.entries(contents).map(([name, make]): [string, Content] => [
          name,
          () => book('', { [SHEET]: make() }),
        ]),
      ),
    );
  const extra = (make: () => string) => () => worksheet(rows + make());
  const text = (xml: string) => withCell(inline('x').replace('x', () => xml));
  const texts = wickedByName('texts').map(([name, xml]) => [name, extra(() => text(xml))] as const);
  const formats = wicked('formats').map((code) =>
    code.replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  );
  return [
    ...PARTS.flatMap((part) =>
      Object.entries(doctypes).flatMap(([what, entities]) => {
        const xml = `<?xml version="1.0"?><!DOCTYPE x [${entities}]><x>&l9;</x>`;
        return filesOf(`${what} in `, { [part.replaceAll('/', ' ')]: book(rows, { [part]: xml }) });
      }),
    ),
    ...sheets({
      'nested 300 deep': extra(() => '<a>'.repeat(300) + '</a>'.repeat(300)),
      'nested 1,000,000 deep': extra(() => '<a>'.repeat(1_000_000)),
      'with an attribute of 1 MB': extra(() => `<row x="${'y'.repeat(MIB)}"/>`),
      'with an attribute of 6 MB': extra(() => `<row x="${'y'.repeat(6 * MIB)}"/>`),
      'with 500,000 attributes': extra(() => `<row ${filled(500_000, (at) => `a${at}=""`, ' ')}/>`),
      'with 500,000 tags of attributes': extra(() =>
        '<row a="" b="" c="" d="" e="" f="" g="" h=""/>'.repeat(500_000),
      ),
      'with a name of 5 MB': extra(() => `<${'y'.repeat(5 * MIB)}/>`),
      'with a tag that does not end': extra(() => `<row ${'y="" '.repeat(MIB)}`),
      'with a comment that does not end': extra(() => `<!-- ${'y'.repeat(6 * MIB)}`),
      'with millions of comments': extra(() => '<!---->'.repeat(8_000_000)),
      'with millions of instructions': extra(() => '<?x?>'.repeat(10_000_000)),
      'with millions of elements': extra(() => '<a/>'.repeat(15_000_000)),
      'with 60 MB of white space': extra(() => ' '.repeat(60 * MIB)),
      'with CDATA of 2 MB': extra(() =>
        withCell(`<c t="str"><v><![CDATA[${'<'.repeat(2 * MIB)}]]></v></c>`),
      ),
      'with CDATA': extra(() => withCell(`<c t="str"><v><![CDATA[<Ivan> & "co"]]></v></c>`)),
      'with millions of entities': extra(() => text('&#65;'.repeat(200_000)).repeat(50)),
      ...Object.fromEntries(texts),
      'with tags that cross': extra(() => '<row><c></row></c>'),
      'with an attribute without quotes': extra(() => '<row r=2/>'),
      'with an attribute twice': extra(() => '<row r="2" r="3"/>'),
      'of another root': () => '<chartsheet/>',
      'with two roots': () => `${whole}<worksheet/>`,
      'that is cut off': () => whole.slice(0, -40),
      'that is text': () => 'Offer,Site,Name\n',
      'with text before it': () => `x${whole}`,
      'in utf-16': () => utf16(whole.replace('UTF-8', 'UTF-16')),
      'in utf-16 with an odd byte': () => utf16(whole).subarray(0, -1),
      'that says utf-16 and is not': () => whole.replace('UTF-8', 'UTF-16'),
      'in an encoding that nobody knows': () => whole.replace('UTF-8', 'klingon'),
      'in an encoding with a long name': () => whole.replace('UTF-8', 'x'.repeat(100_000)),
      'that is not utf-8': () => Buffer.from(worksheet(rows + text('\xe9\xe8')), 'latin1'),
      'with prefixes everywhere': () =>
        whole.replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:').replace('xmlns=', 'xmlns:x='),
    }),
    ...several('styles with a wicked format', formats.length, (number) =>
      inPart(STYLES, () => styles(...Array<string>(20_000).fill(formats[number - 1] ?? ''))),
    ),
    ...filesOf('', {
      'styles of 90,000 formats': inPart(STYLES, () =>
        styles(...Array<string>(45_000).fill('yyyy')),
      ),
      'styles of 200,000 formats': inPart(STYLES, () =>
        styles(...Array<string>(100_000).fill('yyyy')),
      ),
      'a format of 3 MB': inPart(STYLES, () => styles('y'.repeat(3 * MIB))),
      'a million empty texts': inPart(STRINGS, () => strings('</si><si>'.repeat(1_000_000))),
      'a text of a million runs': inPart(STRINGS, () =>
        strings('<r><t>x</t></r>'.repeat(1_000_000)),
      ),
      'a text of a million readings': inPart(STRINGS, () =>
        strings('<rPh><t>x</t></rPh>'.repeat(1_000_000)),
      ),
      'a million sheets': inPart(BOOK, () =>
        workbook('<sheet name="x" sheetId="1" r:id="rId1"/>'.repeat(1_000_000)),
      ),
      'a million relationships': inPart(BOOK_RELATIONSHIPS, () =>
        relationships(Array.from({ length: 300_000 }, (_, at) => [`x${at}`, 'image', 'x.png'])),
      ),
    }),
  ];
}

/** Relationships that lead in circles, outside, or nowhere. */
export function wickedRelationships(): HostileFile[] {
  const sheet = 'worksheets/sheet1.xml';
  type All = Parameters<typeof relationships>[0];
  const of = (part: string, all: All) => inPart(part, () => relationships(all));
  const ofBook = (...all: All) => of(BOOK_RELATIONSHIPS, all);
  const at = (target: string) => ofBook(['rId1', 'worksheet', target]);
  const bookAt = (target: string) => of(RELATIONSHIPS, [['rId1', 'officeDocument', target]]);
  return [
    ...filesOf('a sheet that lies ', {
      'in the workbook': at('workbook.xml'),
      'in its own relationships': at('_rels/workbook.xml.rels'),
      'in the shared strings': ofBook(
        ['rId1', 'worksheet', 'sharedStrings.xml'],
        ['rId2', 'sharedStrings', sheet],
      ),
      'in the styles': ofBook(['rId1', 'worksheet', sheet], ['rId2', 'styles', sheet]),
      outside: at('../../../../../etc/passwd'),
      'in a device': at('/dev/zero'),
      'on the net': at('http://127.0.0.1:1/sheet1.xml'),
      'in a file address': at('file:///etc/passwd'),
      'under a wicked escape': at('%2e%2e/%00%ff'),
      nowhere: at(''),
      'in two places': ofBook(['rId1', 'worksheet', sheet], ['rId1', 'worksheet', 'x.xml']),
      'in no relationship': ofBook(['rId9', 'worksheet', sheet]),
      'under a name of control characters': at('\u001b[2J\u0007.xml'),
      'under a name of 1 MB': at('x'.repeat(MIB)),
    }),
    ...filesOf('a workbook that lies ', {
      'in its sheet': bookAt(SHEET),
      'in its relationships': bookAt(RELATIONSHIPS),
      nowhere: bookAt(''),
      outside: bookAt('../../etc/passwd'),
      'in a binary part': bookAt('xl/workbook.bin'),
    }),
  ];
}

/** Sheets that are called strangely, or are not there. */
export function wickedSheets(): HostileFile[] {
  const named = (xml: string, data = rows) => book(data, { [BOOK]: workbook(xml) });
  const bad = rows.replaceAll('+7916', 'none');
  return [
    ...wicked('names').flatMap((name, at) => {
      const tab = `<sheet name="${name.replaceAll('"', '&quot;')}" sheetId="1" r:id="rId1"/>`;
      const hidden = tab.replace('/>', ' state="hidden"/>').repeat(30);
      return filesOf('', {
        [`a sheet of a wicked name ${at + 1}`]: () => named(tab),
        // Its rejects have a sheet of that name.
        [`a sheet of a wicked name ${at + 1} with bad rows`]: () => named(tab, bad),
        // Its names are listed, since none can be read.
        [`hidden sheets of a wicked name ${at + 1}`]: () => named(hidden),
      });
    }),
    ...filesOf('', {
      'no sheets': named(''),
      'a sheet without a name': named('<sheet sheetId="1" r:id="rId1"/>'),
      'a sheet without a relationship': named('<sheet name="a" sheetId="1"/>'),
      'sheets of one name': named('<sheet name="a" sheetId="1" r:id="rId1"/>'.repeat(50)),
      '90,000 sheets': () => named('<sheet name="a" sheetId="1" r:id="rId1"/>'.repeat(90_000)),
      'styles that are a sheet': book(rows, { [STYLES]: '<worksheet/>' }),
      'styles that are cut off': book(rows, { [STYLES]: styles('yyyy').slice(0, -30) }),
      'a sheet that is no part': book(rows, { [SHEET]: null }),
    }),
  ];
}

/** Rows and cells that cannot be where they are, or what they are. */
export function wickedCells(): HostileFile[] {
  const after = (xml: string, other = {}) => book(rows + xml, other);
  const dated = { [STYLES]: styles('yyyy-mm-dd hh:mm') };
  const [numbers, dates] = [wicked('numbers'), wicked('dates')];
  return [
    ...wickedByName('rows').flatMap(([name, xml]) => filesOf('rows with ', { [name]: after(xml) })),
    ...wickedByName('cells').flatMap(([name, xml]) =>
      filesOf('rows with ', { [name]: after(withCell(xml)) }),
    ),
    ...several('rows with a wicked number', numbers.length, (number) =>
      after(withCell(`<c><v>${numbers[number - 1]}</v></c>`)),
    ),
    ...several('rows with a wicked date', dates.length, (number) =>
      after(withCell(`<c s="1"><v>${dates[number - 1]}</v></c>`), dated),
    ),
    ...filesOf('', {
      'rows with the last row': after(`<row r="1048576">${lead.map(inline).join('')}</row>`),
      'a header in the last row alone': book(
        `<row r="1048576">${LEADS.map(inline).join('')}</row>`,
      ),
      'rows without a header': book(textRow(lead)),
      'rows without anything': book('<row/>'.repeat(500)),
      'a workbook without rows': book(''),
    }),
  ];
}

/** Sheets that are larger than they look. */
export function largeSheets(): HostileFile[] {
  const columns = (count: number) =>
    textRow([...LEADS, ...Array.from({ length: count - LEADS.length }, (_, at) => `c${at}`)]);
  const far = (letters: string, count: number) =>
    filled(count, (at) => `<row r="${at + 2}"><c r="${letters}${at + 2}"><v>1</v></c></row>`);
  const row = '<row><c><v>1</v></c></row>';
  const full = (row: number) => `<row>${filled(16_000, (at) => `<c><v>${row * at}</v></c>`)}</row>`;
  const equal = `<row>${'<c><v>1</v></c>'.repeat(16_000)}</row>`;
  const leads = (make: () => string) => () => book(HEADER_ROW + make());
  return filesOf('', {
    '16,003 columns and 4,600 rows with one cell': () => book(columns(16_003) + far('WQM', 4_600)),
    '16,382 columns and 60,000 rows with one cell': () =>
      book(columns(16_382) + far('XFB', 60_000)),
    '16,383 columns': () => book(columns(16_383)),
    'a cell in the last column of 100,000 rows': leads(() => far('XFD', 100_000)),
    'a cell in column 500 of 400,000 rows': leads(() => far('SF', 400_000)),
    '16,000 columns and 200 full rows': () => book(columns(16_000) + filled(200, full)),
    '16,000 columns and 270 equal rows': () => book(columns(16_000) + equal.repeat(270)),
    'a million equal rows': leads(() => row.repeat(1_000_000)),
    '250,000 rows of a number': leads(() =>
      filled(250_000, (at) => `<row><c><v>${at}</v></c></row>`),
    ),
    'a row too many': leads(() => row.repeat(1_048_576)),
    'millions of empty cells': leads(() => `<row>${'<c/>'.repeat(16_000)}</row>`.repeat(1_000)),
    'a text of 1 MiB in 3,000 cells': () =>
      book(HEADER_ROW + '<row><c t="s"><v>0</v></c></row>'.repeat(3_000), {
        [STRINGS]: strings(`<t>${'x'.repeat(MIB)}</t>`),
      }),
    'a text too long': leads(() => textRow(['1', 'a', 'x'.repeat(MIB + 1)])),
    'a row too long': leads(() => textRow(Array.from({ length: 5 }, () => 'x'.repeat(MIB)))),
    'a bad phone in 60,000 rows': leads(() => textRow(['1', 'a', 'b', 'none']).repeat(60_000)),
  });
}
