import { zip } from '../../kit/zip.js';
import { randomBytes, type Random } from './damage.js';
import { oldWorkbook } from '../../reading/xls/records.js';
import { file, made, type HostileFile } from './file.js';

/** A compound file with streams of these names. */
function compound(...names: string[]): Buffer {
  const header = Buffer.alloc(512);
  header.write('d0cf11e0a1b11ae1', 'hex');
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(1, 48);
  const fat = Buffer.alloc(512, 0xff);
  fat.writeUInt32LE(2, 4);
  fat.writeUInt32LE(0xfffffffe, 8);
  const directory = Buffer.alloc(1024);
  ['Root Entry', 'a', 'b', 'c', ...names].forEach((name, at) => {
    directory.write(name, at * 128, 'utf16le');
    directory.writeUInt16LE(name.length * 2 + 2, at * 128 + 64);
  });
  return Buffer.concat([header, fat, directory]);
}

const only = (...names: string[]): Buffer => zip(names.map((name) => ({ name, data: '<a/>' })));

/** What people send in place of a spreadsheet. */
export function otherFiles(random: Random): HostileFile[] {
  const circle = compound('Workbook');
  circle.writeUInt32LE(1, 512 + 4);
  const beginning = (name: string, ...bytes: number[]) =>
    file(
      `the beginning of ${name}`,
      Buffer.concat([Buffer.from(bytes), randomBytes(random, 3_000)]),
    );
  return [
    file('an encrypted workbook', compound('EncryptionInfo', 'EncryptedPackage')),
    file('an xls', compound('Workbook')),
    file('an old xls', compound('Book')),
    file('a doc', compound('WordDocument')),
    // SheetJS makes four million objects of it.
    { ...made('an old xls full of numbers', () => Buffer.from(oldWorkbook(15_500))), table: 'any' },
    file('an xls cut off', compound('Workbook').subarray(0, 700)),
    file('an xls whose directory goes round in a circle', circle),
    file('the mark of an xls alone', compound().subarray(0, 8)),
    file(
      'the mark of an xls and random bytes',
      Buffer.concat([compound().subarray(0, 8), randomBytes(random, 4_000)]),
    ),
    file('a docx', only('[Content_Types].xml', '_rels/.rels', 'word/document.xml')),
    file('a pptx', only('[Content_Types].xml', 'ppt/presentation.xml')),
    file('an ods', only('mimetype', 'content.xml', 'META-INF/manifest.xml')),
    file('an xlsb', only('[Content_Types].xml', 'xl/workbook.bin')),
    file('a numbers document', only('Index/Document.iwa')),
    file('a jar', only('META-INF/MANIFEST.MF')),
    file('an empty zip', zip([])),
    file('the mark of a zip alone', 'PK\x03\x04'),
    file(
      'the mark of a zip and random bytes',
      Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(random, 4_000)]),
    ),
    file('a text that begins with PK', 'PK,Name\n1,Ivan\n'),
    beginning('a pdf', 0x25, 0x50, 0x44, 0x46, 0x2d),
    beginning('a png', 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a),
    beginning('a jpeg', 0xff, 0xd8, 0xff),
    beginning('a rar', 0x52, 0x61, 0x72, 0x21, 0x1a, 0x07),
    beginning('a 7z', 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c),
    beginning('a bzip2', 0x42, 0x5a, 0x68),
    beginning('a zstd', 0x28, 0xb5, 0x2f, 0xfd),
    beginning('an xz', 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00),
    beginning('a program', 0x7f, 0x45, 0x4c, 0x46),
    file('an rtf', '{\\rtf1\\ansi Leads}'),
    file('xml', '<?xml version="1.0"?><Workbook><Table/></Workbook>'),
    file(
      'a sqlite database',
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4_000)]),
    ),
    file('a parquet file', Buffer.concat([Buffer.from('PAR1'), randomBytes(random, 2_000)])),
  ];
}
