import type { Installation } from '../../installation/installation.js';
import type { LoadedMapping } from '../../mapping/load.js';
import type { FieldRules } from '../../reconcile/compare.js';

/** Transforms that change the case of letters. */
const CASE = ['upper', 'lower', 'title'];

/** How the fields of a mapping are compared: by their type on the card, and without case where the mapping changes it. */
export function fieldRules(
  { sections }: Pick<LoadedMapping, 'sections'>,
  { card }: Pick<Installation, 'card'>,
): FieldRules {
  return Object.fromEntries(
    Object.entries(sections.client.fields).map(([name, spec]) => {
      const transforms = typeof spec === 'string' ? [] : [spec.transform ?? []].flat();
      const ignoreCase = transforms.some((transform) =>
        CASE.some(
          (word) => transform === word || (typeof transform === 'object' && word in transform),
        ),
      );
      const type = card[name]?.type === 'Number' ? 'Number' : 'text';
      return [name, { type, ignoreCase }] as const;
    }),
  );
}
