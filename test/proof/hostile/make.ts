import { encode } from '../../reading/files.js';
import { tablesIn } from '../../kit/tables.js';

/** A file that is damaged, or made to harm. */
export interface HostileFile {
  /** Also the beginning of its file name; unique. */
  readonly name: string;
  /** Bytes, in pieces. Called when the file is wanted, since some are large. */
  readonly content: () => Iterable<Buffer | string>;
  /**
   * Columns of its table: `leads` has those of `LEADS`, of any other table each row becomes the same client.
   * @default 'leads'
   */
  readonly table?: 'leads' | 'any';
}

/** At hand, or made when it is wanted. */
export type Content = Buffer | string | (() => Buffer | string);

/** Files by their names, before which `of` is put. */
export const filesOf = (of: string, contents: Readonly<Record<string, Content>>): HostileFile[] =>
  Object.entries(contents).map(([name, content]) => ({
    name: `${of}${name}`,
    content: () => [typeof content === 'function' ? content() : content],
  }));

/** `count` files that differ by their number, from 1. */
export const several = (
  of: string,
  count: number,
  make: (number: number) => Content,
): HostileFile[] =>
  filesOf(
    `${of} `,
    Object.fromEntries(Array.from({ length: count }, (_, at) => [at + 1, make(at + 1)])),
  );

/** A file of a beginning and a piece many times over. */
export const repeated = (
  name: string,
  head: string,
  piece: string,
  times: number,
): HostileFile => ({
  name,
  *content() {
    yield head;
    // Written in pieces of some size, or the disk would be asked millions of times.
    const bytes = Buffer.from(piece);
    const together = Math.max(1, Math.floor(2 ** 20 / bytes.length));
    const many = Buffer.alloc(bytes.length * together, bytes);
    for (let left = times; left > 0; left -= together)
      yield left >= together ? many : many.subarray(0, left * bytes.length);
  },
});

/** Something for each number from 0 on, one behind the other. */
export const filled = (count: number, piece: (at: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join(between);

/** A text, or pieces that are put together: a number says how often the piece before it stands there. */
type Pieces = string | readonly (string | number)[];
const joined = (pieces: Pieces): string =>
  [pieces].flat().reduce<string>((text, piece, at, all) => {
    return text + (typeof piece === 'number' ? String(all[at - 1]).repeat(piece - 1) : piece);
  }, '');

const TABLES = tablesIn(import.meta.dirname, 'wicked.yaml') as Readonly<Record<string, Pieces[]>>;
/** The texts of a list in `wicked.yaml`. */
export const wicked = (list: string): string[] => (TABLES[list] ?? []).map(joined);
/** The same of a table that names them. */
export const wickedByName = (table: string): [name: string, text: string][] =>
  Object.entries(TABLES[table] ?? {}).map(([name, pieces]) => [name, joined(pieces)]);

/** Columns of the mapping that the files suit. */
export const LEADS = ['Offer', 'Site', 'Name', 'Phone', 'Note'] as const;
export const HEADER = `${LEADS.join(',')}\n`;

/** Cells of a good row. */
export const leadCells = (number: number): string[] => [
  String(1000 + number),
  'shop.example.com',
  number % 3 ? `Fedor ${number}` : `Фёдор ${number}`,
  `+7916${String(1_000_000 + number)}`,
  number % 5 ? '' : 'says "call me,\nafter six"',
];

/** So many good rows as CSV, with quotes and line ends in some cells. */
export function leadsCsv(count: number): string {
  const field = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${HEADER}${filled(
    count,
    (at) =>
      `${leadCells(at + 1)
        .map(field)
        .join(',')}\n`,
  )}`;
}

export const utf16 = (text: string): Buffer => encode(`\ufeff${text}`, 'utf-16le');
export const together = (...pieces: (Buffer | string | number[])[]): Buffer =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece as Buffer)));

/** Numbers in [0, 1). */
export type Random = () => number;

/** A whole number in [0, below). */
export const upTo = (random: Random, below: number): number => Math.floor(random() * below);

export const randomBytes = (random: Random, length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, () => upTo(random, 256)));
