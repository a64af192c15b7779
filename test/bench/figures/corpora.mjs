/**
 * Counts the files and cells of third-party corpora that are read right: `node test/bench/figures/corpora.mjs [folder]`, after
 * `npm run build`. The folder holds `xlsx/<set>/`, `golden/<set>/` and `csv-spectrum/`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError } from '../../../dist/index.js';
import { openSource } from '../../../dist/source/source.js';

const DEFAULT = join(import.meta.dirname, '../../../shared/corpora');
const corpora = resolve(process.argv[2] ?? DEFAULT);
if (!existsSync(corpora)) {
  console.error(`There is no folder ${corpora}. Name the one with the corpora.`);
  process.exit(64);
}

const table = [];
for (const set of readdirSync(join(corpora, 'xlsx'))) table.push(await workbooks(set));
table.push(await texts());
console.table(table.map(({ set, counts }) => ({ set, ...counts })));
for (const { set, wrong } of table)
  for (const { file, why } of wrong) console.log(`${set}/${file}: ${why}`);

async function workbooks(set) {
  const figures = empty(set);
  for (const file of readdirSync(join(corpora, 'xlsx', set))) {
    figures.counts.files++;
    const golden = join(corpora, 'golden', set, `${file}.json`);
    let rows = new Map();
    let error;
    try {
      rows = await rowsOf(join(corpora, 'xlsx', set, file));
    } catch (thrown) {
      if (!(thrown instanceof InputError)) throw thrown;
      error = thrown;
    }
    if (!existsSync(golden)) {
      // No independent reader could read it: an end is all that is asked.
      figures.counts.withoutGolden++;
      continue;
    }
    const wanted = JSON.parse(readFileSync(golden, 'utf8'));
    const wrong = wanted.filter(
      ([sheet, row, column, type, value]) =>
        !isEqual(cellOf(rows.get(`${sheet}\n${row}`), column - 1, type), type, value),
    );
    figures.counts.cells += wanted.length;
    figures.counts.cellsRight += wanted.length - wrong.length;
    if (wrong.length === 0) figures.counts.filesRight++;
    else figures.wrong.push({ file, why: whyOf(error, wrong) });
  }
  return figures;
}

function whyOf(error, wrong) {
  if (error !== undefined) return error.code;
  return `${wrong.length} cells, first ${JSON.stringify(wrong[0])}`;
}

/** Golden numbers are stored ones, where a format shows another text. */
function cellOf(row, at, type) {
  const stored = row?.numbers?.find(([column]) => column === at)?.[1];
  return (type === 'n' ? stored : undefined) ?? row?.cells[at] ?? null;
}

async function rowsOf(path) {
  const rows = new Map();
  const source = await openSource(path, { allSheets: true });
  for await (const batch of source.batches())
    for (const row of batch) rows.set(`${row.sheet}\n${row.row}`, row);
  return rows;
}

/** Blank rows are left out, and every field is text. */
async function texts() {
  const figures = empty('csv-spectrum');
  const folder = join(corpora, 'csv-spectrum');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.csv'))) {
    figures.counts.files++;
    const json = JSON.parse(readFileSync(join(folder, file.replace('.csv', '.json')), 'utf8'));
    const records = Array.isArray(json) ? json : [json];
    const wanted = [Object.keys(records[0]), ...records.map((record) => Object.values(record))];
    const rows = [];
    for await (const batch of (await openSource(join(folder, file))).batches())
      rows.push(...batch.map(({ cells }) => cells.map((cell) => cell ?? '')));
    const cells = wanted.flat().length;
    const right = wanted.flatMap((row, at) =>
      row.filter((cell, column) => rows[at]?.[column] === cell),
    ).length;
    figures.counts.cells += cells;
    figures.counts.cellsRight += right;
    if (right === cells && rows.length === wanted.length) figures.counts.filesRight++;
    else figures.wrong.push({ file, why: `${cells - right} of ${cells} cells` });
  }
  return figures;
}

function empty(set) {
  const counts = { files: 0, withoutGolden: 0, filesRight: 0, cells: 0, cellsRight: 0 };
  return { set, counts, wrong: [] };
}

function isEqual(cell, type, value) {
  if (cell === null) return value === '';
  if (type === 'n') return Math.abs(Number(cell) - value) <= 1e-9 * Math.abs(value);
  if (type === 'd') return Math.abs(secondsOf(cell) - secondsOf(String(value))) <= 0.5;
  return cell === String(value);
}

/** Dates from 1970, times from midnight; `2 days, 03:00:00` is an elapsed time. NaN for anything else. */
function secondsOf(text) {
  const elapsed = /^(?:(\d+) days?, )?(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text);
  if (elapsed) {
    const [, days = '0', hours, minutes, seconds] = elapsed;
    return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  }
  const date = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(\.\d+)?)?$/.exec(text);
  if (!date) return NaN;
  const [, day, time = '00:00:00', fraction = '0'] = date;
  return Date.parse(`${day}T${time}Z`) / 1000 + Number(fraction);
}
