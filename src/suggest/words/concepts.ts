import { CALLS } from './calls.js';
import { CONTACTS } from './contacts.js';
import { DATES } from './dates.js';
import { GOODS } from './goods.js';
import { IDENTIFIERS } from './identifiers.js';
import { OPINIONS } from './opinions.js';
import { PEOPLE } from './people.js';
import { PLACES } from './places.js';
import { PROCESS } from './process.js';

/** Everything that a column or a card field may mean, with the names that it has. */
export const CONCEPTS = {
  ...PEOPLE,
  ...CONTACTS,
  ...PLACES,
  ...IDENTIFIERS,
  ...PROCESS,
  ...OPINIONS,
  ...CALLS,
  ...DATES,
  ...GOODS,
};

export type Concept = keyof typeof CONCEPTS;

export const DATE_CONCEPTS: ReadonlySet<Concept> = new Set<Concept>([
  'birthDate',
  'created',
  'modified',
  'lastCall',
  'callback',
  'due',
  'renewal',
  'start',
]);

export const NUMBER_CONCEPTS: ReadonlySet<Concept> = new Set<Concept>([
  ...(['age', 'attempts', 'score', 'budget', 'revenue', 'debt'] as const),
  ...(['overdueDays', 'premium', 'quantity', 'employees'] as const),
]);

/** Meanings that are near enough for one to stand for the other when nothing fits better. */
export const NEAR: readonly (readonly [Concept, Concept, number])[] = [
  ['website', 'domain', 0.9],
  ['contract', 'policy', 0.88],
  ['created', 'start', 0.7],
  ['budget', 'debt', 0.62],
  ['budget', 'premium', 0.62],
  ['due', 'renewal', 0.75],
  ['segment', 'tier', 0.6],
  ['comment', 'topic', 0.4],
  ['id', 'contract', 0.8],
  ['id', 'policy', 0.8],
  ['id', 'offer', 0.86],
  ['id', 'order', 0.8],
  ['id', 'uuid', 0.8],
  ['vehicle', 'product', 0.5],
  ['branch', 'city', 0.55],
  ['domain', 'company', 0.3],
];
