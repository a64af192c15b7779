import type { MappingEdit } from '../../mapping/edit/edit.js';
import { type EditedMapping, editMapping } from '../../mapping/edit/edit-mapping.js';

/** Makes several edits in the text of a mapping, one after the other: all of them, or none. */
export function editText(
  yaml: string,
  edits: readonly MappingEdit[],
  file?: string,
): EditedMapping {
  let text = yaml;
  for (const edit of edits) {
    const edited = editMapping(text, edit, file);
    if (!('yaml' in edited)) return edited;
    text = edited.yaml;
  }
  return { yaml: text };
}

/** How a spreadsheet is read, as it was chosen; `null` has it found out. */
export type ChosenSource = Extract<MappingEdit, { kind: 'source' }>['options'];

/** The mapping with how the spreadsheet is read. One that is no YAML stays as it is. */
export function withSource(yaml: string, options: ChosenSource): string {
  const edited = editText(yaml, [{ kind: 'source', options }]);
  return 'yaml' in edited ? edited.yaml : yaml;
}
