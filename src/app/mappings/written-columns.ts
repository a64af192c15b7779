import { ConfigurationError } from '../../core/errors.js';
import { parsePlaced } from '../../config/document.js';
import type { ColumnTarget } from '../../mapping/edit/target.js';
import { isBlankMapping } from '../../mapping/edit/edit-mapping.js';
import { type WrittenUse, writtenUses } from '../../mapping/edit/uses.js';

/** The columns that a mapping makes each of these parts of a client of, each once; none where it is no YAML. */
export function writtenColumns(yaml: string): (...targets: ColumnTarget[]) => readonly string[] {
  const uses = usesIn(yaml);
  return (...targets) => [
    ...new Set(
      uses.filter(({ target }) => targets.includes(target)).flatMap(({ columns }) => columns),
    ),
  ];
}

function usesIn(yaml: string): readonly WrittenUse[] {
  try {
    return isBlankMapping(yaml) ? [] : writtenUses(parsePlaced('the mapping', yaml).value);
  } catch (error) {
    if (error instanceof ConfigurationError) return [];
    throw error;
  }
}
