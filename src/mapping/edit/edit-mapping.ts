import { ConfigurationError, type ConfigMistake } from '../../core/errors.js';
import { parsePlaced } from '../../config/document.js';
import { patchYaml } from '../../config/patch/patch-yaml.js';
import * as adjust from './adjust.js';
import { become, setColumns, setConstant } from './become.js';
import type { EditOf, MappingEdit } from './edit.js';
import { mapValue } from './map-value.js';
import { isRecord, type Keys } from './record.js';
import { type EditRefusal, RefusedEdit } from './refusal.js';

/** What came of an edit. Without `yaml` nothing was changed. */
export type EditedMapping =
  | { readonly yaml: string }
  /** The text is no YAML, or no keys and values: what is wrong, with its lines. */
  | { readonly mistakes: readonly ConfigMistake[] }
  /** The edit does not suit the mapping. */
  | { readonly refused: EditRefusal };

type Edits = {
  readonly [Kind in MappingEdit['kind']]: (mapping: Keys, edit: EditOf<Kind>) => void;
};

const EDITS: Edits = {
  become,
  columns: setColumns,
  constant: setConstant,
  step: adjust.setStep,
  withoutStep: adjust.withoutStep,
  steps: adjust.setSteps,
  mapValue,
  blank: adjust.setBlank,
  invalid: adjust.setInvalid,
  default: adjust.setDefault,
  required: adjust.setRequired,
  split: adjust.setSplit,
  source: adjust.setSource,
};

/**
 * Makes one edit in the text of a mapping. All that the edit does not concern stays as it is written. The mapping may
 * lack what it needs, and may have mistakes: only YAML has to be right.
 * @param file what mistakes call the text
 */
export function editMapping(yaml: string, edit: MappingEdit, file = 'the mapping'): EditedMapping {
  try {
    const mapping = keysOf(yaml, file);
    refuseReserved(edit);
    apply(mapping, edit);
    const edited = patchYaml(yaml, mapping);
    return edited === null
      ? { refused: { code: 'not_writable', params: { path: '' } } }
      : { yaml: edited };
  } catch (error) {
    if (error instanceof ConfigurationError) return { mistakes: error.mistakes };
    if (!(error instanceof RefusedEdit)) throw error;
    return { refused: withLine(error, yaml, file) };
  }
}

function apply<Kind extends MappingEdit['kind']>(mapping: Keys, edit: EditOf<Kind>): void {
  const make: (mapping: Keys, edit: EditOf<Kind>) => void = EDITS[edit.kind];
  make(mapping, edit);
}

/** The mapping as plain data; one that nobody has begun has none. */
function keysOf(yaml: string, file: string): Keys {
  if (isBlankMapping(yaml)) return {};
  const { value } = parsePlaced(file, yaml);
  if (isRecord(value)) return structuredClone(value);
  throw new ConfigurationError([
    {
      ...{ file, line: 1, column: 1, message: 'it must be keys and values.' },
      suggestion: 'A mapping begins with "client:".',
    },
  ]);
}

/** Whether there is nothing but comments. */
export const isBlankMapping = (yaml: string): boolean =>
  yaml.split('\n').every((line) => /^\s*(?:#|$)/.test(line));

/** A key that JavaScript takes for something else. */
const RESERVED = '__proto__';

function refuseReserved(edit: MappingEdit): void {
  const names = [
    ...('target' in edit ? [edit.target?.replace(/^fields\./, '')] : []),
    ...(edit.kind === 'mapValue' ? [edit.from.trim(), ...(edit.keep ?? [])] : []),
  ];
  if (names.includes(RESERVED))
    throw new RefusedEdit({ code: 'reserved_name', params: { name: RESERVED } });
}

function withLine({ refusal, path }: RefusedEdit, yaml: string, file: string): EditRefusal {
  if (path.length === 0 || isBlankMapping(yaml)) return refusal;
  return { ...refusal, line: parsePlaced(file, yaml).placeOf(path).line };
}
