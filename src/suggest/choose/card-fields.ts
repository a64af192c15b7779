import type { CardField, Installation } from '../../installation/installation.js';
import { normalForm } from '../header/normal-form.js';
import { type Meaning, recognise } from '../header/recognise.js';
import type { Concept } from '../words/concepts.js';

/** A field of the card, with what its name, its title and its aliases mean. */
export interface KnownField {
  readonly name: string;
  readonly field: CardField;
  readonly isNeeded: boolean;
  /** Normal forms of all its names. */
  readonly forms: ReadonlySet<string>;
  readonly meanings: readonly Meaning[];
}

/** What words of two meanings mean as the name of a field. */
const SETTLED: Partial<Record<Concept, Concept>> = {
  name: 'fullName',
  title: 'jobTitle',
  state: 'region',
};

/** Below this, a name means too little to go by. */
const MEANT = 0.6;

/** The fields of a card, each with what its name, its title and its aliases mean. */
export function knownFields(card: Installation['card']): KnownField[] {
  return Object.entries(card).map(([name, field]) => {
    const names = [
      name,
      ...(field.title === undefined ? [] : [field.title]),
      ...(field.aliases ?? []),
    ];
    const meanings = names.flatMap((each) =>
      recognise(each).meanings.filter(({ score }) => score >= MEANT),
    );
    return {
      ...{ name, field, isNeeded: field.sync || field.required },
      forms: new Set(names.map(normalForm)),
      meanings: meanings.map((meaning) => ({
        ...meaning,
        concept: SETTLED[meaning.concept] ?? meaning.concept,
      })),
    };
  });
}

/** The field of the card that means this, if there is one. */
export function fieldFor(
  fields: readonly KnownField[],
  ...concepts: readonly Concept[]
): KnownField | undefined {
  return fields.find(({ meanings }) => meanings.some(({ concept }) => concepts.includes(concept)));
}
