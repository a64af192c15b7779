import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { OUTCOME_COLUMN } from '../../core/report.js';
import type { Cell, Source } from '../../core/table.js';
import { FORMAT_TRAITS } from '../../report/rejects/rejects-formats.js';
import { openSource } from '../../source/open.js';

/** A file of rejects, or of rows to mend, in the folder of a report. */
export interface KeptRows {
  /** Cells of its data rows, in order. */
  rows(): AsyncGenerator<readonly Cell[], void, undefined>;
  /** Writes it anew without these rows; without any row left, it is removed. */
  without(isLeftOut: (at: number) => boolean): Promise<void>;
}

/** @throws InputError when it cannot be read any more */
export async function openKeptRows(path: string): Promise<KeptRows> {
  const source = await openSource(path);
  const header = await headerRow(source);
  return {
    rows: async function* () {
      for await (const { cells, row } of eachRow(source)) if (row > header) yield cells;
    },
    without: (isLeftOut) => rewrite(path, source, header, isLeftOut),
  };
}

async function* eachRow(source: Source) {
  for await (const batch of source.batches()) yield* batch;
}

/** Number of the row that names the columns which rejects have beside those of their input; 0: there is none. */
async function headerRow(source: Source): Promise<number> {
  for await (const { cells, row } of eachRow(source))
    if (cells.some((cell) => cell?.trim() === OUTCOME_COLUMN)) return row;
  return 0;
}

async function rewrite(
  path: string,
  source: Source,
  header: number,
  isLeftOut: (at: number) => boolean,
): Promise<void> {
  const { encoding, delimiter, bom, sheets } = source.info;
  const format = extname(path) === '.xlsx' ? 'xlsx' : 'csv';
  const open = await FORMAT_TRAITS[format].load();
  const above: (readonly Cell[])[] = [];
  for await (const { cells, row } of eachRow(source)) {
    if (row > header) break;
    // The mapping may name the header by its number.
    while (above.length < row - 1) above.push([]);
    above.push(cells);
  }
  const writer = await open(
    { file: path, format, encoding, delimiter, bom, headers: [], sheet: sheets[0] },
    // The rows have all of their columns already.
    { headers: above.at(-1) ?? [], row: (cells) => [...cells] },
    above,
  );
  try {
    let at = 0;
    for await (const { cells, row } of eachRow(source)) {
      if (row <= header || isLeftOut(at++)) continue;
      await writer.write(cells, 'rejected', '');
    }
    if ((await writer.close()) === 0) await rm(path);
  } catch (error) {
    await writer.discard();
    throw error;
  }
}
