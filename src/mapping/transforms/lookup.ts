import { z } from 'zod';
import { headerName } from '../../core/cell-text.js';
import { filled } from '../../config/scalar.js';
import type { Path } from '../../config/path.js';
import { suggestion } from '../../config/nearest.js';
import { transform, type TransformContext } from './kind.js';
import { isLarge, type LookupEntries, type Rows } from '../table.js';
import { InvalidValue, onText } from './step.js';

const options = z
  .strictObject({
    file: filled.describe('CSV file with a header, relative to the mapping file.'),
    key: filled.describe('Column of that file which is compared with the value.'),
    value: filled.describe('Column of that file which takes the place of the value.'),
  })
  .describe('Replaces the value by what a table says of it.');

/** Replaces a value by what a table says of it. A value that is not in the table is unknown, as with `map`. */
export const lookup = transform(options, (options, path, context) => {
  const { file, key, value } = options;
  const table = context.table(file);
  const entries =
    table && isLarge(table)
      ? orMistake(table.entries({ key, value }), file, path, context)
      : entriesOf(table, options, path, context);
  const wrong = new InvalidValue(
    'not_in_table',
    `This value is not in column "${key}" of ${file}, so there is no "${value}" for it.`,
    true,
  );
  return onText((text) => entries.get(text.trim()) ?? wrong);
});

function orMistake(
  found: LookupEntries | { readonly conflict: number },
  file: string,
  path: Path,
  context: TransformContext,
): LookupEntries {
  if ('get' in found) return found;
  noteConflict(found.conflict, file, path, context);
  return new Map();
}

/** @param row number of the second one, from 1 */
function noteConflict(row: number, file: string, path: Path, context: TransformContext): void {
  context.mistake(
    path,
    `row ${row} of ${file} says something else for a key that stands further up.`,
    'Keep one row for each key.',
  );
}

function entriesOf(
  table: Rows | undefined,
  { file, key, value }: z.output<typeof options>,
  path: Path,
  context: TransformContext,
): Map<string, string> {
  const entries = new Map<string, string>();
  if (table === undefined) return entries;
  const header = (table[0] ?? []).map(headerName);
  const [from, to] = [
    position(header, key, file, [...path, 'key'], context),
    position(header, value, file, [...path, 'value'], context),
  ];
  if (from < 0 || to < 0) return entries;
  for (const [index, row] of table.entries()) {
    const name = row[from]?.trim() ?? '';
    if (index === 0 || name === '') continue;
    const result = row[to] ?? '';
    if (entries.has(name) && entries.get(name) !== result) {
      noteConflict(index + 1, file, path, context);
      return entries;
    }
    entries.set(name, result);
  }
  return entries;
}

function position(
  header: readonly string[],
  name: string,
  file: string,
  path: Path,
  context: TransformContext,
): number {
  const at = header.indexOf(headerName(name));
  if (at < 0) context.mistake(path, `${file} has no column "${name}".`, suggestion(name, header));
  return at;
}
