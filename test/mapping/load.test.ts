import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/core/errors.js';
import { loadMapping } from '../../src/mapping/load.js';
import { faultsOf, fileOf, withName } from './files.js';

const faults = (text: string | Uint8Array) => faultsOf(async () => loadMapping(await fileOf(text)));

describe('a file that cannot be read', () => {
  test('there is none', async () => {
    const file = join(dirname(await fileOf('')), 'nowhere.yaml');
    await expect(loadMapping(file)).rejects.toThrow(
      new ConfigurationError([
        { file, message: 'there is no such file.', suggestion: 'Check the name and the folder.' },
      ]),
    );
  });

  test('it is a folder', async () => {
    const folder = join(dirname(await fileOf('')), 'folder');
    await mkdir(folder);
    expect(await faultsOf(() => loadMapping(folder))).toEqual([
      { message: 'this is a folder.', suggestion: 'Name the file inside it.' },
    ]);
  });

  test.each(['', '# only a comment\n', '\n\n'])('it is empty: %j', async (text) => {
    expect(await faults(text)).toMatchObject([{ message: 'the file is empty.' }]);
  });

  test('it is an installation file', async () => {
    expect(await faults('name: demo\nbaseUrl: https://cc.example\ncard: {}\n')).toEqual([
      {
        message: 'this is an installation file, not a mapping.',
        suggestion: 'Give it with -i, and the mapping with -m.',
      },
    ]);
  });

  test('it is not UTF-8', async () => {
    expect(await faults(Buffer.from('client: "\xcf\xf0"', 'latin1'))).toEqual([
      { message: 'the file is not text in UTF-8.', suggestion: 'Save it as UTF-8.' },
    ]);
  });

  test('it is a spreadsheet by mistake', async () => {
    expect(await faults('a;b;c\n'.repeat(1_000_000))).toMatchObject([
      { message: 'the file is larger than 4 MiB.' },
    ]);
    expect(await faults('Id;Name;Phone\n1;Anna;2\n')).toMatchObject([
      { line: 1, column: 1, message: 'it must be keys and values.' },
    ]);
  });
});

describe('syntax', () => {
  test('a key that appears twice', async () => {
    expect(await faults('client: 1\nwhere: 2\nclient: 3\n')).toEqual([
      { line: 3, column: 1, message: 'this key appears twice. Keep one of them.' },
    ]);
  });

  test('a quote that is left open', async () => {
    expect(await faults('client:\n  a: "b\n')).toMatchObject([{ line: 3 }]);
  });

  test('two colons in a line', async () => {
    expect(await faults('client:\n  a: b: c\n')).toEqual([
      {
        line: 2,
        column: 6,
        message: 'there are two colons in this line. Put the text in quotes when it holds a colon.',
      },
    ]);
  });

  test('several faults are told at once', async () => {
    expect(await faults('a: 1\na: 2\nb: 3\nb: 4\n')).toHaveLength(2);
  });

  test('a second document', async () => {
    expect(await faults('a: 1\n---\nb: 1\n')).toMatchObject([{ line: 2, column: 1 }]);
  });

  test('references that unfold without end', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let depth = 1; depth < 12; depth++) {
      lines.push(
        `a${depth}: &a${depth} [${Array(9)
          .fill(`*a${depth - 1}`)
          .join(', ')}]`,
      );
    }
    expect(await faults(lines.join('\n'))).toEqual([
      {
        message: 'the file refers to itself more than 100 times.',
        suggestion: 'Write the values out.',
      },
    ]);
  });

  test('a reference to nothing', async () => {
    expect(await faults('client: *nothing\n')).toMatchObject([
      { message: 'a reference ("*name") has no anchor ("&name") before it.' },
    ]);
  });
});

describe('form', () => {
  test('every fault is told, with its place, what is wrong, and what would be right', async () => {
    expect(
      await faults(`source: { sheets: Leads, headerRow: 0 }
client:
  clientRoleId: 1
  timeZone: { colum: TZ }
  fields:
    id: { column: Id, columns: [A, B] }
    name: { column: Name, transform: [trim, { phon: { country: RU } }] }
  phones:
    - { column: Phone, type: MOBIL }
    - { column: Phone }
  emails: [{ column: E-mail, type: HOME }]
where: { column: Status, is: new }
duplicates: { by: id }
campain: { id: 42 }
`),
    ).toEqual([
      {
        line: 1,
        column: 11,
        path: 'source.sheets',
        message: '"sheets" is not known here.',
        suggestion: 'Did you mean "sheet"?',
      },
      {
        line: 1,
        column: 37,
        path: 'source.headerRow',
        message: 'it must be at least 1.',
      },
      {
        line: 3,
        column: 17,
        path: 'client.clientRoleId',
        message: 'it must be a text or keys and values.',
        suggestion: 'A constant is written { value: 1 }.',
      },
      {
        line: 4,
        column: 15,
        path: 'client.timeZone.colum',
        message: '"colum" is not known here.',
        suggestion: 'Did you mean "column"?',
      },
      {
        line: 6,
        column: 5,
        path: 'client.fields.id',
        message: 'it names column and columns. Keep one of them.',
      },
      {
        line: 7,
        column: 47,
        path: 'client.fields.name.transform[1].phon',
        message: '"phon" is not known here.',
        suggestion: 'Did you mean "phone"?',
      },
      {
        line: 9,
        column: 30,
        path: 'client.phones[0].type',
        message: 'it must be one of MOB, HOME, WORK, FAX.',
        suggestion: 'Did you mean "MOB"?',
      },
      {
        line: 10,
        column: 7,
        path: 'client.phones[1].type',
        message: 'this is required.',
        suggestion: 'It is one of: MOB, HOME, WORK, FAX.',
      },
      {
        line: 11,
        column: 30,
        path: 'client.emails[0].type',
        message: '"type" is not known here.',
        suggestion:
          'There is: "value", "column", "columns", "join", "template", "split", "part", "transform", "map", "default", "required", "blank", and 2 more.',
      },
      {
        line: 12,
        column: 26,
        path: 'where.is',
        message: '"is" is not known here.',
        suggestion: 'Did you mean "in"?',
      },
      {
        line: 13,
        column: 19,
        path: 'duplicates.by',
        message: 'it must be one of sync, phone, none.',
      },
      {
        line: 14,
        column: 1,
        path: 'campain',
        message: '"campain" is not known here.',
        suggestion: 'Did you mean "campaign"?',
      },
    ]);
  });

  test.each([
    [
      '{ default: x }',
      'it does not say where the value comes from. Add column, columns, template or value.',
    ],
    ['{ column: Name, join: "-" }', '"join" belongs beside "columns".'],
    ['{ column: Name, part: 2 }', '"part" belongs beside "split".'],
    [
      '{ column: Name, transform: { trim: true, upper: true } }',
      'one step does one thing: write each transform as an entry of its own.',
    ],
    [
      '{ column: Name, transform: [{ replace: { with: x } }] }',
      'give either "pattern" (a regular expression) or "text" (plain text).',
    ],
    [
      '{ column: Name, transform: [{ number: { decimal: ",", thousands: "," } }] }',
      'decimal and thousands must differ.',
    ],
    ['{ column: Name, map: {} }', 'it must hold at least one pair.'],
    ['{ column: Name, map: { a: } }', 'it must be a text or a number or true or false.'],
    ['{ column: " " }', 'it must not be blank.'],
  ])('%s', async (spec, message) => {
    expect(await faults(withName(spec))).toMatchObject([{ line: 6, message }]);
  });

  test.each([
    ['where: { in: [a] }', 'it names no column. Add "column".'],
    [
      'where: { column: Name }',
      'it does not say what is asked of the column. Add one of: in, notIn, equals, notEquals, matches, empty.',
    ],
    [
      'where: { column: Name, any: [{ column: Id, empty: true }] }',
      '"any" stands alone. Put the other conditions into a list below "all".',
    ],
    ['campaign: { id: 1, name: x }', 'give either the "id" or the "name" of the campaign.'],
    ['source: { delimiter: "|||||||||" }', 'it must be one to eight characters, "tab" or "auto".'],
  ])('%s', async (rest, message) => {
    expect(await faults(withName('Name', rest))).toMatchObject([{ line: 8, message }]);
  });
});

test('a value that is written once and referred to has its place where it is written', async () => {
  const yaml = withName('&name { column: Name }', 'uuid: *name\n').replace(
    'column: Name',
    'colum: Name',
  );
  const found = await faults(yaml);
  expect(found.map(({ line, path }) => [line, path])).toEqual([
    [6, 'uuid.colum'],
    [6, 'client.fields.name.colum'],
  ]);
});

describe('tables', () => {
  const LOOKUP = withName(
    '{ column: Name, transform: [{ lookup: { file: t.csv, key: a, value: b } }] }',
  );

  test('a mapping with a lookup is refused where tables cannot be read', async () => {
    expect(await faults(LOOKUP)).toEqual([
      {
        line: 6,
        column: 57,
        path: 'client.fields.name.transform[0].lookup.file',
        message: 'the table t.csv cannot be read: tables cannot be read here.',
      },
    ]);
  });

  test('the table lies beside the mapping, and is read once', async () => {
    const file = await fileOf(LOOKUP);
    const read: string[] = [];
    const readTable = (table: string) => {
      read.push(table);
      return Promise.resolve([['a', 'b']]);
    };
    const { tables } = await loadMapping(file, { readTable });
    expect(read).toEqual([join(dirname(file), 't.csv')]);
    expect(tables.get('t.csv')).toEqual([['a', 'b']]);
  });
});
