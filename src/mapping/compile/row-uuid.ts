import type { FieldValue } from '../../core/client.js';
import type { Cell } from '../../core/table.js';
import type { LoadedMapping } from '../load.js';
import type { CompileContext } from './context.js';
import { toFilledText } from './convert.js';
import type { Fields } from './fields.js';
import type { RowProblems } from './row-problems.js';
import { compilePart, missing } from './part.js';
import { compileValue } from './value-reader.js';
import { canonicalJson, uuidOf } from './uuid.js';

/** UUID of a row; `null` when it could not be made out. */
export type RowUuid = (
  cells: readonly Cell[],
  identifiers: readonly (string | number | null)[],
  fields: readonly (FieldValue | null)[],
  problems: RowProblems,
) => string | null;

/**
 * The column that the mapping names, or a UUIDv5 of the synchronization identifiers, so that the same lead has the
 * same UUID in every file. Without a card nothing says what identifies, and all fields do.
 */
export function compileUuid(
  spec: LoadedMapping['uuid'],
  { identifiers, others }: Fields,
  hasCard: boolean,
  context: CompileContext,
): RowUuid {
  if (spec !== undefined) {
    const reader = compileValue(spec, ['uuid'], context);
    if (reader.constant !== undefined) {
      context.mistake(['uuid'], 'a constant would give every row the same UUID.', 'Name a column.');
    }
    const part = compilePart(reader, toFilledText, missing('The UUID'), context);
    return (cells, _identifiers, _fields, problems) => part(cells, problems);
  }
  if (!hasCard) {
    const json = canonicalJson(others.map(({ name }) => name));
    return (_cells, _identifiers, fields) => uuidOf(json(fields));
  }
  const json = canonicalJson(identifiers.map(({ name }) => name));
  return (_cells, values) => (values.includes(null) ? null : uuidOf(json(values)));
}
