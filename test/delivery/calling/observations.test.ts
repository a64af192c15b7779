import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as SheetJs from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Library from '../../../src/index.js';
import type { RunningSandbox } from '../../../src/index.js';
import { testFolder } from '../../kit/folder.js';
import { built, LIBRARY } from '../../kit/built.js';

const { checkFiles, importFiles, reportRun, startSandbox } = await built<typeof Library>(LIBRARY);

const folder = testFolder();
let sandbox: RunningSandbox;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  await writeFile(
    at('center.yaml'),
    `name: observations
baseUrl: https://center.example.com
card:
  leadId: { type: TextField, sync: true }
  fullName: { type: TextField }
  birthDate: { type: TextField }
clientRoles: [1]
`,
  );
  sandbox = await startSandbox({ installation: at('center.yaml') });
});
afterAll(async () => {
  await sandbox.close();
});

/** What a check, an import and its report say of a list. */
async function looked(name: string, content: string | Uint8Array, fields = '', source = '') {
  await writeFile(at(name), content);
  await writeFile(
    at('list.yaml'),
    `${source}
client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Berlin }
  fields: { leadId: ID, fullName: Name${fields} }
  phones: [{ column: Phone, type: MOB, transform: [{ phone: { country: DE } }] }]
`,
  );
  const files = { files: [at(name)], mapping: at('list.yaml'), installation: at('center.yaml') };
  const ledger = at(`${name}.db`);
  const { summary: checked } = await checkFiles(files);
  const { summary } = await importFiles({
    ...{ ...files, out: at(`${name}.out`), ledger },
    ...{ baseUrl: sandbox.url, env: sandbox.env },
  });
  expect(summary.quality).toEqual(checked.quality);
  const report = await reportRun({ run: summary.run, ledger, file: at(`${name}.html`) });
  expect(await readFile(report.file, 'utf8')).toContain(
    `Quality of the list: ${String(checked.quality?.score)} of 100`,
  );
  return checked;
}

const row = (n: number): string[] => [String(n), `Person ${n}`, `0151 2345${1000 + n}`];
const rows = (count: number): string[][] => Array.from({ length: count }, (_, at) => row(at + 1));
const csv = (table: readonly (readonly string[])[]): string =>
  table.map((cells) => `${cells.join(';')}\n`).join('');
const HEADER = ['ID', 'Name', 'Phone'];

function book(sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>): Uint8Array {
  const workbook = SheetJs.utils.book_new();
  for (const [name, table] of Object.entries(sheets))
    SheetJs.utils.book_append_sheet(
      workbook,
      SheetJs.utils.aoa_to_sheet(table as unknown[][]),
      name,
    );
  return SheetJs.write(workbook, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array;
}

/** Days and months that a program has swapped where it could. */
const swapped = (count: number): unknown[][] =>
  rows(count).map((cells, at) => [
    ...cells,
    at % 2 === 0 ? new Date(Date.UTC(1980, at % 12, 1 + (at % 11))) : `${13 + (at % 15)}/04/1981`,
  ]);

describe('what is found out about a list as a whole', () => {
  it.each<
    readonly [string, string, string | Uint8Array, string, string, number, object | undefined]
  >([
    ['nothing', 'clean.csv', csv([HEADER, ...rows(20)]), '', '', 100, undefined],
    [
      'a second sheet that is something else',
      'notes.xlsx',
      book({ List: [HEADER, ...rows(20)], Notes: [['Made by', 'Anna']] }),
      ...(['', '', 100, undefined] as const),
    ],
    [
      'titles above the header',
      'titles.csv',
      csv([['Export of May'], [''], HEADER, ...rows(20)]),
      ...(['', '', 99, { doubts: 0, notes: 1, points: 1 }] as const),
    ],
    [
      'lines above a header that is named',
      'named.csv',
      csv([['Export of May'], HEADER, ...rows(20)]),
      ...(['', 'source: { headerRow: 2 }', 99, { notes: 1 }] as const),
    ],
    [
      'apostrophes before the cells of two columns',
      'marks.csv',
      csv([HEADER, ...rows(20).map(([id, name, phone]) => [`'${id}`, name!, `'${phone}`])]),
      ...(['', '', 99, { doubts: 0, notes: 2, points: 1 }] as const),
    ],
    [
      'dates that are sent as text',
      'texts.csv',
      csv([[...HEADER, 'Born'], ...rows(20).map((cells) => [...cells, '03.11.1968'])]),
      ...([', birthDate: Born', '', 99, { notes: 1 }] as const),
    ],
    [
      'a sheet on which the list goes on',
      'two.xlsx',
      book({ May: [HEADER, ...rows(20)], June: [HEADER, ...rows(25).slice(20)] }),
      ...(['', '', 95, { doubts: 1, notes: 0, points: 5 }] as const),
    ],
    [
      'a sheet on which the list goes on, with columns without a name and of the same one',
      'unnamed.xlsx',
      book({
        May: [[...HEADER, '', 'Note', 'Note'], ...rows(20).map((row) => [...row, 1, 2, 3])],
        June: [[...HEADER, '', 'Note', 'Note'], ...rows(25).slice(20)],
      }),
      ...(['', '', 95, { doubts: 1, notes: 0, points: 5 }] as const),
    ],
    [
      'dates that a program has swapped',
      'swapped.xlsx',
      book({ List: [[...HEADER, 'Born'], ...swapped(24)] }),
      ', birthDate: { column: Born, transform: [{ date: { from: dd/MM/yyyy } }] }',
      ...(['', 95, { doubts: 1 }] as const),
    ],
  ])('%s', async (_, name, content, fields, source, score, whole) => {
    const { quality, clients, rejected } = await looked(name, content, fields, source);
    expect({ clients: clients > 0, rejected }).toEqual({ clients: true, rejected: 0 });
    expect(quality?.score).toBe(score);
    if (whole) expect(quality?.whole).toMatchObject(whole);
    else expect(quality).not.toHaveProperty('whole');
  });
});
