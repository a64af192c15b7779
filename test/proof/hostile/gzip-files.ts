import { gzipSync } from 'node:zlib';
import { flipped, randomBytes, truncated, type Random } from './damage.js';
import { file, made, several, type HostileFile } from './file.js';
import { HEADER, leadsCsv } from './leads.js';

const MIB = 2 ** 20;

/** Packed files that are damaged, odd or bombs. `book` is a workbook. */
export function gzipFiles(random: Random, book: Buffer): HostileFile[] {
  const good = gzipSync(leadsCsv(2_000));
  const head = gzipSync(HEADER);
  const named = (name: Buffer) =>
    Buffer.concat([Buffer.of(0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3), name, good.subarray(10)]);
  const bomb = (name: string, megabytes: number, piece: string) =>
    made(`gzip bomb of ${name}`, () =>
      Buffer.concat([head, gzipSync(Buffer.alloc(megabytes * MIB, piece))]),
    );
  return [
    ...several('gzip cut off', 10, () => truncated(good, random)),
    ...several('gzip with flipped bits', 10, (number) => flipped(good, random, number)),
    file('gzip mark alone', Buffer.of(0x1f, 0x8b)),
    file(
      'gzip mark and random bytes',
      Buffer.concat([Buffer.of(0x1f, 0x8b, 8, 0), randomBytes(random, 5_000)]),
    ),
    file('gzip with a wrong checksum', Buffer.concat([good.subarray(0, -8), Buffer.alloc(8)])),
    file('gzip with random bytes behind it', Buffer.concat([good, randomBytes(random, 500)])),
    file('gzip with zeros behind it', Buffer.concat([good, Buffer.alloc(500)])),
    file('gzip with half a member behind it', Buffer.concat([good, good.subarray(0, 300)])),
    file('gzip of nothing', gzipSync('')),
    file('gzip of gzip', gzipSync(good)),
    file('gzip of a workbook', gzipSync(book)),
    file('gzip of zeros', gzipSync(Buffer.alloc(1_000))),
    file('gzip of random bytes', gzipSync(randomBytes(random, 100_000))),
    file('gzip of utf-16', gzipSync(Buffer.from(`\ufeff${leadsCsv(50)}`, 'utf16le'))),
    file('gzip of an unclosed quote', gzipSync(`${leadsCsv(500)}"`)),
    file(
      'gzip with an unknown method',
      Buffer.concat([Buffer.of(0x1f, 0x8b, 7), good.subarray(3)]),
    ),
    file('gzip with a name that does not end', named(Buffer.alloc(3 * MIB, 'x'))),
    made('gzip of 100,000 empty members', () =>
      Buffer.concat([head, Buffer.alloc(20 * 100_000, gzipSync(''))]),
    ),
    made('gzip of 50,000 members', () =>
      Buffer.concat([
        head,
        ...Array.from({ length: 50_000 }, () => gzipSync('1,a,b,+79161234567,\n')),
      ]),
    ),
    bomb('letters', 300, 'x'),
    bomb('commas', 300, ','),
    bomb('rows of commas', 300, ',,,,\n'),
    bomb('wide rows of commas', 300, `${','.repeat(15_000)}\n`),
    bomb('line ends', 300, '\n'),
    bomb('zeros', 300, '\0'),
    bomb('good rows', 300, '1,shop.example.com,Ivan,+79161234567,\n'),
    bomb('quotes', 300, '"'),
    made('gzip bomb of a bomb', () => gzipSync(gzipSync(Buffer.alloc(300 * MIB)))),
  ];
}
