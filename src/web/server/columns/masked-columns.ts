import type { Columns } from '../../shared/columns.js';
import { masked } from '../mask.js';

/** They say nothing of who a client is. */
const NO_WORDS: ReadonlySet<string> = new Set(['clientRoleId', 'type', 'timeZone']);

/** Without what the cells say: values, maps, and the text of the mapping, whose maps and comments hold them too. */
export function maskedColumns(shown: Columns): Columns {
  const hidden = <T extends { readonly value: string }>(values: readonly T[]): T[] =>
    values.map((one) => ({ ...one, value: masked(one.value) }));
  return {
    ...shown,
    yaml: null,
    mistakes: shown.mistakes.map((one) => ({ ...one, suggestion: null })),
    cards: shown.cards.map(({ parts, ...card }) => ({
      ...card,
      parts: parts.map((part) =>
        NO_WORDS.has(part.target) ? part : { ...part, text: masked(part.text) },
      ),
    })),
    columns: shown.columns.map((column) => ({
      ...column,
      examples: hidden(column.examples),
      uses: column.uses.map((use) => ({
        ...use,
        steps: use.steps.map((step) =>
          step.name === 'map' || step.name === 'replace' ? { ...step, options: null } : step,
        ),
        map: use.map.map((pair) => ({ ...pair, from: masked(pair.from) })),
        blank: use.blank.map(masked),
        problems: use.problems.map((one) => ({ ...one, values: hidden(one.values) })),
      })),
    })),
  };
}
