import { zip, type ZipPart } from '../../kit/zip.js';
import { parts } from '../../reading/xlsx/workbook.js';
import { book, leadRows, SHEET, TYPES, usualParts } from './book.js';
import { flipped, randomBytes, shuffled, truncated, type Random } from './damage.js';
import { file, made, several, type HostileFile } from './file.js';

/** Workbooks whose zip container is cut off, flipped or jumbled. */
export function damagedContainers(random: Random): HostileFile[] {
  const good = zip(usualParts(300));
  const directory = good.indexOf('PK\x01\x02', 0, 'latin1');
  return [
    file('a good workbook', good),
    ...several('workbook cut off', 16, () => truncated(good, random)),
    ...several('workbook cut off in its directory', 4, () =>
      good.subarray(0, directory + Math.floor(random() * (good.length - directory))),
    ),
    ...several('workbook with flipped bits', 16, (number) => flipped(good, random, number)),
    ...several('workbook with flipped bits in its directory', 14, (number) =>
      flipped(good, random, number, [directory, good.length]),
    ),
    ...several('workbook with flipped bits in a header', 6, (number) =>
      flipped(good, random, number, [0, 60]),
    ),
    ...several('workbook jumbled', 8, (number) => shuffled(good, random, number)),
    file(
      'workbook behind a program',
      Buffer.concat([good.subarray(0, 4), randomBytes(random, 5_000), good]),
    ),
    file('workbook before random bytes', Buffer.concat([good, randomBytes(random, 5_000)])),
    file('workbook before 70,000 zeros', Buffer.concat([good, Buffer.alloc(70_000)])),
    file('two workbooks, one after the other', Buffer.concat([good, good])),
  ];
}

const patched = (bytes: Buffer, offset: number, value: number, size: 2 | 4): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUIntLE(value, offset, size);
  return copy;
};

/** Containers that claim what is not so. */
export function lyingContainers(): HostileFile[] {
  const all = parts(leadRows(50));
  const good = zip(all);
  const end = good.length - 22;
  const directory = good.readUInt32LE(end + 16);
  const changed = (change: Partial<ZipPart>) =>
    zip(all.map((part) => (part.name === SHEET ? { ...part, ...change } : part)));
  const named = (name: string) => zip([...all, { name, data: 'root:x:0:0' }]);
  const many = (count: number) =>
    made(`a container of ${count} parts`, () =>
      zip([...all, ...Array.from({ length: count }, (_, at) => ({ name: `x/${at}`, data: '' }))]),
    );
  return [
    file('a directory that is said to be elsewhere', patched(good, end + 16, directory + 7, 4)),
    file('a directory that is said to be at the end', patched(good, end + 16, good.length, 4)),
    file('a directory beyond four gigabytes', patched(good, end + 16, 0xffffffff, 4)),
    file('a directory of too many parts', patched(good, end + 10, 60_000, 2)),
    file('a directory of no parts', patched(patched(good, end + 8, 0, 2), end + 10, 0, 2)),
    file('a directory that is said to be large', patched(good, end + 12, 0x7fffffff, 4)),
    file('a comment that is not there', patched(good, end + 20, 500, 2)),
    file('several disks', patched(good, end + 4, 3, 2)),
    file('parts that begin beyond the end', patched(good, directory + 42, 0x7ffffff0, 4)),
    file('a part that is said to be of two gigabytes', changed({ length: 0x7fffffff })),
    file('a part that is said to be empty', changed({ length: 0 })),
    file('a part with a wrong checksum', changed({ crc: 1 })),
    file('an encrypted part', changed({ flags: 0x801 })),
    ...[1, 6, 9, 12, 14, 93, 95, 98, 99].map((method) =>
      file(`a part compressed by method ${method}`, changed({ method })),
    ),
    file('a part that is not compressed', changed({ deflate: false })),
    file('a part that is called compressed', changed({ deflate: false, method: 8 })),
    file(
      'a part of gibberish',
      zip(
        all.map((part) =>
          part.name === SHEET ? { ...part, data: Buffer.alloc(9_000, 'q7') } : part,
        ),
      ),
    ),
    ...[
      '../../../../tmp/cardline-evil',
      '/etc/passwd',
      'C:\\Windows\\x',
      '..\\..\\x',
      'a\0b',
      '',
      '\u001b[31m',
      '/',
    ].map((name, at) => file(`a part of a wicked name ${at + 1}`, named(name))),
    file(
      'all names with backslashes',
      zip(all.map((part) => ({ ...part, name: part.name.replaceAll('/', '\\') }))),
    ),
    file('all names from the root', zip(all.map((part) => ({ ...part, name: `/${part.name}` })))),
    file(
      'all names in capitals',
      zip(all.map((part) => ({ ...part, name: part.name.toUpperCase() }))),
    ),
    file('a name of 60,000 letters', named('x'.repeat(60_000))),
    file('every part twice', zip([...all, ...all])),
    file('the sheet once more in capitals', zip([...all, { name: SHEET.toUpperCase(), data: '' }])),
    many(19_000),
    many(65_000),
    ...all.map(({ name }) =>
      file(
        `a workbook without ${name.replaceAll('/', ' ')}`,
        zip(all.filter((part) => part.name !== name)),
      ),
    ),
    ...all
      .filter(({ name }) => name !== TYPES)
      .map(({ name }) =>
        file(
          `a workbook with an empty ${name.replaceAll('/', ' ')}`,
          book(leadRows(5), { [name]: '' }),
        ),
      ),
    ...all
      .filter(({ name }) => name !== TYPES)
      .map(({ name }) =>
        file(
          `a workbook with zeros for ${name.replaceAll('/', ' ')}`,
          book(leadRows(5), { [name]: Buffer.alloc(5_000) }),
        ),
      ),
  ];
}
