import type { MappingEdit } from '../../mapping/edit/edit.js';
import { parsePlaced } from '../../config/document.js';
import { ConfigurationError } from '../../core/errors.js';
import {
  type EditedMapping,
  editMapping,
  isBlankMapping,
} from '../../mapping/edit/edit-mapping.js';
import { isRecord } from '../../mapping/edit/record.js';
import { source as sourceSchema } from '../../mapping/schema/sections.js';

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

/** All of it. */
export type WholeSource = {
  readonly [K in keyof ChosenSource]-?: Exclude<ChosenSource[K], undefined>;
};

/** The mapping with how the spreadsheet is read. One that is no YAML stays as it is. */
export function withSource(yaml: string, options: ChosenSource): string {
  const edited = editText(yaml, [{ kind: 'source', options }]);
  return 'yaml' in edited ? edited.yaml : yaml;
}

/** How a mapping has the spreadsheet read; `undefined` where it is no YAML. */
export function sourceIn(yaml: string): WholeSource | undefined {
  const value = valueOf(yaml);
  if (value === undefined) return undefined;
  const { sheet, headerRow, encoding, delimiter } = sourceOf(value);
  return {
    sheet: sheet ?? null,
    headerRow: headerRow ?? null,
    encoding: encoding ?? null,
    delimiter: delimiter ?? null,
  };
}

/** Whether a text is YAML, whatever it holds: then it can be edited by clicks. */
export const isReadable = (yaml: string): boolean => valueOf(yaml) !== undefined;

/** How a mapping has the spreadsheet read; where that section has mistakes, it is found out. */
export const sourceOf = (value: unknown) =>
  sourceSchema.safeParse(isRecord(value) ? value['source'] : undefined).data ?? {};

function valueOf(yaml: string): unknown {
  try {
    return isBlankMapping(yaml) ? {} : parsePlaced('', yaml).value;
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}
