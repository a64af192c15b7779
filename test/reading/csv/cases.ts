import type { Pair } from '../files.js';

export interface Case {
  readonly name: string;
  readonly text: string;
  readonly delimiter?: string;
  readonly rows: readonly Pair[];
  /** Code and line of the error at the end. */
  readonly error?: readonly [code: string, line: number];
}

const MIB = 1024 * 1024;

/** What CSV text means, for every reader of it. */
export const CASES: readonly Case[] = [
  { name: 'nothing', text: '', rows: [] },
  { name: 'one line without its end', text: 'a,b', rows: [[1, ['a', 'b']]] },
  {
    name: 'every line end, mixed',
    text: 'a\nb\r\nc\rd',
    rows: [
      [1, ['a']],
      [2, ['b']],
      [3, ['c']],
      [4, ['d']],
    ],
  },
  {
    name: 'blank lines count but are not given',
    text: '\na\n\n\r\n\rb\n\n',
    rows: [
      [2, ['a']],
      [6, ['b']],
    ],
  },
  { name: 'a lone quoted nothing is a blank line', text: '""\na\n""', rows: [[2, ['a']]] },
  { name: 'a row of empty cells', text: ',,,\n', rows: [[1, [null, null, null, null]]] },
  {
    name: 'empty cells, quoted or not',
    text: 'a,,"",b\n',
    rows: [[1, ['a', null, null, 'b']]],
  },
  { name: 'white space is kept', text: ' a ,\t" ",b ', rows: [[1, [' a ', '\t" "', 'b ']]] },
  { name: 'white space in quotes', text: '" a "," "', rows: [[1, [' a ', ' ']]] },
  {
    name: 'delimiter, quotes and line ends in quotes',
    text: '"a,b","say ""hi""","1\n2\r\n3\r4"\nx\n',
    rows: [
      [1, ['a,b', 'say "hi"', '1\n2\r\n3\r4']],
      [2, ['x']],
    ],
  },
  {
    name: 'a row with more cells than any spreadsheet has columns',
    text: `a\n${','.repeat(18_277)}\n1${','.repeat(18_278)}\n`,
    rows: [
      [1, ['a']],
      [2, Array.from({ length: 18_278 }, () => null)],
    ],
    error: ['too_many_cells', 3],
  },
  {
    name: 'ragged rows',
    text: 'a,b,c\n1\n1,2,3,4,5\n',
    rows: [
      [1, ['a', 'b', 'c']],
      [2, ['1']],
      [3, ['1', '2', '3', '4', '5']],
    ],
  },
  {
    name: 'a quote inside an unquoted cell',
    text: '15" monitor,a"b"c\nx"\n',
    rows: [
      [1, ['15" monitor', 'a"b"c']],
      [2, ['x"']],
    ],
  },
  {
    name: 'text after a closing quote',
    text: '"a"b,"c" ,d\n"e"\n',
    rows: [
      [1, ['"a"b', '"c" ', 'd']],
      [2, ['e']],
    ],
  },
  { name: 'quotes only', text: '"""","""""",""""""""\n', rows: [[1, ['"', '""', '"""']]] },
  { name: 'quoted last cell without a line end', text: 'a,"b"', rows: [[1, ['a', 'b']]] },
  { name: 'a delimiter at the very end', text: 'a,', rows: [[1, ['a', null]]] },
  {
    name: 'a byte order mark in the middle is no part of a cell',
    text: 'a\n\ufeffb,"\ufeffc"\n\ufeff"d"\n',
    rows: [
      [1, ['a']],
      [2, ['b', 'c']],
      [3, ['"d"']],
    ],
  },
  {
    name: 'another delimiter',
    text: 'a;"b;c";d,e\n',
    delimiter: ';',
    rows: [[1, ['a', 'b;c', 'd,e']]],
  },
  {
    name: 'a delimiter outside of ASCII',
    text: 'a§"b§c"§§\n',
    delimiter: '§',
    rows: [[1, ['a', 'b§c', null, null]]],
  },
  {
    name: 'every plane of Unicode',
    text: 'имя,ʤ,€,😀\n"Ё","😀""😀",\u2028,\0\n',
    rows: [
      [1, ['имя', 'ʤ', '€', '😀']],
      [2, ['Ё', '😀"😀', '\u2028', '\0']],
    ],
  },
  {
    name: 'a quote that is never closed',
    text: 'a,b\n"x\ny",1\n2,"z\n3,4\n',
    rows: [
      [1, ['a', 'b']],
      [2, ['x\ny', '1']],
    ],
    error: ['unclosed_quote', 4],
  },
  {
    name: 'a quote that is never closed, after a cell of several lines',
    text: 'a\n"x\r\ny\rz","z\n3,4\n',
    rows: [[1, ['a']]],
    error: ['unclosed_quote', 4],
  },
  {
    name: 'a quote that is never closed, after odd quotes',
    text: '"a"b\n"\n\n"c,d\r\n"x\n',
    rows: [
      [1, ['"a"b']],
      [2, ['"\n\n"c', 'd']],
    ],
    error: ['unclosed_quote', 5],
  },
  {
    name: 'a cell of 1 MiB',
    text: `a\n"${'ы'.repeat(MIB / 2)}",b\n`,
    rows: [
      [1, ['a']],
      [2, ['ы'.repeat(MIB / 2), 'b']],
    ],
  },
  {
    name: 'a cell over 1 MiB',
    text: `a\n"1\n2",${'ы'.repeat(MIB / 2)}x\nb\n`,
    rows: [[1, ['a']]],
    error: ['cell_too_long', 3],
  },
  {
    name: 'a quoted cell of far more than 1 MiB',
    text: `a\n"${'line\n'.repeat(MIB)}"\n`,
    rows: [[1, ['a']]],
    error: ['cell_too_long', 2],
  },
  {
    name: 'a row of many long cells',
    text: `${`${'x'.repeat(MIB / 2)},`.repeat(5)}\nb`,
    rows: [
      [1, [...Array.from({ length: 5 }, () => 'x'.repeat(MIB / 2)), null]],
      [2, ['b']],
    ],
  },
  {
    name: 'a row that is too long',
    text: `a\n${`${'x'.repeat(MIB / 2)},`.repeat(12)}\nb`,
    rows: [[1, ['a']]],
    error: ['row_too_long', 2],
  },
  {
    name: 'a row of nothing but delimiters, without an end',
    text: `a\n${','.repeat(9 * MIB)}`,
    rows: [[1, ['a']]],
    error: ['too_many_cells', 2],
  },
];
