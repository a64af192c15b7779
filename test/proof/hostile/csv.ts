import { encode } from '../../reading/files.js';
import {
  filesOf,
  filled,
  HEADER,
  type HostileFile,
  LEADS,
  leadsCsv,
  repeated,
  together,
  utf16,
  wicked,
} from './make.js';

const MIB = 2 ** 20;
const LEAD = '1,shop.example.com,Ivan,+79161234567,';
const row = (name = 'Ivan', phone = '+79161234567') => `1,shop.example.com,${name},${phone},\n`;

export function csvFiles(): HostileFile[] {
  return [...extremeCsv(), ...quotesCsv(), ...encodedCsv(), ...wickedCsv()];
}

/** Hardly anything, or far too much of one thing. */
function extremeCsv(): HostileFile[] {
  const wide = (columns: number, name = (at: number) => `c${at}`) =>
    `${LEADS.join(',')},${filled(columns - LEADS.length, name, ',')}\n`;
  return [
    ...filesOf('', {
      nothing: '',
      'one byte': 'a',
      'a line end': '\n',
      'only a byte order mark': '\ufeff',
      'only a byte order mark of utf-16': utf16(''),
      'half a byte order mark': Buffer.of(0xef, 0xbb),
      'only white space': ' \t \n \t \n',
      'only a header': HEADER,
      'a header without its end': HEADER.trimEnd(),
      'two byte order marks': `\ufeff\ufeff${leadsCsv(3)}`,
      'a header twice': HEADER + leadsCsv(3),
      'a header of 1 MB': `${'x'.repeat(MIB)},${HEADER}${LEAD}\n`,
      'a header of control characters': `\u001b[2J\u0007,${HEADER}1,${LEAD}\n`,
      'a header of names of objects': `__proto__,constructor,toString,${HEADER}1,2,3,${LEAD}\n`,
      'a header with a name twice': `Offer,${HEADER}1,${LEAD}\n`,
      'a header with an empty name': `,${HEADER}1,${LEAD}\n`,
      'a quoted cell of 1 MiB and a byte': () => `${HEADER}${LEAD}"${'x'.repeat(MIB + 1)}"\n`,
      'rows of every length': HEADER + filled(2_000, (at) => `${'1,'.repeat(at)}\n`),
    }),
    ...[MIB, MIB + 1, 5 * MIB].flatMap((size) =>
      filesOf('a cell of ', {
        [`${size} bytes`]: () => `${HEADER}${LEAD}${'x'.repeat(size)}\n${LEAD}\n`,
      }),
    ),
    repeated('a cell of 100 MB', HEADER + LEAD, 'x'.repeat(MIB), 100),
    repeated('many cells of 1 MiB', HEADER, `${LEAD}${'x'.repeat(MIB)}\n`, 60),
    ...filesOf('many columns', {
      ': 16,000': () => wide(16_000) + `${LEAD}${'x,'.repeat(15_995)}\n`.repeat(200),
      ': 18,278': () => wide(18_278) + `${LEAD}${','.repeat(18_273)}\n`.repeat(20),
      ': 18,279': () => wide(18_279) + `${LEAD}${','.repeat(18_274)}\n`.repeat(20),
      ': 200,000': () => wide(200_000),
      ' with long names': () => wide(3_000, (at) => `${'x'.repeat(1_000)}${at}`),
    }),
  ];
}

/** Quotes where they do not belong. */
function quotesCsv(): HostileFile[] {
  const good = leadsCsv(300);
  return [
    ...filesOf('a quote never closed ', {
      'in the header': `"Offer,Site,Name,Phone,Note\n${row()}`,
      'in the first row': `${HEADER}"1,a,b,c,d\n${row().repeat(50)}`,
      'in the last row': `${good}1,a,"b,c,d\n`,
      'at the very end': `${good}"`,
      'before 5 MB': () => `${good}1,a,"b${row().repeat(120_000)}`,
    }),
    ...filesOf('', {
      'text after a closing quote': `${good}1,"a"b,c,+79161234567,\n${row()}`,
      'a quote inside of a word': `${good}1,a"b,c"d,+79161234567,"\n${row()}`,
      'quotes in quotes in quotes': `${good}1,"a""""""b""","""","",""\n`,
      'every cell of quotes alone': `${HEADER}${'"""","""","""","""",""""\n'.repeat(500)}`,
      'quotes and commas by turns': () => HEADER + '",'.repeat(MIB),
      'pairs of quotes in one cell': () => `${HEADER}1,a,"${'""'.repeat(600_000)}",+79161234567,\n`,
      'single quotes': `${HEADER}'1','shop,example','Ivan','+79161234567',''\n`,
      'quotes of a typesetter': `${HEADER}1,“shop, example”,Ivan,+79161234567,\n`,
    }),
  ];
}

/** Zeros, other encodings, several encodings, no encoding. */
function encodedCsv(): HostileFile[] {
  const text = leadsCsv(200);
  const [bytes, wide] = [Buffer.from(text), utf16(text)];
  const at = (offset: number, ...inserted: number[]) =>
    together(bytes.subarray(0, offset), inserted, bytes.subarray(offset));
  const mixed = together(bytes, encode('1,сайт,Иван,+79161234567,\n', 'windows-1251'));
  return filesOf('', {
    'a zero at the beginning': at(0, 0),
    'a zero in the header': at(3, 0),
    'a zero in the midst': at(4_000, 0),
    'a zero at the end': at(bytes.length, 0),
    'a zero after every letter of one row': `${text}1,a,${'b\0'.repeat(50)},+79161234567,\n`,
    'zeros alone': Buffer.alloc(MIB),
    'utf-8 and windows-1251 by turns': mixed,
    'windows-1251 after 1 MB of utf-8': () => together(leadsCsv(20_000), mixed),
    'utf-16 with an odd byte at its end': together(wide, [10]),
    'utf-16 that lost a byte': together(wide.subarray(0, 303), wide.subarray(304)),
    'utf-16 with half a pair': together(wide, [0x3d, 0xd8, 10, 0]),
    'utf-16 without a mark, high bytes first': encode(text, 'utf-16be'),
    'utf-16 marked as the other one': together([0xfe, 0xff], wide.subarray(2)),
    'utf-8 marked as utf-16': together([0xff, 0xfe], bytes),
    'utf-32': Buffer.from(Uint32Array.from(text, (letter) => letter.codePointAt(0) ?? 0).buffer),
    'utf-8 of too many bytes': at(4_000, 0xc0, 0xaf, 0xe0, 0x80, 0xaf),
    'utf-8 of half a pair': at(4_000, 0xed, 0xa0, 0xbd),
    'utf-8 beyond the last character': at(4_000, 0xf4, 0x90, 0x80, 0x80),
    'utf-8 that ends in a character': at(bytes.length, 0xd0),
    'a byte order mark in the midst': at(4_000, 0xef, 0xbb, 0xbf),
    'bytes of a mainframe': Buffer.from(bytes.map((byte) => byte ^ 0xc0)),
    'every byte': together(
      bytes,
      Array.from({ length: 256 }, (_, byte) => byte),
    ),
    'control characters': `${HEADER}${row('\u0001\u0002\u001b[31mIvan\u0007')}`,
  });
}

/** Cells that harm whoever takes them for more than texts, and tables that are none. */
function wickedCsv(): HostileFile[] {
  const notes = wicked('notes').map(
    (note, at) => `${at},a,b,+79161234567,"${note.replaceAll('"', '""')}"\n`,
  );
  const delimited = [',', ';', '\t', '|'].map((sign) => row().replaceAll(',', sign));
  const few = leadsCsv(30);
  return filesOf('', {
    'wicked notes': HEADER + notes.join(''),
    'wicked phones':
      HEADER +
      wicked('phones')
        .map((phone) => row('Ivan', phone))
        .join(''),
    'wicked numbers':
      HEADER +
      wicked('offers')
        .map((offer) => `"${offer}",a,b,+79161234567,\n`)
        .join(''),
    'the same row half a million times': () => HEADER + row().repeat(500_000),
    'a bad phone 200,000 times': () => HEADER + row('Ivan', 'none').repeat(200_000),
    'line ends of every kind':
      few.replaceAll('\n', '\r') + few + few.replaceAll('\n', '\r\n') + 'a\u2028b\u0085c\vd\fe\n',
    'lone carriage returns': leadsCsv(200).replaceAll('\n', '\r'),
    'a line for the delimiter': `sep=;\n${few.replaceAll(',', ';')}`,
    'another delimiter in each row': HEADER + delimited.join('').repeat(50),
    'no delimiter at all': () => 'x\n'.repeat(100_000),
    json: JSON.stringify([{ Offer: 1, Phone: '+79161234567' }]),
    html: '<html><table><tr><td>Offer</td></tr></table></html>',
    'a letter': 'From: Ivan\nTo: Anna\n\nPlease find the leads, all of them, below.\n',
  });
}

/** Hundreds of megabytes of a sign that is cheap to write and dear to read. */
export function floodedCsv(): HostileFile[] {
  const line = (commas: number) => `${','.repeat(commas)}\n`;
  const flood = (name: string, piece: string, head = HEADER, times?: number) =>
    repeated(`300 MB of ${name}`, head, piece, times ?? Math.floor((300 * MIB) / piece.length));
  const wide = `${LEADS.join(',')}${filled(15_995, (at) => `,c${at}`)}\n`;
  const strayQuotes = `${HEADER}"a"b,,,,\n`;
  return [
    ...[2, 4, 14, 100, 1_000, 16_000, 100_000, 1_000_000].map((commas) =>
      flood(`commas, ${commas} in a row`, line(commas)),
    ),
    flood('commas in one row', ','.repeat(MIB)),
    flood('commas without a header', ','.repeat(MIB), ''),
    flood('commas under 16,000 columns', line(15_999), wide, 19_660),
    flood('commas after quotes in the midst', line(16_000), strayQuotes, 19_660),
    flood('short rows after quotes in the midst', line(4), strayQuotes, 60_000_000),
    flood('semicolons', `${';'.repeat(1_000)}\n`),
    flood('tabs', `${'\t'.repeat(1_000)}\n`),
    flood('line feeds', '\n'),
    flood('carriage returns', '\r'),
    flood('empty quotes', `${'"",'.repeat(1_000)}\n`),
    flood('quotes', '"'),
    flood('zeros', '\0'),
    flood('spaces', ' '),
    flood('letters', 'x'),
    flood('line ends in quotes', `"${'\n'.repeat(1_000)}",,,,\n`),
  ];
}
