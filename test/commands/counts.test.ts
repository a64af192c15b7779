import ExcelJS from 'exceljs';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { words } from '../kit/words.js';
import { useFolder } from './folder.js';

const CLIENT = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Offer }
  phones: [{ column: Phone, type: MOB, required: true, transform: [{ phone: { country: RU } }] }]
`;

const { at, read, write, run, json } = useFolder();

interface Case {
  readonly name: string;
  readonly file: string;
  readonly mapping?: string;
  readonly options?: readonly string[];
  readonly write: (name: string) => Promise<unknown>;
  /** What every step has to say. */
  readonly rows: number;
  readonly sent: number;
  readonly rejected: number;
  readonly skipped: number;
  /** Those of the skipped rows that the mapping does not take. */
  readonly outside: number;
  /** What a draft says, and of which rows, where it knows no filter, or looks at one sheet of several. */
  readonly drafted?: { readonly rows: number; readonly clients: number; readonly where: string };
}

const text =
  (...lines: readonly string[]) =>
  (name: string): Promise<unknown> =>
    write(name, lines.map((line) => `${line}\n`).join(''));

const phoneOf = (id: number): string => `+7916123${String(id).padStart(4, '0')}`;
const rowsFrom = (first: number, last: number): string[][] =>
  Array.from({ length: last - first + 1 }, (_, at) => [String(first + at), phoneOf(first + at)]);
const linesFrom = (first: number, last: number, ...more: readonly string[]): string[] =>
  rowsFrom(first, last).map((cells) => [...cells, ...more].join(';'));

async function book(name: string): Promise<void> {
  const workbook = new ExcelJS.Workbook();
  for (const [sheet, first, last] of [
    ['North', 201, 207],
    ['South', 301, 305],
  ] as const)
    workbook.addWorksheet(sheet).addRows([['Offer', 'Phone'], ...rowsFrom(first, last)]);
  await workbook.xlsx.writeFile(at(name));
}

const none = { rejected: 0, skipped: 0, outside: 0 };
const CASES: readonly Case[] = [
  {
    name: 'a file with all that lists have beside their rows',
    file: 'odd.csv',
    mapping: 'source: { until: { column: Offer, startsWith: Total } }\n',
    write: text(
      ...['Leads of November;;', 'of the branch in the south;;', '', 'Offer;Phone;Sum'],
      ...linesFrom(101, 150, '10'),
      ...['', '151;12;10', '152;;10', `150;${phoneOf(150)};10`],
      ...linesFrom(153, 159, '10'),
      'Total;;100',
    ),
    ...{ rows: 61, sent: 57, rejected: 2, skipped: 2, outside: 1 },
  },
  {
    name: 'a file of which the mapping does not take all',
    file: 'where.csv',
    mapping: 'where: { column: Status, in: [new] }\n',
    write: text(
      'Offer;Phone;Status',
      ...linesFrom(171, 175, 'new'),
      ...linesFrom(176, 178, 'sold'),
    ),
    ...{ rows: 8, sent: 5, rejected: 0, skipped: 3, outside: 3 },
    drafted: { rows: 8, clients: 8, where: '' },
  },
  {
    name: 'a file whose rows have too few or too many cells',
    file: 'ragged.csv',
    write: text(
      'Offer;Phone;Note',
      ...linesFrom(181, 186, ''),
      ...linesFrom(187, 189),
      ...linesFrom(190, 191, '', 'more'),
      '192',
    ),
    ...{ rows: 12, sent: 9, rejected: 3, skipped: 0, outside: 0 },
  },
  {
    ...{ name: 'the first sheet of a workbook', file: 'first.xlsx', write: book },
    ...{ ...none, rows: 7, sent: 7, options: ['--sheet', 'North'] },
    drafted: { rows: 7, clients: 7, where: ' of the sheet "North"' },
  },
  {
    ...{ name: 'all sheets of a workbook', file: 'all.xlsx', write: book },
    ...{ ...none, rows: 12, sent: 12, options: ['--sheet', 'all'] },
    drafted: { rows: 7, clients: 7, where: ' of the sheet "North"' },
  },
];

interface Counts {
  readonly rows: number;
  readonly outcomes: Record<string, number>;
  readonly quality?: { readonly rows: number; readonly lost: number; readonly outside?: number };
}

const rowsIn = (printed: string): number =>
  Number(/^rows +(\d+)$/m.exec(printed)?.[1] ?? Number.NaN);
const outcomesOf = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0));
const lastRows = (metrics: string): number =>
  [...metrics.matchAll(/^cardline_last_run_rows\{.*\} (\d+)$/gm)].reduce(
    (sum, [, rows]) => sum + Number(rows),
    0,
  );

it.each(CASES)('$name has as many rows for every command that speaks of it', async (one) => {
  const { file, options = [], rows, sent, rejected, skipped, outside } = one;
  const drafted = one.drafted ?? { rows, clients: sent, where: '' };
  const base = file.replace('.', '-');
  const ledger = words`--ledger ${base}.db`;
  const mapped = words`-m ${base}.yaml -i center.yaml ${options}`;
  const into = words`${mapped} --sandbox ${ledger}`;
  const summaryIn = async (name: string): Promise<Counts> =>
    JSON.parse(await read(`${base}-${name}/summary.json`)) as Counts;
  const expected = outcomesOf({ created: sent, rejected, skipped });
  await one.write(file);
  await write(`${base}.yaml`, (one.mapping ?? '') + CLIENT);

  // A draft and a check.
  const { where, ...counts } = drafted;
  const suggest = words`suggest ${file} -i center.yaml ${options}`;
  expect(await json`${suggest} --json`).toMatchObject({ trial: counts });
  const told = `The first ${counts.rows} rows${where} with this mapping: ${counts.clients} would be sent`;
  expect((await run`${suggest}`).stderr).toContain(told);
  const said = `${rows} rows: ${sent} would be sent, ${rejected} rejected, ${skipped} skipped`;
  expect((await run`check ${file} ${mapped} -o ${base}-check`).stdout).toContain(said);
  expect(await json`check ${file} ${mapped} -o ${base}-json --json`).toMatchObject({
    ...{ rows, clients: sent, rejected, skipped, quality: { rows: rows - outside } },
  });

  // An import, and all that speaks of it.
  const imported = await run`import ${file} ${into} -o ${base}-out --metrics-file ${base}.prom`;
  expect(imported.code, imported.stderr).toBe(rejected > 0 ? 2 : 0);
  expect(rowsIn(imported.stdout)).toBe(rows);
  const summary = await summaryIn('out');
  expect(summary).toMatchObject({ rows, quality: { rows: rows - outside } });
  expect(outcomesOf(summary.outcomes)).toEqual(expected);
  const { lost = 0, outside: leftOut = 0 } = summary.quality ?? {};
  expect(leftOut).toBe(outside);
  const more = outside === 0 ? '' : `; the mapping does not take ${outside} more`;
  const sentence = `${lost} of ${rows - outside} rows left out (rejected or skipped)${more}.`;
  expect(imported.stdout).toContain(sentence);
  const csv = await read(`${base}-out/report.csv`);
  expect(parse(csv, { columns: true, bom: true })).toHaveLength(rows);
  expect(lastRows(await read(`${base}.prom`))).toBe(rows);
  const report = await run`report ${ledger} --format text`;
  expect(rowsIn(report.stdout)).toBe(rows);
  expect(report.stdout).toContain(sentence);
  const lines = await run`report ${ledger} --format jsonl`;
  expect(lines.stdout.trimEnd().split('\n')).toHaveLength(rows);
  const [listed] = await json<(Counts & { run: string })[]>`runs --json ${ledger}`;
  const shown = await json<Counts>`runs show --json ${ledger}`;
  for (const its of [listed!, shown])
    expect([its.rows, outcomesOf(its.outcomes)]).toEqual([rows, expected]);
  expect(rowsIn((await run`runs show ${ledger}`).stdout)).toBe(rows);

  // A comparison, its rejects and an undo.
  const compared = await run`reconcile ${file} ${into} -o ${base}-compared`;
  expect(rowsIn(compared.stdout), compared.stderr).toBe(rows);
  expect(outcomesOf((await summaryIn('compared')).outcomes)).toEqual(
    outcomesOf({ match: sent, rejected, skipped }),
  );
  const claims = await run`reconcile --run ${listed!.run} ${ledger} -o ${base}-claimed`;
  expect(rowsIn(claims.stdout), claims.stderr).toBe(rows);
  if (rejected > 0) {
    const again = await run`import ${base}-out/rejects.csv ${into} -o ${base}-again`;
    expect(rowsIn(again.stdout), again.stderr).toBe(rejected);
    expect(outcomesOf((await summaryIn('again')).outcomes)).toEqual({ rejected });
  }
  const undone = await run`undo ${listed!.run} --yes ${ledger} -o ${base}-undone`;
  expect(rowsIn(undone.stdout), undone.stderr).toBe(rows);
  expect(outcomesOf((await summaryIn('undone')).outcomes)).toEqual(
    outcomesOf({ undone: sent, skipped: rows - sent }),
  );
});
