import { crc32, constants, deflateRawSync } from 'node:zlib';
import { zip, type ZipPart } from '../../kit/zip.js';
import { parts, strings, worksheet } from '../../reading/xlsx/workbook.js';
import {
  BOOK,
  BOOK_RELATIONSHIPS,
  HEADER_ROW,
  leadRows,
  RELATIONSHIPS,
  SHEET,
  STRINGS,
  STYLES,
  TYPES,
} from './book.js';
import { randomBytes, type Random } from './damage.js';
import { made, type HostileFile } from './file.js';

const MIB = 2 ** 20;

interface Bomb {
  readonly head: string;
  /** Stands as often as makes `megabytes` of it. */
  readonly piece: string;
  readonly megabytes: number;
  readonly tail: string;
}

/** A part that is packed piece by piece: what it unpacks to is never in memory. */
function bombPart(name: string, { head, piece, megabytes, tail }: Bomb, length?: number): ZipPart {
  const open = { finishFlush: constants.Z_FULL_FLUSH, level: 9 };
  const many = Buffer.alloc(
    Math.max(1, Math.floor(MIB / Buffer.byteLength(piece))) * Buffer.byteLength(piece),
    piece,
  );
  const packed = deflateRawSync(many, open);
  const times = Math.floor((megabytes * MIB) / many.length);
  let checksum = crc32(head);
  for (let left = times; left > 0; left--) checksum = crc32(many, checksum);
  const bytes = [
    deflateRawSync(head, open),
    Buffer.alloc(packed.length * times, packed),
    deflateRawSync(tail),
  ];
  return {
    name,
    data: Buffer.concat(bytes),
    deflate: false,
    method: 8,
    crc: crc32(tail, checksum),
    length: length ?? Buffer.byteLength(head) + many.length * times + Buffer.byteLength(tail),
  };
}

const withPart = (all: readonly ZipPart[], part: ZipPart): ZipPart[] => [
  ...all.filter(({ name }) => name !== part.name),
  part,
];

/** Parts that unpack to a gigabyte, honest about it or not. */
export function zipBombs(): HostileFile[] {
  return [SHEET, STRINGS, STYLES, BOOK, BOOK_RELATIONSHIPS, RELATIONSHIPS, TYPES].flatMap(
    (name) => {
      const bomb = { head: '<x>', piece: ' ', megabytes: 1024, tail: '</x>' };
      const lie = `a bomb that lies about its length in ${name.replaceAll('/', ' ')}`;
      return [
        made(`a bomb in ${name.replaceAll('/', ' ')}`, () =>
          zip(withPart(parts(leadRows(5)), bombPart(name, bomb))),
        ),
        made(lie, () => zip(withPart(parts(leadRows(5)), bombPart(name, bomb, 5_000)))),
      ];
    },
  );
}

/** Sheets that stay below what betrays a bomb, as full as they can be of one thing. */
export function denseSheets(random: Random): HostileFile[] {
  // Letters that hardly pack make the file as large as it must be for so much to come out of it.
  const filler = Array.from(
    { length: 3 },
    () => `<!--${randomBytes(random, 1.5 * MIB).toString('hex')}-->`,
  ).join('');
  const [start = '', end = ''] = worksheet('|').split('|');
  const dense = (name: string, piece: string, megabytes = 600, close = '') =>
    made(`a dense sheet of ${name}`, () => {
      const head = `${start}${filler}${HEADER_ROW}`;
      return zip(
        withPart(parts(''), bombPart(SHEET, { head, piece, megabytes, tail: close + end })),
      );
    });
  const row = (cell: string, times: number) => `<row>${cell.repeat(times)}</row>`;
  return [
    dense('numbers', row('<c><v>1</v></c>', 100)),
    dense('numbers in wide rows', row('<c><v>1</v></c>', 16_000)),
    dense('texts', row('<c t="s"><v>0</v></c>', 100)),
    dense('inline texts', row('<c t="inlineStr"><is><t>x</t></is></c>', 100)),
    dense('empty cells', row('<c/>', 16_000)),
    dense('empty rows', '<row/>'),
    dense('elements', '<a/>'),
    dense('comments', '<!---->'),
    dense('instructions', '<?x?>'),
    dense(
      'attributes',
      `<row ${Array.from({ length: 1_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
    ),
    dense('entities', row(`<c t="str"><v>${'&#65;'.repeat(10_000)}</v></c>`, 1)),
    dense('white space', ' '),
    dense('CDATA', row(`<c t="str"><v>${'<![CDATA[x]]>'.repeat(1_000)}</v></c>`, 1)),
    dense('cells far to the right', '<row><c r="XFD"/></row>'),
    dense('runs', row(`<c t="inlineStr"><is>${'<r><t>x</t></r>'.repeat(1_000)}</is></c>`, 1)),
    made('dense shared strings', () =>
      zip(
        withPart(
          parts(leadRows(5)),
          bombPart(STRINGS, {
            head: `<sst>${filler}`,
            piece: '<si/>',
            megabytes: 600,
            tail: '</sst>',
          }),
        ),
      ),
    ),
    made('dense long shared strings', () =>
      zip(
        withPart(
          parts(leadRows(5)),
          bombPart(STRINGS, {
            head: `<sst>${filler}`,
            piece: strings('<t>x</t>').replace(/.*<sst[^>]*>|<\/sst>/gs, ''),
            megabytes: 600,
            tail: '</sst>',
          }),
        ),
      ),
    ),
  ];
}
