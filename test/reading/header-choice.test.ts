import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/core/table.js';
import { chooseHeader } from '../../src/source/header.js';

/** A table in CSV; a blank line is a row that is left out. */
function table(text: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    const cells = line.split(',').map((cell) => (cell === '' ? null : cell));
    return line === '' ? [] : [{ sheet: null, row: index + 1, cells }];
  });
}

const chosen = (text: string, wanted?: readonly string[]) => {
  const { rows, names } = chooseHeader(table(text), wanted);
  return [rows.map(({ row }) => row), names.join('|')];
};

const DATA = '1,Anna,79161234567\n2,Oleg,79161234568\n3,Ivan,79161234569';

describe('the header of a table, by its content', () => {
  it.each([
    ['is the first row', `id,name,phone\n${DATA}`, [1], 'id|name|phone'],
    ['stands below a title', `Leads of May,,\n\nid,name,phone\n${DATA}`, [3], 'id|name|phone'],
    [
      'stands below lines of a short table',
      `Made by,Ann\nOn,2024-05-01\nid,name,phone\n${DATA}`,
      [3],
      'id|name|phone',
    ],
    ['is missing', DATA, [], 'A|B|C'],
    [
      'is found below rows that were put above it',
      `8,Eva,79161234560\n9,Lev,79161234562\nid,name,phone\n${DATA}`,
      [3],
      'id|name|phone',
    ],
    [
      'is found below such rows where it is repeated',
      `8,Eva,79161234560\n9,Lev,79161234562\nid,name,phone\n${DATA}\nid,name,phone\n4,Uwe,7916`,
      [3],
      'id|name|phone',
    ],
    [
      'is the first row where it is repeated below',
      `id,name,phone\n${DATA}\nid,name,phone\n4,Uwe,79161234563\nid,name,phone`,
      [1],
      'id|name|phone',
    ],
    ['is repeated right below', `id,name,phone\nid,name,phone\n${DATA}`, [1], 'id|name|phone'],
    [
      'is missing where words stand below one row of data',
      `A,79161234560,1\nB,none,unknown\nC,79161234561,2\nD,79161234562,3`,
      [],
      'A|B|C',
    ],
    [
      'is missing where words for nothing stand below rows of data',
      `A,79161234560,1\nE,79161234563,1\nB,n/a,unknown\nC,79161234561,2\nD,79161234562,3`,
      [],
      'A|B|C',
    ],
    [
      'is missing where a row of words stands twice',
      'Oslo,open\nBergen,shut\nOslo,open',
      [],
      'A|B',
    ],
    [
      'is missing where a word of the row of words stands in its column again',
      `0,Eva,79161234560,Kiel\nnew,Uwe,none,Kiel\n1,Ida,79161234561,Bonn\n2,Jo,79161234562,Ulm`,
      [],
      'A|B|C|D',
    ],
    ['is missing where words stand in a row of data', `0,Eva,none\n${DATA}`, [], 'A|B|C'],
    [
      'is missing where a row lacks a number',
      `0,Eva,79161234560\nx,Ida,none\n${DATA}\ny,Uwe,none`,
      [],
      'A|B|C',
    ],
    ['is missing where words repeat', 'Oslo,open\nBergen,open\nOslo,shut\nOslo,open', [], 'A|B'],
    [
      'may hold a number',
      `id,name,2024,q1,q2\n1,Anna,3,4,5\n2,Oleg,3,4,5`,
      [1],
      'id|name|2024|q1|q2',
    ],
    [
      'of two rows is joined',
      `Client,,Phones,\nid,name,home,work\n1,Anna,79161234567,79161234568`,
      [1, 2],
      'Client id|Client name|Phones home|Phones work',
    ],
    [
      'of two rows is joined where some names stand above alone',
      `id,name,Contact,,Company,,notes\n,,phone,mail,phone,mail,\n1,Anna,79161234567,a@b.example,7495,c@d.example,x\n2,Oleg,79161234568,e@b.example,7496,f@d.example,y`,
      [1, 2],
      'id|name|Contact phone|Contact mail|Company phone|Company mail|notes',
    ],
    [
      'of two rows stands below a title',
      `Leads,,,\n,Person,,Phone\nid,first,last,\n1,Anna,Ray,79161234567\n2,Oleg,Ray,79161234567`,
      [2, 3],
      'id|Person first|Person last|Phone',
    ],
  ])('%s', (_, text, rows, names) => {
    expect(chosen(text)).toEqual([rows, names]);
  });
});

describe('the header of a table, by the columns that are wanted', () => {
  it.each([
    [
      'is the first row that has them all',
      `id,name\nid,name,phone\n${DATA}`,
      ['phone', 'id'],
      [2],
      'id|name|phone',
    ],
    ['may look like data', `2023,2024\n1,2`, ['2024'], [1], '2023|2024'],
    [
      'may be two rows',
      `Phones,\nhome,work\n${DATA}`,
      ['Phones work'],
      [1, 2],
      'Phones home|Phones work',
    ],
    [
      'falls back to what looks like one',
      `Leads,,\nid,name,phone\n${DATA}`,
      ['mail'],
      [2],
      'id|name|phone',
    ],
  ])('%s', (_, text, wanted, rows, names) => {
    expect(chosen(text, wanted)).toEqual([rows, names]);
  });

  it('is looked for in the first 50 rows', () => {
    const above = Array.from({ length: 49 }, (_, index) => `note ${index},`).join('\n');
    expect(chosen(`${above}\nid,name`, ['id'])[0]).toEqual([50]);
    expect(chosen(`x,\n${above}\nid,name`, ['id'])[0]).not.toEqual([51]);
  });
});
