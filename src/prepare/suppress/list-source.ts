import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { headerName } from '../../core/cell-text.js';
import { InputError } from '../../core/errors.js';
import { suggestion } from '../../config/nearest.js';
import type { FileListSpec } from '../../installation/installation.js';
import { numberReader, numbersVersion } from '../../mapping/transforms/phone/compare-numbers.js';
import { isCountry } from '../../mapping/transforms/phone/library.js';
import { isGzip, type ListSource } from '../../quality/numbers/list-source.js';
import { openSource } from '../../source/open.js';
import { refuseUnsureEncoding } from '../../source/refusals.js';

/** How the file of a list is read. */
export function listSource(list: FileListSpec): ListSource {
  const { file, format, column } = list;
  const country = format === 'ftc' ? 'US' : list.country;
  if (country !== undefined && !isCountry(country))
    throw new InputError(
      'no_country',
      `"${country}" is not a country. Use two letters, such as RU.`,
      { file },
    );
  return {
    file,
    settings: JSON.stringify([format, column ?? null, country ?? null, numbersVersion()]),
    reader: numberReader(country),
    areas: format === 'ftc',
    ...(column === undefined ? {} : { cells: () => cellsOf(file, column) }),
  };
}

/** The cells of a column, batch by batch. A packed table is unpacked first. */
async function* cellsOf(file: string, column: string): AsyncGenerator<string[], void, undefined> {
  if (!(await isGzip(file))) {
    yield* cellsIn(file, file, column);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'cardline-list-'));
  try {
    const unpacked = join(folder, basename(file).replace(/\.gz$/i, ''));
    await pipeline(
      createReadStream(file),
      createGunzip(),
      createWriteStream(unpacked, { mode: 0o600 }),
    );
    yield* cellsIn(unpacked, file, column);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `name`: the file that the person knows. */
async function* cellsIn(
  path: string,
  name: string,
  column: string,
): AsyncGenerator<string[], void, undefined> {
  const source = await openSource(path);
  refuseUnsureEncoding(name, source.info);
  let at: number | undefined;
  for await (const rows of source.batches()) {
    const texts: string[] = [];
    for (const { cells } of rows) {
      if (at === undefined) at = positionOf(column, cells, name);
      else texts.push(cells[at] ?? '');
    }
    yield texts;
  }
}

function positionOf(column: string, cells: readonly (string | null)[], file: string): number {
  const header = cells.map((cell) => headerName(cell ?? ''));
  const at = header.indexOf(headerName(column));
  if (at >= 0) return at;
  const hint = suggestion(
    column,
    header.filter((name) => name !== ''),
  );
  throw new InputError('no_column', `the list has no column "${column}". ${hint ?? ''}`.trim(), {
    file,
  });
}
