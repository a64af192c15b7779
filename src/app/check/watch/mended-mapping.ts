import { type EditedMapping, editMapping } from '../../../mapping/edit/edit-mapping.js';
import type { MendEdit } from './mends.js';

/**
 * The text of a mapping with the rule that a mend is; all else stays as it is written.
 * @param to what a value is replaced by; of no use to other mends
 */
export function mendedMapping(yaml: string, edit: MendEdit, to: string): EditedMapping {
  switch (edit.kind) {
    case 'mapValue': {
      const { keep, ...others } = edit;
      return editMapping(yaml, { ...others, to, ...(keep ? { keep: [...keep] } : {}) });
    }
    case 'blank':
      return editMapping(yaml, { ...edit, words: [...edit.words] });
    case 'invalid':
      return editMapping(yaml, edit);
  }
}
