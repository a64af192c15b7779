import { encode } from '../../reading/files.js';
import { file, made, type HostileFile } from './file.js';
import { HEADER, leadsCsv } from './leads.js';

const MIB = 2 ** 20;
const row = (name: string, phone = '+79161234567', note = '') =>
  `1,shop.example.com,${name},${phone},${note}\n`;

/** Quotes where they do not belong. */
export function quotesCsv(): HostileFile[] {
  const good = leadsCsv(300);
  return [
    file('a quote never closed in the header', `"Offer,Site,Name,Phone,Note\n${row('Ivan')}`),
    file('a quote never closed in the first row', `${HEADER}"1,a,b,c,d\n${row('Ivan').repeat(50)}`),
    file('a quote never closed in the last row', `${good}1,a,"b,c,d\n`),
    file('a quote never closed at the very end', `${good}"`),
    made('a quote never closed before 5 MB', () => `${good}1,a,"b${row('Ivan').repeat(120_000)}`),
    file('text after a closing quote', `${good}1,"a"b,c,+79161234567,\n${row('Ivan')}`),
    file('a quote inside of a word', `${good}1,a"b,c"d,+79161234567,"\n${row('Ivan')}`),
    file('quotes in quotes in quotes', `${good}1,"a""""""b""","""","",""\n`),
    file('every cell of quotes alone', `${HEADER}${'"""","""","""","""",""""\n'.repeat(500)}`),
    made('quotes and commas by turns', () => HEADER + '",'.repeat(MIB)),
    made(
      'pairs of quotes in one cell',
      () => `${HEADER}1,a,"${'""'.repeat(600_000)}",+79161234567,\n`,
    ),
    file('single quotes', `${HEADER}'1','shop,example','Ivan','+79161234567',''\n`),
    file('quotes of a typesetter', `${HEADER}1,“shop, example”,Ivan,+79161234567,\n`),
  ];
}

/** Zeros, other encodings, several encodings, no encoding. */
export function encodedCsv(): HostileFile[] {
  const text = leadsCsv(200);
  const bytes = Buffer.from(text);
  const at = (offset: number, ...inserted: number[]) =>
    Buffer.concat([bytes.subarray(0, offset), Buffer.from(inserted), bytes.subarray(offset)]);
  const mixed = Buffer.concat([bytes, encode('1,сайт,Иван,+79161234567,\n', 'windows-1251')]);
  const utf16 = encode(text, 'utf-16le');
  return [
    file('a zero at the beginning', at(0, 0)),
    file('a zero in the header', at(3, 0)),
    file('a zero in the midst', at(4_000, 0)),
    file('a zero at the end', at(bytes.length, 0)),
    file('a zero after every letter of one row', `${text}1,a,${'b\0'.repeat(50)},+79161234567,\n`),
    file('zeros alone', Buffer.alloc(MIB)),
    file('utf-8 and windows-1251 by turns', mixed),
    made('windows-1251 after 1 MB of utf-8', () =>
      Buffer.concat([Buffer.from(leadsCsv(20_000)), mixed]),
    ),
    file(
      'utf-16 with an odd byte at its end',
      Buffer.concat([Buffer.of(0xff, 0xfe), utf16, Buffer.of(10)]),
    ),
    file(
      'utf-16 that lost a byte',
      Buffer.concat([Buffer.of(0xff, 0xfe), utf16.subarray(0, 301), utf16.subarray(302)]),
    ),
    file(
      'utf-16 with half a pair',
      Buffer.concat([Buffer.of(0xff, 0xfe), utf16, Buffer.of(0x3d, 0xd8, 10, 0)]),
    ),
    file('utf-16 without a mark, high bytes first', encode(text, 'utf-16be')),
    file('utf-16 marked as the other one', Buffer.concat([Buffer.of(0xfe, 0xff), utf16])),
    file('utf-8 marked as utf-16', Buffer.concat([Buffer.of(0xff, 0xfe), bytes])),
    file(
      'utf-32',
      Buffer.from(Uint32Array.from(text, (letter) => letter.codePointAt(0) ?? 0).buffer),
    ),
    file('utf-8 of too many bytes', at(4_000, 0xc0, 0xaf, 0xe0, 0x80, 0xaf)),
    file('utf-8 of half a pair', at(4_000, 0xed, 0xa0, 0xbd)),
    file('utf-8 beyond the last character', at(4_000, 0xf4, 0x90, 0x80, 0x80)),
    file('utf-8 that ends in a character', at(bytes.length, 0xd0)),
    file('a byte order mark in the midst', at(4_000, 0xef, 0xbb, 0xbf)),
    file('bytes of a mainframe', Buffer.from(bytes.map((byte) => byte ^ 0xc0))),
    file(
      'every byte',
      Buffer.concat([bytes, Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte))]),
    ),
    file('control characters', `${HEADER}${row('\u0001\u0002\u001b[31mIvan\u0007')}`),
  ];
}

/** Cells that are harmless as text and harm whoever takes them for more. */
export function wickedCells(): HostileFile[] {
  const notes = [
    '=HYPERLINK("http://x";"y")',
    '@SUM(A1)',
    '+cmd|calc',
    "'; DROP TABLE runs; --",
    '${process.exit(1)}',
    '{{constructor}}',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    ']]>',
    '%s%n%x',
    '\u202eIvan',
    '\u200b',
    '👩‍👩‍👧‍👦',
    'e\u0301'.repeat(500),
    '\u001b]0;x\u0007',
    'null',
    'undefined',
    'NaN',
    '__proto__',
    '1e999',
    '\\',
  ];
  const phones = [
    '',
    '0',
    '-1',
    '+',
    '+7'.repeat(500),
    `+7${'9'.repeat(100_000)}`,
    '('.repeat(50_000),
    `${'1-'.repeat(40_000)}x`,
    '١٢٣٤٥٦٧٨٩٠١',
    '+7 916 123 45 67 ext 5',
    '７９１６１２３４５６７',
    `${' '.repeat(60_000)}x`,
    '8916;8917',
    '1e11',
  ];
  const offers = [
    '',
    ' ',
    '0',
    '-0',
    '1e999',
    '9'.repeat(50_000),
    '0x10',
    '1,5',
    'Infinity',
    '00042',
    '١',
    '2.5',
  ];
  return [
    file(
      'wicked notes',
      HEADER +
        notes
          .map((note, at) => `${at},a,b,+79161234567,"${note.replaceAll('"', '""')}"\n`)
          .join(''),
    ),
    file('wicked phones', HEADER + phones.map((phone) => row('Ivan', phone)).join('')),
    file(
      'wicked numbers',
      HEADER + offers.map((offer) => `"${offer}",a,b,+79161234567,\n`).join(''),
    ),
    made('the same row half a million times', () => HEADER + row('Ivan').repeat(500_000)),
    made('a bad phone 200,000 times', () => HEADER + row('Ivan', 'none').repeat(200_000)),
    file(
      'line ends of every kind',
      leadsCsv(30).replaceAll('\n', '\r') +
        leadsCsv(30) +
        leadsCsv(30).replaceAll('\n', '\r\n') +
        'a\u2028b\u0085c\vd\fe\n',
    ),
    file('lone carriage returns', leadsCsv(200).replaceAll('\n', '\r')),
    file('a line for the delimiter', `sep=;\n${leadsCsv(30).replaceAll(',', ';')}`),
    file(
      'another delimiter in each row',
      HEADER +
        [',', ';', '\t', '|']
          .map((sign) => row('Ivan').replaceAll(',', sign))
          .join('')
          .repeat(50),
    ),
    made('no delimiter at all', () => 'x\n'.repeat(100_000)),
    file('json', JSON.stringify([{ Offer: 1, Phone: '+79161234567' }])),
    file('html', '<html><table><tr><td>Offer</td></tr></table></html>'),
    file('a letter', 'From: Ivan\nTo: Anna\n\nPlease find the leads, all of them, below.\n'),
  ];
}
