import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { leadsFolder } from './leads-folder.js';

const CLIENT = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Offer }
  phones: [{ column: Phone, type: MOB, required: true, transform: [{ phone: { country: RU } }] }]
`;

const { at, run } = leadsFolder({});

interface Case {
  readonly name: string;
  readonly file: string;
  readonly mapping?: string;
  readonly options?: readonly string[];
  readonly write: (path: string) => Promise<void>;
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
  (path: string): Promise<void> =>
    writeFile(path, lines.map((line) => `${line}\n`).join(''));

const phoneOf = (id: number): string => `+7916123${String(id).padStart(4, '0')}`;
const rowsFrom = (first: number, last: number): string[][] =>
  Array.from({ length: last - first + 1 }, (_, at) => [String(first + at), phoneOf(first + at)]);
const linesFrom = (first: number, last: number, ...more: readonly string[]): string[] =>
  rowsFrom(first, last).map((cells) => [...cells, ...more].join(';'));

async function book(path: string): Promise<void> {
  const workbook = new ExcelJS.Workbook();
  for (const [name, first, last] of [
    ['North', 201, 207],
    ['South', 301, 305],
  ] as const)
    workbook.addWorksheet(name).addRows([['Offer', 'Phone'], ...rowsFrom(first, last)]);
  await workbook.xlsx.writeFile(path);
}

const none = { rejected: 0, skipped: 0, outside: 0 };
const CASES: readonly Case[] = [
  {
    ...{ name: 'a plain file', file: 'plain.csv', ...none, rows: 9, sent: 9 },
    write: text('Offer;Phone', ...linesFrom(1, 9)),
  },
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

const numberIn = (pattern: RegExp, printed: string): number =>
  Number(pattern.exec(printed)?.[1] ?? Number.NaN);
const outcomesOf = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0));
const lastRows = (metrics: string): number =>
  [...metrics.matchAll(/^cardline_last_run_rows\{.*\} (\d+)$/gm)].reduce(
    (sum, [, rows]) => sum + Number(rows),
    0,
  );

describe.each(CASES)('$name', (one) => {
  const { file, options = [], rows, sent, rejected, skipped, outside } = one;
  const drafted = one.drafted ?? { rows, clients: sent, where: '' };
  const base = file.replace('.', '-');
  const ledger = ['--ledger', `${base}.db`];
  const mapped = ['-m', `${base}.yaml`, '-i', 'center.yaml', ...options];
  const into = [...mapped, '--sandbox', ...ledger];
  const summaryIn = (folder: string): Counts =>
    JSON.parse(readFileSync(at(`${base}-${folder}/summary.json`), 'utf8')) as Counts;
  const expected = outcomesOf({ created: sent, rejected, skipped });

  beforeAll(async () => {
    await one.write(at(file));
    await writeFile(at(`${base}.yaml`), (one.mapping ?? '') + CLIENT);
  });

  it('has as many rows for a draft and a check', async () => {
    const asked = ['suggest', file, '-i', 'center.yaml', ...options];
    const found = JSON.parse((await run(...asked, '--json')).stdout) as { trial: object };
    const { where, ...counts } = drafted;
    expect(found.trial).toMatchObject(counts);
    const told = `The first ${counts.rows} rows${where} with this mapping: ${counts.clients} would be sent`;
    expect((await run(...asked)).stderr).toContain(told);

    const said = `${rows} rows: ${sent} would be sent, ${rejected} rejected, ${skipped} skipped`;
    expect((await run('check', file, ...mapped, '-o', `${base}-check`)).stdout).toContain(said);
    const json = await run('check', file, ...mapped, '-o', `${base}-json`, '--json');
    const checked = JSON.parse(json.stdout) as object;
    expect(checked).toMatchObject({ rows, clients: sent, rejected, skipped });
    expect(checked).toMatchObject({ quality: { rows: rows - outside } });
  });

  it('has as many rows for an import, and for all that speaks of it', async () => {
    const out = ['-o', `${base}-out`, '--metrics-file', `${base}.prom`];
    const { code, stdout, stderr } = await run('import', file, ...into, ...out);
    expect(code, stderr).toBe(rejected > 0 ? 2 : 0);
    expect(numberIn(/^rows +(\d+)$/m, stdout)).toBe(rows);
    const summary = summaryIn('out');
    expect(summary).toMatchObject({ rows, quality: { rows: rows - outside } });
    expect(outcomesOf(summary.outcomes)).toEqual(expected);
    const { lost = 0, outside: told = 0 } = summary.quality ?? {};
    expect(told).toBe(outside);
    const more = outside === 0 ? '' : `; the mapping does not take ${outside} more`;
    const sentence = `${lost} of ${rows - outside} rows left out (rejected or skipped)${more}.`;
    expect(stdout).toContain(sentence);

    const csv = readFileSync(at(`${base}-out/report.csv`), 'utf8');
    expect(parse(csv, { columns: true, bom: true })).toHaveLength(rows);
    expect(lastRows(readFileSync(at(`${base}.prom`), 'utf8'))).toBe(rows);

    const report = await run('report', ...ledger, '--format', 'text');
    expect(numberIn(/^rows +(\d+)$/m, report.stdout)).toBe(rows);
    expect(report.stdout).toContain(sentence);
    const lines = await run('report', ...ledger, '--format', 'jsonl');
    expect(lines.stdout.trimEnd().split('\n')).toHaveLength(rows);
    for (const args of [['runs'], ['runs', 'show']]) {
      const shown = JSON.parse((await run(...args, '--json', ...ledger)).stdout) as Counts;
      const its = Array.isArray(shown) ? (shown[0] as Counts) : shown;
      expect(its.rows).toBe(rows);
      expect(outcomesOf(its.outcomes)).toEqual(expected);
    }
    expect(numberIn(/^rows +(\d+)$/m, (await run('runs', 'show', ...ledger)).stdout)).toBe(rows);
  });

  it('has as many rows for a comparison, its rejects and an undo', async () => {
    const compared = await run('reconcile', file, ...into, '-o', `${base}-compared`);
    expect(numberIn(/^rows +(\d+)$/m, compared.stdout), compared.stderr).toBe(rows);
    expect(outcomesOf(summaryIn('compared').outcomes)).toEqual(
      outcomesOf({ match: sent, rejected, skipped }),
    );
    const listed = await run('runs', '--json', ...ledger);
    const runs = JSON.parse(listed.stdout) as { run: string; mode: string }[];
    const imported = runs.find(({ mode }) => mode === 'create')?.run ?? '';
    const claimed = ['reconcile', '--run', imported, ...ledger, '-o', `${base}-claimed`];
    const claims = await run(...claimed);
    expect(numberIn(/^rows +(\d+)$/m, claims.stdout), claims.stderr).toBe(rows);

    if (rejected > 0) {
      const rejects = `${base}-out/rejects.csv`;
      const again = await run('import', rejects, ...into, '-o', `${base}-again`);
      expect(numberIn(/^rows +(\d+)$/m, again.stdout), again.stderr).toBe(rejected);
      expect(outcomesOf(summaryIn('again').outcomes)).toEqual({ rejected });
    }

    const undone = await run('undo', imported, '--yes', ...ledger, '-o', `${base}-undone`);
    expect(numberIn(/^rows +(\d+)$/m, undone.stdout), undone.stderr).toBe(rows);
    expect(outcomesOf(summaryIn('undone').outcomes)).toEqual(
      outcomesOf({ undone: sent, skipped: rows - sent }),
    );
  });
});
