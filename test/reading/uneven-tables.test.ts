import { describe, expect, it } from 'vitest';
import { openSource } from '../../src/source/source.js';
import { chooseHeader, dataAbove } from '../../src/source/header.js';
import { encode, rowsOf, testFolder } from './files.js';

const folder = testFolder();

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at + 1)}\n`).join('');

async function rowsIn(text: string, label = 'utf-8') {
  const mark = label.startsWith('utf-16') ? '\ufeff' : '';
  const source = await openSource(await folder.write(encode(mark + text, label)));
  const rows = (await rowsOf(source)).map(([row, cells]) => ({ sheet: null, row, cells }));
  return { delimiter: source.info.delimiter, rows };
}

const PREFACE = 'Export, made by, Ann, for, sales\nList, of 25.11.2026\n\n';

describe('the delimiter is the one by which cells look like cells', () => {
  it.each<[string, string, string, number]>([
    [
      'names with a comma',
      `Name, Vorname;Phone\n${lines(30, (n) => `Zett${n}, Ada;0151 2345${n + 1000}`)}`,
      ';',
      2,
    ],
    [
      'addresses with a comma',
      `Straße, Nr.;PLZ, Ort\n${lines(30, (n) => `Hauptstr., ${n};${10_000 + n}, Berlin`)}`,
      ';',
      2,
    ],
    [
      'names with a comma, tabs',
      `Nom, prénom\tTéléphone\n${lines(9, (n) => `Zola, Zoé\t+33 1 60 00 10 ${10 + n}`)}`,
      '\t',
      2,
    ],
    [
      'towns with a comma, bars',
      `City, State|Phone|Mail\n${lines(9, (n) => `Dover, DE|302555${1000 + n}|a${n}@example.com`)}`,
      '|',
      3,
    ],
    [
      'lists with semicolons in each row',
      `id,tags,phone\n${lines(9, (n) => `${n},new;warm,+7916123${4000 + n}`)}`,
      ',',
      3,
    ],
    [
      'a preface with commas',
      `${PREFACE}Name, Vorname;Phone\n${lines(30, (n) => `Zett, Ada;0151 2345${n + 1000}`)}`,
      ';',
      2,
    ],
    [
      'a preface with semicolons',
      `Report; made; by\nAnn; today\nid,name,phone\n${lines(20, (n) => `${n},Ada,+7916123${4000 + n}`)}`,
      ',',
      3,
    ],
    [
      'amounts with a comma',
      `ID;Betrag;Datum\n${lines(9, (n) => `${n};${n},50;1.${n}.2024`)}`,
      ';',
      3,
    ],
    [
      'a blank behind every comma',
      `id, name, phone\n${lines(9, (n) => `${n}, Ada, 0151 234${n}`)}`,
      ',',
      3,
    ],
  ])('%s', async (_name, text, delimiter, width) => {
    for (const [lineEnd, label] of [
      ['\n', 'utf-8'],
      ['\r\n', 'utf-16le'],
    ] as const) {
      const found = await rowsIn(text.replaceAll('\n', lineEnd), label);
      expect(found.delimiter).toBe(delimiter);
      expect(found.rows.at(-1)?.cells).toHaveLength(width);
    }
  });
});

describe('rows above a header', () => {
  const data = (from: number, to: number): string =>
    lines(to - from + 1, (n) => `${from + n - 1};Person ${n};0151 2345${n + 1000}`);
  it.each<[string, string, readonly string[], number[]]>([
    [
      'that are data',
      `${data(1, 3)}ID;Name;Phone\n${data(4, 40)}`,
      ['ID', 'Name', 'Phone'],
      [1, 2, 3],
    ],
    ['one of them', `${data(1, 1)}ID;Name;Phone\n${data(2, 40)}`, ['ID', 'Name', 'Phone'], [1]],
    [
      'words alone',
      `Ada;Oslo;friend\nBo;Rome;guest\nCy;Bonn;guest\nName;City;Kind\n${lines(30, (n) => `Dee ${'abc'.charAt(n % 3)};Wien;guest`)}`,
      ['Name', 'City', 'Kind'],
      [1, 2, 3],
    ],
    [
      'titles',
      `Customer list;;\nas of 25.11.2026;;\n\nID;Name;Phone\n${data(1, 20)}`,
      ['ID', 'Name', 'Phone'],
      [],
    ],
    [
      'names with their values',
      `Made by;Ann;\nRows;20;\nRegion;North;East\nID;Name;Phone\n${data(1, 20)}`,
      ['ID', 'Name', 'Phone'],
      [],
    ],
    [
      'a title in all columns',
      `Number;Who;Contact\nID;Name;Phone\n${data(1, 20)}`,
      ['ID', 'Name', 'Phone'],
      [],
    ],
  ])('%s', async (_name, text, wanted, above) => {
    const { rows } = await rowsIn(text);
    const [header] = chooseHeader(rows, wanted).rows;
    const at = rows.findIndex((row) => row === header);
    const found = dataAbove(rows.slice(0, at), rows.slice(at + 1));
    expect(found.map(({ row }) => row)).toEqual(above);
  });
});
