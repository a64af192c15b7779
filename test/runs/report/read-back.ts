import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { OUTCOMES } from '../../../src/core/outcome.js';

/** A report as whoever gets the file reads it. */
export interface ReadBack {
  /** Rows by outcome or verdict, without zeros. */
  readonly counts: Record<string, number>;
  /** Names of the columns of the rows; of a text, none. */
  readonly columns: readonly string[];
}

type Cells = Record<string, unknown>;

/** How often each occurs. */
export const tally = (outcomes: readonly unknown[]): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const outcome of outcomes.map(String)) counted[outcome] = (counted[outcome] ?? 0) + 1;
  return counted;
};

const counted = (rows: readonly Cells[]) => tally(rows.map((row) => row['outcome']));
const number = (text = ''): number => Number(text.replaceAll(',', ''));

async function csv(file: string): Promise<ReadBack> {
  const [columns = [], ...lines]: string[][] = parse(await readFile(file));
  const rows = lines.map((line) => Object.fromEntries(columns.map((name, at) => [name, line[at]])));
  return { counts: counted(rows), columns };
}

async function jsonl(file: string): Promise<ReadBack> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const rows = lines.map((line) => JSON.parse(line) as Cells);
  const columns = Object.entries(rows[0] ?? {}).flatMap(([name, value]) =>
    name === 'identifiers' ? Object.keys(value as object) : [name],
  );
  return { counts: counted(rows), columns };
}

async function text(file: string): Promise<ReadBack> {
  const lines = (await readFile(file, 'utf8')).matchAll(/^ {2}(\w+) +([\d,]+) +[<>]? ?[\d.]+ %$/gm);
  const counts = [...lines].map(([, outcome = '', count]) => [outcome, number(count)]);
  return { counts: Object.fromEntries(counts) as Record<string, number>, columns: [] };
}

async function xlsx(file: string): Promise<ReadBack> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(file);
  const valuesOf = (name: string): unknown[][] => {
    const lines: unknown[][] = [];
    workbook.getWorksheet(name)?.eachRow((row) => lines.push((row.values as unknown[]).slice(1)));
    return lines;
  };
  const [columns = [], ...lines] = valuesOf('Rows');
  const at = columns.indexOf('outcome');
  const counts = tally(lines.map((line) => line[at]));
  const summary = valuesOf('Summary').filter(([name]) => OUTCOMES.some((one) => one === name));
  expect(Object.fromEntries(summary)).toEqual(counts);
  return { counts, columns: columns.map(String) };
}

/** The table of counts, and the rows that the page holds for its script. */
async function html(file: string): Promise<ReadBack> {
  const page = await readFile(file, 'utf8');
  const lines = page
    .replaceAll(/\s+/g, ' ')
    .matchAll(
      /<span class="mark (\w+)"><\/span ?>.*?<td[^>]*>([\d,]+)<\/td>.*?<td>([^<]*)<\/td> <\/tr>/g,
    );
  const told = [...lines].map(([, outcome = '', count, remark]) => ({
    ...{ outcome, count: number(count), isBad: remark !== '' },
  }));
  const [, json = ''] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
  const data = JSON.parse(json) as { columns: string[]; outcomeAt: number; rows: unknown[][] };
  const held = tally(data.rows.map((row) => row[data.outcomeAt]));
  for (const { outcome, count, isBad } of told)
    if (isBad) expect([outcome, held[outcome]]).toEqual([outcome, count]);
  const counts = told.map(({ outcome, count }) => [outcome, count]);
  return { counts: Object.fromEntries(counts) as Record<string, number>, columns: data.columns };
}

async function parquet(file: string): Promise<ReadBack> {
  const buffer = await asyncBufferFromFile(file);
  const { schema } = await parquetMetadataAsync(buffer);
  const rows: Cells[] = await parquetReadObjects({ file: buffer });
  return { counts: counted(rows), columns: schema.slice(1).map(({ name }) => name) };
}

/** How a report of each format is read back. */
export const READ_BACK = { csv, jsonl, xlsx, html, parquet, text } as const;
