import {
  relationships,
  strings,
  styles,
  workbook,
  worksheet,
} from '../../reading/xlsx/workbook.js';
import {
  book,
  BOOK,
  BOOK_RELATIONSHIPS,
  inline,
  leadRows,
  RELATIONSHIPS,
  SHEET,
  STRINGS,
  STYLES,
} from './book.js';
import { file, made, type HostileFile } from './file.js';

const MIB = 2 ** 20;
const lol = Array.from(
  { length: 9 },
  (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
).join('');
const LAUGHS = `<!DOCTYPE x [<!ENTITY l0 "lol">${lol}]>`;
const OUTSIDE = '<!DOCTYPE x [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>';

/** Parts whose XML is wrong, or right and meant to harm. */
export function wickedXml(): HostileFile[] {
  const rows = leadRows(20);
  const whole = worksheet(rows);
  const sheet = (name: string, make: () => string | Buffer) =>
    made(`a sheet ${name}`, () => book('', { [SHEET]: make() }));
  const extra = (name: string, make: () => string) => sheet(name, () => worksheet(rows + make()));
  const cell = (xml: string) =>
    `<row>${inline('1')}${inline('a')}${xml}${inline('+79161234567')}</row>`;
  return [
    ...[SHEET, STRINGS, STYLES, BOOK, BOOK_RELATIONSHIPS, RELATIONSHIPS].flatMap((part) => [
      file(
        `a billion laughs in ${part.replaceAll('/', ' ')}`,
        book(rows, { [part]: `<?xml version="1.0"?>${LAUGHS}<x>&l9;</x>` }),
      ),
      file(
        `an entity from outside in ${part.replaceAll('/', ' ')}`,
        book(rows, { [part]: `<?xml version="1.0"?>${OUTSIDE}<x>&l9;</x>` }),
      ),
    ]),
    extra('nested 300 deep', () => '<a>'.repeat(300) + '</a>'.repeat(300)),
    extra('nested 1,000,000 deep', () => '<a>'.repeat(1_000_000)),
    extra('with an attribute of 1 MB', () => `<row x="${'y'.repeat(MIB)}"/>`),
    extra('with an attribute of 6 MB', () => `<row x="${'y'.repeat(6 * MIB)}"/>`),
    extra(
      'with 500,000 attributes',
      () => `<row ${Array.from({ length: 500_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
    ),
    extra('with 500,000 tags of attributes', () =>
      '<row a="" b="" c="" d="" e="" f="" g="" h=""/>'.repeat(500_000),
    ),
    extra('with a name of 5 MB', () => `<${'y'.repeat(5 * MIB)}/>`),
    extra('with a tag that does not end', () => `<row ${'y="" '.repeat(MIB)}`),
    extra('with a comment that does not end', () => `<!-- ${'y'.repeat(6 * MIB)}`),
    extra('with millions of comments', () => '<!---->'.repeat(8_000_000)),
    extra('with millions of instructions', () => '<?x?>'.repeat(10_000_000)),
    extra('with millions of elements', () => '<a/>'.repeat(15_000_000)),
    extra('with 60 MB of white space', () => ' '.repeat(60 * MIB)),
    extra('with CDATA of 2 MB', () =>
      cell(`<c t="str"><v><![CDATA[${'<'.repeat(2 * MIB)}]]></v></c>`),
    ),
    extra('with CDATA', () => cell(`<c t="str"><v><![CDATA[<Ivan> & "co"]]></v></c>`)),
    extra('with millions of entities', () =>
      cell(inline('x').replace('x', '&#65;'.repeat(200_000))).repeat(50),
    ),
    extra('with a reference to no character', () => cell(inline('x').replace('x', '&#0;'))),
    extra('with a reference beyond Unicode', () => cell(inline('x').replace('x', '&#x110000;'))),
    extra('with a reference to half a character', () => cell(inline('x').replace('x', '&#xD800;'))),
    extra('with an entity of its own', () => cell(inline('x').replace('x', '&nbsp;'))),
    extra('with a bare ampersand', () => cell(inline('x').replace('x', 'a & b'))),
    extra('with control characters', () => cell(inline('a\u0001\u001b[31mb'))),
    extra('with escaped control characters', () => cell(inline('a_x0001__x001B_[31mb_xD800_'))),
    extra('with tags that cross', () => '<row><c></row></c>'),
    extra('with an attribute without quotes', () => '<row r=2/>'),
    extra('with an attribute twice', () => '<row r="2" r="3"/>'),
    sheet('of another root', () => '<chartsheet/>'),
    sheet('with two roots', () => `${whole}<worksheet/>`),
    sheet('that is cut off', () => whole.slice(0, -40)),
    sheet('that is text', () => 'Offer,Site,Name\n'),
    sheet('with text before it', () => `x${whole}`),
    sheet('in utf-16', () => Buffer.from(`\ufeff${whole.replace('UTF-8', 'UTF-16')}`, 'utf16le')),
    sheet('in utf-16 with an odd byte', () =>
      Buffer.from(`\ufeff${whole}`, 'utf16le').subarray(0, -1),
    ),
    sheet('that says utf-16 and is not', () => whole.replace('UTF-8', 'UTF-16')),
    sheet('in an encoding that nobody knows', () => whole.replace('UTF-8', 'klingon')),
    sheet('in an encoding with a long name', () => whole.replace('UTF-8', 'x'.repeat(100_000))),
    sheet('that is not utf-8', () =>
      Buffer.from(worksheet(rows + cell(inline('\xe9\xe8'))), 'latin1'),
    ),
    sheet('with prefixes everywhere', () =>
      whole.replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:').replace('xmlns=', 'xmlns:x='),
    ),
    made('styles of 90,000 formats', () =>
      book(rows, { [STYLES]: styles(...Array.from({ length: 45_000 }, () => 'yyyy')) }),
    ),
    made('styles of 200,000 formats', () =>
      book(rows, { [STYLES]: styles(...Array.from({ length: 100_000 }, () => 'yyyy')) }),
    ),
    ...[
      '['.repeat(900),
      '"'.repeat(900),
      '\\'.repeat(900),
      ';'.repeat(900),
      '_'.repeat(999),
      '[h'.repeat(450),
      '[<'.repeat(450),
    ].map((code, at) =>
      made(`styles with a wicked format ${at + 1}`, () =>
        book(rows, {
          [STYLES]: styles(
            ...Array.from({ length: 20_000 }, () =>
              code.replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
            ),
          ),
        }),
      ),
    ),
    made('a format of 3 MB', () => book(rows, { [STYLES]: styles('y'.repeat(3 * MIB)) })),
    made('a million empty texts', () =>
      book(rows, { [STRINGS]: strings('</si><si>'.repeat(1_000_000)) }),
    ),
    made('a text of a million runs', () =>
      book(rows, { [STRINGS]: strings('<r><t>x</t></r>'.repeat(1_000_000)) }),
    ),
    made('a text of a million readings', () =>
      book(rows, { [STRINGS]: strings('<rPh><t>x</t></rPh>'.repeat(1_000_000)) }),
    ),
    made('a million sheets', () =>
      book(rows, {
        [BOOK]: workbook('<sheet name="x" sheetId="1" r:id="rId1"/>'.repeat(1_000_000)),
      }),
    ),
    made('a million relationships', () =>
      book(rows, {
        [BOOK_RELATIONSHIPS]: relationships(
          Array.from({ length: 300_000 }, (_, at) => [`x${at}`, 'image', 'x.png'] as const),
        ),
      }),
    ),
  ];
}
