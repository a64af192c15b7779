import { compoundFile } from '../../kit/compound-file.js';
import { crc32, constants, deflateRawSync, gzipSync } from 'node:zlib';
import { zip, type ZipPart } from '../../kit/zip.js';
import { oldWorkbook } from '../../reading/xls/records.js';
import { parts, strings, worksheet } from '../../reading/xlsx/workbook.js';
import {
  filesOf,
  filled,
  HEADER,
  type HostileFile,
  leadsCsv,
  type Random,
  randomBytes,
  several,
  together,
  utf16,
  wicked,
} from './make.js';
import { book, HEADER_ROW, leadRows, SHEET, STRINGS, TYPES, usualParts } from './workbooks.js';

const MIB = 2 ** 20;

/** Packed files that are odd or bombs. */
export function gzipFiles(random: Random): HostileFile[] {
  const workbook = zip(usualParts(20));
  const good = gzipSync(leadsCsv(2_000));
  const head = gzipSync(HEADER);
  const bomb = (piece: string) => () => together(head, gzipSync(Buffer.alloc(300 * MIB, piece)));
  return [
    ...filesOf('gzip ', {
      'mark alone': Buffer.of(0x1f, 0x8b),
      'mark and random bytes': together([0x1f, 0x8b, 8, 0], randomBytes(random, 5_000)),
      'with a wrong checksum': together(good.subarray(0, -8), Buffer.alloc(8)),
      'with random bytes behind it': together(good, randomBytes(random, 500)),
      'with zeros behind it': together(good, Buffer.alloc(500)),
      'with half a member behind it': together(good, good.subarray(0, 300)),
      'of nothing': gzipSync(''),
      'of gzip': gzipSync(good),
      'of a workbook': gzipSync(workbook),
      'of zeros': gzipSync(Buffer.alloc(1_000)),
      'of random bytes': gzipSync(randomBytes(random, 100_000)),
      'of utf-16': gzipSync(utf16(leadsCsv(50))),
      'of an unclosed quote': gzipSync(`${leadsCsv(500)}"`),
      'with an unknown method': together([0x1f, 0x8b, 7], good.subarray(3)),
      'with a name that does not end': together(
        [0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3],
        Buffer.alloc(3 * MIB, 'x'),
        good.subarray(10),
      ),
      'of 100,000 empty members': () => together(head, Buffer.alloc(20 * 100_000, gzipSync(''))),
      'of 50,000 members': () =>
        together(head, ...Array.from({ length: 50_000 }, () => gzipSync('1,a,b,+79161234567,\n'))),
    }),
    ...filesOf('gzip bomb of ', {
      letters: bomb('x'),
      commas: bomb(','),
      'rows of commas': bomb(',,,,\n'),
      'wide rows of commas': bomb(`${','.repeat(15_000)}\n`),
      'line ends': bomb('\n'),
      zeros: bomb('\0'),
      'good rows': bomb('1,shop.example.com,Ivan,+79161234567,\n'),
      quotes: bomb('"'),
      'a bomb': () => gzipSync(gzipSync(Buffer.alloc(300 * MIB))),
    }),
  ];
}

/** Containers that claim what is not so; damaged ones: `test/reading/xlsx/properties`. */
export function lyingContainers(): HostileFile[] {
  const all = parts(leadRows(50));
  const good = zip(all);
  const end = good.length - 22;
  const directory = good.readUInt32LE(end + 16);
  const patched = (offset: number, value: number, size: 2 | 4, bytes = good): Buffer => {
    const copy = Buffer.from(bytes);
    copy.writeUIntLE(value, offset, size);
    return copy;
  };
  const changed = (change: Partial<ZipPart>) =>
    zip(all.map((part) => (part.name === SHEET ? { ...part, ...change } : part)));
  const renamed = (rename: (name: string) => string) =>
    zip(all.map((part) => ({ ...part, name: rename(part.name) })));
  const added = (name: string, data: string) => zip([...all, { name, data }]);
  const many = (count: number) => () =>
    zip([...all, ...Array.from({ length: count }, (_, at) => ({ name: `x/${at}`, data: '' }))]);
  const eachPart = (of: string, make: (name: string) => Buffer, but?: string) =>
    filesOf(
      of,
      Object.fromEntries(
        all
          .filter(({ name }) => name !== but)
          .map(({ name }) => [name.replaceAll('/', ' '), make(name)]),
      ),
    );
  const names = wicked('partNames');
  return [
    ...filesOf('', {
      'a good workbook': zip(usualParts(300)),
      'workbook behind a program': together(good.subarray(0, 4), Buffer.alloc(5_000, 'q7'), good),
      'workbook before 70,000 zeros': together(good, Buffer.alloc(70_000)),
      'two workbooks, one after the other': together(good, good),
      'a directory that is said to be elsewhere': patched(end + 16, directory + 7, 4),
      'a directory that is said to be at the end': patched(end + 16, good.length, 4),
      'a directory beyond four gigabytes': patched(end + 16, 0xffffffff, 4),
      'a directory of too many parts': patched(end + 10, 60_000, 2),
      'a directory of no parts': patched(end + 10, 0, 2, patched(end + 8, 0, 2)),
      'a directory that is said to be large': patched(end + 12, 0x7fffffff, 4),
      'a comment that is not there': patched(end + 20, 500, 2),
      'several disks': patched(end + 4, 3, 2),
      'parts that begin beyond the end': patched(directory + 42, 0x7ffffff0, 4),
      'a part that is said to be of two gigabytes': changed({ length: 0x7fffffff }),
      'a part that is said to be empty': changed({ length: 0 }),
      'a part with a wrong checksum': changed({ crc: 1 }),
      'an encrypted part': changed({ flags: 0x801 }),
      'a part that is not compressed': changed({ deflate: false }),
      'a part that is called compressed': changed({ deflate: false, method: 8 }),
      'a part of gibberish': changed({ data: Buffer.alloc(9_000, 'q7') }),
      'all names with backslashes': renamed((name) => name.replaceAll('/', '\\')),
      'all names from the root': renamed((name) => `/${name}`),
      'all names in capitals': renamed((name) => name.toUpperCase()),
      'a name of 60,000 letters': added('x'.repeat(60_000), 'root:x:0:0'),
      'every part twice': zip([...all, ...all]),
      'the sheet once more in capitals': added(SHEET.toUpperCase(), ''),
      'a container of 19000 parts': many(19_000),
      'a container of 65000 parts': many(65_000),
    }),
    ...[1, 6, 9, 12, 14, 93, 95, 98, 99].flatMap((method) =>
      filesOf('a part compressed by method ', { [method]: changed({ method }) }),
    ),
    ...several('a part of a wicked name', names.length, (number) =>
      added(names[number - 1] ?? '', 'root:x:0:0'),
    ),
    ...eachPart('a workbook without ', (left) => zip(all.filter(({ name }) => name !== left))),
    ...eachPart('a workbook with an empty ', (name) => book(leadRows(5), { [name]: '' }), TYPES),
    ...eachPart(
      'a workbook with zeros for ',
      (name) => book(leadRows(5), { [name]: Buffer.alloc(5_000) }),
      TYPES,
    ),
  ];
}

interface Bomb {
  readonly part: string;
  readonly head: string;
  /** Stands as often as makes `megabytes` of it. */
  readonly piece: string;
  readonly megabytes: number;
  readonly tail: string;
}

/** A workbook with a part that is packed piece by piece: what it unpacks to is never in memory. */
function bombed({ part, head, piece, megabytes, tail }: Bomb, sheetData = leadRows(5)) {
  const open = { finishFlush: constants.Z_FULL_FLUSH, level: 9 };
  const bytes = Buffer.byteLength(piece);
  const many = Buffer.alloc(Math.max(1, Math.floor(MIB / bytes)) * bytes, piece);
  const packed = deflateRawSync(many, open);
  const times = Math.floor((megabytes * MIB) / many.length);
  let checksum = crc32(head);
  for (let left = times; left > 0; left--) checksum = crc32(many, checksum);
  const others = parts(sheetData).filter(({ name }) => name !== part);
  const bomb: ZipPart = {
    name: part,
    data: together(
      deflateRawSync(head, open),
      Buffer.alloc(packed.length * times, packed),
      deflateRawSync(tail),
    ),
    ...{ deflate: false, method: 8, crc: crc32(tail, checksum) },
    length: Buffer.byteLength(head) + many.length * times + Buffer.byteLength(tail),
  };
  return zip([...others, bomb]);
}

/** Parts that stay below what betrays a bomb (bombs: `test/reading/xlsx/errors`), as full as they can be of one thing. */
export function denseParts(random: Random): HostileFile[] {
  // Letters that hardly pack make the file as large as it must be for so much to come out of it.
  const filler = filled(3, () => `<!--${randomBytes(random, 1.5 * MIB).toString('hex')}-->`);
  const [start = '', end = ''] = worksheet('|').split('|');
  const sheet = (piece: string) => () =>
    bombed(
      { part: SHEET, head: `${start}${filler}${HEADER_ROW}`, piece, megabytes: 600, tail: end },
      '',
    );
  const shared = (piece: string) => () =>
    bombed({
      ...{ part: STRINGS, head: `<sst>${filler}`, piece, megabytes: 600, tail: '</sst>' },
    });
  const row = (cell: string, times: number) => `<row>${cell.repeat(times)}</row>`;
  const attributes = filled(1_000, (at) => `a${at}=""`, ' ');
  return [
    ...filesOf('a dense sheet of ', {
      numbers: sheet(row('<c><v>1</v></c>', 100)),
      'numbers in wide rows': sheet(row('<c><v>1</v></c>', 16_000)),
      texts: sheet(row('<c t="s"><v>0</v></c>', 100)),
      'inline texts': sheet(row('<c t="inlineStr"><is><t>x</t></is></c>', 100)),
      'empty cells': sheet(row('<c/>', 16_000)),
      'empty rows': sheet('<row/>'),
      elements: sheet('<a/>'),
      comments: sheet('<!---->'),
      instructions: sheet('<?x?>'),
      attributes: sheet(`<row ${attributes}/>`),
      entities: sheet(row(`<c t="str"><v>${'&#65;'.repeat(10_000)}</v></c>`, 1)),
      'white space': sheet(' '),
      CDATA: sheet(row(`<c t="str"><v>${'<![CDATA[x]]>'.repeat(1_000)}</v></c>`, 1)),
      'cells far to the right': sheet('<row><c r="XFD"/></row>'),
      runs: sheet(row(`<c t="inlineStr"><is>${'<r><t>x</t></r>'.repeat(1_000)}</is></c>`, 1)),
    }),
    ...filesOf('dense ', {
      'shared strings': shared('<si/>'),
      'long shared strings': shared(strings('<t>x</t>').replace(/.*<sst[^>]*>|<\/sst>/gs, '')),
    }),
  ];
}

/** What people send in place of a spreadsheet. */
export function otherFiles(random: Random): HostileFile[] {
  const only = (...names: string[]): Buffer => zip(names.map((name) => ({ name, data: '<a/>' })));
  const circle = compoundFile('Workbook');
  circle.writeUInt32LE(1, 512 + 4);
  const mark = compoundFile().subarray(0, 8);
  const begun = (bytes: number[]) => together(bytes, randomBytes(random, 3_000));
  // SheetJS makes four million objects of it.
  const numbers = filesOf('', {
    'an old xls full of numbers': () => Buffer.from(oldWorkbook(15_500)),
  });
  return [
    ...numbers.map((one): HostileFile => ({ ...one, table: 'any' })),
    ...filesOf('', {
      'an encrypted workbook': compoundFile('EncryptionInfo', 'EncryptedPackage'),
      'an xls': compoundFile('Workbook'),
      'an old xls': compoundFile('Book'),
      'a doc': compoundFile('WordDocument'),
      'an xls cut off': compoundFile('Workbook').subarray(0, 700),
      'an xls whose directory goes round in a circle': circle,
      'the mark of an xls alone': mark,
      'the mark of an xls and random bytes': together(mark, randomBytes(random, 4_000)),
      'a docx': only('[Content_Types].xml', '_rels/.rels', 'word/document.xml'),
      'a pptx': only('[Content_Types].xml', 'ppt/presentation.xml'),
      'an ods': only('mimetype', 'content.xml', 'META-INF/manifest.xml'),
      'an xlsb': only('[Content_Types].xml', 'xl/workbook.bin'),
      'a numbers document': only('Index/Document.iwa'),
      'a jar': only('META-INF/MANIFEST.MF'),
      'an empty zip': zip([]),
      'the mark of a zip alone': 'PK\x03\x04',
      'the mark of a zip and random bytes': together('PK\x03\x04', randomBytes(random, 4_000)),
      'a text that begins with PK': 'PK,Name\n1,Ivan\n',
    }),
    ...filesOf('the beginning of ', {
      'a pdf': begun([0x25, 0x50, 0x44, 0x46, 0x2d]),
      'a png': begun([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]),
      'a jpeg': begun([0xff, 0xd8, 0xff]),
      'a rar': begun([0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]),
      'a 7z': begun([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
      'a bzip2': begun([0x42, 0x5a, 0x68]),
      'a zstd': begun([0x28, 0xb5, 0x2f, 0xfd]),
      'an xz': begun([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
      'a program': begun([0x7f, 0x45, 0x4c, 0x46]),
    }),
    ...filesOf('', {
      'an rtf': '{\\rtf1\\ansi Leads}',
      xml: '<?xml version="1.0"?><Workbook><Table/></Workbook>',
      'a sqlite database': together('SQLite format 3\0', Buffer.alloc(4_000)),
      'a parquet file': together('PAR1', randomBytes(random, 2_000)),
    }),
  ];
}
