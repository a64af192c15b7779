import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as SheetJs from '@e965/xlsx';
import { beforeEach, describe, expect, it } from 'vitest';
import { countOutcomes, type Imported, useBench, twice } from '../kit/bench.js';

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Berlin }
  fields:
    offerId: Id
    offerDomain: { value: shop.example }
    fullName: Name
  phones: [{ column: Phone, type: MOB, transform: [{ phone: { country: DE } }] }]
`;
const HEADER = ['Id', 'Name', 'Phone'];
const people = (from: number, wrong: number) =>
  Array.from({ length: 6 }, (_, at) => [
    from + at,
    `Person ${from + at}`,
    from + at === wrong ? 'none' : `0151 2345${1000 + from + at}`,
  ]);
const NORTH = [HEADER, ...people(10, 12)];
const SOUTH = [HEADER, ...people(20, 23)];

const bench = useBench();
async function write(sheets: Readonly<Record<string, unknown[][]>>): Promise<void> {
  const book = SheetJs.utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    SheetJs.utils.book_append_sheet(book, SheetJs.utils.aoa_to_sheet(rows), name);
  await bench.write(
    'list.xlsx',
    SheetJs.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
  );
}
beforeEach(async () => {
  await bench.write('mapping.yaml', MAPPING);
  await write({ North: NORTH, South: SOUTH, Notes: [['nothing of the list']] });
});

const BOTH = ['--sheet', 'North,South'];
const command = (args: readonly string[]) => bench.run(...args);
const imported = (name: string, file: string, ...options: string[]): Promise<Imported> =>
  bench.import(name, [file], options);
/** Sends the first rows, and is refused from then on. */
async function stopped(...options: string[]): Promise<Imported> {
  bench.center.behave = ({ operation, number }) =>
    operation === '4.1' && number > 2
      ? { untouched: true, answer: { status: 401, body: '' } }
      : undefined;
  const pace = ['--batch-size', '2', '--concurrency', '1'];
  const run = await imported('run', bench.at('list.xlsx'), ...options, ...pace);
  bench.center.behave = () => undefined;
  expect([run.code, run.summary().state]).toEqual([3, 'stopped']);
  return run;
}

describe('a list on two sheets', () => {
  it('goes on behind the sheet where it was stopped', async () => {
    const run = await stopped(...BOTH);
    const sent = bench.center.cards.size;
    expect(sent).toBeLessThan(10);
    const resumed = await command(['resume', run.summary().run, '--ledger', run.ledger]);
    expect(resumed.code, resumed.stderr).toBe(2);
    const report = run.report();
    expect(countOutcomes(report)).toEqual({ created: 10, rejected: 2 });
    expect(report.map(({ sheet, row }) => `${sheet} ${row}`)).toEqual(
      ['North', 'South'].flatMap((sheet) => [2, 3, 4, 5, 6, 7].map((row) => `${sheet} ${row}`)),
    );
    expect(twice(bench.center.creations)).toEqual([]);
  });

  it('is taken back as a whole', async () => {
    await write({ North: NORTH, South: SOUTH });
    const run = await imported('run', bench.at('list.xlsx'), '--sheet', 'all');
    expect(bench.center.cards.size).toBe(10);
    const undone = await command([
      ...['undo', run.summary().run, '--yes', '--ledger', run.ledger, '--out', bench.at('undone')],
    ]);
    expect(undone.code, undone.stderr).toBe(0);
    expect(bench.center.cards.size).toBe(0);
  });

  it.each([
    ['the option', MAPPING, BOTH],
    ['the mapping', `${MAPPING}source: { sheet: 'North,South' }\n`, []],
    ['the number of a sheet in the mapping', `${MAPPING}source: { sheet: 2 }\n`, []],
  ])('leaves rejects that are imported again, where %s names sheets', async (_, text, options) => {
    await bench.write('mapping.yaml', text);
    const run = await imported('run', bench.at('list.xlsx'), ...options);
    const [line = ''] = /^ {2}cardline import .*rejects\.xlsx.*$/m.exec(run.stdout) ?? [];
    expect(line).not.toContain('--sheet');
    const before = bench.center.cards.size;
    const ledger = ['--ledger', run.ledger];
    const again = await imported('again', join(run.out, 'rejects.xlsx'), ...ledger);
    expect(again.code, again.stderr).toBe(2);
    const { rejected } = countOutcomes(run.report());
    expect(countOutcomes(again.report())).toEqual({ rejected });
    expect(existsSync(join(again.out, 'rejects.xlsx'))).toBe(true);
    expect(bench.center.cards.size).toBe(before);
  });

  it('is named with those that take it, where another sheet has other columns', async () => {
    const { stderr } = await imported('run', bench.at('list.xlsx'));
    expect(stderr).toContain('Take them with --sheet "North,South".');
    expect(stderr).not.toContain('--sheet all');
    const all = await imported('all', bench.at('list.xlsx'), '--sheet', 'all');
    expect(all.code).toBe(64);
    expect(all.stderr).toContain('sheet "Notes" has other columns');
  });

  it('is named with numbers, where a list of names cannot hold its names', async () => {
    await write({ About: [['About', 'this list']], '-North, East': NORTH, South: SOUTH });
    const { stderr } = await imported('run', bench.at('list.xlsx'), '--sheet', '2');
    expect(stderr).toContain('Take them with --sheet "2,South".');
    await imported('all', bench.at('list.xlsx'), '--sheet', '2,South');
    expect(bench.center.cards.size).toBe(10);
  });

  it('is to be named anew, where neither its name nor its number can be given', async () => {
    const sheets = { 'North, East': NORTH, '2': SOUTH };
    await write(sheets);
    const one = await imported('one', bench.at('list.xlsx'), '--sheet', 'North, East');
    expect(one.stderr).toContain('Take all with --sheet all.');
    await write({ ...sheets, Notes: [['nothing of the list']] });
    const { stderr } = await imported('run', bench.at('list.xlsx'), '--sheet', 'North, East');
    expect(stderr).toContain('Give them other names, and take them with --sheet.');
  });

  it('is not taken by "all", where a sheet has that name', async () => {
    await write({ North: NORTH, All: SOUTH });
    const { stderr } = await imported('run', bench.at('list.xlsx'));
    expect(stderr).toContain('Take them with --sheet "North,All".');
  });
});

it.each(['list.xlsx', 'rejects.xlsx'])(
  'a missing sheet of %s that holds no rejects is refused',
  async (name) => {
    const book = SheetJs.utils.book_new();
    SheetJs.utils.book_append_sheet(
      book,
      SheetJs.utils.aoa_to_sheet([HEADER, ...people(10, 0)]),
      'North',
    );
    await bench.write(name, SheetJs.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
    const ended = await bench.import('run', [bench.at(name)], ['--sheet', 'North,West']);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain('there is no sheet "West"');
  },
);
