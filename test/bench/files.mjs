import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCsv, writeXlsx } from './generate.mjs';
import { here } from './measure.mjs';

export const MAPPING = here('./mapping.yaml');
export const INSTALLATION = here('./installation.yaml');
const generator = createHash('sha256')
  .update(readFileSync(here('./generate.mjs')))
  .digest('hex');
/** Files of one generator are the same each time, so they are kept between runs. */
export const FILES = join(tmpdir(), `cardline-bench-files-${generator.slice(0, 8)}`);

/** A CSV file of so many rows. */
export async function csvOf(rows) {
  return fileOf(`leads-${rows}.csv`, (file) => writeCsv(file, rows));
}
/** A CSV file of so many rows, with stray quotes in some. */
export async function dirtyCsvOf(rows) {
  return fileOf(`dirty-${rows}.csv`, (file) => writeCsv(file, rows, true));
}
/** A workbook of so many rows. */
export async function xlsxOf(rows) {
  return fileOf(`leads-${rows}.xlsx`, (file) => writeXlsx(file, rows));
}
/** The file of this name, which is written where it is not there yet. */
export async function fileOf(name, write) {
  mkdirSync(FILES, { recursive: true });
  const file = join(FILES, name);
  if (!existsSync(file) || statSync(file).size === 0) await write(file);
  return file;
}
