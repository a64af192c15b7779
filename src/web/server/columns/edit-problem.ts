import type { EditedColumns } from '../../../app/columns/edit-columns.js';
import { Refusal } from '../refusal.js';

type Failed = Exclude<EditedColumns, { readonly yaml: string }>;
type Refused = Extract<EditedColumns, { readonly refused: unknown }>['refused'];

const SENTENCES: Readonly<Record<Refused['code'], string>> = {
  not_used: 'The mapping does not use this column any more.',
  in_template: 'The column is part of a text that is put together in the mapping.',
  not_joinable:
    'What is there is the same in all rows, or a text that is put together: no column can be added.',
  not_a_section: 'Something else stands in the mapping where this belongs.',
  not_writable: 'This place of the mapping is written in a way that cannot be changed by a click.',
  reserved_name: 'A mapping cannot hold this name.',
  needs_keep: 'The new value holds signs that mean something else in a pattern.',
};

/** Why an edit was not made, and where it can be made instead. */
export function editProblem(failed: Failed): Refusal {
  if ('mistakes' in failed)
    return new Refusal(422, {
      code: 'mapping_broken',
      sentence: 'The mapping is no valid YAML at the moment.',
      next: 'Mend it in the text, or take back the last text that could be read.',
    });
  if ('unusable' in failed)
    return new Refusal(422, {
      code: 'edit_unusable',
      sentence: `This cannot be used: ${failed.unusable}`,
    });
  const { code, line, params } = failed.refused;
  return new Refusal(422, {
    code: `edit_${code}`,
    sentence: SENTENCES[code],
    next: line === undefined ? 'Change it in the text.' : `Change it in the text, in line ${line}.`,
    values: { ...params, ...(line === undefined ? {} : { line }) },
  });
}
