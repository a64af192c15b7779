import { encode } from '../../reading/files.js';
import { flipped, randomBytes, randomText, shuffled, truncated, type Random } from './damage.js';
import { file, made, repeated, several, type HostileFile } from './file.js';
import { HEADER, LEADS, leadsCsv } from './leads.js';

const MIB = 2 ** 20;
const TELLING = [
  'a',
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\ufeff',
  'я',
  '😀',
  '\0',
  '=',
];

/** Cut off, overwritten, jumbled. */
export function damagedCsv(random: Random): HostileFile[] {
  const text = leadsCsv(400);
  const utf8 = Buffer.from(text);
  const utf16 = Buffer.concat([Buffer.of(0xff, 0xfe), encode(text, 'utf-16le')]);
  const cyrillic = encode(text.replaceAll('ё', 'е'), 'windows-1251');
  return [
    ...several('csv cut off', 16, () => truncated(utf8, random)),
    ...several('csv in utf-16 cut off', 6, () => truncated(utf16, random)),
    ...several('csv with flipped bits', 12, (number) => flipped(utf8, random, number * number)),
    ...several('csv in utf-16 with flipped bits', 4, (number) => flipped(utf16, random, number)),
    ...several('csv in windows-1251 with flipped bits', 4, (number) =>
      flipped(cyrillic, random, number),
    ),
    ...several('csv jumbled', 10, (number) => shuffled(utf8, random, number)),
    ...several('random bytes', 8, (number) => randomBytes(random, 10 ** (number / 1.5))),
    ...several('random signs', 12, (number) => randomText(random, TELLING, 40 * number * number)),
    ...several(
      'random signs after a header',
      8,
      (number) => HEADER + randomText(random, TELLING, 40 * number * number),
    ),
  ];
}

/** Hardly anything, or far too much of one thing. */
export function extremeCsv(): HostileFile[] {
  const lead = '1,shop.example.com,Ivan,+79161234567,';
  const wide = (columns: number, name = (at: number) => `c${at}`) =>
    `${LEADS.join(',')},${Array.from({ length: columns - LEADS.length }, (_, at) => name(at)).join(',')}\n`;
  return [
    file('nothing', ''),
    file('one byte', 'a'),
    file('a line end', '\n'),
    file('only a byte order mark', '\ufeff'),
    file('only a byte order mark of utf-16', Buffer.of(0xff, 0xfe)),
    file('half a byte order mark', Buffer.of(0xef, 0xbb)),
    file('only white space', ' \t \n \t \n'),
    file('only a header', HEADER),
    file('a header without its end', HEADER.trimEnd()),
    file('two byte order marks', `\ufeff\ufeff${leadsCsv(3)}`),
    file('a header twice', HEADER + leadsCsv(3)),
    file('a header of 1 MB', `${'x'.repeat(MIB)},${HEADER}${lead}\n`),
    file('a header of control characters', `\u001b[2J\u0007,${HEADER}1,${lead}\n`),
    file('a header of names of objects', `__proto__,constructor,toString,${HEADER}1,2,3,${lead}\n`),
    file('a header with a name twice', `Offer,${HEADER}1,${lead}\n`),
    file('a header with an empty name', `,${HEADER}1,${lead}\n`),
    ...[MIB, MIB + 1, 5 * MIB].map((size) =>
      made(`a cell of ${size} bytes`, () => `${HEADER}${lead}${'x'.repeat(size)}\n${lead}\n`),
    ),
    made('a quoted cell of 1 MiB and a byte', () => `${HEADER}${lead}"${'x'.repeat(MIB + 1)}"\n`),
    repeated('a cell of 100 MB', HEADER + lead, 'x'.repeat(MIB), 100),
    repeated('many cells of 1 MiB', HEADER, `${lead}${'x'.repeat(MIB)}\n`, 60),
    made(
      'many columns: 16,000',
      () => wide(16_000) + `${lead}${'x,'.repeat(15_995)}\n`.repeat(200),
    ),
    made('many columns: 18,278', () => wide(18_278) + `${lead}${','.repeat(18_273)}\n`.repeat(20)),
    made('many columns: 18,279', () => wide(18_279) + `${lead}${','.repeat(18_274)}\n`.repeat(20)),
    made('many columns: 200,000', () => wide(200_000)),
    made('many columns with long names', () => wide(3_000, (at) => `${'x'.repeat(1_000)}${at}`)),
    file(
      'rows of every length',
      HEADER + Array.from({ length: 2_000 }, (_, at) => `${'1,'.repeat(at)}\n`).join(''),
    ),
  ];
}

/** Hundreds of megabytes of a sign that is cheap to write and dear to read. */
export function floodedCsv(): HostileFile[] {
  const line = (commas: number) => `${','.repeat(commas)}\n`;
  const flood = (name: string, piece: string) =>
    repeated(`300 MB of ${name}`, HEADER, piece, Math.floor((300 * MIB) / piece.length));
  const wide = `${LEADS.join(',')}${Array.from({ length: 15_995 }, (_, at) => `,c${at}`).join('')}\n`;
  return [
    ...[2, 4, 14, 100, 1_000, 16_000, 100_000, 1_000_000].map((commas) =>
      flood(`commas, ${commas} in a row`, line(commas)),
    ),
    flood('commas in one row', ','.repeat(MIB)),
    repeated('300 MB of commas without a header', '', ','.repeat(MIB), 300),
    repeated('300 MB of commas under 16,000 columns', wide, line(15_999), 19_660),
    repeated(
      '300 MB of commas after quotes in the midst',
      `${HEADER}"a"b,,,,\n`,
      line(16_000),
      19_660,
    ),
    repeated(
      '300 MB of short rows after quotes in the midst',
      `${HEADER}"a"b,,,,\n`,
      line(4),
      60_000_000,
    ),
    flood('semicolons', `${';'.repeat(1_000)}\n`),
    flood('tabs', `${'\t'.repeat(1_000)}\n`),
    flood('line feeds', '\n'.repeat(1_024)),
    flood('carriage returns', '\r'.repeat(1_024)),
    flood('empty quotes', `${'"",'.repeat(1_000)}\n`),
    flood('quotes', '"'.repeat(1_024)),
    flood('zeros', '\0'.repeat(1_024)),
    flood('spaces', ' '.repeat(1_024)),
    flood('letters', 'x'.repeat(1_024)),
    flood('line ends in quotes', `"${'\n'.repeat(1_000)}",,,,\n`),
  ];
}
