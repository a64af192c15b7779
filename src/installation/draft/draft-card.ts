import type { DraftField } from './draft-field.js';

/** What is known of a card before anything is written. */
export interface KnownCard {
  /** Names of the synchronization identifiers, in the order in which they were given. */
  readonly identifiers: readonly string[];
  /** Names and values of one client's fields, as the contact center shows them (interface.md 4.8). */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  /** Fields that a person named, with their types. */
  readonly named?: readonly DraftField[] | undefined;
}

export interface DraftCard {
  readonly fields: readonly DraftField[];
  /** Names that the contact center shows and that are no custom fields, or cannot be written. */
  readonly leftOut: readonly string[];
}

/** What 4.8 shows of every client beside its custom fields. */
const OF_EVERY_CLIENT: ReadonlySet<string> = new Set(['id', 'clientType', 'timeZone']);

/**
 * Drafts the card configuration: the identifiers first, then the fields that a client shows, then those that a person
 * named. Types come from the values; the values themselves are personal data and go nowhere.
 */
export function draftCard({ identifiers, values = {}, named = [] }: KnownCard): DraftCard {
  const fields = new Map<string, DraftField>();
  for (const name of identifiers) fields.set(name, { ...drafted(name, values), sync: true });
  const leftOut: string[] = [];
  for (const name of Object.keys(values)) {
    if (fields.has(name)) continue;
    if (OF_EVERY_CLIENT.has(name) || !canBeWritten(name)) leftOut.push(name);
    else fields.set(name, drafted(name, values));
  }
  for (const field of named)
    fields.set(field.name, { ...field, sync: fields.get(field.name)?.sync ?? field.sync });
  return { fields: [...fields.values()], leftOut };
}

const canBeWritten = (name: string): boolean => name.trim() !== '' && name !== '__proto__';

function drafted(name: string, values: Readonly<Record<string, unknown>>): DraftField {
  const field = { name, sync: false };
  if (!Object.hasOwn(values, name))
    return { ...field, type: 'TextField', remark: 'Check the type: it is a guess.' };
  const value = values[name];
  if (typeof value === 'number') return { ...field, type: 'Number' };
  if (typeof value === 'string' && value !== '') return { ...field, type: 'TextField' };
  return { ...field, type: 'TextField', remark: remarkOn(value) };
}

function remarkOn(value: unknown): string {
  return value === null || value === ''
    ? 'Check the type: the field is empty for this client.'
    : `Check the type: the contact center shows ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}.`;
}
