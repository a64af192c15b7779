import { z } from 'zod';
import { headerName } from '../../core/cell-text.js';
import type { ConfigMistake } from '../../core/errors.js';
import { type MappingEdit, mappingEdit } from '../../mapping/edit/edit.js';
import type { EditRefusal } from '../../mapping/edit/refusal.js';
import { type ColumnTarget, columnTarget } from '../../mapping/edit/target.js';
import type { Scalar } from '../../config/scalar.js';
import type { Installation } from '../../installation/installation.js';
import { keysFor } from '../../suggest/view/keys.js';
import { withoutStaleRemarks } from '../../suggest/remarks/stale-remarks.js';
import { columnsView } from '../../suggest/view/view.js';
import { editText } from '../mappings/edit-text.js';
import { type MappedColumnsRequest, type ReadColumns, readColumns } from './mapped-columns.js';

/** An edit, or taking what is proposed for something that is missing. */
const columnsEdit = z.union([
  mappingEdit,
  z.strictObject({ kind: z.literal('propose'), target: columnTarget }),
]);

/** What came of edits. Without `yaml` nothing was changed. */
export type EditedColumns =
  | { readonly yaml: string }
  | { readonly mistakes: readonly ConfigMistake[] }
  | { readonly refused: EditRefusal }
  /** An edit is written in a way that no mapping has it: why. */
  | { readonly unusable: string };

/**
 * Makes edits in the mapping of a spreadsheet. A column that becomes something gets what belongs beside it there, by
 * what its cells hold: a country, patterns of dates, a map.
 * @throws as `mappedColumns` does
 */
export async function editColumns(
  request: MappedColumnsRequest,
  edits: readonly unknown[],
): Promise<EditedColumns> {
  const columns = await readColumns(request);
  let { yaml } = request;
  for (const given of edits) {
    const { data, error } = columnsEdit.safeParse(given);
    if (error) return { unusable: error.issues.map(({ message }) => message).join(' ') };
    const edited = editText(yaml, editsFor(data, yaml, columns), request.mapping);
    if (!('yaml' in edited)) return edited;
    yaml = withoutStaleRemarks(yaml, edited.yaml);
  }
  return { yaml };
}

function editsFor(
  edit: z.output<typeof columnsEdit>,
  yaml: string,
  { read, installation }: ReadColumns,
): readonly MappingEdit[] {
  if (edit.kind === 'propose') {
    const view = columnsView({ yaml, read, installation });
    if (view.kind === 'broken') return [];
    return view.missing.find(({ target }) => target === edit.target)?.edits ?? [];
  }
  if (edit.kind === 'constant')
    return [{ ...edit, value: writtenConstant(edit.target, edit.value, installation) }];
  if (edit.kind !== 'become' || edit.target === null || edit.keys || edit.join !== undefined)
    return [edit];
  const own = read.columns.find(({ header }) => headerName(header) === headerName(edit.column));
  return [own ? { ...edit, keys: keysFor(own, edit.target, read, installation) } : edit];
}

/** A number that was typed is written as one, where it is to be one. */
function writtenConstant(
  target: ColumnTarget,
  value: Scalar | null,
  { card }: Pick<Installation, 'card'>,
): Scalar | null {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  const isNumeric = isNumber(target, card) && String(Number(text)) === text;
  return text === '' ? null : isNumeric ? Number(text) : text;
}

const isNumber = (target: ColumnTarget, card: Installation['card']): boolean =>
  target === 'clientRoleId' ||
  target === 'callback.operatorId' ||
  Object.entries(card).some(([name, { type }]) => target === `fields.${name}` && type === 'Number');
